// A deck of bodies that touch and part again.
#pragma once

#include <string>

#include "support/small_system.hpp"

namespace terrace {

/// Seven cubes in a loose heap that fly into each other: pairs of them wake up and fall asleep.
inline Deck seven_cubes() {
  Deck deck = soft_deck({});
  for (int i = 0; i < 7; ++i) {
    const int x = i % 3 - 1, y = (i / 3) % 3 - 1, z = i == 6 ? 1 : 0;
    BodyEntry body =
        cube_entry(std::string(1, static_cast<char>('a' + i)), 1, {1.7 * x, 1.8 * y, 0.03 * i + 1.9 * z});
    body.velocity = {-0.25 * x, -0.3 * y, -0.2 * z};
    body.rotation_axis = {0.3, 0.2, 1};
    body.rotation_angle = 8.0 * i;
    deck.bodies.push_back(body);
  }
  deck.contact.model = ContactModel::barrier;
  return deck;
}

inline const LocalizationEntry own_contact{LocalizationKind::bodies, 1, ContactLocalization::own};

}  // namespace terrace
