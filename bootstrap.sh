#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# From a fresh checkout to a result: installs what is missing (Debian 12, Ubuntu 24.04), builds, runs.
set -eu

usage() {
  cat >&2 <<'END'
usage: ./bootstrap.sh run [CASE.yaml]     build, compute the case (default: cases/cattaneo_shift.yaml)
       ./bootstrap.sh python [CASE.yaml]  the Python package; the case computed and drawn with it
       ./bootstrap.sh test                build and run all tests
       ./bootstrap.sh configure           what comes before the build of `test`: packages, CMake
       ./bootstrap.sh build               build only: the program, build/slipfield, and the libraries
./bootstrap.sh --cuda VERB ...  compiles the GPU's code even where there is no NVIDIA driver
END
  exit 2
}

fail() {
  echo "bootstrap: $*" >&2
  exit 3
}

# Installs what is missing of the named packages, and nothing else.
need_packages() {
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "bootstrap: no Debian packages here; building with the libraries that are installed" >&2
    return
  fi
  missing=
  for package in "$@"; do
    case $package in  # a tool counts as there from wherever it comes
      cmake) command -v cmake >/dev/null && continue ;;
      ninja-build) command -v ninja >/dev/null && continue ;;
      g++) command -v c++ >/dev/null && continue ;;
      python3) command -v python3 >/dev/null && continue ;;
    esac
    case $(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null || true) in
      ii*) ;;
      *) missing="$missing $package" ;;
    esac
  done
  [ -n "$missing" ] || return 0

  as_root=
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null ||
      fail "packages are missing, and there is neither root nor sudo to install them; let the" \
        "administrator run: apt-get install$missing"
    as_root=sudo
  fi
  echo "bootstrap: installing$missing (some minutes, as the network goes)"
  log=$(mktemp)
  if ! { $as_root apt-get update -qq &&
    $as_root env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y -qq --no-install-recommends $missing; } >"$log" 2>&1 </dev/null; then
    cat "$log" >&2
    rm -f "$log"
    fail "apt-get could not install$missing; see its messages above"
  fi
  rm -f "$log"
}

# The compilers' output as a line of progress: on a terminal one that is replaced, elsewhere a line
# for each tenth. All of it goes to build/build.log. Ninja counts as [done/all], make in percent.
show_progress() {
  next_line=0
  shown=
  : >build/build.log
  while IFS= read -r line; do
    printf '%s\n' "$line" >>build/build.log
    case $line in
      '['*/*']'*) count=${line%%]*} count=${count#[} all=${count#*/} done=${count%%/*} ;;
      '['*'%]'*) count=${line%%\%]*} all=100 done=${count##*[[ ]} ;;
      *) continue ;;
    esac
    case $all$done in *[!0-9]* | '') continue ;; esac
    percent=$((100 * done / all))
    shown=$percent
    if [ -t 1 ]; then
      printf '\rbootstrap: %3d %% built' "$percent"
    elif [ "$percent" -ge "$next_line" ]; then
      echo "bootstrap: $percent % built"
      next_line=$((10 * (percent / 10) + 10))
    fi
  done
  if [ -n "$shown" ] && [ -t 1 ]; then echo; fi
}

# configure [CMake options]: Release into build/.
configure() {
  mkdir -p build
  log=build/configure.log
  cores=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
  sources=8  # at a time: more share their headers, and leave less to many cores
  [ "$cores" -gt 4 ] || sources=24
  if ! cmake --preset release -DCMAKE_UNITY_BUILD_BATCH_SIZE=$sources $cuda "$@" >"$log" 2>&1; then
    cat "$log" >&2
    fail "CMake could not configure the build; see its messages above"
  fi
  sed -n 's/^-- \(Slipfield [0-9].*\)/bootstrap: \1/p' "$log"
  if grep -q '^-- CUDA backend left out: no NVIDIA driver' "$log"; then
    echo "bootstrap: no NVIDIA driver here, so only the CPU program is built;" \
      "./bootstrap.sh --cuda $verb also compiles the GPU's code"
  fi
}

# Seconds of processor time that the targets still need: what the objects that ninja would make took
# on a core of 3 GHz (g++ 12, nvcc 13; 24 sources of io and app at a time, or 8).
remaining_seconds() {
  # A dry run of build.ninja itself would stop at the check of its globs.
  echo 'include build.ninja' >build/dry_run.ninja
  [ "${1-}" != --target ] || shift
  ninja -C build -f dry_run.ninja -n "$@" 2>/dev/null | awk -v grouped="$sources" '
    /Building CUDA object/ { sum += 19; next }
    !/Building/ { next }
    { share = grouped == 24 ? 1 : .6 }
    /CMakeFiles\/slipfield_(app|bench)/ { sum += 17 * share; next }
    /CMakeFiles\/slipfield_io/ { sum += 13 * share; next }
    /object (solver|gpu)\// { sum += 10; next }
    { sum += 8 }
    END { print int(sum) }'
}

# build [--target NAME...]: all of it, or these only.
build() {
  seconds=$(remaining_seconds "$@")
  if [ "$seconds" -gt 30 ]; then
    echo "bootstrap: building on $cores cores: about $(((seconds / cores + 59) / 60)) min," \
      "log in build/build.log"
  fi
  rm -f build/failed
  { cmake --build build "$@" 2>&1 || : >build/failed; } | show_progress
  if [ -e build/failed ]; then
    rm -f build/failed
    tail -n 300 build/build.log >&2
    fail "the build failed; see the compiler's messages above, all of them in build/build.log"
  fi
}

# Prints the program's path and first commands to try.
tell_next() {
  echo "bootstrap: the program is $PWD/build/slipfield; try next:"
  echo "  build/slipfield check cases/tutorial/1_hertz.yaml"
  echo "  build/slipfield run cases/tutorial/1_hertz.yaml    # more: cases/tutorial/README.md"
  echo "  build/slipfield --help"
}

# case_path [CASE.yaml]: whole, from where the script was called; without one the default.
case_path() {
  case ${1-} in
    '') case_file=$PWD/cases/cattaneo_shift.yaml ;;
    /*) case_file=$1 ;;
    *) case_file=$called_from/$1 ;;
  esac
  if [ ! -f "$case_file" ]; then
    echo "bootstrap: there is no case file $case_file" >&2
    exit 2
  fi
  # build/results is this script's own folder, so running a case again replaces its result there.
  mkdir -p build/results
  name=$(basename "$case_file")
  result=$PWD/build/results/${name%.*}
}

# configure_program [CMake options]: without tests, unless this build has them already.
configure_program() {
  if [ -f build/CMakeCache.txt ]; then configure "$@"; else configure -DSLIPFIELD_TESTS=OFF "$@"; fi
}

packages="cmake ninja-build g++ libeigen3-dev libfftw3-dev libyaml-cpp-dev libhdf5-dev libfmt-dev
  libspdlog-dev libcli11-dev nlohmann-json3-dev python3 python3-matplotlib python3-h5py python3-jinja2"  # Python draws figures
python_packages="python3-dev pybind11-dev python3-numpy"
test_packages="doctest-dev python3-jsonschema python3-scipy python3-yaml
  $python_packages"

cuda=
if [ "${1-}" = --cuda ]; then
  cuda=-DSLIPFIELD_CUDA=ON
  shift
fi
[ $# -ge 1 ] || usage
verb=$1
shift
called_from=$PWD
cd "$(dirname "$0")"

case $verb in
  run)
    [ $# -le 1 ] || usage
    case_path "$@"
    need_packages $packages
    configure_program
    build --target slipfield
    build/slipfield run "$case_file" -o "$result.h5" --overwrite
    tell_next
    ;;
  python)
    [ $# -le 1 ] || usage
    case_path "$@"
    need_packages $packages $python_packages
    configure_program -DSLIPFIELD_PYTHON=ON
    build --target slipfield slipfield_python
    python=$(sed -n 's/^SLIPFIELD_PYTHON_EXECUTABLE:INTERNAL=//p' build/CMakeCache.txt)
    MPLBACKEND=agg PYTHONPATH=$PWD/build/python "$python" - "$case_file" "$result.png" <<'END'
import sys
import slipfield as sf
result = sf.solve(sys.argv[1])
print(result)
for name in ("normal_force", "force_x", "force_y", "approach", "max_pressure"):
    print(f"  {name:13} {result.totals[name]: .6g} {result.unit(name)}")
result.plot().savefig(sys.argv[2], dpi=150)
END
    echo "bootstrap: the figure is $result.png; go on with"
    echo "  export PYTHONPATH=$PWD/build/python"
    echo "  $python -c 'import slipfield as sf; help(sf)'    # and app/LIBRARY.md"
    ;;
  configure)
    [ $# -eq 0 ] || usage
    need_packages $packages $test_packages
    configure -DSLIPFIELD_TESTS=ON
    ;;
  test)
    [ $# -eq 0 ] || usage
    need_packages $packages $test_packages
    configure -DSLIPFIELD_TESTS=ON
    build
    ctest --preset release -j "$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)"
    ;;
  build)
    [ $# -eq 0 ] || usage
    need_packages $packages
    configure_program
    build
    tell_next
    ;;
  *) usage ;;
esac
