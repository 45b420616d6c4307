// The choices of a deck that shape the dynamics: contact, localization, layout.
#pragma once

#include <string>

namespace terrace {

enum class ContactModel { none, face_intersection, gap, barrier, rigid };
struct ContactEntry {
  ContactModel model = ContactModel::none;
  double stiffness = 0;    ///< 1/ε
  double energy_step = 0;  ///< 0: the integrator's
  std::string where;
};

enum class LocalizationKind { global, bodies, metis };
enum class ContactLocalization { own, with_bodies };
struct LocalizationEntry {
  LocalizationKind kind = LocalizationKind::bodies;
  int parts = 1;  ///< METIS parts per body
  ContactLocalization contact = ContactLocalization::own;
};

enum class LayoutKind { own, slice, automatic };

}  // namespace terrace
