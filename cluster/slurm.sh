#!/usr/bin/env bash
# Example of a Slurm job. Copy it, change the lines marked (*), and submit it from the project's root:
#   sbatch cluster/slurm.sh inputs/a6_bead_chain.toml
# Build first, on any node: one binary runs on every x86-64 processor, and nodes of different kinds give the same bits:
#   srun --nodes=1 --ntasks=1 --cpus-per-task=16 cluster/build.sh terrace
#SBATCH --job-name=terrace
#SBATCH --output=terrace-%j.log
# (*) The partition and account of your site.
##SBATCH --partition=compute
##SBATCH --account=project
# (*) One rank per physical core. A rank is worth while from a few thousand elements on; measure with cluster/scaling.py.
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=32
#SBATCH --cpus-per-task=1
# Slurm ignores --hint=nomultithread beside --cpu-bind.
#SBATCH --threads-per-core=1
# Events are short, and all ranks wait for each other in each of them: whatever shares the node with the job slows every rank.
#SBATCH --exclusive
#SBATCH --time=12:00:00
# A job that reaches this limit can go on from its restart file: OUTPUT=results/NAME-JOB sbatch cluster/slurm.sh DECK --resume
#SBATCH --signal=USR1@60
set -euo pipefail

if (($# == 0)); then
  echo "usage: sbatch cluster/slurm.sh DECK [OPTION of terrace run]..." >&2
  exit 2
fi
deck=$1
# The program has no threads; the BLAS would start some.
export OMP_NUM_THREADS=1

# (*) The libraries of cluster/packages.txt, where they are not the system's own.
# module load openmpi petsc metis gmsh vtk hdf5 ginac

# srun starts the ranks where Slurm and Open MPI speak the same process-management interface (srun --mpi=list shows pmix). Elsewhere
# use mpirun, which finds the job's nodes by itself. Two things differ then. By default mpirun kills ranks a second after SIGTERM, too
# early for a large run to save itself: hence the option below. And mpirun is no job step: the line above must be
# #SBATCH --signal=B:USR1@60, a signal to this script, in whose place mpirun runs; it hands the signal on to the ranks.
launch=(srun --mpi=pmix --cpu-bind=cores)
# launch=(mpirun -x OMP_NUM_THREADS --bind-to core --mca odls_base_sigkill_timeout 60)

program=build/terrace
[[ -x $program ]] || program=terrace # as installed

# Each job has a directory of its own, as the program refuses to write over another run. A job that Slurm starts again uses the same.
output=${OUTPUT:-results/$(basename "$deck" .toml)-$SLURM_JOB_ID}
again=()
if ((${SLURM_RESTART_COUNT:-0} > 0)); then
  again=(--set output.overwrite=true)
  [[ -e $output/restart.h5 || -e $output/restart-before.h5 ]] && again=(--resume)
fi
exec "${launch[@]}" "$program" run "$deck" --output "$output" "${again[@]}" "${@:2}"
