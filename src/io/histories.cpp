#include "io/histories.hpp"

#include <fmt/core.h>

#include <cmath>
#include <exception>
#include <iterator>

#include "io/whole_file.hpp"

namespace terrace {

namespace {

const char* const system_header =
    "time,kinetic,potential,terraced,energy,momentum_x,momentum_y,momentum_z,"
    "angular_momentum_x,angular_momentum_y,angular_momentum_z,support_work,events\n";
const char* const bodies_header =
    "time,body,momentum_x,momentum_y,momentum_z,velocity_x,velocity_y,velocity_z,position_x,position_y,"
    "position_z,"
    "spin_x,spin_y,spin_z,kinetic,vibrational_kinetic,element_scale_kinetic,potential,"
    "contact_force_x,contact_force_y,contact_force_z\n";
const char* const probes_header =
    "time,probe,node,position_x,position_y,position_z,displacement_x,displacement_y,displacement_z,"
    "velocity_x,velocity_y,velocity_z\n";
const char* const subdomains_header =
    "subdomain,name,energy_step,level,events,reflections,longest_run,longest_run_start,"
    "step_mean,step_min,step_max,energy_mismatch\n";
const char* const steps_header = "subdomain,name,step_from,step_to,count\n";

// Quotes a name that holds a comma, a quote or a line's end, as RFC 4180 says.
std::string quoted(const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
  std::string text = "\"";
  for (const char letter : name) text += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return text + '"';
}

void append(std::string& row, double value) { fmt::format_to(std::back_inserter(row), ",{}", value); }
void append(std::string& row, std::int64_t value) { fmt::format_to(std::back_inserter(row), ",{}", value); }
void append(std::string& row, const std::string& name) { row += ',' + quoted(name); }
void append(std::string& row, const Vector3& vector) {
  for (const double component : vector) append(row, component);
}

// Every row begins with a number, before which there is no comma.
template <class First, class... Values>
void append_row(std::string& table, First first, const Values&... values) {
  fmt::format_to(std::back_inserter(table), "{}", first);
  (append(table, values), ...);
  table += '\n';
}

template <class... Values>
void add_row(GrowingTable& table, const Values&... values) {
  table.add([&](std::string& text) { append_row(text, values...); });
}

}  // namespace

Histories::Histories(const std::filesystem::path& directory, const HistoryOptions& options)
    : system_(directory / "history.csv", system_header) {
  if (options.probes) probes_.emplace(directory / "probes.csv", probes_header);
  if (options.bodies == BodyTable::hdf5)
    body_file_.emplace(directory / "bodies.h5", options.single_precision, options.compressed);
  else
    bodies_.emplace(directory / "bodies.csv", bodies_header);
}

void Histories::require_rows(double time, double time_of_bodies) const {
  system_.require_row(time);
  if (probes_) probes_->require_row(time);
  if (bodies_) bodies_->require_row(time_of_bodies);
  if (body_file_) body_file_->require_row(time_of_bodies);
}

void Histories::resume(double time, double time_of_bodies) {
  system_.resume(time);
  if (probes_) probes_->resume(time);
  if (bodies_) bodies_->resume(time_of_bodies);
  if (body_file_) body_file_->resume(time_of_bodies);
}

void Histories::add(const SystemRecord& record, const std::vector<ProbeRecord>& probes) {
  add_row(system_, record.time, record.kinetic, record.potential, record.terraced, record.energy,
          record.momentum, record.angular_momentum, record.support_work, record.events);
  if (!probes_) return;
  for (const ProbeRecord& probe : probes)
    add_row(*probes_, record.time, probe.name, std::int64_t{probe.node}, probe.position, probe.displacement,
            probe.velocity);
}

void Histories::add(double time, const std::vector<BodyRecord>& bodies) {
  if (body_file_) body_file_->add(time, bodies);
  if (!bodies_) return;
  for (const BodyRecord& body : bodies)
    add_row(*bodies_, time, body.name, body.momentum, body.velocity, body.position, body.spin, body.kinetic,
            body.vibrational_kinetic, body.element_scale_kinetic, body.potential, body.contact_force);
}

// Does every work, whatever becomes of the others; then rethrows the first failure.
template <class... Works>
static void do_each(const Works&... works) {
  std::exception_ptr first;
  const auto attempt = [&](const auto& work) {
    try {
      work();
    } catch (const std::exception&) {
      if (!first) first = std::current_exception();
    }
  };
  (attempt(works), ...);
  if (first) std::rethrow_exception(first);
}

void Histories::flush() {
  const auto flush_one = [](auto& table) {
    return [&] {
      if (table) table->flush();
    };
  };
  do_each([&] { system_.flush(); }, flush_one(probes_), flush_one(bodies_), flush_one(body_file_));
  due_ = Clock::now() + std::chrono::seconds(2);
}

// A file of HDF5 that stays open would be closed again at MPI's end.
void Histories::close() {
  do_each([&] { flush(); },
          [&] {
            if (body_file_) body_file_->close();
          });
}

void Histories::flush_if_due() {
  if (Clock::now() >= due_) flush();
}

// Many subdomains have many rows: the tables are written as they are made.
void write_subdomain_tables(const std::filesystem::path& directory,
                            const std::vector<SubdomainRecord>& subdomains) {
  WholeFile table(directory / "subdomains.csv"), steps(directory / "steps.csv");
  table.write(subdomains_header);
  steps.write(steps_header);
  std::string row;
  const auto add = [&](WholeFile& file, const auto&... values) {
    row.clear();
    append_row(row, values...);
    file.write(row);
  };
  for (std::size_t number = 0; number < subdomains.size(); ++number) {
    const SubdomainRecord& subdomain = subdomains[number];
    add(table, number, subdomain.name, subdomain.energy_step, subdomain.level, subdomain.events,
        subdomain.reflections, subdomain.longest_run, subdomain.longest_run_start, subdomain.step_mean,
        subdomain.step_min, subdomain.step_max, subdomain.energy_mismatch);
    for (const auto& [bin, count] : subdomain.histogram) {
      const double exponent = static_cast<double>(bin) / 10 - 20;
      add(steps, number, subdomain.name, std::pow(10.0, exponent), std::pow(10.0, exponent + 0.1), count);
    }
  }
  table.commit();
  steps.commit();
}

}  // namespace terrace
