#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the house: every source belongs to a target, every path that a text names is there, no message of the solver
names a key of the case, no function is too large, every source says its licence, no folder of solver/ includes one
above it, what builds without CUDA does not see CUDA's headers, and no test compares by doctest::Approx itself.

Called with the compile_commands.json of a build. Prints one line for each fault; exit code 1 if there is any.
"""
import fnmatch
import json
import os
import re
import subprocess
import sys

MOST_BODY = 80  # in a function, its head included
HOUSES = ("solver/", "gpu/", "io/", "app/", "tests/")
OUTSIDE = "tests/install/"  # a program of its own, which uses the installed library
SOURCES = (".cpp", ".cu")
HEADERS = (".h", ".cuh")
# The folders of solver/, each of which includes those before it and the headers next to them only.
FLOORS = ("threads", "influence", "fields", "tangential", "cpu", "normal", "window", "step", "batch", "geometry",
          "interior", "simplified", "surface", "check", "run", "gradient", "ranks", "table", "wheel_rail")
# Named in a text but not of this repository.
FOREIGN = {"fftw3.h", "fftw3-mpi.h", "hdf5.h", "mpi.h", "doctest.h", "json.hpp", "CLI.hpp", "setup.py", "stdio.h"}
# Written by the build, from a file that is here.
GENERATED = {"slipfield/version.h": "solver/version.h.in"}


def tracked():
    return subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True).stdout.split("\n")[:-1]


def compiled(database):
    """The sources of all targets; a file that a unity build makes stands for those that it includes."""
    with open(database, encoding="utf-8") as file:
        paths = {entry["file"] for entry in json.load(file)}
    for path in list(paths):
        if re.search(r"/Unity/unity_\d+_c\w*$", os.path.splitext(path)[0]):
            with open(path, encoding="utf-8") as file:
                paths.update(re.findall(r'^#include "(.+)"', file.read(), re.M))
    return {os.path.relpath(path) for path in paths}


def orphans(files, in_targets):
    """Sources that no target compiles and headers that nothing includes."""
    with_cuda = any(path.endswith(".cu") for path in in_targets)
    with_mpi = "solver/ranks/ranks.cpp" in in_targets
    for path in files:
        if path.endswith(SOURCES) and path not in in_targets and not path.startswith(OUTSIDE):
            other_build = path.endswith("_stub.cpp") if with_cuda else path.startswith(("gpu/", "tests/gpu/"))
            if "/ranks/" in path:
                other_build = path.endswith("_stub.cpp") if with_mpi else not path.endswith("_stub.cpp")
            if not other_build:
                yield f"{path}: belongs to no target"
    included = set()
    for path in files:
        if path.endswith(SOURCES + HEADERS):
            with open(path, encoding="utf-8") as file:
                text = file.read()
                included.update(re.findall(r'^\s*#\s*include "([^"]+)"', text, re.M))
                if re.search(r"^#include <slipfield\.h>", text, re.M):  # as its users have it
                    included.add("app/library/slipfield.h")
    for path in files:
        if path.endswith(HEADERS) and path not in included:
            yield f"{path}: no file includes it"


def cuda_in_cpu_builds(files):
    """Sources of builds without CUDA that see a header of CUDA's, by whichever way: a machine that has these headers
    where compilers look compiles them all the same."""
    with open("gpu/CMakeLists.txt", encoding="utf-8") as file:
        ours = re.search(r'FILTER sources INCLUDE REGEX\s+"([^"]+)"', file.read()).group(1).replace("\\\\", "\\")
    includes, foreign = {}, {}
    for path in files:
        if path.endswith(SOURCES + HEADERS) and path.startswith(HOUSES):
            with open(path, encoding="utf-8") as file:
                text = file.read()
            includes[path] = re.findall(r'^\s*#\s*include "([^"]+)"', text, re.M)
            foreign[path] = re.findall(r"^\s*#\s*include <(cu[^>]*|cooperative_groups\.h)>", text, re.M)
    for source in includes:
        if not source.endswith(".cpp") or re.search(r"^tests/gpu/(cards/)?gpu_", source):
            continue
        if source.startswith("gpu/") and not re.search(ours, source):
            continue
        seen, left = {source}, [source]
        while left:
            path = left.pop()
            if foreign[path]:
                yield f"{source}: belongs to builds without CUDA and includes <{foreign[path][0]}>, by {path}"
                break
            new = [name for name in includes[path] if name in includes and name not in seen]
            seen.update(new)
            left += new


def comments_of(path, line):
    """What of a line is told to people: all of a document, the comments of anything else."""
    if path.endswith(".md"):
        return line
    if path.endswith(SOURCES + HEADERS + (".c",)):
        return "".join(re.findall(r"//.*|/\*.*|^\s*\*.*", line))
    return "".join(re.findall(r"(?:^|\s)#.*", line))


def is_there(name, path, files):
    """The file that the text of `path` names: from the root, from the text's own folder or by its end; a pattern such as
    test_*.cpp stands for the files that it matches."""
    name = name.removeprefix("./")
    beside = os.path.normpath(os.path.join(os.path.dirname(path), name))
    if "*" in name:
        return any(fnmatch.fnmatch(file, pattern) for file in files for pattern in (name, "*/" + name))
    return any(file in (name, beside) or file.endswith("/" + name) for file in files)


def missing_references(files):
    """Files of this repository that comments and documents name and that are not there."""
    anywhere = re.compile(r"(?<![\w/.-])(?:solver|gpu|io|app|tests|cases)/[\w/-]*\w\.(?:h|cuh|cu|cpp|md|py|cmake|yaml|txt)\b(?!\.in)")
    in_comments = re.compile(r"(?<![\w/.<*${}-])[\w./*-]*[\w*]\.(?:hpp|h|cuh|cu|cpp|c|md|py|cmake|sh)(?:\.in)?(?![\w.]\w|\w)")
    found = {}
    for path in files:
        texts = path.endswith(SOURCES + HEADERS + (".c", ".md", ".txt", ".py", ".cmake", ".sh", ".yaml", ".in"))
        # The changelog names files as they were; the test of this check names some that are missing.
        if not texts or path.startswith("tests/data/") or path in ("CHANGELOG.md", "tests/program/test_structure.py"):
            continue
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                comments = comments_of(path, line)
                names = set(in_comments.findall(comments))
                names.update(anywhere.findall(line if not path.endswith(SOURCES + HEADERS + (".c",)) else comments))
                for name in sorted(names):
                    stem = os.path.basename(name).split(".")[0]
                    if "NAME" in name or os.path.basename(name) in FOREIGN or len(stem) < 2:  # b.c: a key of a case
                        continue
                    template = GENERATED.get(name)
                    key = (name, os.path.dirname(path))
                    if key not in found:
                        found[key] = is_there(template or name, path, files)
                    if not found[key]:
                        yield f"{path}:{number}: {name} is not in the repository"


def foreign_words(files):
    """Keys of the case and options that messages of the solver name: io and app translate them from fields."""
    literal = re.compile(r'"(?:[^"\\]|\\.)*"')
    key = re.compile(r"\b(?:solver|tangential|grid|normal|output|friction|bodies)\.[a-z_]+")
    option = re.compile(r"(?<![\w-])--[a-z]")
    for path in files:
        if not path.startswith(("solver/", "gpu/")) or not path.endswith(SOURCES + HEADERS):
            continue
        names_fields = path.startswith("solver/check/")
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if line.lstrip().startswith(("#", "//")):
                    continue
                texts = literal.findall(line.split(" // ")[0])
                if any(option.search(text) or (key.search(text) and not names_fields) for text in texts):
                    yield f"{path}:{number}: names a key or an option; a Fault names the field (solver/problem_check.h)"


def functions(lines):
    """First and last line of each function, as clang-format lays them out: the body ends at the first "}" alone in the
    column where the head starts. Lambdas belong to their function."""
    other = re.compile(r"\s*(?:(?:if|for|while|switch|else|do|try|catch|namespace|struct|class|enum|union|TEST_SUITE)\b|[#}]|//)")
    for number, line in enumerate(lines):
        if not line.rstrip().endswith("{") or ")" not in line and not lines[number - 1].rstrip().endswith(")"):
            continue
        first = number
        while first > 0 and lines[first - 1].strip() and not re.search(r"[;{}:]\s*$|^\s*(?:#|//)|//.*$", lines[first - 1]):
            first -= 1
        indent = re.match(r" *", lines[first]).group()
        if other.match(lines[first]) or re.search(r"\]\s*(?:\(|\{)", lines[number]):
            continue
        for last in range(number + 1, len(lines)):
            if lines[last].startswith(indent + "}"):
                if lines[last].rstrip() == indent + "}":  # not "};": a lambda
                    yield first, last
                break


def too_long(files):
    for path in files:
        if path.startswith(HOUSES) and path.endswith(SOURCES + HEADERS):
            with open(path, encoding="utf-8") as file:
                for first, last in functions(file.read().split("\n")):
                    if last - first + 1 > MOST_BODY:
                        yield f"{path}:{first + 1}: a function of {last - first + 1} lines; at most {MOST_BODY}"


def without_licence(files):
    """Sources that do not say their licence (https://spdx.dev) within their first two lines."""
    for path in files:
        if path.endswith(SOURCES + HEADERS + (".c", ".py", ".sh")) and not path.startswith("tests/data/"):
            with open(path, encoding="utf-8") as file:
                if "SPDX-License-Identifier: Apache-2.0" not in file.readline() + file.readline():
                    yield f"{path}: does not say its licence; its first line is the comment SPDX-License-Identifier: Apache-2.0"


def climbing(files):
    """Includes from a folder of solver/ to one that stands above it."""
    for path in files:
        folder = re.match(r"solver/(\w+)/", path)
        if not folder or not path.endswith(SOURCES + HEADERS):
            continue
        if folder[1] not in FLOORS:
            yield f"{path}: its folder is not among FLOORS in .ci/check_structure.py"
            continue
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                included = re.match(r'#include "solver/(\w+)/', line)
                if included and FLOORS.index(included[1]) > FLOORS.index(folder[1]):
                    yield f"{path}:{number}: includes solver/{included[1]}, which stands above solver/{folder[1]}"


def loose_comparisons(files):
    """Comparisons by doctest::Approx itself, which adds 1 to the size of what it compares."""
    for path in files:
        if path.startswith("tests/") and not path.startswith("tests/support/") and path.endswith(SOURCES + HEADERS):
            with open(path, encoding="utf-8") as file:
                for number, line in enumerate(file, 1):
                    if re.search(r"\bApprox\b", line.split("//")[0]):
                        yield f"{path}:{number}: doctest::Approx accepts anything near 0; use near() or within() of tests/support/near.h"


def main():
    files = [path for path in tracked() if os.path.exists(path)]
    faults = [*orphans(files, compiled(sys.argv[1])), *cuda_in_cpu_builds(files), *missing_references(files),
              *foreign_words(files), *too_long(files), *without_licence(files), *climbing(files),
              *loose_comparisons(files)]
    print("\n".join(faults) if faults else "clean")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
