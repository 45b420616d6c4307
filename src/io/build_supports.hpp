// Which nodes the supports of a deck hold.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "io/deck.hpp"

namespace terrace {

/// Nodes of a shape's mesh by the name of their physical group.
using NodeGroups = std::map<std::string, std::vector<std::int32_t>>;

/// Adds a support to a model whose bodies are there, and gives its nodes its velocity. `bodies`: those
/// of the model that the entry means; `groups`: of their shape. Throws Error(input) where it holds no node,
/// or one that another support holds.
void add_support(Model& model, const SupportEntry& entry, std::span<const Body> bodies,
                 const NodeGroups& groups);

}  // namespace terrace
