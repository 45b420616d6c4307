"""Runs the real program for tests, with or without mpirun, and compares what runs wrote."""

import itertools
import json
import os
import subprocess
import tempfile
from pathlib import Path

ENVIRONMENT = {
    **os.environ,
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    # Containers often forbid reading another process's memory; Open MPI then complains at every start.
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
    # ctest runs several tests at once; pinned ranks would all sit on the same first cores.
    "OMPI_MCA_hwloc_base_binding_policy": "none",
}

# These save half of the time that the program takes to start: Open MPI's daemon for a run without mpirun, the libraries that look for
# fast networks, and the second start of the program, which app/c_library.cpp makes unless GLIBC_TUNABLES are set like this.
QUICK_START = {
    "OMPI_MCA_ess_singleton_isolated": "1",
    "OMPI_MCA_pml": "ob1",
    "OMPI_MCA_btl": "^ofi,openib,tcp,uct,usnic",
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX2_Usable,-FMA_Usable,-FMA4_Usable:glibc.malloc.hugetlb=1",
}


# When a rank ends with an error, mpirun gives the others a second to end as well, although all ranks of terrace have ended by then. Not
# for tests that send signals, as the program must react to them within this second.
QUICK_END = {"OMPI_MCA_odls_base_sigkill_timeout": "0"}


def quick_start(directory):
    """The environment of a run that starts quickly, with Open MPI's own files in `directory`.

    Runs without Open MPI's daemon all have the job number 0: in a common directory the first that ends would remove the others' files.
    """
    return {**ENVIRONMENT, **QUICK_START, "OMPI_MCA_orte_tmpdir_base": str(directory)}


def call(program, *arguments, ranks=None, timeout=120, directory=None, environment=None, plain=False):
    """Runs the program, under mpirun if `ranks` is given; returns its CompletedProcess with text output.

    The program starts in `directory` (default: the present one). Its environment is the present one with the variables of a quick start
    and then `environment` added; with `plain` it starts as for a user, and only Open MPI's files have a directory of their own. Raises
    subprocess.TimeoutExpired after `timeout` seconds.
    """
    command = [str(program), *map(str, arguments)]
    if ranks is not None:
        # Where processes outnumber cores, a waiting rank must let go of its core, or it stops the others. All processes of the machine
        # count, so this holds for any number of ranks.
        idle = ["--mca", "mpi_yield_when_idle", "1"] if ranks > 1 else []
        command = ["mpirun", "--oversubscribe", *idle, "-n", str(ranks), *command]
    with tempfile.TemporaryDirectory(prefix="terrace-mpi-", ignore_cleanup_errors=True) as own:
        plainly = {**ENVIRONMENT, "OMPI_MCA_orte_tmpdir_base": own}
        return subprocess.run(command, env={**(plainly if plain else quick_start(own)), **QUICK_END, **(environment or {})},
                              stdin=subprocess.DEVNULL, text=True, errors="replace", capture_output=True, timeout=timeout,
                              cwd=directory)


# Keys of the summary that tell how a run was made and what it cost, not what it found.
OF_THE_WORK = {"ranks", "layout", "simd", "deck", "collectives_per_event", "exchanges_per_event", "element_evaluations",
               "gradient_evaluations", "searches", "contact_lists", "wall_seconds", "wall_seconds_by_phase", "wall_seconds_by_part",
               "windows", "concurrency"}


def differences(output, reference):
    """What differs between the motions in two output directories, as texts: the first differing line of each table, and entries of the
    summary (without those OF_THE_WORK)."""
    found = []
    tables = {path.name for directory in (output, reference) for path in Path(directory).glob("*.csv")}
    for name in sorted(tables):
        lines = [path.read_text(encoding="utf-8").splitlines() if path.exists() else []
                 for path in (Path(output) / name, Path(reference) / name)]
        pairs = itertools.zip_longest(*lines, fillvalue="(no line)")
        found += [f"{name}, line {number}: {one}, not {other}"
                  for number, (one, other) in enumerate(pairs, 1) if one != other][:1]
    summaries = [json.loads((Path(path) / "summary.json").read_text(encoding="utf-8")) for path in (output, reference)]
    return found + [f"{key} is {summaries[0].get(key)}, not {summaries[1].get(key)}"
                    for key in summaries[1] if key not in OF_THE_WORK and summaries[0].get(key) != summaries[1][key]]


# The farthest that the potential energy of a subdomain may be found outside its terrace [energy steps]. Subdomains with contact by face
# intersection are not watched, as that contact has no certificate; Newmark has no terraces.
MOST_MISMATCH = 1e-9


def run_deck(program, deck, output, *options, ranks=None, timeout=120, environment=None, plain=False,
             most_mismatch=MOST_MISMATCH):
    """Runs `terrace run deck --output output options`; returns summary.json as a dictionary.

    Raises AssertionError if the run failed or a subdomain was found outside its terrace.
    """
    done = call(program, "run", deck, "--output", output, *options, ranks=ranks, timeout=timeout,
                environment=environment, plain=plain)
    assert done.returncode == 0, (f"terrace run {Path(deck).name} {' '.join(map(str, options))} on {ranks} ranks "
                                  f"ended with {done.returncode}:\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}")
    summary = json.loads((Path(output) / "summary.json").read_text(encoding="utf-8"))
    mismatch = summary["monitors"].get("largest_energy_mismatch", 0)  # small systems have no terraces
    assert mismatch <= most_mismatch, f"terrace run {Path(deck).name}: V is {mismatch:.2g} energy steps outside its terrace"
    return summary
