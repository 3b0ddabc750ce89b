# SPDX-License-Identifier: Apache-2.0
"""The number of threads: none changes a result beyond rounding, and the same number gives the same
bits. (What is promised; on the CPU 1, 2 and 3 threads give the same bits as well.) It takes 4 s: threads share sums of
more than 5120 elements only."""
import os
import subprocess
import sys

from program import CASE, PROGRAM, call, case_folder

# More than 5120 elements: below, sums are not shared out.
LARGE = CASE.replace("[13, 11]", "[104, 96]").replace("[0.2, 0.25]", "[0.0242, 0.0284]").replace(
    "[-1.2, -1.4]", "[-1.26, -1.37]").replace("repeat: 2", "repeat: 1")
UNLIKE = LARGE.replace("lower: {shear_modulus: 200.0", "lower: {shear_modulus: 700.0")
ROLLING = "{problem: transient_rolling, x: {creepage: 1.0e-3}, y: {creepage: 0.0}, spin: 5.0e-4}"
RUNS = {
    "uncoupled shifts": (LARGE, []),
    "unlike bodies": (UNLIKE, ["--set", "solver.tolerance=1.0e-4"]),
    "rolling": (LARGE.replace("{problem: shift, x: {force_ratio: -0.5}, y: {shift: 0.0}}", ROLLING)
                .replace("steps:\n  - {repeat: 1}\n  - {tangential: {x: {force_ratio: -0.875}}}\n",
                         ""), []),
    "gauss_seidel": (CASE, ["--set", "solver.tangential=gauss_seidel"]),
    "direct": (CASE, ["--set", "solver.tangential=direct", "--set", "solver.normal=direct"]),
}


def run(threads, name, arguments):
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads))
    done = call("run", "case.yaml", "--backend", "cpu", "-q", "-o", name, *arguments,
                env=environment)
    if done.returncode != 0:
        sys.exit(f"run ended with {done.returncode}\n{done.stdout}{done.stderr}")


def differ(first, second, tolerance):
    done = subprocess.run([PROGRAM, "compare", first, second, "--tolerance", tolerance],
                          capture_output=True, text=True, check=False, timeout=300)
    return done.stdout if done.returncode != 0 else ""


for title, (case, arguments) in RUNS.items():
    with case_folder(case):
        for threads in (1, 2, 3):
            run(threads, f"{threads}.h5", arguments)
        run(3, "again.h5", arguments)
        problems = differ("3.h5", "again.h5", "1e-300")
        problems += differ("1.h5", "2.h5", "1e-300") + differ("1.h5", "3.h5", "1e-300")
        if problems:
            sys.exit(f"{title}: not the same with another number of threads\n{problems}")
        print(f"{title}: 1, 2, 3 and again 3 threads give the same bits")
