#include "io/histories.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <sstream>
#include <type_traits>
#include <utility>

#include "io/whole_file.hpp"
#include "parallel/error.hpp"

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
const char* const subdomains_header =
    "subdomain,name,energy_step,level,events,reflections,longest_run,longest_run_start,"
    "step_mean,step_min,step_max,energy_mismatch\n";
const char* const steps_header = "subdomain,name,step_from,step_to,count\n";

// A name that holds a comma or a quote is quoted as RFC 4180 has it.
std::string quoted(const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
  std::string text = "\"";
  for (const char letter : name) text += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return text + '"';
}

void append(std::string& row, double value) { fmt::format_to(std::back_inserter(row), ",{:.17g}", value); }
void append(std::string& row, std::int64_t value) { fmt::format_to(std::back_inserter(row), ",{}", value); }
void append(std::string& row, const std::string& name) { row += ',' + quoted(name); }
void append(std::string& row, const Vector3& vector) {
  for (const double component : vector) append(row, component);
}

// Every table begins its rows with a number, so that only the others carry a comma before them.
template <class First, class... Values>
void append_row(std::string& table, First first, const Values&... values) {
  if constexpr (std::is_floating_point_v<First>)
    fmt::format_to(std::back_inserter(table), "{:.17g}", first);
  else
    fmt::format_to(std::back_inserter(table), "{}", first);
  (append(table, values), ...);
  table += '\n';
}

// The header and those rows whose first column is not later than `time`.
std::string rows_until(const std::string& table, double time) {
  std::istringstream lines(table);
  std::string kept, line;
  for (bool header = true; std::getline(lines, line); header = false)
    if (header || std::strtod(line.c_str(), nullptr) <= time) kept += line + '\n';
  return kept;
}

}  // namespace

Histories::Histories(std::filesystem::path directory)
    : directory_(std::move(directory)), system_(system_header), bodies_(bodies_header) {}

void Histories::resume(double time) {
  for (const auto& [name, table] : {std::pair{"history.csv", &system_}, {"bodies.csv", &bodies_}}) {
    *table = rows_until(read_whole_file(directory_ / name), time);
    const std::size_t last = table->rfind('\n', table->size() - 2) + 1;
    if (std::strtod(table->c_str() + last, nullptr) != time)
      throw Error(Error::Kind::run, (directory_ / name).string(), fmt::format("a row at time {}", time),
                  "none");
  }
}

void Histories::add(const SystemRecord& record) {
  append_row(system_, record.time, record.kinetic, record.potential, record.terraced, record.energy,
             record.momentum, record.angular_momentum, record.support_work, record.events);
}

void Histories::add(double time, const std::vector<BodyRecord>& bodies) {
  for (const BodyRecord& body : bodies)
    append_row(bodies_, time, body.name, body.momentum, body.velocity, body.position, body.spin, body.kinetic,
               body.vibrational_kinetic, body.element_scale_kinetic, body.potential, body.contact_force);
}

void Histories::flush() {
  const Clock::time_point begin = Clock::now();
  write_whole_file(directory_ / "history.csv", system_);
  write_whole_file(directory_ / "bodies.csv", bodies_);
  const Clock::time_point end = Clock::now();
  due_ = end + std::max<Clock::duration>(std::chrono::seconds(2), 100 * (end - begin));
}

void Histories::flush_if_due() {
  if (Clock::now() >= due_) flush();
}

void write_subdomain_tables(const std::filesystem::path& directory,
                            const std::vector<SubdomainRecord>& subdomains) {
  std::string table = subdomains_header, steps = steps_header;
  for (std::size_t number = 0; number < subdomains.size(); ++number) {
    const SubdomainRecord& subdomain = subdomains[number];
    append_row(table, number, subdomain.name, subdomain.energy_step, subdomain.level, subdomain.events,
               subdomain.reflections, subdomain.longest_run, subdomain.longest_run_start, subdomain.step_mean,
               subdomain.step_min, subdomain.step_max, subdomain.energy_mismatch);
    for (std::size_t bin = 0; bin < subdomain.histogram.size(); ++bin) {
      if (subdomain.histogram[bin] == 0) continue;
      const double exponent = static_cast<double>(bin) / 10 - 20;
      append_row(steps, number, subdomain.name, std::pow(10.0, exponent), std::pow(10.0, exponent + 0.1),
                 subdomain.histogram[bin]);
    }
  }
  write_whole_file(directory / "subdomains.csv", table);
  write_whole_file(directory / "steps.csv", steps);
}

}  // namespace terrace
