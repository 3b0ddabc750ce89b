#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Slurm: sbatch --dependency=afterany:JOBID merge.sh. Names the points of shards that did not end.
#SBATCH --job-name=merge
#SBATCH --time=00:10:00
case=${CASE:-sweep.yaml}
stem=$(basename "$case" .yaml)
exec slipfield merge "$stem.h5" "$stem"-*-of-*.h5 --overwrite
