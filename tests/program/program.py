# SPDX-License-Identifier: Apache-2.0
"""What the tests of the program from outside share: calling it, a small case, a folder."""
import contextlib
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time

import machine  # noqa: F401  first of all: it sets up the process

DATA = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data")
PROFILES = os.path.join(os.path.dirname(os.path.dirname(DATA)), "cases", "profiles")
PROGRAM = os.path.abspath(sys.argv[1])
os.environ.setdefault("OMP_NUM_THREADS", "1")  # the cases are small, other tests run next to them

# 13 x 11 elements, not square, off the middle; three steps; converges in a moment.
CASE = """\
schema: 1
title: sphere on a plane, µ = 0.4
units: N-mm-s
bodies:
  upper: {shear_modulus: 200.0, poisson_ratio: 0.42}
  lower: {shear_modulus: 200.0, poisson_ratio: 0.42}
friction: {coefficient: 0.4}
grid: {elements: [13, 11], spacing: [0.2, 0.25], origin: [-1.2, -1.4]}
geometry: {type: quadratic, xx: 0.01, yy: 0.01}
normal: {force: 9.1954}
tangential: {problem: shift, x: {force_ratio: -0.5}, y: {shift: 0.0}}
steps:
  - {repeat: 2}
  - {tangential: {x: {force_ratio: -0.875}}}
"""
FRICTIONLESS = CASE.replace("problem: shift, x: {force_ratio: -0.5}, y: {shift: 0.0}", "problem: none").split("steps:")[0]
ONE_ROW = (CASE.replace("[13, 11]", "[40, 1]").replace("[0.2, 0.25]", "[0.05, 100.0]")
           .replace("origin: [-1.2, -1.4]", "origin: [-1.0, -50.0]")
           .replace("yy: 0.01", "yy: 0.0").replace("force: 9.1954", "approach: 0.005"))

# The backend that the tests of the program run on; by hand also cuda.
BACKEND = os.environ.get("SLIPFIELD_TEST_BACKEND", "cpu")


def yaml_path(*parts):
    """A path as text of a case, whatever characters are in it."""
    return json.dumps(os.path.abspath(os.path.join(*parts)), ensure_ascii=False)


ROLLS = "spacing: [0.5, 0.5], wheelset: {y: 1.0, velocity: {x: 2000}}, vertical_force: 20000"
FLANGES = "wheelset: {flange_back_distance: 1360, flange_back_position: -70, nominal_radius: 460, velocity: {x: 2000}}"
ON_TRACK = "track: {gauge: 1435, gauge_height: 14, cant: 0}, vertical_force: 10000, " + FLANGES


def wheel_case(side="both", keys=ROLLS, wheel="MBench_S1002_v3.prw", rail="MBench_UIC60_v3.prr"):
    """A steel wheel on a rail, with these keys of wheel_rail; profiles are files of cases/, or maps."""
    wheel, rail = (each if each.startswith("{") else f"{{profile: {yaml_path(PROFILES, each)}}}" for each in (wheel, rail))
    return f"""schema: 1
title: wheelset
units: N-mm-s
bodies: {{wheel: {{shear_modulus: 82000, poisson_ratio: 0.28}}, rail: {{shear_modulus: 82000, poisson_ratio: 0.28}}}}
friction: {{coefficient: 0.3}}
wheel_rail: {{side: {side}, wheel: {wheel}, rail: {rail}, {keys}}}
"""


def write(path, text, **encoding):
    with open(path, "w", **{"encoding": "utf-8", **encoding}) as file:
        file.write(text)


def call(*arguments, **options):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True,
                          timeout=300, **options)


def memory_limit(most=2_000_000_000):
    """Options of call() that leave the program so much memory [bytes], as the limit of a batch job does. None where it
    does not start with them: the address sanitizer reserves more."""
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    options = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_AS, (most, most))}
    return options if call("--version", **options).returncode == 0 else {}


def build_cache():
    """CMake's variables in the build that the program belongs to, or {} where it is installed."""
    path = os.path.join(os.path.dirname(PROGRAM), "CMakeCache.txt")
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return dict(re.findall(r"^([\w-]+):\w+=(.*)$", file.read(), re.M))


def instrumented(cache):
    """The build's libraries need a sanitizer or counters."""
    return any(cache.get(f"SLIPFIELD_{kind}") == "ON" for kind in ("SANITIZE", "COVERAGE", "FUZZ"))


def rounds(count):
    """As many, or a quarter where the build makes each take ten times as long."""
    return max(2, count // 4) if instrumented(build_cache()) else count


@contextlib.contextmanager
def case_folder(case=CASE):
    """A folder with case.yaml in it, as the current one."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            write("case.yaml", case)
            yield folder
        finally:
            os.chdir(before)


def run_case(*arguments):
    """Runs case.yaml; fails the test where that fails."""
    done = call("run", "case.yaml", "--backend", BACKEND, *arguments)
    if done.returncode != 0:
        # now, and not with the traceback at the end, which a log that is cut off has lost
        print(f"run ended with {done.returncode}\n{done.stdout}{done.stderr}", file=sys.stderr, flush=True)
        sys.exit(f"run ended with {done.returncode}")
    return done


def repeats_within(seconds, case, least, most):
    """How often `case` runs in that time: with sanitizers some 50 times less often than without."""
    with case_folder(case):
        begin = time.monotonic()
        run_case("-q")
        return min(max(round(seconds / (time.monotonic() - begin)), least), most)


# For processes that are killed or cannot write: gcov's counts of lines, written at the end of a
# process, could break off in the middle, and no later process could add to them. These go elsewhere.
UNCOUNTED_FOLDER = tempfile.TemporaryDirectory()
UNCOUNTED = {**os.environ, "GCOV_PREFIX": UNCOUNTED_FOLDER.name}


def killed_after(seconds, *arguments):
    """Runs case.yaml for that long and kills it; False where it was done before."""
    with subprocess.Popen([PROGRAM, "run", "case.yaml", "--backend", BACKEND, "-q", *arguments],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          env=UNCOUNTED) as process:
        try:
            _, log = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            # clang's OpenMP leaves it, and a later process of that number would take it for a second copy of itself
            with contextlib.suppress(FileNotFoundError):
                os.remove(f"/dev/shm/__KMP_REGISTERED_LIB_{process.pid}_{os.getuid()}")
            return True
    if process.returncode != 0:
        raise AssertionError(f"run ended with {process.returncode}\n{log}")
    return False


@contextlib.contextmanager
def running_case(step, *arguments):
    """case.yaml running, as far as the line of `step`."""
    with subprocess.Popen([PROGRAM, "run", "case.yaml", "--backend", BACKEND, *arguments],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            if line.split()[:1] == [str(step)]:
                break
        yield process


def errors_of(done):
    return [line for line in done.stderr.splitlines() if line.startswith("error:")]


def differences(first, second, steps):
    """Of two results: their numbers of steps against `steps`, totals and the bits of all fields."""
    totals = []
    for path in (first, second):
        totals.append(json.loads(call("inspect", path, "--json").stdout)["steps"])
        for step in totals[-1]:
            del step["seconds"]
    if [len(each) for each in totals] != [steps, steps]:
        return f"{[len(each) for each in totals]} steps"
    if totals[0] != totals[1]:
        return f"{totals[0]}\n{totals[1]}"
    compared = call("compare", first, second, "--tolerance", "1e-300")
    return "" if compared.returncode == 0 else compared.stdout + compared.stderr
