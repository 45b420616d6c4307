#include "io/deck.hpp"

#include <filesystem>
#include <limits>

#include "io/deck_reader.hpp"
#include "io/deck_sections.hpp"
#include "parallel/error.hpp"

namespace terrace {

static void read_time(const TableReader& root, Deck& deck) {
  const TableReader time = root.table("time");
  time.allow_only({"end", "events"});
  deck.end_time = time.number("end", Range::positive());
  if (time.has("events"))
    deck.maximum_events = time.integer("events", 0, std::numeric_limits<std::int64_t>::max());
}

static void require_possible(const Deck& deck) {
  if (can_do(*deck.integrator.method, deck.contact.model)) return;
  const std::string method(deck.integrator.method->name);
  if (deck.contact.model == ContactModel::rigid)
    throw Error(Error::Kind::input, deck.contact.where,
                "contact.model = \"rigid\" with integrator.method = \"energy-stepping\"",
                "the method \"" + method + "\", which cannot reflect");
  throw Error(Error::Kind::input, deck.contact.where,
              "contact.model = \"barrier\" or \"gap\" with integrator.method = \"" + method + "\"",
              "\"face-intersection\", for which no certificate guards a step");
}

Deck read_deck(const std::string& path, const std::vector<std::string>& settings) {
  const DeckDocument document = parse_deck(path, settings);
  const TableReader& root = document.root;
  root.allow_only({"title", "time", "materials", "bodies", "contact", "walls", "supports", "gravity",
                   "localization", "integrator", "layout", "output"});
  const std::string deck_name = std::filesystem::path(path).stem().string();
  Deck deck;
  deck.path = path;
  deck.text = document.text;
  deck.title = root.text("title", deck_name);
  read_time(root, deck);
  deck.materials = read_materials(root);
  deck.bodies = read_bodies(root, deck.materials, path);
  deck.walls = read_walls(root, deck.bodies);
  deck.supports = read_supports(root, deck.bodies, deck.walls);
  deck.gravity = read_gravity(root, deck.bodies, deck.walls, deck.supports);
  deck.contact = read_contact(root, deck.bodies, deck.walls);
  refine_contacts(deck.contact, deck.materials, deck.walls, deck.bodies);
  deck.localization = read_localization(root);
  deck.integrator = read_integrator(root);
  require_possible(deck);
  deck.layout = read_layout(root);
  deck.output = read_output(root, "results/" + deck_name);
  return deck;
}

}  // namespace terrace
