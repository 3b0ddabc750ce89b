# SPDX-License-Identifier: Apache-2.0
"""Stresses inside the bodies: in a run, on a finished result, at points, and what is refused."""
import json
import os
import unittest

import machine
import warm_python
from program import CASE, DATA, FRICTIONLESS, call, case_folder, run_case, yaml_path

h5py, np = machine.modules("h5py", "numpy")

INTERIOR = CASE + "interior: {depths: {to: 2.0, points: 21}, quantities: [stress, von_mises]}\n"


def attributes_and_data(path, step="0001", body="lower"):
    with h5py.File(path, "r") as file:
        group = file[f"steps/{step}/interior/{body}"]
        return dict(group.attrs), {name: group[name][()] for name in group}


class Interior(unittest.TestCase):
    def test_of_one_contact_of_a_wheel_on_a_rail(self):
        profiles = os.path.join(DATA, "..", "..", "cases", "profiles")
        body = "{shear_modulus: 82000, poisson_ratio: 0.28}"
        wheel = (f"schema: 1\nunits: N-mm-s\nbodies: {{wheel: {body}, rail: {body}}}\n"
                 "friction: {coefficient: 0.3}\nwheel_rail:\n  side: right\n  spacing: [0.5, 0.5]\n"
                 f"  wheel: {{profile: {yaml_path(profiles, 'MBench_S1002_v3.prw')}}}\n"
                 f"  rail: {{profile: {yaml_path(profiles, 'MBench_UIC60_v3.prr')}}}\n"
                 "  wheelset: {y: 2, velocity: {x: 2000}}\n  vertical_force: 20000\n")
        with case_folder(wheel):
            self.assertEqual(run_case("-o", "wheel.h5").returncode, 0)
            done = call("interior", "wheel.h5", "--contact", "1", "--depths", "0:4:9", "--quantities",
                        "stress,von_mises", "-o", "in.h5")
            self.assertEqual(done.returncode, 0, done.stderr)
            with h5py.File("wheel.h5", "r") as file:
                pressure = file["steps/0001/contacts/1/pressure"][()]
            _, rail = attributes_and_data("in.h5", body="upper")
            # At depth 0 the normal stress is the pressure, to the rounding of the transforms.
            self.assertAlmostEqual(rail["stress_zz"][0].min(), -pressure.max(),
                                   delta=1e-9 * pressure.max())
            self.assertLess(rail["von_mises"][0].max(), rail["von_mises"].max())
            done = call("interior", "wheel.h5", "-o", "in2.h5")
            self.assertEqual(done.returncode, 2)
            self.assertIn("this is a wheel on a rail", done.stderr)
            done = call("interior", "wheel.h5", "--contact", "7", "-o", "in2.h5")
            self.assertIn("has no contact 7", done.stderr)

    def test_inside_a_coating_and_down_to_a_rigid_base(self):
        coating = "coating: {thickness: 0.2, shear_modulus: 400.0, poisson_ratio: 0.3}"
        body = "{shear_modulus: 200.0, poisson_ratio: 0.42}"
        layers = body.replace("}", f", {coating}}}")
        with case_folder(CASE.replace(f"lower: {body}", f"lower: {layers}")):
            run_case("-q", "-o", "out.h5")
            done = call("interior", "out.h5", "-o", "in.h5", "--depths", "0,0.1,0.2,0.2000001,1", "--quantities", "stress",
                        "--region", "grid")
            self.assertEqual(done.returncode, 0, done.stderr)
            with h5py.File("out.h5", "r") as file:
                pressure = file["steps/0003/pressure"][()]
                force = file["steps/0003"].attrs["normal_force"]
                area = np.prod([np.diff(file[f"grid/{axis}"][:2])[0] for axis in "xy"])
            _, fields = attributes_and_data("in.h5", step="0003", body="lower")
            most = pressure.max()
            # At depth 0 the normal stress is the pressure, and it is continuous across the border of the coating, while
            # that along the surface, which the stiffer coating bears more of, jumps.
            np.testing.assert_allclose(fields["stress_zz"][0], -pressure, atol=1e-5 * most)
            np.testing.assert_allclose(fields["stress_zz"][2], fields["stress_zz"][3], atol=1e-4 * most)
            np.testing.assert_allclose(fields["stress_xz"][2], fields["stress_xz"][3], atol=1e-4 * most)
            self.assertGreater(abs(fields["stress_xx"][2] - fields["stress_xx"][3]).max(), 0.1 * most)
            self.assertLess(-fields["stress_zz"][1].sum() * area, 1.01 * force)
            self.assertGreater(-fields["stress_zz"][1].sum() * area, 0.98 * force)
            x, y, z = (fields[name][-1] for name in ("x", "y", "depth"))
            at = json.loads(call("interior", "out.h5", "--at", f"{x},{y},{-z}", "--json").stdout)["points"][0]
            self.assertAlmostEqual(at["stress_zz"], fields["stress_zz"][-1, -1, -1], delta=1e-6 * most)
        on_base = body.replace("}", ", thickness: 0.5}")
        with case_folder(CASE.replace(f"lower: {body}", f"lower: {on_base}")):
            done = call("check", "case.yaml", "--set", "interior={depths: [0, 1]}")
            self.assertIn("interior.depths: 1 is inside the rigid base of the lower body, which begins at 0.5; accepted: "
                          "depths down to 0.5", done.stderr)
            run_case("-q", "-o", "out.h5")
            self.assertIn("a point at depth 0.7 is inside the rigid base of its body, which begins at 0.5; accepted: points "
                          "above it", call("interior", "out.h5", "--at", "0,0,-0.7").stderr)
            self.assertEqual(call("interior", "out.h5", "-o", "in.h5").returncode, 0)

    def test_run_writes_it_and_prints_the_greatest(self):
        with case_folder(INTERIOR):
            done = run_case("-o", "out.h5")
            self.assertEqual(done.stdout.count("inside upper"), 3)
            with h5py.File("out.h5", "r") as file:
                for step in file["steps"].values():
                    pressure = step["pressure"][()]
                    traction = step["traction_x"][()]
                    lower = step["interior/lower"]
                    x0 = np.argmin(abs(file["grid/x"][()] - lower["x"][0]))
                    y0 = np.argmin(abs(file["grid/y"][()] - lower["y"][0]))
                    ny, nx = lower["stress_zz"].shape[1:]
                    window = np.s_[y0:y0 + ny, x0:x0 + nx]
                    # The surface's tractions, to the rounding of values near 4.
                    np.testing.assert_allclose(lower["stress_zz"][0], -pressure[window], atol=1e-13)
                    np.testing.assert_allclose(lower["stress_xz"][0], -traction[window], atol=1e-13)
                    mises = lower["von_mises"][()]
                    self.assertEqual(mises.max(), lower.attrs["max_von_mises"])
                    at = np.unravel_index(mises.argmax(), mises.shape)
                    self.assertEqual(list(lower.attrs["max_von_mises_at"]),
                                     [lower["x"][at[2]], lower["y"][at[1]], -lower["depth"][at[0]]])
                    np.testing.assert_array_equal(mises.max(axis=(1, 2)), lower["von_mises_by_depth"])
                    for name in lower:
                        self.assertIn("units", lower[name].attrs)

    def test_crosslands_stress_has_no_place_along_x(self):
        fatigue = "interior: {body: lower, depths: {to: 1, points: 3}, fatigue: {torsion_limit: 300, bending_limit: 500}}\n"
        with case_folder(FRICTIONLESS + fatigue):
            done = run_case("-o", "out.h5")
            self.assertRegex(done.stdout, r"dang_van \S+ N/mm\^2 at \(\S+, \S+, \S+\) mm   crossland \S+ N/mm\^2 at \(y, z\) = \(\S+, \S+\) mm")

    def test_finished_result_gives_the_same_bits(self):
        with case_folder(INTERIOR):
            run_case("-o", "out.h5")
            os.replace("case.yaml", "with.yaml")
            with open("case.yaml", "w", encoding="utf-8") as file:
                file.write(CASE)
            run_case("-o", "plain.h5")
            done = call("interior", "plain.h5", "-o", "inside.h5", "--depths", "0:2:21",
                        "--quantities", "stress,von_mises")
            self.assertEqual(done.returncode, 0, done.stderr)
            for step in ("0001", "0003"):
                for body in ("upper", "lower"):
                    first, second = (attributes_and_data(path, step, body)
                                     for path in ("out.h5", "inside.h5"))
                    for one, other in zip(first, second):
                        self.assertEqual(one.keys(), other.keys())
                        for name in one:
                            np.testing.assert_array_equal(one[name], other[name])
            self.assertEqual(call("compare", "plain.h5", "inside.h5").returncode, 0)

    def test_inspect_and_json(self):
        with case_folder(INTERIOR):
            run_case("-o", "out.h5")
            shown = call("inspect", "out.h5").stdout
            self.assertIn("inside the lower body: 21 depths from 0 to 2 mm", shown)
            self.assertIn("greatest at each depth", shown)
            document = json.loads(call("inspect", "out.h5", "--json").stdout)
            lower = document["steps"][-1]["interior"][1]
            attributes, data = attributes_and_data("out.h5", "0003")
            self.assertEqual(lower["body"], "lower")
            self.assertEqual(lower["max_von_mises"]["value"], attributes["max_von_mises"])
            self.assertEqual(lower["von_mises_by_depth"], list(data["von_mises_by_depth"]))

    def test_points_are_those_of_the_volume(self):
        with case_folder(INTERIOR):
            run_case("-o", "out.h5")
            _, data = attributes_and_data("out.h5", "0003")
            x, y, z = data["x"][3], data["y"][2], -data["depth"][5]
            done = call("interior", "out.h5", "--at", f"{x},{y},{z}", "--json")
            point = json.loads(done.stdout)["points"][0]
            for name in ("stress_xx", "stress_xz", "stress_yz", "von_mises"):
                self.assertAlmostEqual(point[name], data[name][5, 2, 3], delta=1e-12)
            line = call("interior", "out.h5", "--line", f"{x},{y},0,{x},{y},-2", "--body", "lower",
                        "--samples", "21")
            rows = np.loadtxt(line.stdout.splitlines())
            self.assertEqual(rows.shape, (21, 18))
            np.testing.assert_allclose(rows[:, 15], data["von_mises"][:, 2, 3], rtol=1e-6)
            np.savetxt("points.txt", rows[3:7, :3], fmt="%.8g")
            table = call("interior", "out.h5", "--points", "points.txt")
            np.testing.assert_allclose(np.loadtxt(table.stdout.splitlines())[:, 15], rows[3:7, 15],
                                       rtol=1e-6)
            np.savetxt("points.txt", rows[3:7, 2::-1], fmt="%.8g", header="z y x")
            self.assertEqual(call("interior", "out.h5", "--points", "points.txt").stdout, table.stdout)
            np.savetxt("points.txt", rows[3:7, :3], fmt="%.8g", header="x [um], y [um], z [um]")
            self.assertIn("line 1 says that the values are in um", call("interior", "out.h5", "--points", "points.txt").stderr)

    def test_resumed_run_has_the_same_bits(self):
        with case_folder(INTERIOR):
            run_case("-o", "whole.h5")
            run_case("-o", "again.h5", "--resume")
            one, other = (attributes_and_data(path)[1] for path in ("whole.h5", "again.h5"))
            for name in one:
                np.testing.assert_array_equal(one[name], other[name])

    def test_what_is_refused(self):
        with case_folder():
            run_case("-o", "out.h5")
            for arguments, sentence in [
                    ((), "there is nothing to write or to print; accepted: -o INSIDE.h5"),
                    (("-o", "in.h5", "--depths=-1,2"), "error: --depths -1,2: interior.depths: -1 is not inside the body"),
                    (("-o", "in.h5", "--region", "5:6,0:1"), "no element centre lies from 5 to 6"),
                    (("-o", "in.h5", "--quantities", "mises"), "'mises' is not known"),
                    (("-o", "out.h5"), "out.h5"),
                    (("--at", "0,0,0"), "accepted: --body upper or --body lower"),
                    (("--at", "0,0,1", "--body", "lower"), "is outside the lower body"),
                    (("--at", "0,1"), "is not three numbers X,Y,Z"),
                    (("--at", "0,0,1", "-o", "in.h5"), "--output goes with volumes"),
                    (("--step", "7", "-o", "in.h5"), "there is no step 7")]:
                done = call("interior", "out.h5", *arguments)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(sentence, done.stderr)
            self.assertEqual(sorted(os.listdir()), ["case.yaml", "out.h5"])
            run_case("-o", "thin.h5", "--set", "output.fields=[pressure,element_division]")
            done = call("interior", "thin.h5", "-o", "in.h5")
            self.assertEqual(done.returncode, 2)
            self.assertIn('has no field "traction_x", which the stresses inside follow from', done.stderr)

    @machine.needs("figures")
    def test_figures(self):
        with case_folder(INTERIOR):
            run_case("-o", "out.h5")
            done = call("plot", "out.h5", "-o", "inside.svg", "--interior", "depth,von_mises", env=warm_python.environment())
            self.assertEqual(done.returncode, 0, done.stderr)
            with open("inside.svg", encoding="utf-8") as file:
                text = file.read()
            self.assertIn(", lower body", text)
            self.assertIn(">Depth (mm)<", text)
            done = call("plot", "out.h5", "-o", "more.svg", "--interior", "tresca", env=warm_python.environment())
            self.assertEqual(done.returncode, 2)
            self.assertIn("does not hold tresca; accepted: depth, along_y, stress_xx", done.stderr)


if __name__ == "__main__":
    machine.run_tests()
