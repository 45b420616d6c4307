// Which nodes the supports of a deck hold.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "io/deck.hpp"

namespace terrace {

/// By the name of each physical group: the nodes of a shape's mesh in it.
using NodeGroups = std::map<std::string, std::vector<std::int32_t>>;

/// Adds a support to a model that has its bodies, and gives its nodes the support's velocity in the
/// components that it holds. `bodies`: those of the model that the entry names; `groups`: of their shape.
/// Throws Error(input) where the support holds no node, or a component of a node that another support holds.
void add_support(Model& model, const SupportEntry& entry, std::span<const Body> bodies,
                 const NodeGroups& groups);

}  // namespace terrace
