# SPDX-License-Identifier: Apache-2.0
"""Runs of several ranks (mpirun) against those of one process, and the cases of the tests of ranks."""
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "program"))
import machine  # noqa: E402
from program import PROGRAM, case_folder, call  # noqa: E402

h5py, np = machine.modules("h5py", "numpy")
machine.script_needs("/proc")  # where the ranks of a run are found

# More ranks than cores, as root: of a test only. Other implementations than Open MPI need none of these options.
MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1"]
if why := machine.tried([*MPIRUN, "-n", "3", "true"], "mpirun starts nothing"):
    MPIRUN = ["mpirun"]
    if machine.tried([*MPIRUN, "-n", "3", "true"], "mpirun starts nothing"):
        machine.skip(why)
# What a run says of itself and not of its contact.
OWN = {"created", "device", "seconds"}
WARNINGS = "warnings"  # of a resumed run also that it resumes elsewhere
ROUNDING = 1.0e-15  # of slip where all adheres; 1e-9 of the least slip in these cases is more
EFFORT = ("iterations_", "matrix_products")

ROUGH = """\
schema: 1
title: rough surface on a flat one, µ = 0
units: N-mm-s
bodies:
  upper: {shear_modulus: 1.5, poisson_ratio: 0.25}
  lower: {shear_modulus: 1.5, poisson_ratio: 0.25}
grid: {elements: [64, 64], extent: {x: [0.0, 1.0], y: [0.0, 1.0]}, boundary: periodic}
geometry: {type: rough, hurst: 0.8, rms_slope: 0.1, wavelengths: [0.125, 0.5], seed: 1}
normal: {force: 0.01}
tangential: {problem: none}
"""
SPHERE = """\
schema: 1
title: sphere on a plane
units: N-mm-s
bodies:
  upper: {shear_modulus: 200.0, poisson_ratio: 0.42}
  lower: {shear_modulus: 700.0, poisson_ratio: 0.2}
friction: {coefficient: 0.3}
grid: {elements: [41, 37], spacing: [0.1, 0.11], origin: [-2.0, -1.9]}
geometry: {type: quadratic, xx: 0.01, yy: 0.01}
normal: {force: 9.1954}
tangential: {problem: none}
steps:
  - {normal: {force: 5.0}}
  - {normal: {force: 15.0}}
  - {normal: {approach: 0.02}}
"""
# Friction and rolling: the same contact with several kinds of steps.
FRICTION = SPHERE[:SPHERE.index("tangential:")]
LIKE = FRICTION.replace("200.0, poisson_ratio: 0.42", "700.0, poisson_ratio: 0.2").replace("9.1954", "40.0")
TIGHT = "solver: {tolerance: 1.0e-11, normal: bound_cg, tangential: newton}\n"
SHIFTS = """\
tangential: {problem: shift, x: {shift: 0.001}, y: {shift: -0.0005}}
steps:
  - {}
  - {tangential: {x: {force_ratio: -0.6}, y: {force_ratio: 0.3}}}
  - {tangential: {x: {shift: -0.0008}}}
"""
STEADY = """\
tangential: {problem: steady_rolling, direction: 0.0, step: 0.1, x: {creepage: -0.0008}, y: {creepage: 0.0003}, spin: 0.0002}
steps:
  - {}
  - {tangential: {x: {force_ratio: -0.5}}}
"""
TRANSIENT = """\
tangential: {problem: transient_rolling, direction: 0.0, step: 0.1, x: {creepage: -0.0008}, y: {creepage: 0.0003}}
steps:
  - {repeat: 3}
  - {tangential: {step: 0.35}, repeat: 2}
"""


# MPI's own libraries end without giving back their memory, which the leak sanitizer would report.
WITHOUT_LEAKS = {**os.environ, "ASAN_OPTIONS": f"{os.environ.get('ASAN_OPTIONS', '')}:detect_leaks=0"}


def on_ranks(ranks, *arguments, **options):
    return subprocess.run([*MPIRUN, "-n", str(ranks), PROGRAM, *arguments], capture_output=True, text=True,
                          timeout=300, env=WITHOUT_LEAKS, **options)


def fail(message):
    sys.exit(message)


def layout(path, histories=True):
    """Of every object, with or without the histories of convergence: its type, shape, chunks, filters and attributes."""
    found = {}

    def visit(name, item):
        if not histories and "/convergence" in name:
            return
        entry = {"attributes": {key: (item.attrs.get_id(key).dtype, item.attrs.get_id(key).shape)
                                for key in item.attrs}}
        if isinstance(item, h5py.Dataset):
            entry.update(dtype=item.dtype, shape=item.shape, chunks=item.chunks, compression=item.compression,
                         shuffle=item.shuffle, virtual=item.is_virtual)
        found[name] = entry

    with h5py.File(path) as file:
        visit("/", file)
        file.visititems(visit)
    return found


def other_layout(first, second, histories=True, without=()):
    """What of two layouts differs, as text; nothing: they are one."""
    one, several = layout(first, histories), layout(second, histories)
    return "; ".join(f"{name}: {one.get(name)}, {several.get(name)}" for name in sorted(one.keys() | several.keys())
                     if one.get(name) != several.get(name) and name not in without)


def compare_numbers(first, second, tolerance, counts_alike=True, without=()):
    """Fields to the tolerance of the greatest value of their like, counts and texts exactly. Not counts_alike: rounding may
    change numbers of iterations."""
    least = ROUNDING if tolerance > 0.0 else 0.0
    with h5py.File(first) as one, h5py.File(second) as several:
        names = []
        one.visit(names.append)
        for name in ["/", *names]:
            if name in without or (not counts_alike and "/convergence" in name):
                continue
            for key, value in one[name].attrs.items():
                other = several[name].attrs[key]
                if key in OWN:
                    continue
                if key == "DIMENSION_LIST":  # references, of each file to its own scales
                    value, other = [[[file[scale].name for scale in scales] for scales in lists]
                                    for file, lists in ((one, value), (several, other))]
                    if value != other:
                        fail(f"{name}: the scales are {value} and {other}")
                    continue
                if key == "REFERENCE_LIST":  # the way back
                    if len(value) != len(other):
                        fail(f"{name}: {len(value)} and {len(other)} fields have this scale")
                    continue
                if key.startswith(EFFORT):
                    require_like_effort(f"{name}/{key}", value, other, counts_alike)
                elif isinstance(value, (float, np.floating)):
                    size = max(abs(value), abs(other))
                    if key.startswith("moment_"):
                        size = max(size, moment_scale(one, one[name].attrs["normal_force"]))
                    if abs(value - other) > tolerance_of(key, tolerance) * size + least \
                            and key != "residual":
                        fail(f"{name}: {key} is {value} and {other}")
                elif not np.array_equal(value, other):
                    fail(f"{name}: {key} is {value} and {other}")
            if not isinstance(one[name], h5py.Dataset) or os.path.basename(name) in OWN | {"residual"}:
                continue
            values, others = one[name][()], several[name][()]
            if values.dtype.kind != "f":
                if not np.array_equal(values, others):
                    fail(f"{name} differs")
                continue
            if not np.array_equal(np.isfinite(values), np.isfinite(others)):
                fail(f"{name} is finite elsewhere")
            finite = np.isfinite(values)
            size = np.abs(values[finite]).max(initial=0.0)
            if name.startswith("table/moment_"):
                size = max(size, moment_scale(one, one["table/normal_force"][()]))
            apart = np.abs(values[finite] - others[finite]).max(initial=0.0)
            if name.endswith("convergence/change"):
                continue  # small differences of large numbers
            if os.path.basename(name).startswith(EFFORT):
                require_like_effort(name, values, others, counts_alike)
                continue
            if apart > tolerance_of(name, tolerance) * size + least:
                fail(f"{name}: {apart} apart, the greatest is {size}")


def moment_scale(file, force):
    """A normal force times the grid's length: symmetric contacts leave only rounding of it as a moment."""
    grid = file["grid"].attrs
    return np.abs(force).max() * np.max(grid["elements"] * grid["spacing"])


def tolerance_of(name, tolerance):
    """Estimated errors are small differences of two solutions, of which one is a loose one."""
    return 1.0e4 * tolerance if name.endswith("_error") else tolerance


def require_like_effort(name, values, others, alike):
    """Iterations are as many, products nearly: rounding chooses whether a linear system takes one more."""
    allowed = np.max(values) if not alike else 0.02 * np.max(values) if "products" in name else 0
    if np.abs(np.asarray(values) - others).max() > allowed:
        fail(f"{name}: {values} and {others}")


def check_same(title, case, *settings, counts=(4,), heights=None, counts_alike=True, tolerance=1.0e-9):
    with case_folder(case):
        if heights is not None:
            np.savetxt("z.txt", heights)
        arguments = ["run", "case.yaml", "-q", *[word for each in settings for word in ("--set", each)]]
        done = call(*arguments, "-o", "1.h5", "--backend", "cpu")
        if done.returncode != 0:
            fail(f"{title}: one process ended with {done.returncode}\n{done.stderr}")
        for ranks in counts:
            done = on_ranks(ranks, *arguments, "-o", f"{ranks}.h5")
            if done.returncode != 0:
                fail(f"{title}: {ranks} ranks ended with {done.returncode}\n{done.stdout}{done.stderr}")
            if other := other_layout("1.h5", f"{ranks}.h5", counts_alike):
                fail(f"{title}: {ranks} ranks write another layout: {other}")
            compare_numbers("1.h5", f"{ranks}.h5", tolerance, counts_alike)
            left = sorted(os.listdir("."))
            if any("partial" in name or "checkpoint" in name for name in left):
                fail(f"{title}: files are left: {left}")
        if len(counts) > 1:
            on_ranks(counts[-1], *arguments, "-o", "again.h5")
            compare_numbers(f"{counts[-1]}.h5", "again.h5", 0.0)
        print(f"{title}: {counts} ranks give the numbers and the layout of one process", flush=True)


def processes_of(folder):
    """Processes of the program whose current folder it is."""
    found = []
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and os.readlink(f"/proc/{name}/cwd") == os.path.realpath(folder) and \
                    os.path.realpath(os.readlink(f"/proc/{name}/exe")) == os.path.realpath(PROGRAM):
                found.append(int(name))
        except OSError:
            pass
    return found


def wait_for(what, seconds=120.0):
    begin = time.monotonic()
    while not what():
        if time.monotonic() - begin > seconds:
            fail("what a test waits for does not come")
        time.sleep(0.01)


def check_resume(title, case, begun, resumed, counts_alike=True, tolerance=1.0e-9):
    """A run on `begun` ranks that is killed goes on with `resumed` of them, and ends as one process does."""
    with case_folder(case):
        arguments = ["run", "case.yaml", "-o", "out.h5"]
        with subprocess.Popen([*MPIRUN, "-n", str(begun), PROGRAM, *arguments], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as process:
            for line in process.stdout:
                if line.split()[:1] == ["4"]:
                    break
            for rank in processes_of("."):
                os.kill(rank, 9)
            process.communicate(timeout=120)
            wait_for(lambda: not processes_of("."))
        if not any(name.startswith("state-") for name in os.listdir("out.h5.checkpoint")):
            fail(f"{title}: no checkpoint is left")
        done = call(*arguments, "--resume") if resumed == 1 else on_ranks(resumed, *arguments, "--resume")
        if done.returncode != 0 or "resumed after step" not in done.stderr:
            fail(f"{title}: the resumed run ended with {done.returncode}\n{done.stdout}{done.stderr}")
        call("run", "case.yaml", "-q", "-o", "1.h5", "--backend", "cpu")
        if other := other_layout("1.h5", "out.h5", counts_alike, (WARNINGS,)):
            fail(f"{title}: another layout: {other}")
        compare_numbers("1.h5", "out.h5", tolerance, counts_alike, (WARNINGS,))
        with h5py.File("out.h5") as file:
            if not any(b"and resumes on" in warning for warning in file[WARNINGS]):
                fail(f"{title}: the result does not say that the run was resumed elsewhere")
        again = on_ranks(2, *arguments, "--resume")
        if again.returncode != 0 or "nothing to resume" not in again.stderr:
            fail(f"{title}: a complete result ended with {again.returncode}\n{again.stdout}{again.stderr}")
        left = sorted(os.listdir("."))
        if left != ["1.h5", "case.yaml", "out.h5"]:
            fail(f"{title}: files are left: {left}")
        print(f"{title}: {begun} ranks, then {resumed}", flush=True)
