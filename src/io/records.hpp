#pragma once
#include "dynamics/records.hpp"
