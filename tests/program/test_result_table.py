# SPDX-License-Identifier: Apache-2.0
"""/table of every kind of result, as h5py, pandas and xarray read it, and what comes from it: export, compare."""
import csv
import io
import json
import re
import unittest

import machine

from program import CASE, ON_TRACK, call, case_folder, run_case, wheel_case

h5py, np = machine.modules("h5py", "numpy")

WHEELSET = wheel_case(keys="spacing: [1, 1], " + ON_TRACK)
STEPS = "steps:\n  - {wheel_rail: {wheelset: {y: -1}}}\n  - {wheel_rail: {wheelset: {y: 1}}}\n"
POSITIONS = "sweep:\n  - {key: wheel_rail.wheelset.y, values: [-1, 0, 1]}\n"


def run(text, output="out.h5", *arguments):
    with open("case.yaml", "w", encoding="utf-8") as file:
        file.write(text)
    done = call("run", "case.yaml", "-o", output, "--backend", "cpu", "-q", *arguments)
    if done.returncode != 0:
        raise AssertionError(done.stderr)


def columns(path):
    with h5py.File(path, "r") as file:
        return {name: data.asstr()[()] if data.dtype == object else data[()] for name, data in file["table"].items()}


def exported(*arguments):
    done = call("export", *arguments)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return list(csv.DictReader(io.StringIO(done.stdout)))


class Table(unittest.TestCase):
    def check_columns(self, path):
        """Equal lengths, units and descriptions, one coordinate."""
        with h5py.File(path, "r") as file:
            table = file["table"]
            rows = len(table["row"])
            self.assertEqual(list(table["row"]), list(range(rows)))
            for name, column in table.items():
                self.assertEqual(column.shape, (rows,), name)
                self.assertNotEqual(column.attrs["description"], "", name)
                self.assertIn("units", column.attrs)
                if name != "row":
                    self.assertEqual(column.dims[0][0], table["row"], name)
        return columns(path)

    def test_a_wheelset_has_rows_for_itself_its_sides_and_contacts(self):
        with case_folder(WHEELSET + STEPS):
            run(WHEELSET + STEPS)
            table = self.check_columns("out.h5")
            keys = list(zip(table["step"], table["side"], table["contact"]))
            one = [("both", 0), ("left", 0), ("left", 1), ("right", 0), ("right", 1)]
            self.assertEqual(keys, [(step, *row) for step in (1, 2) for row in one])
            with h5py.File("out.h5", "r") as file:
                step = file["steps/0001"]
                self.assertEqual(list(step["contacts"]), ["1", "2"])
                for row, source, prefix in ((0, step, ""), (1, step, "left_"), (3, step, "right_"),
                                            (2, step["contacts/1"], ""), (4, step["contacts/2"], "")):
                    totals = {name: values[row] for name, values in table.items()
                              if isinstance(values[row], float) and not np.isnan(values[row])}
                    self.assertGreater(len(totals), 5)
                    known = {name: source.attrs[prefix + name] for name in totals if prefix + name in source.attrs}
                    self.assertEqual(set(totals) - set(known), set())
                    self.assertEqual(known, {name: totals[name] for name in known})
                contact = step["contacts/2"]
                self.assertEqual((contact.attrs["side"], contact.attrs["contact"]), ("right", 1))
                self.assertEqual([scale[0] for scale in contact["pressure"].dims],
                                 [contact["grid/y"], contact["grid/x"]])
                area = np.prod(contact["grid"].attrs["spacing"])
                self.assertAlmostEqual(contact["pressure"][()].sum() * area, table["normal_force"][4], delta=1e-6)

    def test_a_sweep_over_y_has_curves_of_each_wheel(self):
        with case_folder(WHEELSET + POSITIONS):
            run(WHEELSET + POSITIONS)
            table = self.check_columns("out.h5")
            self.assertEqual(list(table["point"]), [1] * 5 + [2] * 5 + [3] * 5)
            self.assertEqual(list(table["wheel_rail.wheelset.y"][::5]), [-1, 0, 1])
            left = (table["side"] == "left") & (table["contact"] == 1)
            right = (table["side"] == "right") & (table["contact"] == 1)
            # The left wheel at y is the mirror image of the right one at -y; the height is found to 1e-5 of the force.
            for name, sign in (("force_x", 1), ("force_y", -1), ("normal_force", 1), ("track_y", -1)):
                image = sign * table[name][right][::-1]
                scale = np.abs(table["normal_force"][left]).max()
                self.assertLess(np.abs(table[name][left] - image).max(), 1e-4 * scale, name)
            self.assertGreater(np.ptp(table["force_y"][left]), 10.0)  # [N], a curve
            for first in (0, 5, 10):  # sums over sides and contacts
                forces = table["track_force_z"][first:first + 5]
                self.assertAlmostEqual(forces[0], forces[1] + forces[3], delta=1e-9)
                self.assertAlmostEqual(forces[1], table["contact_track_force_z"][first + 2], delta=1e-9)
            shown = call("inspect", "out.h5", "--side", "left", "--contact", "1")
            self.assertIn(f"{table['force_y'][left][0]:.5g}", shown.stdout)
            self.assertRegex(call("inspect", "out.h5").stdout, "left F_z +right F_z")

    def test_blocks_and_shards_give_the_same_rows(self):
        case = CASE.split("steps:")[0] + "sweep:\n  - {key: normal.force, from: 1, to: 9, points: 7}\n"
        with case_folder(case):
            run(case, "whole.h5")
            for shard in (1, 2, 3):
                run(case, f"{shard}.h5", "--shard", f"{shard}/3")
            self.assertEqual(call("merge", "merged.h5", "1.h5", "2.h5", "3.h5").returncode, 0)
            whole, merged = self.check_columns("whole.h5"), self.check_columns("merged.h5")
            self.assertEqual(set(whole), set(merged))
            for name in set(whole) - {"seconds"}:
                np.testing.assert_array_equal(whole[name], merged[name], name)
            third = self.check_columns("2.h5")
            self.assertEqual(list(third["point"]), [4, 5])
            self.assertEqual(list(third["normal_force"]), list(whole["normal_force"][3:5]))

    def test_points_that_failed_have_a_row_without_totals(self):
        case = CASE.split("steps:")[0] + "sweep:\n  - {key: grid.elements, values: [[13, 11], [65536, 65536]]}\n"
        with case_folder(case):
            with open("case.yaml", "w", encoding="utf-8") as file:
                file.write(case)
            self.assertEqual(call("run", "case.yaml", "-o", "out.h5", "--backend", "cpu").returncode, 2)
            table = self.check_columns("out.h5")
            self.assertEqual(list(table["outcome"]), ["converged", "failed"])
            self.assertEqual(list(table["step"]), [1, 0])
            self.assertTrue(np.isnan(table["force_x"][1]))
            self.assertNotEqual(table["message"][1], "")

    def test_export_has_every_row(self):
        with case_folder(WHEELSET + STEPS):
            run(WHEELSET + STEPS)
            table = columns("out.h5")
            rows = exported("out.h5", "--quantities", "track_force_y,normal_force")
            self.assertEqual([(row["side"], row["contact"]) for row in rows],
                             [(side, str(contact)) for side, contact in zip(table["side"], table["contact"])])
            self.assertEqual([row["normal_force [N]"] for row in rows][:3], [str(force) for force in table["normal_force"][:3]])
            # A wheel has that of its heaviest contact, and so have both together.
            self.assertEqual(rows[1]["normal_force [N]"], rows[2]["normal_force [N]"])
            left = exported("out.h5", "--side", "left", "--contact", "1", "--step", "2")
            self.assertEqual([row["force_y [N]"] for row in left], [str(table["force_y"][7])])
            for side, accepted in ((("--side", "left"), "1"), (("--side", "right"), "1"), ((), "1 to 2")):  # of a wheel, or of both
                refused = call("export", "out.h5", *side, "--contact", "5").stderr
                self.assertTrue(refused.endswith(f", contact {accepted}\n" if side else f": contact {accepted}\n"), refused)
            long = exported("out.h5", "--long", "--quantities", "force_y,normal_force", "--contact", "2")
            self.assertEqual([(row["step"], row["side"], row["quantity"], row["unit"]) for row in long],
                             [(step, "right", name, "N") for step in "12" for name in ("force_y", "normal_force")])
            self.assertEqual(long[0]["value"], str(table["force_y"][4]))
            self.assertEqual(call("export", "out.h5", "--fields", "pressure", "--contact", "2", "--step", "1")
                             .stdout.count("\n"), 1 + int(table["elements"][4]))

    def test_inspect_shows_one_side_alone(self):
        with case_folder(WHEELSET + STEPS):
            run(WHEELSET + STEPS)
            both = call("inspect", "out.h5").stdout
            self.assertIn("on both rails: ", both)
            for side, other in (("left", "right"), ("right", "left")):
                shown = call("inspect", "out.h5", "--side", side).stdout
                table = shown[:shown.index("\nstep 2")]
                self.assertEqual(table.count(" on rail: "), 2)
                forces = [line.split(": ", 1)[1] for line in both.splitlines() if f" on {side} rail: " in line]
                self.assertEqual([line.split(": ", 1)[1] for line in table.splitlines() if " on rail: " in line], forces)
                self.assertNotRegex(table, f"nan|axle|{other} rail|both rails")

    def test_compare_takes_wheels_and_names_what_differs(self):
        with case_folder(WHEELSET + STEPS):
            run(WHEELSET + STEPS, "a.h5")
            run(WHEELSET + STEPS, "b.h5")
            self.assertEqual(call("compare", "a.h5", "b.h5").returncode, 0)
            self.assertEqual(call("compare", "a.h5", "b.h5", "--contact", "2", "--step", "1").returncode, 0)
            with h5py.File("b.h5", "r+") as file:
                contact = file["steps/0002/contacts/2"]
                contact.attrs["force_y"] *= 1.01
            done = call("compare", "a.h5", "b.h5", "--json")
            self.assertEqual(done.returncode, 1, done.stderr)
            differing = [name for name, total in json.loads(done.stdout)["totals"].items() if total["of_kin"] > 1e-5]
            self.assertEqual(differing, ["contacts: force_y"])

    def test_inspect_shows_the_numbers_of_a_contact_alone_as_among_the_others(self):
        def numbers(text):
            return dict(re.findall(r"^  ([a-z][a-z_]+) +(\S+) ", text, re.MULTILINE))

        with case_folder(WHEELSET):
            run(WHEELSET)
            whole = call("inspect", "out.h5").stdout
            for number, side in ((1, "left"), (2, "right")):
                among = numbers(whole.split(f"\ncontact {number}, of the {side} wheel\n")[1].split("wheel\n")[0])
                alone = call("inspect", "out.h5", "--contact", str(number)).stdout
                alone = numbers(alone.split("\nstep 1: ")[1].split("\nconvergence")[0])
                self.assertGreater(len(alone), 20)
                self.assertEqual({name: among[name] for name in alone}, alone)

    def test_compare_names_the_steps_that_an_interrupted_run_lacks(self):
        for case, last in ((CASE, 3), (WHEELSET + STEPS, 2)):
            with self.subTest(last), case_folder(case):
                run(case, "whole.h5")
                run(case, "cut.h5")
                with h5py.File("cut.h5", "r+") as file:
                    del file[f"steps/{last:04d}"]
                    file.attrs["outcome"] = "incomplete"
                done = call("compare", "whole.h5", "cut.h5")
                self.assertEqual(done.returncode, 1, done.stderr)
                both = "2 steps" if last == 3 else "1 step"
                self.assertEqual(done.stdout.splitlines()[-2:],
                                 [f"  not run in b: 1 step: {last}",
                                  f"equal within 1e-05, compared at {both} that both files have run"])
                self.assertEqual(done.stderr, f"warning: cut.h5: the run did not finish; the file ends with step {last - 1} of "
                                              f"{last}; 1 step is missing\n")
                document = json.loads(call("compare", "cut.h5", "whole.h5", "--json").stdout)
                self.assertEqual((document["equal"], document["steps_not_run"]), (False, {"a": [last], "b": []}))
                self.assertEqual(call("compare", "cut.h5", "cut.h5").returncode, 0)

    def test_compare_leaves_out_steps_that_a_file_does_not_keep(self):
        with case_folder():
            run(CASE, "all.h5")
            run(CASE, "last.h5", "--set", "output.steps=last")
            done = call("compare", "all.h5", "last.h5")
            self.assertEqual((done.returncode, done.stderr),
                             (0, "warning: only the steps that both files hold can be compared\n"))
            self.assertEqual(call("compare", "all.h5", "last.h5", "--step", "3").stderr, "")
            run(CASE.replace("repeat: 2", "repeat: 4"), "longer.h5")
            self.assertEqual(call("compare", "all.h5", "longer.h5").returncode, 1)

    def test_compare_takes_a_point_of_a_sweep_and_the_result_of_that_point(self):
        case = CASE.split("steps:")[0] + "sweep:\n  - {key: normal.force, values: [5.0, 9.0]}\n" \
            "output: {fields: [pressure]}\n"
        with case_folder(case):
            run(case)
            run(case, "second.h5", "--point", "2")
            self.assertEqual(call("compare", "out.h5", "second.h5", "--point", "2").returncode, 0)
            self.assertEqual(call("compare", "out.h5", "second.h5", "--point", "1").returncode, 1)

    def test_shards_of_wheels_with_fields_merge_to_the_file_of_one_run(self):
        case = WHEELSET + POSITIONS + "output: {fields: [pressure, element_division]}\n"
        with case_folder(case):
            run(case, "whole.h5")
            for part in ("1", "2"):
                run(case, f"{part}.h5", "--shard", f"{part}/2")
            self.assertEqual(call("merge", "merged.h5", "2.h5", "1.h5").returncode, 0)

            def contents(name):
                found = {}

                def visit(path, thing):
                    found[path] = sorted(thing.attrs)
                    if isinstance(thing, h5py.Dataset) and not path.endswith("seconds"):
                        values = np.asarray(thing[()])
                        found[path].append(values.tolist() if values.dtype == object else values.tobytes())

                with h5py.File(name, "r") as file:
                    file.visititems(visit)
                    self.assertEqual(list(file["points/0003/steps/0001/contacts/2/pressure"].dims[1]), ["x"])
                return found

            whole, merged = contents("whole.h5"), contents("merged.h5")
            self.assertIn("case_files", whole)
            self.assertEqual(sorted(whole), sorted(merged))
            for path in set(whole) - {"warnings"}:  # those of each part
                self.assertEqual(whole[path], merged[path], path)
            self.assertEqual(call("compare", "whole.h5", "merged.h5", "--tolerance", "1e-15").returncode, 0)
            run(case, "alone.h5", "--point", "2")
            self.assertEqual(call("compare", "merged.h5", "alone.h5", "--point", "2", "--tolerance", "1e-15").returncode, 0)

    @machine.needs("pandas")
    def test_pandas_and_xarray_read_it_in_one_line(self):
        pandas = machine.module("pandas")
        with case_folder(WHEELSET + POSITIONS):
            run(WHEELSET + POSITIONS)
            frame = pandas.DataFrame({name: data[:] for name, data in h5py.File("out.h5", "r")["table"].items()})
            curve = frame[(frame.side == b"left") & (frame.contact == 1)]
            self.assertEqual(list(curve["wheel_rail.wheelset.y"]), [-1, 0, 1])
            self.assertFalse(curve.force_x.isna().any())


if __name__ == "__main__":
    machine.run_tests()
