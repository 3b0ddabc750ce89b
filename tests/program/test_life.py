# SPDX-License-Identifier: Apache-2.0
"""slipfield life: what wears off is what the contacts wear off, whatever the steps, and a life that was killed continues."""
import contextlib
import functools
import io
import os
import signal
import subprocess
import sys
import time
import unittest
import unittest.mock
from types import SimpleNamespace

import machine
from program import DATA, PROFILES, PROGRAM, UNCOUNTED, call, case_folder, errors_of, wheel_case, write, yaml_path

h5py, np = machine.modules("h5py", "numpy")
sys.path.insert(0, os.path.join(DATA, "..", "..", "app", "python"))
from slipfield import life  # noqa: E402  pylint: disable=wrong-import-position
from slipfield.command_line import Failed  # noqa: E402  pylint: disable=wrong-import-position
from slipfield.errors import Error, InputError, NotConverged  # noqa: E402  pylint: disable=wrong-import-position
from slipfield.life import store  # noqa: E402  pylint: disable=wrong-import-position
from slipfield.life.__main__ import begin_or_resume, main  # noqa: E402  pylint: disable=wrong-import-position
from slipfield.life.march import March  # noqa: E402  pylint: disable=wrong-import-position
from slipfield.life.profile import WornContacts, shares, spline  # noqa: E402  pylint: disable=wrong-import-position
from slipfield.life.program import Program, _of_condition, end_with  # noqa: E402  pylint: disable=wrong-import-position
from slipfield.life.table import Conditions, read_conditions  # noqa: E402  pylint: disable=wrong-import-position

PYTHON = {**os.environ, "SLIPFIELD_PYTHON": sys.executable}
CASE = wheel_case("right", "spacing: [1.0, 0.5], wheelset: {y: 1.0, yaw: 0.002, velocity: {x: 2000}}, vertical_force: 50000") + """\
wear: {law: archard, coefficient: 1.0e-4, hardness: 3000}
"""
TABLE = """wheel_rail.wheelset.y, wheel_rail.wheelset.yaw, weight
-1, -0.001, 1
2, 0.002, 3
"""


def heights(points):
    """On the spline through the points: chords between points 0.5 mm apart are off by a hundredth of what wears."""
    return np.interp(np.linspace(-20.0, 10.0, 301), *spline(points, 0.05).T)


def is_alive(number):
    """A process that nobody has waited for is not."""
    try:
        with open(f"/proc/{number}/stat", encoding="utf-8") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):  # it may end between opening and reading
        return False


def wear(*arguments):
    return call("life", "case.yaml", *arguments, env=PYTHON)


def wear_here(*arguments):
    """The same without the start of a program and of Python: its exit code and messages."""
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as messages:
        code = 0
        try:
            main(["case.yaml", f"--program={PROGRAM}", *arguments])
        except SystemExit as end:
            code = end.code
    return subprocess.CompletedProcess(arguments, code, out.getvalue(), messages.getvalue())


def columns_of(found):
    """Everything in a Found, without the warnings."""
    return [*found.wheels.values(), *found.contacts.values(), found.circumference, *(values for on in found.on.values() for values in vars(on).values())]


def bits(path):
    """Everything in a file."""
    found = {}
    with h5py.File(path, "r") as file:
        file.visititems(lambda name, item: found.update({name: (dict(item.attrs), item[()].tobytes() if isinstance(item, h5py.Dataset) and
                                                                item.dtype != object else str(item))}))
        return repr([found[name] for name in sorted(found)]), dict(file.attrs)


class Areas(unittest.TestCase):
    """What a profile loses."""

    def setUp(self):
        y = np.sort(np.random.default_rng(3).uniform(-30.0, 30.0, 301))  # a circle of 40 mm, its points uneven
        self.points = {"rail": np.stack([y, 40.0 - np.sqrt(1600.0 - y**2)], axis=1), "wheel": np.stack([y, np.sqrt(1600.0 - y**2) - 40.0], axis=1)}

    def test_areas_are_those_of_the_contact_and_the_profile_loses_them(self):
        s = np.linspace(-6.0, 6.0, 25)
        for body, points in self.points.items():
            for length in (0.0, 4.0):
                with self.subTest(body=body, length=length):
                    depth = 0.1 * np.sqrt(1.0 - (s / 6.0)**2)
                    worn = WornContacts(*points[170], np.arctan2(*(points[171] - points[169])[::-1]), s, depth, depth.sum() * 0.5)
                    areas = life.contact_areas(points, worn)
                    weights = life.smoothing_weights(points, length)
                    areas = areas if weights is None else weights @ areas
                    after = life.remove(points, areas, body)
                    self.assertAlmostEqual(life.removed_area(points, after, body) / worn.area, 1.0, 10)  # sums of 301 areas of 60 mm
                    towards = 1.0 if body == "rail" else -1.0
                    self.assertGreater(min((after - points)[:, 1] * towards), -1e-12)
                    self.assertAlmostEqual(areas @ points[:, 0] / areas.sum(), points[170, 0], delta=0.2)  # half a distance of points
                    np.testing.assert_array_equal(after[[0, -1]], points[[0, -1]])

    def contacts(self, points):
        """Contacts of random places, of which the last are of one row, at the profile's ends, and without wear."""
        made = np.random.default_rng(4)
        places = points[[30, 150, 151, 200, 260, 299, 0]] + made.normal(0.0, 0.05, (7, 2))
        s = np.sort(made.uniform(-7.0, 7.0, (7, 12)), axis=1)
        s[1, 8:], s[4] = s[1, 8], s[4, 0]
        depth = made.uniform(0.0, 1.0, s.shape)
        depth[1, 8:] = depth[1, 8]
        return WornContacts(*places.T, made.uniform(-0.3, 0.3, 7), s, depth, np.array([1.0, 0.5, 0.0, 2.0, 0.3, 0.7, 0.2]))

    def test_contacts_together_wear_off_what_each_wears_off(self):
        for body, points in self.points.items():
            with self.subTest(body=body):
                worn, passes = self.contacts(points), np.arange(1.0, 8.0)
                together = life.contact_areas(points, worn, passes)
                self.assertAlmostEqual(together.sum() / (passes @ worn.area), 1.0, 13)
                each = [life.contact_areas(points, worn.some([k]), passes[k]) for k in range(7)]
                np.testing.assert_allclose(together, np.sum(each, axis=0), atol=1e-14 * together.max())
                self.assertEqual(each[2].max(), 0.0)
                with unittest.mock.patch("slipfield.life.profile._TOGETHER", 2):
                    np.testing.assert_allclose(life.contact_areas(points, worn, passes), together, atol=1e-14 * together.max())
                shorter = WornContacts(*(values[1] for values in (worn.y, worn.z, worn.angle, worn.s[:, :9], worn.depth[:, :9], worn.area)))
                np.testing.assert_allclose(life.contact_areas(points, shorter, 2.0), each[1], atol=1e-15)  # without its repeated rows

    def test_areas_are_the_integral_of_depth_times_the_hats_and_keep_a_mirror_image_and_a_shift(self):
        points = self.points["rail"]
        worn = self.contacts(points)
        for k in (0, 1, 3):
            with self.subTest(contact=k):
                one = worn.some(k)
                areas = life.contact_areas(points, one)
                along = (points - [one.y, one.z]) @ [np.cos(one.angle), np.sin(one.angle)]
                self.assertGreater(np.diff(along).min(), 0.0)  # the whole profile is seen
                ends = np.linspace(one.s[0], one.s[-1], 200_001)
                at = 0.5 * (ends[1:] + ends[:-1])
                place = np.interp(at, along, np.arange(301.0))
                lower, depth = place.astype(int), np.interp(at, one.s, one.depth)
                sums = np.bincount(lower, depth * (lower + 1 - place), 301) + np.bincount(lower + 1, depth * (place - lower), 301)
                np.testing.assert_allclose(areas[2:-2], (one.area * sums / sums.sum())[2:-2], atol=1e-6 * areas.max())  # 1e-5 intervals of each kink
                there = WornContacts(-one.y, one.z, -one.angle, -one.s[::-1], one.depth[::-1], one.area)
                np.testing.assert_allclose(life.contact_areas(points[::-1] * [-1.0, 1.0], there)[::-1], areas, atol=1e-13)
                there = WornContacts(one.y + 3.0, one.z - 2.0, one.angle, one.s, one.depth, one.area)
                np.testing.assert_allclose(life.contact_areas(points + [3.0, -2.0], there), areas, atol=1e-12)

    def test_smoothing_leaves_a_constant_depth_and_spreads_a_single_one(self):
        points = self.points["rail"]
        weights, share = life.smoothing_weights(points, 5.0), shares(points)
        share[[0, -1]] = 0.0
        np.testing.assert_allclose((weights @ share)[1:-1], share[1:-1], rtol=1e-9)  # the iteration's end
        one = np.zeros(301)
        one[150] = 1.0
        spread = np.flatnonzero(weights @ one)
        self.assertLess(abs(points[spread, 0] - points[150, 0]).max(), 2.5)
        self.assertGreater(len(spread), 10)


class Lives(unittest.TestCase):
    """Some forty rounds of two conditions, of which each round is a run of the program: ten seconds in all."""

    def test_a_round_has_the_numbers_that_each_condition_has_by_itself(self):
        keys = ("wheel_rail.wheelset.y", "wheel_rail.track.cant", "wheel_rail.wheelset.nominal_radius", "wheel_rail.wheelset.velocity")
        rows = (("1", "0.025", "460", "{x: 2000}"), ("-2", "0.02", "430", "{x: 900}"), ("-2", "0.02", "430", "{x: 2000, roll: 0.001}"))
        with case_folder(CASE.replace("side: right", "side: both")):
            table = Conditions(list(keys), [list(row) for row in rows], [1.0] * 3, [], [""] * 3)
            program = Program(PROGRAM, "case.yaml", [], table, os.getcwd(), 2)
            program.check()
            found = program.solve("0", {})
            with unittest.mock.patch("slipfield.life.program._MOST_BYTES", 1):  # a run for each condition
                again = program.solve("1", {})
            for one, other in zip(columns_of(again), columns_of(found)):
                np.testing.assert_array_equal(one, other)
            for k, row in enumerate(rows):
                settings = [part for key, value in zip(keys, row) for part in ("--set", f"{key}={value}")]
                self.assertEqual(call("run", "case.yaml", "-q", "-o", f"{k}.h5", *settings).returncode, 0)
                with h5py.File(f"{k}.h5", "r") as file:
                    step = file["steps/0001"]
                    alone = [(dict(group.attrs), group["grid/y"][()], group["wear_profile"][()]) for group in step["contacts"].values()]
                    axle_roll = step.attrs["axle_roll"]
                mine = np.flatnonzero(found.contacts["condition"] == k)
                self.assertEqual(len(alone), len(mine))
                for (of, y, depth), i in zip(alone, mine):
                    side = found.contacts["side"][i]
                    sign, radius = -1.0 if side == "left" else 1.0, float(row[2])
                    self.assertEqual(of["side"], side)
                    self.assertEqual(found.circumference[i], 2 * np.pi * np.hypot(radius + of["wheel_z"], of["wheel_x"]))
                    for body, roll, cant in (("rail", 0.0, float(row[1])), ("wheel", axle_roll, 0.0)):
                        on = found.on[body]
                        self.assertAlmostEqual(on.angle[i], sign * (of["contact_angle"] - roll) + cant, 14)
                        self.assertEqual(on.y[i], sign * of[f"{body}_y"])
                        self.assertAlmostEqual(on.area[i] / of["worn_area"], 1.0, 14)  # times 1e-12 and divided by it
                        places, first = np.unique(on.s[i], return_index=True)  # without what fills up the shorter ones
                        np.testing.assert_array_equal(places, np.sort(sign * y))
                        np.testing.assert_allclose(on.depth[i][first], depth if sign > 0.0 else depth[::-1], rtol=1e-14)  # likewise

    def test_only_a_finished_run_of_these_conditions_is_a_round(self):
        def program(*rows):
            made = Program(os.path.abspath("stub"), "case.yaml", [], Conditions(["wheel_rail.wheelset.y"], [[row] for row in rows],
                                                                               [1.0] * len(rows), [], [""] * len(rows)), os.getcwd(), 1)
            made.frames = real.frames[:len(rows)]
            return made
        with case_folder(CASE):
            real = Program(PROGRAM, "case.yaml", [], Conditions(["wheel_rail.wheelset.y"], [["1"], ["2"]], [0.5] * 2, [], [""] * 2), os.getcwd(), 1)
            real.check()
            first = real.solve("0", {})
            for one, other in zip(columns_of(real.solve("0", {})), columns_of(first)):  # what is finished is taken
                np.testing.assert_array_equal(one, other)
            real.conditions.values[1] = ["3"]
            with self.assertRaisesRegex(InputError, "0-1.h5.*case"):  # and not for other conditions
                real.solve("0", {})
            write("stub", "#!/bin/sh\necho working >&2\nexit 3\n")
            os.chmod("stub", 0o755)
            with self.assertRaisesRegex(Error, "exit code 3; the end of its log: working"):
                program("1", "2").solve("0", {})
            write("stub", "#!/bin/sh\nkill -9 $$\n")
            with self.assertRaisesRegex(Error, "signal 9; the end of its log: nothing"):
                program("1", "2").solve("0", {})
            write("stub", "#!/bin/sh\nexit 0\n")
            with self.assertRaisesRegex(Error, "0-1.h5: has 2 points for 1 conditions"):
                program("1").solve("0", {})
            with h5py.File("0-1.h5", "r+") as file:
                file["table/outcome"][...] = b"not_run"
            with self.assertRaisesRegex(Error, "the condition was not run"):
                program("1", "2").solve("0", {})
            os.remove("0-1.h5")
            with self.assertRaisesRegex(Error, "ended without an error"):
                program("1", "2").solve("0", {})

    def test_values_that_open_a_bracket_or_a_quote_are_of_their_row(self):
        keys = ("wheel_rail.wheelset.y", "wheel_rail.wheelset.velocity")
        for values in (('"1', '2"'), ("[1", "2]"), ("&a 1", "*a")):
            with self.subTest(values=values), case_folder(CASE):
                write("table.csv", "wheel_rail.wheelset.y\n" + "".join('"' + value.replace('"', '""') + '"\n' for value in values))
                self.refused("table.csv:", "--conditions", "table.csv", "--distance", "1km")
        with case_folder(CASE):
            rows = [["1", "{x: 2000}"], ["2", "{x: 900, roll: 0.001}"]]
            program = Program(PROGRAM, "case.yaml", [], Conditions(list(keys), rows, [0.5] * 2, [], [""] * 2), os.getcwd(), 1)
            program.check()
            self.assertEqual(len(program.solve("0", {}).outcomes), 2)

    def test_profiles_lose_what_contacts_wear_times_their_passes(self):
        with case_folder(CASE):
            write("table.csv", TABLE)
            done = wear("--conditions", "table.csv", "--distance", "120km", "--wheels", "8e4", "--depth", "0.006", "-o", "life.h5")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("table.csv: the weights sum to 4 and were divided by it", done.stdout)
            made = life.read("life.h5")
            contacts = made.tables["contacts"]
            for row in contacts:
                weight = (0.25, 0.75)[row["condition"] - 1]
                self.assertAlmostEqual(row["rail_passes"], weight * 8e4, 6)
                # x of the contact is some 0.05 mm
                self.assertAlmostEqual(row["wheel_passes"] * 2 * np.pi * (460 + row["wheel_z"]) / (weight * 1.2e8), 1, 6)
            rounds = made.tables["rounds"]
            self.assertEqual((rounds[-1]["distance"], rounds[-1]["passing_wheels"]), (1.2e8, 8e4))
            self.assertGreater(len(rounds), 3)
            for body in ("wheel", "rail"):
                rate = [sum(row["worn_area"] * row[f"{body}_passes"] for row in contacts if row["round"] == k) for k in range(len(rounds))]
                share = np.diff([row["share"] for row in rounds])
                whole = (share * (np.array(rate[1:]) + rate[:-1]) / 2).sum()
                profiles = made.profiles[f"{body}_right"]
                self.assertAlmostEqual(life.removed_area(profiles[0], profiles[-1], body) / whole, 1.0, delta=1e-9)  # 1e-12 of the areas they bound
                self.assertAlmostEqual(rounds[-1][f"worn_area_{body}_right"] / whole, 1.0, 12)
                for before, after in zip(profiles, profiles[1:]):
                    self.assertLess(np.hypot(*(after - before).T).max(), 0.00601)  # the depth of a round, and the curvature's part
            self.assertTrue(all(0.0 < row["conicity"] < 1.0 for row in rounds))
            self.assertFalse(os.path.exists("life.h5.rounds"))

    def test_one_round_of_one_condition_is_the_mean_of_run_and_wear_before_and_after(self):
        with case_folder(CASE.replace("spacing: [1.0, 0.5]", "spacing: [1.0, 0.25]")):
            passes = 1e7 / (2 * np.pi * 460.2)
            done = wear_here("--distance", "10km", "--smoothing", "0", "--change", "0.5", "-o", "life.h5")
            self.assertEqual(done.returncode, 0, done.stderr)
            made = life.read("life.h5").profiles["wheel_right"]
            self.assertEqual(len(made), 2)
            profile = []
            for number, part in ((1, 1e-12), (2, passes)):
                self.assertEqual(call("run", "case.yaml", "-q", "-o", f"{number}.h5", "--set", f"wear.passes={part}").returncode, 0)
                self.assertEqual(call("wear", f"{number}.h5", "--of", "wheel", "-o", f"{number}.txt").returncode, 0)
                profile.append(np.loadtxt(f"{number}.txt")[::-1])
            self.assertEqual(call("run", "case.yaml", "-q", "-o", "3.h5", "--set", f"wear.passes={passes}", "--set",
                                  "wheel_rail.wheel={profile: 2.txt, mirror_y: false, mirror_z: false}").returncode, 0)
            self.assertEqual(call("wear", "3.h5", "--of", "wheel", "-o", "3.txt").returncode, 0)
            profile.append(np.loadtxt("3.txt")[::-1])
            new, once, twice = (heights(each) for each in profile)
            depth = new - twice  # of two rounds by hand: half of it is the mean
            mine = heights(made[0]) - heights(made[1])
            self.assertGreater(mine.max(), 1e-3)
            # Rows of 0.25 mm, between points of the profile: the program's depths are linear between them, these are means over the points' hats.
            np.testing.assert_allclose(mine, depth / 2, atol=0.03 * mine.max())
            self.assertAlmostEqual(mine.sum() / (depth.sum() / 2), 1.0, delta=2e-3)
            self.assertGreater((new - once).max(), 0.9 * mine.max())

    def test_mirrored_conditions_wear_both_sides_alike(self):
        with case_folder(CASE.replace("side: right", "side: both")):
            write("table.csv", "wheel_rail.wheelset.y,wheel_rail.wheelset.yaw\n2,0.002\n-2,-0.002\n")
            done = wear_here("--conditions", "table.csv", "--distance", "50km", "--wheels", "2e4", "-o", "life.h5")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("each of its 2 conditions has the same share", done.stdout)
            made = life.read("life.h5").profiles
            for body in ("wheel", "rail"):
                left, right = made[f"{body}_left"], made[f"{body}_right"]
                depth = np.hypot(*(right[-1] - right[0]).T).max()
                self.assertGreater(depth, 1e-3)
                np.testing.assert_array_equal(left[0], right[0])
                # The conditions are solved to 1e-5 of their loads.
                np.testing.assert_allclose(left[-1], right[-1], atol=1e-4 * depth)

    def test_conicity_is_that_of_the_profiles_whatever_the_case_rolls_by(self):
        found = []
        for side, wheelset in (("right", ""), ("right", "roll: 0.0086, "), ("left", "roll: 0.0086, ")):
            text = CASE.replace("side: right", f"side: {side}, track: {{irregularity: {{roll: {0.005 if wheelset else 0.0}}}}}")
            with case_folder(text.replace("wheelset: {", "wheelset: {" + wheelset)):
                program = Program(PROGRAM, "case.yaml", [], Conditions([], [[]], [1.0], [], [""]), os.getcwd(), 1)
                program.check()
                found.append(program.conicity({}, 3.0))
        self.assertGreater(found[0], 0.0)
        np.testing.assert_allclose(found[1:], found[0], rtol=1e-9)

    def test_conicity_of_unlike_wheels_is_that_of_the_mirrored_wheelset(self):
        found = []
        for larger in ("left", "right"):
            with case_folder(CASE.replace("side: right", "side: both")):
                program = Program(PROGRAM, "case.yaml", [], Conditions([], [[]], [1.0], [], [""]), os.getcwd(), 1)
                program.check()
                profile = program.values["wheel_rail"]["wheel"]
                program.values["wheel_rail"]["wheel"] = {**profile, larger: {"scale": 1.02}}
                found.append(program.conicity({}, 3.0))
        self.assertGreater(found[0], 0.0)
        np.testing.assert_allclose(found[1], found[0], rtol=1e-6)

    def test_a_round_that_finds_no_step_names_the_option_that_forbids_it(self):
        points = np.stack([np.linspace(-20.0, 20.0, 81), np.zeros(81)], axis=1)
        for change, says in ((1.0, "more than 0.001 mm wear off within 9e-08 of the life; accepted: a greater --depth"),
                             (0.5, "100% of the wear changes its place within 5e-08 of the life; accepted: a greater --smoothing or --change")):
            with self.subTest(change=change), case_folder(CASE):
                march = March(SimpleNamespace(folder=".", solve=lambda name, profiles: []), "life.h5",
                              {"depth": 1e-3, "change": change, "distance": 1.0, "passing_wheels": 0.0}, print)
                now = SimpleNamespace(round=0, share=0.0, step=1.0, profiles={"wheel_right": [points]}, areas={"wheel_right": np.full(81, 1e-5)}, worn={})
                march._areas = lambda found, profiles, now=now: (  # at a round's end more
                    {name: (1.0 if np.array_equal(profiles[name], points) else 1e9) * each for name, each in now.areas.items()}, {})
                with self.assertRaises(Error) as failed:
                    march._round(now)  # pylint: disable=protected-access
                self.assertEqual(str(failed.exception), f"life.h5: round 1: {says}")

    def test_rates_of_another_profile_than_the_round_begins_with_are_found_again(self):
        """A prediction that missed a change of the contacts, which no shorter step brings back."""
        y = np.linspace(-20.0, 20.0, 81)
        points = np.stack([y, np.zeros(81)], axis=1)
        here, missed = 1e-5 * (np.abs(y + 5.0) < 4.0), 1e-5 * (np.abs(y - 5.0) < 4.0)
        with case_folder(CASE):
            march = March(SimpleNamespace(folder=".", solve=lambda name, profiles: []), "life.h5",
                          {"depth": 1.0, "change": 0.1, "distance": 1.0, "passing_wheels": 0.0}, print)
            march._areas = lambda found, profiles: ({"wheel_right": here}, {"wheel_right": 1.0})
            march._enter = lambda *numbers: None
            now = SimpleNamespace(round=0, share=0.0, step=0.5, profiles={"wheel_right": [points]}, areas={"wheel_right": missed}, worn={"wheel_right": 1.0})
            march._round(now)  # pylint: disable=protected-access
            lost = np.hypot(*(now.profiles["wheel_right"][1] - points).T)
            self.assertGreater(lost[np.abs(y + 5.0) < 3.0].min(), 0.0)
            self.assertEqual(lost[y > 0.0].max(), 0.0)
            self.assertGreater(now.share, 0.0)

    def test_wheels_that_brake_more_and_more_as_they_wear_are_warned_of_each_time_it_doubles(self):
        rounds = [{"creepage_x": -each, "track_force_x": 1e6 * each, "depth_wheel_right": 500 * each} for each in (1e-5, 4e-4, 6e-4, 9e-4, 1.2e-3, 8e-4)]
        prescribed: list = []
        march = March(SimpleNamespace(prescribes=lambda key: key in prescribed), "life.h5", {"distance": 1.0, "passing_wheels": 0.0}, print)
        said = [march.driven(SimpleNamespace(tables={"rounds": rounds[:k + 1]}, profiles={"wheel_right": []})) for k in range(len(rounds))]
        self.assertEqual([bool(text) for text in said], [False, False, True, False, True, False])
        self.assertIn("the wheel brakes as it wears: with 0.6 mm off, its mean longitudinal creepage is -0.0012 and its mean force 1.2e+03 N (-1e-05 and "
                      "10 N as new)", said[4])
        prescribed.append("longitudinal_force")
        self.assertEqual(march.driven(SimpleNamespace(tables={"rounds": rounds[:3]}, profiles={"wheel_right": []})), "")

    def test_doubts_of_the_conditions_together_belong_to_the_first_that_has_them(self):
        for text, of in (("case.yaml:3:1: wheel_rail: the wheel brakes (first in point 12 of the sweep, wear.passes = 1e-12, y = {a: 1}; in 3 of 5 points)",
                          (2, "case.yaml:3:1: wheel_rail: the wheel brakes (in 3 of 5 conditions)")),
                         ("case.yaml: the gauge (in point 10 of the sweep, y = 2)", (0, "case.yaml: the gauge")),
                         ("case.yaml: the steel", (0, "case.yaml: the steel")),
                         ("2 points, first 3: coarse (y = 2)", (0, "")), ("point 3: coarse (y = 2)", (0, ""))):
            with self.subTest(text=text):
                self.assertEqual(_of_condition(text, 10), of)

    def test_half_the_step_changes_the_profile_by_less_than_a_hundredth(self):
        with case_folder(CASE):
            write("table.csv", TABLE)
            last = []
            for depth in ("0.004", "0.002"):
                done = wear_here("--conditions", "table.csv", "--distance", "75km", "--depth", depth, "-o", f"{depth}.h5")
                self.assertEqual(done.returncode, 0, done.stderr)
                last.append(life.read(f"{depth}.h5").profiles["wheel_right"])
            self.assertGreaterEqual(len(last[1]), 2 * len(last[0]) - 2)
            depth = np.hypot(*(last[1][-1] - last[1][0]).T).max()
            self.assertGreater(depth, 0.008)
            self.assertLess(np.hypot(*(last[1][-1] - last[0][-1]).T).max(), 0.01 * depth)

    def test_a_run_ends_at_once_if_what_began_it_has_ended(self):
        for parent, code in ((os.getpid(), 0), (os.getppid(), 128 + signal.SIGTERM)):
            begun = subprocess.run([sys.executable, "-c", ""], check=False,
                                   preexec_fn=functools.partial(end_with, parent))  # pylint: disable=subprocess-popen-preexec-fn
            self.assertEqual(begun.returncode, code)

    def test_a_life_that_was_killed_continues_with_the_same_bits(self):
        options = ("--conditions", "table.csv", "--distance", "40km", "--depth", "0.003")
        with case_folder(CASE):
            write("table.csv", TABLE)
            self.assertEqual(wear(*options, "-o", "whole.h5").returncode, 0)
            for name, number in (("killed.h5", signal.SIGKILL), ("ended.h5", signal.SIGTERM), ("interrupted.h5", signal.SIGINT)):
                with subprocess.Popen([PROGRAM, "life", "case.yaml", *options, "-o", name], env={**UNCOUNTED, **PYTHON}, text=True,
                                      stdout=subprocess.PIPE, start_new_session=True) as process:
                    for line in process.stdout:
                        if line.split()[:1] == ["1"]:
                            self.assertRegex(line, r"  \d+(\.\d)? (s|min|h) left$")
                            break
                    time.sleep(0.1)  # in the middle of the next round
                    if number == signal.SIGKILL:
                        os.killpg(process.pid, number)
                    else:
                        process.send_signal(number)  # the program alone: its Python ends as well
                    rest = process.stdout.read()
                self.assertEqual(process.returncode, 130 if number == signal.SIGINT else -number)
                if number == signal.SIGTERM:
                    self.assertIn(f"--resume continues {name}", rest)
                with h5py.File(name, "r") as file:
                    self.assertEqual(file.attrs["outcome"], "interrupted")
                refused = wear_here(*options, "-o", name)
                self.assertEqual(errors_of(refused), [f"error: {name}: the file exists; accepted: --resume, --overwrite, or another name with -o"])
                other = wear_here(*options[:-1], "0.002", "-o", name, "--resume")
                self.assertEqual(errors_of(other), [f"error: {name}: this life was begun with --depth 0.003, not 0.002; accepted: what it was "
                                                    "begun with, or --overwrite"])
                done = wear_here(*options, "-o", name, "--resume", "--jobs", "1")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(bits(name), bits("whole.h5"))
            # To a greater distance: the rounds differ, and the profile hardly.
            shorter = [part.replace("40km", "20km") for part in options]
            self.assertEqual(wear_here(*shorter, "-o", "longer.h5").returncode, 0)
            before = life.read("longer.h5")
            done = wear_here(*options, "-o", "longer.h5", "--resume")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("longer.h5: the life ends at 40 km, not at 20 km as before, with 20 km behind\n", done.stdout)
            longer, whole = life.read("longer.h5"), life.read("whole.h5")
            self.assertEqual((longer.share, longer.tables["rounds"][-1]["distance"]), (1.0, 4e7))
            self.assertEqual([row["distance"] for row in longer.tables["rounds"]][:before.round + 1], [row["distance"] for row in before.tables["rounds"]])
            self.assertEqual(longer.tables["contacts"][0]["wheel_passes"], whole.tables["contacts"][0]["wheel_passes"])
            depth = np.hypot(*(whole.profiles["wheel_right"][-1] - whole.profiles["wheel_right"][0]).T).max()
            self.assertLess(np.hypot(*(longer.profiles["wheel_right"][-1] - whole.profiles["wheel_right"][-1]).T).max(), 0.02 * depth)  # of 3 or 6 rounds
            self.assertEqual(errors_of(wear_here(*options, "--wheels", "100", "-o", "longer.h5", "--resume")), [
                "error: longer.h5: this life was begun with --wheels 0, not 100; accepted: what it was begun with, more --distance and --wheels in the "
                "same proportion, or --overwrite"])
            machine.require(self, "figures")
            done = wear(*options, "-o", "whole.h5", "--resume", "--plot", "life.png")
            self.assertEqual(done.returncode, 0, done.stderr)
            with open("life.png", "rb") as file:
                self.assertEqual(file.read(4), b"\x89PNG")

    def test_a_life_that_is_under_way_may_end_earlier_and_says_so(self):
        def resumed(share, distance):
            life_there = store.Life({"distance": 4e7, "passing_wheels": 0.0}, {}, share=share, step=0.1)
            asked = SimpleNamespace(output="life.h5", resume=True, overwrite=False)
            said = io.StringIO()
            with case_folder(CASE), unittest.mock.patch.object(store, "read", return_value=life_there), contextlib.redirect_stdout(said):
                write("life.h5", "")
                found = begin_or_resume(asked, {"distance": distance, "passing_wheels": 0.0}, "life.h5.rounds")
            return found.share, said.getvalue()
        self.assertEqual(resumed(0.25, 2e7), (0.5, "life.h5: the life ends at 20 km, not at 40 km as before, with 10 km behind\n"))
        self.assertEqual(resumed(0.25, 4e7), (0.25, ""))
        for share, distance in ((1.0, 2e7), (0.25, 1e7), (0.25, 2e3)):
            with self.assertRaisesRegex(Failed, r"this life was begun with --distance 40 km, not (20 km|10 km|2 m); accepted: what it was begun with, more"):
                resumed(share, distance)

    def test_a_life_that_fails_leaves_its_rounds_their_figure_and_nothing_else(self):
        machine.require(self, "figures")
        for rounds, first, code in ((0, NotConverged("no height"), 1), (2, NotConverged("no height"), 1), (2, InputError("gone"), 2),
                                    (2, Error("no memory"), 3)):
            with self.subTest(rounds=rounds, code=code), case_folder(CASE):
                solve, count = Program.solve, []

                def failing(program, name, profiles, solve=solve, count=count, rounds=rounds, first=first):
                    count.append(name)
                    if len(count) > rounds + (rounds > 0):  # round 0 as well
                        raise first
                    return solve(program, name, profiles)

                with unittest.mock.patch.object(Program, "solve", failing):
                    done = wear_here("--distance", "1000km", "--depth", "0.002", "-o", "life.h5", "--plot", "life.png", "--change", "0.5")
                self.assertEqual((done.returncode, len(errors_of(done))), (code, 1), done.stderr)
                self.assertEqual(os.path.exists("life.h5.rounds"), code != 1)  # what --resume needs
                self.assertEqual(os.path.exists("life.png"), rounds > 0)
                self.assertEqual(life.read("life.h5").round if rounds else os.path.exists("life.h5"), rounds)
                self.assertFalse(os.path.exists("life.h5.new"))

    def test_a_rail_that_changes_along_the_track_does_not_wear(self):
        rail = yaml_path(PROFILES, "MBench_UIC60_v3.prr")
        slices = f"wheel_rail.rail={{profile: [{rail}, {rail}], position: [0, 1000]}}"
        with case_folder(CASE):
            settings = ("--set", slices, "--set", "wheel_rail.track={rail_origin: [760.5, 0]}")
            self.refused("the rail changes along the track, and wears otherwise at each place; accepted: --distance without --wheels", "--wheels", "10",
                         *settings)
            self.assertFalse(os.path.exists("out.h5.rounds"))
            self.assertEqual(wear_here("-o", "out.h5", "--distance", "1km", *settings).returncode, 0)

    @unittest.skipIf(sys.platform != "linux", "no process here ends with its parent")
    def test_runs_end_with_a_life_that_was_killed(self):
        text = ("import sys; from slipfield.life.program import Program; from slipfield.life.table import of_case_alone; "
                "list(Program('', '', [], of_case_alone(), '.', 1)._run([['sh', '-c', 'echo $$ > run.pid; exec sleep 60']]))")
        with case_folder(CASE):
            with subprocess.Popen([sys.executable, "-c", text], env={**os.environ, "PYTHONPATH": os.path.join(DATA, "..", "..", "app", "python")}
                                  ) as process:
                run = 0
                while not run:
                    time.sleep(0.05)
                    self.assertIsNone(process.poll())
                    with contextlib.suppress(FileNotFoundError, ValueError), open("run.pid", encoding="utf-8") as file:
                        run = int(file.read())
                process.kill()
            patience = time.monotonic() + 20.0
            while is_alive(run) and time.monotonic() < patience:
                time.sleep(0.05)
            self.assertFalse(is_alive(run))

    def test_ctrl_c_ends_it_with_the_command_that_continues(self):
        with case_folder(CASE):
            with subprocess.Popen([PROGRAM, "life", "case.yaml", "--distance", "1000km"], env={**UNCOUNTED, **PYTHON}, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as process:
                for line in process.stdout:
                    if line.split()[:1] == ["0"]:
                        break
                os.killpg(process.pid, signal.SIGINT)  # as a terminal does
                said = process.stderr.read()
            self.assertEqual((process.returncode, said), (130, "error: interrupted; `slipfield plot case-life.h5 -o FIG.png` draws the rounds "
                                                              "until now, and the same command with --resume continues case-life.h5\n"))
            machine.require(self, "figures")
            drawn = call("plot", "case-life.h5", "-o", "life.png", env=PYTHON)
            self.assertEqual((drawn.returncode, drawn.stderr), (0, ""))
            with open("life.png", "rb") as file:
                self.assertEqual(file.read(4), b"\x89PNG")

    def test_tables_of_spreadsheets_are_read_with_their_commas(self):
        y = "wheel_rail.wheelset.y"
        same = (f"{y};weight\n1,5;3\n-2;0,25\n", f'"{y}"\t"weight"\r\n"1,5"\t3\r\n-2\t0,25\r\n', f"{y} weight\n1,5   3\n -2 0,25\n",
                f'{y},weight\n"1,5",3\n-2,"0,25"\n', f"{y},weight\n1.5,3\n-2,0.25\n", f"{y};weight\n1.5;3\n-2;0.25\n")
        with case_folder(CASE):
            for text in same:
                with self.subTest(table=text):
                    write("table.csv", text)
                    found = read_conditions("table.csv")
                    self.assertEqual((found.keys, found.values), ([y], [["1.5"], ["-2"]]))
                    self.assertAlmostEqual(found.weights[0], 3 / 3.25)

    def test_a_column_may_name_the_unit_that_it_has(self):
        y, velocity = "wheel_rail.wheelset.y", "wheel_rail.wheelset.velocity.x"
        with case_folder(CASE):
            for text in (f"time [s],{y} [mm],{velocity}[mm/s]\n0,1,5e3\n2,3,6e3\n", f"time [s] {y} [mm] {velocity} [mm/s]\n0 1 5e3\n2 3 6e3\n"):
                write("table.csv", text)
                found = read_conditions("table.csv")
                self.assertEqual((found.keys, found.values), ([y, velocity], [["1", "5e3"], ["3", "6e3"]]))
            write("table.csv", f"{y},weight [%]\n1,30\n3,70\n")
            self.assertEqual(read_conditions("table.csv").weights, [0.3, 0.7])
            for name, says in ((f"{y} [m]", f"{y} is not in m; accepted: {y} [mm], or no unit"),
                               ("bodies.rail.shear_modulus [GPa]", "is not known here; accepted: bodies.rail.shear_modulus without a unit")):
                write("table.csv", f"{name}\n1\n")
                with self.assertRaises(InputError) as refused:
                    read_conditions("table.csv")
                self.assertIn(f"table.csv: {name}: ", str(refused.exception))
                self.assertIn(says, str(refused.exception))

    def test_what_is_wrong_is_one_sentence(self):
        y = "wheel_rail.wheelset.y"
        tables = (
            ("", ": the file is empty; accepted: a line of names"),
            (f"{y}\n", ": the table has no rows; accepted: a row for each running condition"),
            (f"{y},weight\n1,1\n2\n", ":3: 1 values below 2 names; accepted: a value for each"),
            (f"{y},weight\n1,5,3\n", ":2: 3 values below 2 names; accepted: a value for each, and semicolons between values that have decimal commas"),
            (f'{y}\n"1,500"\n', ':2: "1,500" may have a decimal comma or one behind the thousands'),
            (f'{y},weight\n"1,500",3\n', ':2: "1,500" may have a decimal comma or one behind the thousands; accepted: decimal points, or numbers'),
            (f"{y};weight\n1,5;3\n2.5;1\n", ':2: "1,5" has a decimal comma, and "2.5" at table.csv:3 a decimal point; accepted: one of them'),
            (f"{y},weight\n1,\n", ":2: weight has no value; accepted: a value in every row"),
            (f"{y},weight\n1,-2\n", ':2: weight: "-2" is out of range; accepted: a number >= 0'),
            (f"{y},weight\n1,many\n", ':2: weight: "many" is out of range; accepted: a number >= 0'),
            (f"{y},weight\n1,0\n", ": all weights are 0; accepted: a weight > 0"),
            (f"{y},{y}\n1,1\n", f": {y} names two columns; accepted: each key once"),
            (f"{y},weigth\n1,1\n", ": weigth is not a key of a case; did you mean 'weight'?"),
            ("weight\n1\n", ": no column is a key of the case; accepted: keys such as"),
            (f"time,{y}\n0,1\n2,1\n1,1\n", ": time decreases after row 2; accepted: samples in their order"),
            (f"time,{y}\n0,1\n", ": time needs two samples; accepted: a series, or weight in place of time"),
            (f"time,{y},distance\n0,1,2\n", ": time and distance both say the shares of the distance; accepted: one of weight, time, distance"),
            ("wear.passes\n3\n", ": wear.passes is not a running condition; accepted: other keys"),
        )
        with case_folder(CASE):
            for text, says in tables:
                with self.subTest(table=text):
                    write("table.csv", text)
                    with self.assertRaises(InputError) as refused:
                        read_conditions("table.csv")
                    self.assertIn(f"table.csv{says}", str(refused.exception))
            write("table.csv", f"{y},friction.koefficient\n1,0.3\n")
            self.refused("table.csv:2: --set friction.koefficient=0.3: friction.koefficient: unknown key; did you mean 'coefficient'? accepted:",
                         "--conditions", "table.csv", "--distance", "1km")
            write("table.csv", f"{y}\n1\nfar\n")
            self.refused(f"table.csv:3: --set {y}=far: {y}: 'far' is not a number", "--conditions", "table.csv", "--distance", "1km")
            self.refused("none.csv: there is no such file; accepted: a table of running conditions", "--conditions", "none.csv", "--distance", "1km")
            self.refused("nothing is said to wear; accepted: --distance 100000km")
            self.refused('--distance: "5 miles" is no distance; accepted: a number > 0 in mm, or with a unit', "--distance", "5 miles")
            self.refused('--depth: "1e-10" is out of range; accepted: a depth in mm from 1e-9 to 1', "--distance", "1km", "--depth", "1e-10")
            self.refused('--change: "1e-7" is out of range; accepted: a part from 1e-6 to 0.5', "--distance", "1km", "--change", "1e-7")
            self.refused("the right wheel wears in no condition; accepted: rolling contact with friction", "--distance", "1km", "--set",
                         "friction.coefficient=0")
            write("out.h5", "mine")
            self.refused("out.h5: this is no file of slipfield life; accepted: another name", "--distance", "1km", "--overwrite")
            os.remove("out.h5")
            write("case.yaml", CASE + "steps:\n  - {}\n  - {}\n")
            self.refused("case.yaml: the case has several steps; accepted: one position, and a table", "--distance", "1km")
            write("case.yaml", CASE[:CASE.index("wear:")])
            done = self.refused("case.yaml: there is no wear; accepted: a case with wheel_rail and wear", "--distance", "1km")
            self.assertEqual(done.stdout, "")
            done = self.refused("case.yaml: there is no wear", "--distance", "2000")
            self.assertEqual(done.stdout, "warning: --distance 2000: a number without a unit is in mm, and 2 m are short for a life; accepted also: a unit, "
                             "as in 2000km\n")

    def test_a_series_is_sorted_into_classes_that_keep_its_mean(self):
        random = np.random.default_rng(4)
        at, y, v = np.cumsum(random.uniform(0.0, 1.0, 200)), random.normal(size=200), random.uniform(10.0, 20.0, 200)
        way = np.gradient(at)
        way[[0, -1]] *= 0.5
        with case_folder(CASE):
            for name, share in (("distance", way), ("time", way * v)):
                write("series.csv", f"{name},wheel_rail.wheelset.y,wheel_rail.wheelset.velocity.x\n" +
                      "".join(",".join(map(repr, row)) + "\n" for row in np.stack([at, y, v], axis=1).tolist()))
                every = read_conditions("series.csv")
                np.testing.assert_allclose(every.weights, share / share.sum(), rtol=1e-12)
                found = read_conditions("series.csv", 5)
                self.assertEqual(found.notes, [f"series.csv: 200 rows in {len(found.values)} conditions, by 5 classes of each key"])
                self.assertLessEqual(len(found.values), 25)
                values = np.array(found.values, dtype=float)
                np.testing.assert_allclose(found.weights @ values, [share @ y / share.sum(), share @ v / share.sum()], rtol=1e-12)
                cells = np.floor(5 * (values - [y.min(), v.min()]) / [np.ptp(y), np.ptp(v)]).tolist()
                self.assertEqual(len({tuple(cell) for cell in cells}), len(cells))

    def test_parquet_has_the_same_conditions(self):
        machine.require(self, "pandas")
        import pandas
        with case_folder(CASE):
            write("table.csv", "wheel_rail.contact_surface,wheel_rail.wheelset.y,weight\nplanar,0.1,1\nconformal,-2.0,3\n")
            write("table.parquet", "read by pyarrow, which need not be here")
            with unittest.mock.patch("pandas.read_parquet", return_value=pandas.read_csv("table.csv")):
                found = read_conditions("table.parquet")
            expected = read_conditions("table.csv")
            self.assertEqual((found.keys, found.values, found.weights), (expected.keys, expected.values, expected.weights))
            self.assertEqual(found.places[1], "table.parquet: row 2")

    def refused(self, says, *arguments):
        done = wear_here("-o", "out.h5", *arguments)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertEqual(len(errors_of(done)), 1)
        self.assertIn(says, done.stderr)
        return done


if __name__ == "__main__":
    machine.run_tests()
