#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The binary interface of the C library against the recorded one: what programs were linked against
# stays as it is, functions may be added. With --record the present one is recorded.
set -euo pipefail
cd "$(dirname "$0")/.."
library=build/app/library/libslipfield.so
recorded=app/library/slipfield.abi

# Types of this folder's headers are public, all others are not.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/headers"
cp app/library/slipfield.h "$scratch/headers"
abidw --headers-dir "$scratch/headers" --drop-private-types --exported-interfaces-only \
  --no-elf-needed --no-corpus-path --no-comp-dir-path --no-show-locs \
  --out-file "$scratch/present.abi" "$library"

if [ "${1-}" = --record ]; then
  cp "$scratch/present.abi" "$recorded"
  exit
fi
abidiff --no-added-syms --no-show-locs "$recorded" "$scratch/present.abi" || {
  echo "the interface differs from $recorded; where that is meant, raise SLIPFIELD_API_VERSION and"
  echo "SLIPFIELD_SOVERSION, and record the new one: .ci/check_interface.sh --record"
  exit 1
}
echo "as recorded"
