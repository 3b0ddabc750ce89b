# SPDX-License-Identifier: Apache-2.0
"""What a run warns of is in its result, and in all that shows results: not in its log only."""
import html
import json
import unittest

import machine
import warm_python

from program import CASE, ON_TRACK, call, case_folder, wheel_case

h5py = machine.module("h5py")
# A coefficient in percent, one step that cannot have its force, contact up to the edge of the grid.
DOUBTFUL = (CASE.replace("coefficient: 0.4", "coefficient: 4").replace("[13, 11]", "[5, 5]")
            .replace("origin: [-1.2, -1.4]", "origin: [-0.5, -0.6]")
            + "expected:\n  - {quantity: force_x, value: 5, tolerance: 1}\n")
SWEEP = DOUBTFUL.split("steps:")[0] + """\
sweep:
  - {key: normal.force, values: [1.0e-4, 9.0, 20.0]}
"""
PLAIN = "--set", "output.fields=none"  # a page without pictures of fields, which take long to draw
WHEEL = wheel_case("left", "spacing: [2, 2], " + ON_TRACK)


def logged(done):
    """The lines of the log that are warnings."""
    return [line.removeprefix("warning: ") for line in done.stderr.split("\n") if line.startswith("warning: ")]


class Warnings(unittest.TestCase):
    def test_keys_of_a_wheel_that_have_no_effect_are_told(self):
        for keys, more, says in (
                ("wheelset: {x: 500, ", "", "wheel_rail.wheelset.x: has no effect: the rail does not change along the track"),
                ("wheelset: {", "output: {error_estimate: true}\n", "output.error_estimate: has no effect: the errors of a wheel's contacts "),
                ("wheelset: {", "output: {error_estimate: false}\n", None)):
            with self.subTest(says), case_folder(WHEEL.replace("wheelset: {", keys) + more):
                done = call("check", "case.yaml")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual([says in line for line in logged(done) if says and says.split(":")[0] in line], [True] if says else [])
                if says is None:
                    self.assertNotIn("no effect", done.stderr)

    def run_of(self, text, *arguments):
        with open("doubtful.yaml", "w", encoding="utf-8") as file:
            file.write(text)
        done = call("run", "doubtful.yaml", "-o", "out.h5", "--backend", "cpu", *arguments)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        found = logged(done)
        self.assertTrue(found, done.stderr)
        return done, found

    def test_volumes_of_a_result_keep_its_warnings_and_add_that_of_curved_surfaces(self):
        with case_folder():
            _, found = self.run_of(DOUBTFUL)
            done = call("interior", "out.h5", "-o", "inside.h5", "--depths", "0.1", "--step", "1", "--backend", "cpu")
            self.assertEqual(done.returncode, 0, done.stderr)
            inspected = json.loads(call("inspect", "inside.h5", "--json").stdout)
            self.assertEqual(inspected["warnings"], list(dict.fromkeys(found)))
            self.assertTrue(inspected["steps"][0]["warnings"])
            curved = CASE.split("steps:")[0] + "influence: {conformal: {y: [-1, 1], angle: [5, -5]}}\n"
            with open("curved.yaml", "w", encoding="utf-8") as file:
                file.write(curved)
            done = call("run", "curved.yaml", "-o", "curved.h5", "--backend", "cpu")
            self.assertIn(done.returncode, (0, 1), done.stderr)
            done = call("interior", "curved.h5", "-o", "volumes.h5", "--depths", "0.1", "--backend", "cpu")
            said = ("curved.h5: what is inside the bodies is that of half-spaces under the tractions, although the "
                    "contact has curved surfaces")
            self.assertIn(said, done.stderr)
            self.assertIn(said, json.loads(call("inspect", "volumes.h5", "--json").stdout)["warnings"])
            self.assertIn(said, call("interior", "curved.h5", "--at", "0,0,0.1").stderr)

    def assert_shown(self, found):
        """By inspect, inspect --json and report: all of them, each once."""
        inspected = json.loads(call("inspect", "out.h5", "--json").stdout)
        self.assertEqual(inspected["warnings"], list(dict.fromkeys(found)))
        shown = call("inspect", "out.h5").stdout
        for warning in found:
            self.assertEqual(shown.count(f"warning   {warning}\n"), 1, shown)
        if why := machine.why_not("figures"):
            print(f"skipped: the page: {why}")
            return inspected
        done = call("report", "out.h5", "-o", "out.html", "--overwrite", env=warm_python.environment())
        self.assertEqual(done.returncode, 0, done.stderr)
        with open("out.html", encoding="utf-8") as file:
            page = file.read()
        for warning in found:
            self.assertEqual(page.count(f'<p class="warning">{html.escape(warning, quote=False)}</p>'), 1, warning)
        return inspected

    def test_those_of_a_run_are_in_its_result(self):
        with case_folder():
            _, found = self.run_of(DOUBTFUL, *PLAIN)
            # each source of warnings: the case, the edge, a step, the numbers expected
            for says in ("friction.coefficient", "edge of the grid", "differ from the numbers"):
                self.assertTrue(any(says in warning for warning in found), found)
            steps = self.assert_shown(found)["steps"]
            for step in steps:
                self.assertTrue(any("edge" in warning for warning in step["warnings"]), step)

    def test_contact_at_the_edge_is_one_line_and_in_each_step(self):
        with case_folder():
            steps = "steps:\n  - {repeat: 3}\n  - {normal: {approach: 1.0e-4}}\n  - {normal: {force: 9.1954}}\n"
            _, found = self.run_of(DOUBTFUL.split("steps:")[0] + steps, *PLAIN)
            edge = [warning for warning in found if "edge of the grid" in warning]
            self.assertEqual(edge, ["4 steps, 1 to 3 and 5: contact reaches the edge of the grid: "
                                    "the grid may be too small, unless the body ends there"])
            document = self.assert_shown(found)
            of_steps = [any("edge of the grid" in text for text in step["warnings"]) for step in document["steps"]]
            self.assertEqual(of_steps, [True, True, True, False, True])

    def test_a_grid_of_one_element_reaches_its_edge(self):
        with case_folder():
            _, found = self.run_of(DOUBTFUL.replace("[5, 5]", "[1, 1]"))
            self.assertTrue(any("edge of the grid" in text for text in found), found)

    @unittest.skipIf(h5py is None, "h5py is not installed")
    def test_texts_that_are_no_utf8_are_shown_escaped(self):
        with case_folder():
            self.run_of(DOUBTFUL)
            with h5py.File("out.h5", "a") as file:
                damaged = bytes(file.attrs["title"], "utf-8")[:3] + b"\xe9\xff\x1b[31m"
                file.attrs.create("title", damaged, dtype=h5py.string_dtype("utf-8"))
            done = call("inspect", "out.h5")  # which decodes what it prints
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("\\xe9\\xff\\x1b[31m", done.stdout)

    def test_those_of_a_run_are_in_its_json(self):
        with case_folder():
            done, found = self.run_of(DOUBTFUL, "--json")
            document = json.loads(done.stdout)
            self.assertEqual(document["warnings"], list(dict.fromkeys(found)))
            of_file = json.loads(call("inspect", "out.h5", "--json").stdout)["steps"]
            self.assertEqual([step["warnings"] for step in document["steps"]],
                             [step["warnings"] for step in of_file])
            checked = call("check", "doubtful.yaml", "--json")
            self.assertTrue(any("friction.coefficient" in text for text in json.loads(checked.stdout)["warnings"]))

    def test_those_of_a_sweep_are_in_its_result_and_at_their_points(self):
        with case_folder():
            done, found = self.run_of(SWEEP, "--json")
            points = json.loads(done.stdout)["points"]
            self.assertTrue(any("one element is in contact" in text for text in points[0]["warnings"]), points[0])
            self.assertTrue(any("edge of the grid" in text for text in points[2]["warnings"]))
            inspected = self.assert_shown(found)
            self.assertEqual([point["warnings"] for point in inspected["points"]],
                             [point["warnings"] for point in points])
            shown = call("inspect", "out.h5").stdout
            for text in points[0]["warnings"]:
                self.assertIn(f"point 1: {text}\n", shown)
            for shard in ("1/2", "2/2"):
                call("run", "doubtful.yaml", "--shard", shard, "--backend", "cpu")
            merged = call("merge", "merged.h5", "doubtful-1-of-2.h5", "doubtful-2-of-2.h5")
            self.assertIn(merged.returncode, (0, 1), merged.stderr)
            of_merged = json.loads(call("inspect", "merged.h5", "--json").stdout)
            self.assertEqual([point["warnings"] for point in of_merged["points"]],
                             [point["warnings"] for point in points])
            self.assertTrue(any("friction.coefficient" in text for text in of_merged["warnings"]))

    def test_those_of_a_wheel_are_in_its_result_and_at_their_contacts(self):
        with case_folder():
            done, found = self.run_of(WHEEL, "--json")
            self.assertTrue(any("contact 1: " in text for text in found), found)
            document = json.loads(done.stdout)
            inspected = self.assert_shown(found)
            self.assertEqual(inspected["steps"][0]["warnings"], document["steps"][0]["warnings"])
            patch = json.loads(call("inspect", "out.h5", "--contact", "1", "--json").stdout)
            self.assertEqual([f"contact 1: {text}" for text in patch["warnings"]], document["steps"][0]["warnings"])

    @unittest.skipIf(h5py is None, "h5py is not installed")
    def test_results_without_them_are_read_as_before(self):
        with case_folder():
            self.run_of(DOUBTFUL)
            with h5py.File("out.h5", "a") as file:
                del file["warnings"]
                for step in file["steps"].values():
                    del step["warnings"]
            old = json.loads(call("inspect", "out.h5", "--json").stdout)
            self.assertEqual(old["warnings"], [old["warning"]])
            self.assertIn("edge of the grid", old["warning"])
            self.assertEqual(call("inspect", "out.h5").returncode, 0)

    def test_a_run_without_any_has_none(self):
        with case_folder():
            self.assertEqual(call("run", "case.yaml", "-o", "out.h5", "--backend", "cpu",
                                  "--set", "grid.refine=2").returncode, 0)
            shown = json.loads(call("inspect", "out.h5", "--json").stdout)
            self.assertEqual(shown["warnings"], [])
            self.assertNotIn("warning", call("inspect", "out.h5").stdout)


if __name__ == "__main__":
    machine.run_tests()
