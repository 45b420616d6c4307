// One reader per section of the input deck.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "io/deck.hpp"
#include "io/deck_reader.hpp"

namespace terrace {

/// Each reads and checks one section; all throw Error(input). Optional sections that are absent give the
/// defaults of deck.hpp. `deck_file`: the deck, to which the paths of mesh files are relative.
std::vector<Material> read_materials(const TableReader& root);
std::vector<BodyEntry> read_bodies(const TableReader& root, const std::vector<Material>& materials,
                                   const std::string& deck_file);
std::vector<Wall> read_walls(const TableReader& root, const std::vector<BodyEntry>& bodies);
/// Also adds the groups that supports name to the shapes of their bodies (FileShape::node_groups).
std::vector<SupportEntry> read_supports(const TableReader& root, std::vector<BodyEntry>& bodies,
                                        const std::vector<Wall>& walls);
/// Nodes whose motion is written.
std::vector<ProbeEntry> read_probes(const TableReader& root, const std::vector<BodyEntry>& bodies);
Vector3 read_gravity(const TableReader& root, const std::vector<BodyEntry>& bodies,
                     const std::vector<Wall>& walls, const std::vector<SupportEntry>& supports);
/// Point masses. `dimension` is set to the number of coordinates, the same for all. Files are relative to the
/// deck.
std::vector<ParticleEntry> read_particles(const TableReader& root, const std::string& deck_file,
                                          int& dimension);
std::vector<Interaction> read_interactions(const TableReader& root,
                                           const std::vector<ParticleEntry>& particles,
                                           const std::vector<Wall>& walls, int dimension);
ContactEntry read_contact(const TableReader& root, const std::vector<BodyEntry>& bodies,
                          const std::vector<Wall>& walls);
/// Refines the meshes of balls at the contact points that they name, for the forces that the deck names.
void refine_contacts(const ContactEntry& contact, const std::vector<Material>& materials,
                     const std::vector<Wall>& walls, std::vector<BodyEntry>& bodies);
/// `of_particles`: particles have other kinds of localization than meshes.
LocalizationEntry read_localization(const TableReader& root, bool of_particles);
IntegratorChoice read_integrator(const TableReader& root);
LayoutEntry read_layout(const TableReader& root);
OutputEntry read_output(const TableReader& root, const std::string& default_directory);

/// The names the bodies of an entry get: NAME, or NAME-1 … NAME-count.
std::vector<std::string> repeated_names(const BodyEntry& entry);

/// All names that bodies take, each with its file and line; the names of repeated entries too, which stand
/// for all of their bodies.
std::map<std::string, std::string> names_of_bodies(const std::vector<BodyEntry>& bodies);

/// Reads the key "body" of a section about a body.
NamedBody read_named_body(const TableReader& table, const std::vector<BodyEntry>& bodies);

/// Reads key "name": not empty, without the characters that would break a table of results (comma, quote,
/// control).
std::string read_name(const TableReader& table);

}  // namespace terrace
