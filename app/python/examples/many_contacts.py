# SPDX-License-Identifier: Apache-2.0
"""1,000 small contacts, with worker processes and with slipfield.sweep: the same numbers.

    python3 many_contacts.py [CONTACTS]

sweep() is all it takes where one case's keys change. Processes are for more than that: other
geometries, work of one's own on each result, other machines (dask, MPI).
"""
import multiprocessing
import os
import sys
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")  # the contacts run side by side, each on one thread

import numpy as np  # noqa: E402
import slipfield as sf  # noqa: E402

CASE = {
    "schema": 1, "units": "N-mm-s",
    "bodies": {"upper": {"shear_modulus": 82000.0, "poisson_ratio": 0.28},
               "lower": {"shear_modulus": 82000.0, "poisson_ratio": 0.28}},
    "friction": {"coefficient": 0.3},
    "grid": {"elements": [12, 12], "extent": {"x": [-8.8, 8.8], "y": [-4.4, 4.4]}},
    "geometry": {"type": "hertz", "semi_axes": [8.0, 4.0]},
    "normal": {"force": 82000.0},
    "tangential": {"problem": "steady_rolling", "x": {"creepage": 0.0}, "y": {"creepage": 0.0}},
}
KEY = "tangential.x.creepage"


def force(creepage):
    """One contact, in a worker: a Solver cannot be sent to one, a case and a Result can."""
    return sf.Solver(CASE, backend="cpu", threads=1).advance({KEY: creepage}, fields=False).force_x


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    creepages = np.linspace(-3e-3, 3e-3, count)
    workers = len(os.sched_getaffinity(0))

    begin = time.perf_counter()
    # spawn: a fork would copy the state of threads that the solver may have started.
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        by_processes = np.array(pool.map(force, creepages.tolist(), chunksize=20))
    middle = time.perf_counter()
    table = sf.sweep(CASE, {KEY: creepages}, totals=["force_x"], backend="cpu", threads=workers)
    end = time.perf_counter()

    print(f"{count} contacts, {workers} at a time: processes {middle - begin:.1f} s, "
          f"sweep {end - middle:.1f} s")
    different = int((by_processes != table["force_x"]).sum())
    largest = np.abs(by_processes - table["force_x"]).max()
    print(f"forces that differ between the two: {different}, at most by {largest:.1e} N")
    assert table.converged.all(), table.messages[~table.converged][0]
    # the case is read once by the sweep, and again by each process: rounding and tolerance
    assert largest < 1e-5 * np.abs(table["force_x"]).max()
    # a force that falls with the creepage, within Coulomb's bound
    assert (np.diff(table["force_x"]) < 1e-5 * 0.3 * 82000.0).all()
    assert np.abs(table["force_x"]).max() <= 0.3 * 82000.0 * (1.0 + 1e-6)


if __name__ == "__main__":
    main()
