#pragma once

namespace terrace {
inline constexpr const char* version = "0.1.0";
}
