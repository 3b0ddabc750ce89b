# SPDX-License-Identifier: Apache-2.0
"""The same bits by the command line, the C library and the Python package, for every case of cases/.

    test_bits.py PROGRAM CASES RUN_CASE [CASE...]

RUN_CASE: run_case.c. Without the Python package that part is skipped. Sweeps are left out: the
libraries take them by calls of their own. It is 61 cases in three ways.
"""
import glob
import os
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "program"))
import machine  # noqa: E402

h5py, np = machine.modules("h5py", "numpy")
slipfield = machine.module("slipfield")

PROGRAM, CASES, RUN_CASE = map(os.path.abspath, sys.argv[1:4])
CHOSEN = sys.argv[4:]
BACKEND = os.environ.get("SLIPFIELD_TEST_BACKEND", "cpu")
# A case that takes long is solved on a coarser grid or in fewer steps, by the same methods.
COARSER = {"cattaneo_to_carter.yaml": [("repeat: 56", "repeat: 6")],
           "free_spin.yaml": [("elements: [61, 61]", "elements: [31, 31]")],
           "seal.yaml": [("elements: [192, 192]", "elements: [96, 96]")],
           "heat_transient.yaml": [("repeat: 40", "repeat: 4")],
           "3_back_and_forth.yaml": [("elements: [65, 65]", "elements: [33, 33]")],
           "4_start_rolling.yaml": [("elements: [33, 33]", "elements: [17, 17]"), ("repeat: 60", "repeat: 10"),
                                    ("6, 61, 62]", "6, 11, 12]")],
           "coated_rollers.yaml": [("elements: [72, 64]", "elements: [36, 32]")],
           "compression_sequence.yaml": [("elements: [45, 45]\n  spacing: [0.2, 0.2]", "elements: [23, 23]\n  spacing: [0.4, 0.4]")],
           "creep_indentation.yaml": [("elements: [63, 63]", "elements: [31, 31]"), ("repeat: 10", "repeat: 4")],
           "dirty_wheel.yaml": [("elements: [48, 44]", "elements: [24, 22]")],
           "flattened_asperities.yaml": [("elements: [128, 128]", "elements: [64, 64]")],
           "interior_hertz.yaml": [("points: 61", "points: 16")],
           "linear_creep.yaml": [("elements: [88, 88]", "elements: [44, 44]")],
           "linear_creep_long.yaml": [("elements: [88, 88]", "elements: [44, 44]")],
           "linear_creep_wide.yaml": [("elements: [88, 88]", "elements: [44, 44]")],
           "shear_strength.yaml": [("repeat: 6", "repeat: 3")],
           "varying_load.yaml": [("spacing: [0.75, 0.75]", "spacing: [1.5, 1.5]"), ("11, 31, 51, 71]", "4, 8, 12, 16]")],
           "wheel_on_rail.yaml": [("spacing: [0.2, 0.2]", "spacing: [0.4, 0.4]")],
           "adhesion_loop.yaml": [("elements: [64, 64]", "elements: [32, 32]")],
           "contact_challenge.yaml": [("elements: [256, 256]", "elements: [128, 128]")]}
MOST_STEPS = 16  # of a list; the entries that follow are left out
TIMES = ("seconds", "created", "wheel_seconds", "left_wheel_seconds", "right_wheel_seconds")
# Attributes of coordinates that hold places in the file.
PLACES = ("REFERENCE_LIST",)


# /table and /series repeat the steps' numbers and fields, of as many steps as the way keeps.
LEFT_OUT = ("/case", "/case_source", "/series", "/table")
PLAIN = (h5py.h5t.TypeIntegerID, h5py.h5t.TypeFloatID, h5py.h5t.TypeEnumID) if h5py else ()


def bytes_of(node):
    """Of a dataset or an attribute. Numbers and texts of a fixed length are read as they are: NumPy's type of them takes
    longer to make than they take to read."""
    kind = node.get_type()
    plain = isinstance(kind, PLAIN) or (isinstance(kind, h5py.h5t.TypeStringID) and not kind.is_variable_str())
    values = np.empty(node.shape, f"V{kind.get_size()}" if plain else kind.dtype)
    as_type = kind if plain else None
    if isinstance(node, h5py.h5a.AttrID):
        node.read(values, as_type)
    elif values.size:
        node.read(h5py.h5s.ALL, h5py.h5s.ALL, values, as_type)
    return b"\0".join(values.flat) if values.dtype == object else values.tobytes()  # object: texts


def contents(path):
    """All datasets and attributes as bytes, but times, the text of the case and what was set in it. By the low level of h5py: there are
    a hundred thousand of them, and the high level takes twice as long."""
    found = {}

    def visit(name, node):
        keys = []
        h5py.h5a.iterate(node, lambda key, *_: keys.append(key))
        for key in keys:
            shown = key.decode()
            if shown not in TIMES + PLACES and not shown.startswith("DIMENSION"):
                found[f"{name}@{shown}"] = bytes_of(h5py.h5a.open(node, key))
        if not isinstance(node, h5py.h5g.GroupID):
            found[name] = bytes_of(node)
            return
        for child in node:
            if f"{name}/{child.decode()}" not in LEFT_OUT:
                visit(f"{name}/{child.decode()}", h5py.h5o.open(node, child))

    with h5py.File(path, "r") as file:
        visit("", file["/"].id)
    return found


def coarser(name, text):
    """The text of a case that takes less time."""
    for old, new in COARSER.get(name, []):
        assert old in text, (name, old)
        text = text.replace(old, new)
    steps = re.search(r"^steps:.*\n((?:(?: .*|#.*|)\n)+)", text, re.M)
    if steps:
        entries = re.split(r"(?m)^(?=  - )", steps[1])
        text = text.replace(steps[1], "".join(entries[:MOST_STEPS + 1]))
    return text


class Bits(unittest.TestCase):
    def check_case(self, case, folder):
        out = {way: os.path.join(folder, way + ".h5") for way in ("program", "c", "python")}
        # The program alone estimates errors unasked.
        ran = subprocess.run([PROGRAM, "run", case, "--backend", BACKEND, "-q", "-o",
                              out["program"], "--set", "output.error_estimate=false"],
                             capture_output=True, text=True, check=False)
        self.assertIn(ran.returncode, (0, 1), ran.stderr)
        expected = contents(out["program"])
        self.assertTrue(any("pressure" in name or "least_gap" in name for name in expected))
        by_c = subprocess.run([RUN_CASE, case, out["c"], BACKEND], capture_output=True, text=True,
                              check=False)
        self.assertEqual(by_c.returncode, ran.returncode, by_c.stderr)
        self.assert_same(expected, contents(out["c"]), "C")
        if slipfield is None:
            return
        try:
            result = slipfield.solve(case, backend=BACKEND)
        except slipfield.NotConverged as stop:
            self.assertEqual(ran.returncode, 1)
            result = stop.result
        result.save(out["python"])
        self.assert_same(expected, contents(out["python"]), "Python")

    def assert_same(self, expected, got, way):
        # A case may write only some of its steps, and every way writes the same.
        self.assertEqual(sorted(set(got) - set(expected)), [], f"only by {way}")
        different = [name for name in expected if got.get(name) != expected[name]
                     and not name.startswith("/VTKHDF")]
        self.assertEqual(different, [], f"by {way}")

    def test_every_case(self):
        cases = CHOSEN or sorted(glob.glob(os.path.join(CASES, "**", "*.yaml"), recursive=True))
        self.assertGreater(len(cases), 0)
        ran = 0
        for case in cases:
            with open(case, encoding="utf-8") as file:
                text = file.read()
            if "\nsweep:" in text:
                continue
            with self.subTest(case=os.path.relpath(case, CASES)), \
                    tempfile.TemporaryDirectory() as folder:
                name = os.path.basename(case)
                shorter = text if CHOSEN else coarser(name, text)
                if shorter != text:
                    os.symlink(os.path.join(CASES, "profiles"), os.path.join(folder, "profiles"))
                    case = os.path.join(folder, name)
                    with open(case, "w", encoding="utf-8") as file:
                        # The expected values are for the finer grid; without them there would be a
                        # warning.
                        file.write(re.sub(r"\nexpected:.*\n(?:[ -].*\n)*", "\n", shorter))
                self.check_case(case, folder)
                ran += 1
        print(f"{ran} cases by the command line, in C" +
              (" and in Python" if slipfield else f"\nskipped: in Python: {machine.why_not('slipfield')}"))

    @unittest.skipIf(slipfield is None or CHOSEN, "without the Python package, or of chosen cases")
    def test_a_co_simulated_motion_has_the_bits_of_the_same_motion_as_a_case(self):
        """Two wheelsets, four contacts: app/python/examples/hunting.py, and `steps` with its motion."""
        import importlib.util
        import json
        example = os.path.join(os.path.dirname(CASES), "app", "python", "examples", "hunting.py")
        spec = importlib.util.spec_from_file_location("hunting", example)
        hunting = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(hunting)
        simulated = list(hunting.simulate(3, CASES))
        self.assertEqual(len(simulated), 2)
        for number, wheelset in enumerate(simulated):
            steps = [{"wheel_rail": {"wheelset": {
                "y": values["y"], "yaw": values["yaw"],
                "velocity": {"y": values["velocity_y"], "yaw": values["velocity_yaw"]}}}}
                     for values in wheelset.motion]
            self.assertNotEqual(wheelset.motion[0], wheelset.motion[-1])
            with self.subTest(wheelset=number), tempfile.TemporaryDirectory() as folder:
                case, out = os.path.join(folder, "case.yaml"), os.path.join(folder, "out.h5")
                with open(case, "w", encoding="utf-8") as file:
                    json.dump({**hunting.case_of(CASES), "steps": steps}, file)
                ran = subprocess.run([PROGRAM, "run", case, "--backend", "cpu", "-q", "-o", out],
                                     capture_output=True, text=True, check=False,
                                     env={**os.environ, "OMP_NUM_THREADS": "1"})
                self.assertEqual(ran.returncode, 0, ran.stderr)
                with slipfield.open(out) as file:
                    self.assertEqual(len(file), len(wheelset.results))
                    self.assertGreater(len(file), 2)
                    for step, result in zip(file, wheelset.results):
                        self.assert_same_step(step, result)

    def assert_same_step(self, step, result):
        self.assertEqual(len(result.contacts), 2)
        for one, other in [(step, result), *((step[side], result[side]) for side in result.sides),
                           *zip(step.contacts, result.contacts)]:
            self.assertEqual({name: value for name, value in one.totals.items() if not name.endswith("seconds")},
                             {name: value for name, value in other.totals.items() if not name.endswith("seconds")})
        for one, other in zip(step.contacts, result.contacts):
            self.assertEqual(one.side, other.side)
            for name in one.field_names():
                self.assertEqual(one.field(name).tobytes(), other.field(name).tobytes(), name)


if __name__ == "__main__":
    machine.run_tests()
