// The program: terrace run | check | mesh | list.
#include <fmt/core.h>
#include <petscsys.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <thread>

#include "app/c_library.hpp"
#include "app/interruptions.hpp"
#include "app/simulation.hpp"
#include "app/version.hpp"
#include "dynamics/integrators.hpp"
#include "hamiltonian/methods.hpp"
#include "hamiltonian/systems.hpp"
#include "io/deck_reader.hpp"
#include "io/hdf5.hpp"
#include "numerics/memory_watch.hpp"
#include "parallel/blocked_signals.hpp"
#include "parallel/communicator.hpp"
#include "parallel/error.hpp"
#include "parallel/petsc_options.hpp"
#include "parallel/profile.hpp"
#include "parallel/together.hpp"
#include "parallel/words_of.hpp"
#include "potentials/kernels/packet_kernels.hpp"

namespace {

using terrace::Communicator;
using terrace::Deck;
using terrace::Error;

struct Options {
  std::string deck, output;
  std::vector<std::string> settings;
  terrace::RunOptions run;
  std::vector<int> shares;  // numbers of ranks
};

constexpr const char* other_choices =
    "shapes          ball, block, lattice, file (.msh, .geo, .step)\n"
    "contact models  none, face-intersection, gap, barrier, hertz (balls), rigid\n"
    "walls           rigid planes: penalty, barrier, hertz (balls)\n"
    "supports        group, box, surface (nodes of a body, fixed or moving)\n"
    "localizations   global, bodies, metis; contact own, touching, with-bodies, auto\n"
    "layouts         own, slice, windows, auto\n"
    "potentials      lennard-jones, gravity, spring, hertz, pair-expression (of pairs of particles), "
    "central, harmonic, "
    "polynomial, circle, expression, step (of each)\n";

/// The names of the entries, joined by commas.
template <class Entries>
std::string listed(const Entries& entries) {
  std::string text;
  for (const auto& entry : entries) text += fmt::format("{}{}", text.empty() ? "" : ", ", entry.name);
  return text;
}

void print_choices() {
  std::string names, of_particles;
  for (const terrace::IntegratorEntry& entry : terrace::integrators()) {
    names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", entry.name, entry.description);
    if (entry.particles) of_particles += fmt::format("{}{}", of_particles.empty() ? "" : ", ", entry.name);
  }
  fmt::print(
      "integrators     {}\n{}particles       integrators {}; localizations global, bodies, clusters, pairs\n",
      names, other_choices, of_particles);
  fmt::print("small systems   kinds {}; integrators {}\n", listed(terrace::systems()),
             listed(terrace::methods()));
}

void add_deck_options(CLI::App& command, Options& options) {
  command.add_option("deck", options.deck, "input deck (TOML)")->required();
  command.add_option("--set", options.settings, "override a key of the deck; as often as there are keys")
      ->type_name("KEY=VALUE")
      ->take_all()
      ->allow_extra_args(false);
}

// Every rank reads the deck; whatever is wrong with it is told once.
Deck deck_of(const Options& options, Communicator& communicator, const std::string& output) {
  std::vector<std::string> settings = options.settings;
  Deck deck;
  terrace::together(communicator.handle(), [&] { deck = terrace::read_deck(options.deck, settings); });
  if (!output.empty()) deck.output.directory = output;
  return deck;
}

// Throws Error(input) where the run cannot be traced as asked. All ranks check the same input.
void require_traceable(const Deck& deck, const terrace::RunOptions& run, const Communicator& communicator) {
  if (run.traces && deck.system != nullptr)
    throw Error(Error::Kind::input, "--trace", "a deck of bodies or particles, whose ranks it follows",
                "a small system", Error::Reach::all_ranks);
  if (run.trace_for > 0 && !deck.integrator.method->windows)
    throw Error(Error::Kind::input, "--trace-for",
                "integrator.method = \"clocked-energy-stepping\", whose windows it plans",
                fmt::format("\"{}\"", deck.integrator.method->name), Error::Reach::all_ranks);
  if (run.trace_for > 0 && deck.layout != terrace::LayoutKind::windows)
    throw Error(Error::Kind::input, "--trace-for", "layout.kind = \"windows\", whose windows it plans",
                deck.layout == terrace::LayoutKind::automatic
                    ? "\"auto\", which chooses for one rank: write \"windows\" instead"
                    : "another layout",
                Error::Reach::all_ranks);
  if (run.trace_for > 0 && communicator.size() > 1)
    throw Error(Error::Kind::input, "--trace-for", "a run on one rank: it plans the windows of N ranks",
                fmt::format("{} ranks", communicator.size()), Error::Reach::all_ranks);
}

// Throws Error(run) where standard output was not written. PETSc checks the same file, at its end, later.
void require_told() {
  const bool flushed = std::fflush(stdout) == 0;
  const int reason = errno;
  if (!flushed || std::ferror(stdout) != 0)
    throw Error(Error::Kind::run, "standard output", "to write there all that is told",
                flushed ? "an error" : std::strerror(reason));
}

struct CommandLine {
  /// Throws Error where the kernels that are asked for do not run here.
  CommandLine();
  CLI::App app{"terrace: impact and granular-crystal dynamics by asynchronous energy-stepping", "terrace"};
  Options options;
  CLI::App *run = nullptr, *check = nullptr, *mesh = nullptr, *list = nullptr;
  CLI::Option* output = nullptr;  // of run
};

CommandLine::CommandLine() {
  app.set_version_flag("--version", std::string(terrace::version) + ", kernels for " +
                                        std::string(terrace::packet_kernels().level));
  app.require_subcommand(1);
  app.footer("PETSc options may follow a --.");
  run = app.add_subcommand("run", "run a deck");
  add_deck_options(*run, options);
  output = run->add_option("--output", options.output, "output directory");
  run->add_flag("--resume", options.run.resumes, "go on from the output directory's last restart file");
  CLI::Option* trace = run->add_flag("--trace", options.run.traces,
                                     "write what ranks do to trace_operations.csv, of windows to trace.csv");
  constexpr int most_ranks = 1000000;
  run->add_option("--trace-for", options.run.trace_for, "on one rank: windows as so many ranks would have")
      ->needs(trace)
      ->check(CLI::Range(1, most_ranks));
  check = app.add_subcommand("check", "everything but the time loop");
  add_deck_options(*check, options);
  check
      ->add_option("--shares", options.shares, "print instead what each of so many ranks would hold: 2,4,...")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(1, most_ranks));
  mesh = app.add_subcommand("mesh", "write the meshes of a deck");
  add_deck_options(*mesh, options);
  mesh->add_option("--output", options.output, "a .vtu file to look at, or a .msh file to run elsewhere")
      ->required();
  list = app.add_subcommand("list", "what decks may ask for");
}

// Whether mpirun or srun started this process: of theirs one alone is to answer.
bool is_one_of_several() {
  for (const char* rank : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"})
    if (std::getenv(rank) != nullptr) return true;
  return false;
}

/// Answers what needs no deck without MPI, whose start takes half a second. Returns the exit status; nothing
/// where the command needs more, or is wrong.
std::optional<int> answer_at_once(int argc, char** argv) {
  if (is_one_of_several()) return {};
  try {
    CommandLine line;
    try {
      line.app.parse(argc, argv);
      if (!line.list->parsed()) return {};
      print_choices();
    } catch (const CLI::ParseError& error) {
      if (error.get_exit_code() != 0) return {};
      line.app.exit(error);
    }
  } catch (const std::exception&) {  // the same error is reported once MPI has started
    return {};
  }
  try {
    require_told();
  } catch (const Error& error) {
    std::fprintf(stderr, "terrace: error: %s\n", error.what());
    return error.exit_status();
  }
  return 0;
}

/// A hint for a word that nothing takes: that it is an option, which belongs after the command, or the option
/// that it abbreviates or misspells. Empty where there is none.
std::string meant_by(const std::string& argument, const std::vector<std::string>& options) {
  if (!argument.starts_with("--")) return "";
  const std::string word = argument.substr(0, argument.find('='));
  if (std::ranges::find(options, word) != options.end()) return " (which goes after the command)";
  return terrace::did_you_mean(word, options);
}

// The words that nothing takes, with hints. CLI11's own message lists them backwards.
std::string unexpected_words(const CLI::App& app) {
  std::vector<std::string> options;
  for (const CLI::App* command : app.get_subcommands())
    for (const CLI::Option* option : command->get_options()) options.push_back(option->get_name());
  std::string text = "not expected:", hint;
  for (const std::string& word : app.remaining(true)) {
    text += fmt::format(" {}{}", word, meant_by(word, options));
    if (word.size() > 2 && word[0] == '-' && word[1] != '-') hint = "; PETSc options follow a --";
  }
  return text + hint;
}

/// A hint at the command that the first word misspells; empty where a command is given.
std::string meant_command(const CLI::App& app, const std::string& word) {
  std::vector<std::string> commands;
  for (const CLI::App* command : app.get_subcommands({})) commands.push_back(command->get_name());
  return app.get_subcommands().empty() ? terrace::did_you_mean(word, commands) : "";
}

int parse_and_run(int argc, char** argv, Communicator& communicator) {
  std::optional<CommandLine> line;
  terrace::together(communicator.handle(), [&] { line.emplace(); });
  auto& [app, options, run, check, mesh, list, output] = *line;
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      if (communicator.rank() == 0) app.exit(error);
      return 0;
    }
    const bool is_unexpected = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
    std::string words;
    for (int k = 1; k < argc; ++k) words += std::string(" ") + argv[k];
    throw Error(Error::Kind::input, "command line", "a command as terrace --help describes",
                fmt::format("terrace{} ({}{})", words, is_unexpected ? unexpected_words(app) : error.what(),
                            meant_command(app, argc > 1 ? argv[1] : "")));
  }
  if (list->parsed()) {
    if (communicator.rank() == 0) print_choices();
  } else if (run->parsed()) {
    if (output->count() > 0 && options.output.empty())  // as of a variable of the shell that was never set
      throw Error(Error::Kind::input, "--output", "the name of a directory", "an empty text");
    if (options.output.starts_with('-'))  // as where the name was forgotten
      throw Error(Error::Kind::input, "--output",
                  "the name of a directory, one that begins with - as ./-name",
                  fmt::format("\"{}\"", options.output));
    const Deck deck = deck_of(options, communicator, options.output);
    require_traceable(deck, options.run, communicator);
    return terrace::run_simulation(deck, options.run, communicator);
  } else if (check->parsed()) {
    const Deck deck = deck_of(options, communicator, "");
    if (options.shares.empty())
      terrace::check_simulation(deck, communicator);
    else
      terrace::print_shares(deck, communicator, options.shares);
  } else {
    terrace::write_mesh(deck_of(options, communicator, ""), communicator, options.output);
  }
  return 0;
}

// Reports an error; returns the exit status. Where all ranks throw together, rank 0 reports and all return.
// Any other error may leave ranks waiting: those that know of it give rank 0 two seconds to be the one that
// reports it, and then end all.
int fail(const Communicator& communicator, const char* message, int status, bool on_all_ranks) {
  const bool tells = communicator.rank() == 0;
  if (!tells && !on_all_ranks) std::this_thread::sleep_for(std::chrono::seconds(2));
  if (tells || !on_all_ranks) std::fprintf(stderr, "terrace: error: %s\n", message);
  std::fflush(stdout);  // else PETSc finds a failed write at its end, and prints a traceback
  std::fflush(stderr);
  if (!on_all_ranks && communicator.size() > 1) MPI_Abort(communicator.handle(), status);
  return status;
}

// Ends the program without what libraries do at MPI's end, such as closing files of HDF5 once more.
[[noreturn]] void end_at_once(const Communicator& communicator, int status) {
  std::fflush(stdout);
  std::fflush(stderr);
  if (communicator.size() > 1) MPI_Abort(communicator.handle(), status);
  std::_Exit(status);
}

// The terminate handler, for errors where none may pass, as where memory runs out in the destructor of a
// library's object. The other ranks know nothing of such an error.
[[noreturn]] void end_in_the_midst() {
  const char* words = "an error where none may be";
  try {
    if (const std::exception_ptr error = std::current_exception()) std::rethrow_exception(error);
  } catch (const std::exception& error) {
    words = terrace::words_of(error);
  } catch (...) {  // it has no words of its own
  }
  std::_Exit(fail(Communicator(PETSC_COMM_WORLD), words, 1, false));
}

/// Removes PETSc's options from the environment: they are meant for other programs and would change
/// trajectories. Returns whether there were any.
bool drop_petsc_options_of_the_environment() {
  bool any = false;
  for (const char* variable : {"PETSC_OPTIONS", "PETSC_OPTIONS_YAML"}) {
    const char* options = std::getenv(variable);
    any = any || (options != nullptr && *options != '\0');
    unsetenv(variable);
  }
  return any;
}

}  // namespace

int main(int argc, char** argv) {
  terrace::count_failed_requests();
  // These signals are ignored so that a write beyond the file size limit, or into a pipe that nobody reads,
  // fails with an error that can be reported, the former with the file's name.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  // Arguments after -- are PETSc's.
  int own = 1;
  while (own < argc && std::strcmp(argv[own], "--") != 0) ++own;
  if (own == argc)
    if (const std::optional<int> status = answer_at_once(argc, argv)) return *status;
  terrace::prepare_c_library(argv);
  terrace::give_back_large_blocks();
  terrace::note_wishes_to_save();
  const bool drops_options = drop_petsc_options_of_the_environment();
  std::string no_files = "-skip_petscrc", yes = "yes";
  std::vector<char*> petsc_arguments = {argv[0], no_files.data(), yes.data()};
  for (int k = own + 1; k < argc; ++k) petsc_arguments.push_back(argv[k]);
  petsc_arguments.push_back(nullptr);
  int petsc_count = static_cast<int>(petsc_arguments.size()) - 1;
  char** petsc_argv = petsc_arguments.data();
  {
    // The threads that MPI starts must leave signals to this one, which blocks them at times (partition.cpp).
    const terrace::BlockedSignals waiting{SIGINT, SIGTERM, SIGUSR1};
    if (PetscInitialize(&petsc_count, &petsc_argv, nullptr, nullptr) != 0) {
      std::fprintf(stderr, "terrace: error: PETSc could not be initialised\n");
      return 1;
    }
  }
  std::signal(SIGPIPE, SIG_IGN);  // PETSc has set a handler with a traceback
  static_cast<void>(PetscOptionsClearValue(nullptr, no_files.c_str()));  // it is not the user's option
  std::set_terminate(end_in_the_midst);
  int status = 0;
  {
    Communicator communicator(PETSC_COMM_WORLD);
    MPI_Comm_set_errhandler(communicator.handle(), MPI_ERRORS_RETURN);
    if (drops_options && communicator.rank() == 0)
      std::fprintf(stderr, "warning: PETSC_OPTIONS is not heeded: PETSc options follow a --\n");
    try {
      terrace::register_profile();
      terrace::require_petsc_options(std::span(argv, static_cast<std::size_t>(argc))
                                         .subspan(static_cast<std::size_t>(std::min(own + 1, argc))));
      communicator.share_memory();
      status = parse_and_run(own, argv, communicator);
      terrace::together(communicator.handle(), [&] {
        if (communicator.rank() == 0) require_told();
      });
    } catch (const Error& error) {
      status = fail(communicator, error.what(), error.exit_status(), error.on_all_ranks());
    } catch (const std::exception& error) {
      status = fail(communicator, terrace::words_of(error), 1, false);
    }
    if (terrace::hdf5::anything_abandoned()) end_at_once(communicator, status == 0 ? 1 : status);
  }
  if (PetscFinalize() != 0 && status == 0) status = 1;
  return status;
}
