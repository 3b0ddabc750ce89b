# SPDX-License-Identifier: Apache-2.0
"""Several ranks (mpirun) compute what one process does: the same fields and totals to rounding, after as many
iterations, in a file of the same layout. What they do not compute is refused with one sentence, and a failure or a
signal ends all of them."""
import os
import subprocess

from runs import (FRICTION, LIKE, MPIRUN, ROUGH, SHIFTS, SPHERE, STEADY, TIGHT, TRANSIENT, check_resume, check_same, fail,
                  h5py, np, on_ranks, processes_of, wait_for)
from program import PROGRAM, case_folder, errors_of

HEIGHTS = SPHERE.replace("{type: quadratic, xx: 0.01, yy: 0.01}",
                         "[{type: quadratic, xx: 0.01, yy: 0.01}, {type: heights, file: z.txt, of: upper}]")


def check_refused(title, sentence, case, *arguments, output="out.h5"):
    with case_folder(case):
        done = on_ranks(2, "run", "case.yaml", "-o", output, *arguments)
        errors = errors_of(done)
        if done.returncode != 2 or len(errors) != 1 or sentence not in errors[0]:
            fail(f"{title}: ended with {done.returncode}\n{done.stdout}{done.stderr}")
        if os.path.exists("out.h5"):
            fail(f"{title}: left a result")


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
    across = LIKE.replace("[0.1, 0.11]", "[0.1, 0.11], boundary: periodic_y")
    check_same("steady rolling across the period", across + STEADY + TIGHT)
    fine = [LIKE.replace("[0.1, 0.11]", "[0.04, 0.04]") + each.replace("step: 0.1", "step: 0.04") + TIGHT
            for each in (SHIFTS, STEADY)]
    for case in fine:
        # The contact fills the grid: a single process solves in no window of it, whose coarser grids were others.
        check_same("a start from coarser grids", case, "grid.elements=[79, 77]", "grid.origin=[-1.61, -1.53]", counts=(3, 4))
    long = TRANSIENT[:TRANSIENT.index("steps:")] + "steps:\n  - {repeat: 30}\n"
    check_resume("resumed transient rolling", LIKE + long.replace("0.0, step: 0.1", "90.0, step: 0.25") + TIGHT, 2, 3)
    check_resume("resumed by one process", FRICTION + long + TIGHT, 3, 1)


def main():
    check_same("periodic rough surface", ROUGH, counts=(2, 4))
    check_same("free rough surface, 61 x 53", ROUGH.replace("[64, 64]", "[61, 53]").replace("periodic", "free"))
    check_same("periodic, 47 x 3 elements", ROUGH.replace("[64, 64]", "[47, 3]").replace("[0.125, 0.5]", "[0.7, 0.9]"))
    check_same("rough surface with a plateau and skew heights", ROUGH.replace("rms_slope: 0.1", "rms_height: 0.005").replace(
        "seed: 1", "seed: 1, rolloff: 0.3, skewness: -0.8, kurtosis: 4.0"), "grid.elements=[61, 52]", counts=(3,))
    for boundary in ("periodic_x", "periodic_y"):
        check_same(boundary, ROUGH.replace("[64, 64]", "[47, 30]").replace("boundary: periodic", f"boundary: {boundary}"))
    check_same("periodic, one row", ROUGH.replace("[64, 64]", "[64, 1]"))
    check_same("unlike bodies, three steps", SPHERE, counts=(2, 4))
    check_same("packed", SPHERE, "output.compression=4")
    check_same("some fields", SPHERE, "output.fields=[pressure, gap]", "output.steps=last")
    rng = np.random.default_rng(1)
    check_same("heights of a file", HEIGHTS, heights=rng.normal(scale=0.002, size=(37, 41)))
    check_same("active_set_cg", SPHERE, "solver.normal=active_set_cg")
    check_same("contact to the edge", SPHERE, "grid.elements=[11, 10]")

    check_friction()
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
