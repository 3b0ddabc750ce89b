# SPDX-License-Identifier: Apache-2.0
"""Several ranks (mpirun) compute what one process does: the same fields and totals to rounding, after as many
iterations, in a file of the same layout. What they do not compute is refused with one sentence, and a failure or a
signal ends all of them."""
import os
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "program"))
from program import PROGRAM, SKIPPED, case_folder, call, errors_of  # noqa: E402

try:
    import h5py
    import numpy as np
except ImportError:
    print("skipped: h5py is not installed")
    sys.exit(SKIPPED)
if shutil.which("mpirun") is None:
    print("skipped: mpirun is not installed")
    sys.exit(SKIPPED)

# More ranks than cores, as root: of a test only.
MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1"]
# What a run says of itself and not of its contact.
OWN = {"created", "device", "seconds"}

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
HEIGHTS = SPHERE.replace("{type: quadratic, xx: 0.01, yy: 0.01}",
                         "[{type: quadratic, xx: 0.01, yy: 0.01}, {type: heights, file: z.txt, of: upper}]")


# Friction and rolling: the same contact, with what a step asks of it.
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


# One element a step, as second order and viscoelastic bodies take them, towards {0} degrees.
EVEN_STEADY = """\
tangential: {{problem: steady_rolling, direction: {0}, step: {1}, velocity: 10.0, x: {{creepage: -0.0008}}, y: {{creepage: 0.0003}}, spin: 0.0002}}
steps:
  - {{}}
  - {{tangential: {{x: {{force_ratio: -0.5}}}}}}
"""
EVEN_TRANSIENT = """\
tangential: {{problem: transient_rolling, direction: {0}, step: {1}, velocity: 10.0, x: {{creepage: -0.0008}}, y: {{creepage: 0.0003}}}}
steps:
  - {{repeat: 3}}
  - {{tangential: {{x: {{creepage: -0.002}}}}, repeat: 2}}
"""
ELEMENT = {0: 0.1, 90: 0.11, 180: 0.1, 270: 0.11}


def even(text, direction):
    return text.format(float(direction), ELEMENT[direction])


SECOND = TIGHT.replace("solver: {", "solver: {rolling: second_order, ")
NEWTON = TIGHT.replace("normal: bound_cg", "normal: newton")
# The creep of one body, or of both alike, in a half of the time that a step of an element takes.
CREEP = "viscoelastic: {ratio: [0.6, 0.4], creep_time: [0.005, 0.05]}"
CREEPING = FRICTION.replace("poisson_ratio: 0.2}", "poisson_ratio: 0.2, " + CREEP + "}")
LIKE_CREEPING = LIKE.replace("poisson_ratio: 0.2}", "poisson_ratio: 0.2, " + CREEP + "}")
HELD = """\
tangential: {problem: shift, x: {shift: 0.001}, y: {shift: -0.0005}, duration: 0.01}
steps:
  - {}
  - {tangential: {x: {shift: 0.0}, y: {shift: 0.0}}, repeat: 2}
"""
YIELDING = LIKE.replace("grid:", "layer: {thickness: 0.02, shear_modulus: 106.0, yield_stress: 3.0, hardening: 43.0}\ngrid:")
PATCHES = "patches: {x_from: [-2.1, -2.1], x_to: [2.1, 2.1], y_from: [-2.0, 0.1], y_to: [0.1, 2.3], weights: [0.5]}\n"
REMEMBERING = "{law: exponential, static: 0.3, kinetic: 0.2, half_velocity: 0.01, memory_distance: 0.2, memory_velocity: 0.1}"
ALONG_Y = "{law: linear_falling, y: [-1.0, 1.0], static: [0.3, 0.2], kinetic: [0.2, 0.15], half_velocity: 0.01}"
HEAT = """\
heat:
  upper: {conductivity: 0.05, capacity: 450.0, density: 7.85e-6, temperature: 20.0}
  lower: {conductivity: 0.05, capacity: 450.0, density: 7.85e-6}
"""
WORN = HEAT + """\
wear: {law: archard, coefficient: 1.0e-4, hardness: 3000.0, passes: 1000}
fatigue: {shear_yield: 3.0}
"""


def on_ranks(ranks, *arguments, **options):
    return subprocess.run([*MPIRUN, "-n", str(ranks), PROGRAM, *arguments], capture_output=True, text=True,
                          timeout=300, **options)


def fail(message):
    sys.exit(message)


def layout(path):
    """Of every object: its type, shape, chunks, filters and attributes."""
    found = {}

    def visit(name, item):
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


def compare_numbers(first, second, tolerance):
    """Fields to the tolerance of the greatest value of their like, counts and texts exactly."""
    with h5py.File(first) as one, h5py.File(second) as several:
        names = []
        one.visit(names.append)
        for name in ["/", *names]:
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
                if key.startswith("matrix_products"):
                    require_like_products(f"{name}/{key}", value, other)
                elif isinstance(value, (float, np.floating)):
                    if abs(value - other) > tolerance_of(key, tolerance) * max(abs(value), abs(other)) \
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
            apart = np.abs(values[finite] - others[finite]).max(initial=0.0)
            if name.endswith("convergence/change"):
                continue  # small differences of large numbers
            if name.startswith("series/matrix_products"):
                require_like_products(name, values, others)
                continue
            if apart > tolerance_of(name, tolerance) * size:
                fail(f"{name}: {apart} apart, the greatest is {size}")


def tolerance_of(name, tolerance):
    """Estimated errors are small differences of two solutions, of which one is a loose one."""
    return 1.0e4 * tolerance if name.endswith("_error") else tolerance


def require_like_products(name, values, others):
    """Rounding chooses whether a linear system takes one iteration more, or newton one step more."""
    if np.abs(np.asarray(values) - others).max() > 0.02 * np.max(values):
        fail(f"{name}: {values} and {others} products")


def check_same(title, case, *settings, counts=(4,), heights=None):
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
            if layout("1.h5") != layout(f"{ranks}.h5"):
                fail(f"{title}: {ranks} ranks write another layout\n{layout('1.h5')}\n{layout(f'{ranks}.h5')}")
            compare_numbers("1.h5", f"{ranks}.h5", 1.0e-9)
            left = sorted(os.listdir("."))
            if any("partial" in name or "checkpoint" in name for name in left):
                fail(f"{title}: files are left: {left}")
        if len(counts) > 1:
            on_ranks(4, *arguments, "-o", "again.h5")
            compare_numbers("4.h5", "again.h5", 0.0)
        print(f"{title}: {counts} ranks give the numbers and the layout of one process", flush=True)


def check_refused(title, sentence, case, *arguments, output="out.h5"):
    with case_folder(case):
        done = on_ranks(2, "run", "case.yaml", "-o", output, *arguments)
        errors = errors_of(done)
        if done.returncode != 2 or len(errors) != 1 or sentence not in errors[0]:
            fail(f"{title}: ended with {done.returncode}\n{done.stdout}{done.stderr}")
        if os.path.exists("out.h5"):
            fail(f"{title}: left a result")


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


LONG = ROUGH.replace("[64, 64]", "[512, 512]") + "solver: {tolerance: 1.0e-13}\nsteps:\n  - {repeat: 400}\n"


def check_signal(title, end, expected_codes, result):
    """end(process, ranks) after the first step; `result`: whether a file with the finished steps is left."""
    with case_folder(LONG) as folder:
        arguments = ["run", "case.yaml", "-o", "out.h5", "--set", "output.fields=[pressure]"]
        with subprocess.Popen([*MPIRUN, "-n", "3", PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as process:
            for line in process.stdout:
                if line.split()[:1] == ["1"]:
                    break
            end(process, processes_of(folder))
            _, log = process.communicate(timeout=120)
            wait_for(lambda: not processes_of(folder))
        if expected_codes and process.returncode not in expected_codes:
            fail(f"{title}: ended with {process.returncode}\n{log}")
        if os.path.exists("out.h5") != result:
            fail(f"{title}: the result is {'missing' if result else 'there'}\n{log}")
        if result:
            with h5py.File("out.h5") as file:
                if file.attrs["outcome"] != "incomplete" or "0001" not in file["steps"]:
                    fail(f"{title}: the result is not the finished steps")
        with open("case.yaml", "w", encoding="utf-8") as file:
            file.write(ROUGH)
        again = on_ranks(2, "run", "case.yaml", "-o", "out.h5", "--overwrite")
        if again.returncode != 0:
            fail(f"{title}: the next run ended with {again.returncode}\n{again.stderr}")
        left = set(os.listdir(".")) - {"case.yaml", "out.h5"}
        if left:
            fail(f"{title}: {left} is left after the next run")
        print(f"{title}: all ranks end, and the next run finds its place")


def check_resume(title, case, begun, resumed):
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
        if layout("1.h5") != layout("out.h5"):
            fail(f"{title}: another layout")
        compare_numbers("1.h5", "out.h5", 1.0e-9)
        again = on_ranks(2, *arguments, "--resume")
        if again.returncode != 0 or "nothing to resume" not in again.stderr:
            fail(f"{title}: a complete result ended with {again.returncode}\n{again.stdout}{again.stderr}")
        left = sorted(os.listdir("."))
        if left != ["1.h5", "case.yaml", "out.h5"]:
            fail(f"{title}: files are left: {left}")
        print(f"{title}: {begun} ranks, then {resumed}", flush=True)


def check_friction():
    check_same("shifts of like bodies", LIKE + SHIFTS + TIGHT, counts=(2, 4))
    check_same("shifts of unlike bodies", FRICTION + SHIFTS + TIGHT, counts=(2, 4))
    check_same("steady rolling", LIKE + STEADY + TIGHT, counts=(2, 4))
    for direction in (90, 180, 30):
        check_same(f"steady rolling towards {direction}", LIKE + STEADY + TIGHT, f"tangential.direction={direction}")
    check_same("steady rolling of unlike bodies", FRICTION + STEADY + TIGHT)
    check_same("transient rolling", FRICTION + TRANSIENT + TIGHT, counts=(2, 4))
    check_same("transient rolling across the rows", LIKE + TRANSIENT + TIGHT, "tangential.direction=90")
    check_same("fewer rows than ranks", LIKE + STEADY + TIGHT, "grid.elements=[41, 3]")
    check_same("a prescribed moment", LIKE + STEADY.replace("spin: 0.0002", "moment: 0.4") + TIGHT)
    check_same("friction that falls", FRICTION.replace("{coefficient: 0.3}", "{static: 0.3, kinetic: 0.2}") + SHIFTS + TIGHT)
    check_same("periodic", ROUGH.replace("µ = 0", "shifted").replace("force: 0.01}", "force: 0.01}\nfriction: {coefficient: 0.4}")
               .replace("{problem: none}", "{problem: shift, x: {force_ratio: 0.5}, y: {shift: 0.0}}") + TIGHT)
    fine = [LIKE.replace("[0.1, 0.11]", "[0.04, 0.04]") + each.replace("step: 0.1", "step: 0.04") + TIGHT
            for each in (SHIFTS, STEADY)]
    for case in fine:
        # The contact fills the grid: a single process solves in no window of it, whose coarser grids were others.
        check_same("a start from coarser grids", case, "grid.elements=[79, 77]", "grid.origin=[-1.61, -1.53]", counts=(3, 4))
    long = TRANSIENT[:TRANSIENT.index("steps:")] + "steps:\n  - {repeat: 30}\n"
    check_resume("resumed transient rolling", LIKE + long.replace("0.0, step: 0.1", "90.0, step: 0.25") + TIGHT, 2, 3)
    check_resume("resumed by one process", FRICTION + long + TIGHT, 3, 1)


def check_more_kinds():
    for direction in ELEMENT:
        check_same(f"steady rolling of second order towards {direction}", LIKE + even(EVEN_STEADY, direction) + SECOND,
                   counts=(2, 3, 4) if direction == 90 else (3,))
        check_same(f"transient rolling of second order towards {direction}",
                   (FRICTION if direction < 180 else LIKE) + even(EVEN_TRANSIENT, direction) + SECOND)
    check_same("second order with fewer rows than ranks", LIKE + even(EVEN_STEADY, 90) + SECOND, "grid.elements=[41, 11]",
               "grid.origin=[-2.0, -0.6]")
    check_same("patches", LIKE.replace("normal:", PATCHES + "normal:") + SHIFTS + TIGHT, counts=(2, 3, 4))
    check_same("newton for the pressures", FRICTION + SHIFTS + NEWTON, counts=(3,))
    for case, title in ((SHIFTS, "shifts"), (even(EVEN_STEADY, 0), "steady rolling"),
                        (even(EVEN_TRANSIENT, 90), "transient rolling across the rows")):
        check_same("a layer that yields, " + title, YIELDING + case + TIGHT, counts=(2, 3))
    for law, title in ((REMEMBERING, "remembers"), (ALONG_Y, "differs along y")):
        check_same("friction that " + title, LIKE.replace("{coefficient: 0.3}", law) + even(EVEN_STEADY, 90) + TIGHT,
                   counts=(2, 3))
    check_same("viscoelastic bodies, shifts", LIKE_CREEPING + HELD + NEWTON, counts=(2, 3, 4))
    for direction in (0, 90, 270):
        bodies = CREEPING if direction == 90 else LIKE_CREEPING
        check_same(f"viscoelastic bodies, steady rolling towards {direction}", bodies + even(EVEN_STEADY, direction) + NEWTON)
        check_same(f"viscoelastic bodies, transient rolling towards {direction}",
                   bodies + even(EVEN_TRANSIENT, direction) + NEWTON, counts=(3,))
    check_same("viscoelastic bodies with fewer rows than ranks", LIKE_CREEPING + even(EVEN_TRANSIENT, 0) + NEWTON,
               "grid.elements=[41, 3]")
    for title, bodies in (("like", LIKE), ("unlike", FRICTION)):
        for case in (SHIFTS, STEADY):
            check_same(f"sensitivities of {title} bodies", bodies + case + TIGHT, "output.sensitivities=true", counts=(2, 3, 4))
    check_same("sensitivities of viscoelastic bodies", CREEPING + even(EVEN_STEADY, 90) + NEWTON, "output.sensitivities=true")
    check_same("sensitivities without friction", SPHERE + TIGHT, "output.sensitivities=true")
    check_same("wear, fatigue and heat", LIKE + even(EVEN_STEADY, 0) + WORN + TIGHT, counts=(2, 3, 4))
    check_same("heat across the rows", LIKE + even(EVEN_STEADY, 90) + HEAT + TIGHT, counts=(3,))
    check_same("heat that stays", LIKE + even(EVEN_TRANSIENT, 0) + HEAT + TIGHT, counts=(3,))
    check_same("friction by temperature", LIKE.replace("{coefficient: 0.3}", "{coefficient: {temperature: [0, 40], value: [0.3, 0.1]}}")
               + even(EVEN_STEADY, 0) + HEAT + TIGHT, counts=(2, 3))
    long = [even(EVEN_TRANSIENT, 90)[:even(EVEN_TRANSIENT, 90).index("steps:")] + "steps:\n  - {repeat: 30}\n"][0]
    check_resume("resumed rolling of second order", LIKE + long + SECOND, 2, 3)
    check_resume("resumed viscoelastic bodies", LIKE_CREEPING + long + NEWTON, 3, 2)
    check_resume("resumed layer that yields, by one process", YIELDING + long + TIGHT, 2, 1)
    check_resume("resumed heat", LIKE + long.replace("90.0", "0.0").replace("0.11", "0.1") + HEAT + TIGHT, 2, 4)


def main():
    check_same("periodic rough surface", ROUGH, counts=(2, 4))
    check_same("free rough surface, 61 x 53", ROUGH.replace("[64, 64]", "[61, 53]").replace("periodic", "free"))
    check_same("periodic, 47 x 3 elements", ROUGH.replace("[64, 64]", "[47, 3]").replace("[0.125, 0.5]", "[0.7, 0.9]"))
    check_same("periodic, one row", ROUGH.replace("[64, 64]", "[64, 1]"))
    check_same("unlike bodies, three steps", SPHERE, counts=(2, 4))
    check_same("packed", SPHERE, "output.compression=4")
    check_same("some fields", SPHERE, "output.fields=[pressure, gap]", "output.steps=last")
    rng = np.random.default_rng(1)
    check_same("heights of a file", HEIGHTS, heights=rng.normal(scale=0.002, size=(37, 41)))
    check_same("active_set_cg", SPHERE, "solver.normal=active_set_cg")
    check_same("contact to the edge", SPHERE, "grid.elements=[11, 10]")

    check_friction()
    check_more_kinds()
    for key, value, words in (("normal", "direct", "direct"), ("tangential", "gauss_seidel", "gauss_seidel")):
        check_refused(value, words, LIKE + STEADY, "--set", f"solver.{key}={value}")
    check_refused("sweep", "a sweep is not computed on several ranks",
                  SPHERE + "sweep:\n  - {key: friction.coefficient, values: [0.2, 0.3]}\n")
    check_refused("GPU", "a GPU is not used on several ranks", SPHERE, "--backend", "cuda")
    check_refused("direct", "not computed on several ranks", SPHERE, "--set", "solver.normal=direct")
    check_refused("a wrong key", "springs", SPHERE + "springs: 1\n")
    check_refused("no folder", "nowhere", SPHERE, output="nowhere/out.h5")
    done = on_ranks(2, "info")
    if done.returncode != 2 or len(errors_of(done)) != 1:
        fail(f"info on two ranks ended with {done.returncode}\n{done.stderr}")
    print("refused with one sentence: what several ranks do not compute")

    check_signal("a killed rank", lambda process, ranks: os.kill(max(ranks), 9), [], False)
    check_signal("Ctrl-C", lambda process, ranks: process.send_signal(2), [130, 1], True)
    check_signal("a rank told to end", lambda process, ranks: os.kill(max(ranks), 15), [143], True)


main()
