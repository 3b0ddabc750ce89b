#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Slurm: sbatch array.sh. Each task runs a shard; a task that ends early is put back and resumes.
#SBATCH --job-name=sweep
#SBATCH --array=1-8
#SBATCH --cpus-per-task=1
#SBATCH --time=01:00:00
#SBATCH --requeue
export OMP_NUM_THREADS="$SLURM_CPUS_PER_TASK"
exec slipfield run "${CASE:-sweep.yaml}" --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" \
  --resume --backend cpu --quiet > /dev/null
