// Which nodes the supports of a deck hold.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "io/deck.hpp"

namespace terrace {

/// Nodes of a shape's mesh by the name of their physical group.
using NodeGroups = std::map<std::string, std::vector<std::int32_t>>;

/// Adds a support to a model whose bodies are there, and gives its nodes its velocity. `bodies`: names of
/// those the entry means; `groups`: of their shape. Throws Error(input) where it holds no node, or one that
/// another support holds.
void add_support(Model& model, const SupportEntry& entry, const std::vector<std::string>& bodies,
                 const NodeGroups& groups);

}  // namespace terrace
