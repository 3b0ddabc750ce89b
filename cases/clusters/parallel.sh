#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# GNU parallel: ./parallel.sh [SHARDS]. On one machine, or over ssh with --sshloginfile.
shards=${1:-8}
export OMP_NUM_THREADS=1
parallel --joblog sweep.log --retries 3 \
  slipfield run sweep.yaml --shard "{}/$shards" --resume --backend cpu --quiet ">" /dev/null ::: $(seq "$shards")
exec slipfield merge sweep.h5 sweep-*-of-"$shards".h5 --overwrite
