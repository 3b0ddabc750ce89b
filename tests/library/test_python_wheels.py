# SPDX-License-Identifier: Apache-2.0
"""The Python package with wheels on rails: parts of a step, loads by short names, files, sweeps.

It takes 4 s: some forty wheels are solved.
"""
import copy
import os
import pickle
import sys
import unittest
from pathlib import Path

from python_support import BACKEND, bits, check_signals, folder, machine, np, rolling, sf, solver

CASES = Path(sys.argv[1] if len(sys.argv) > 1 else
             Path(__file__).resolve().parents[2] / "cases").resolve()
STEEL = {"shear_modulus": 82000, "poisson_ratio": 0.28}


def wheel(**changes):
    """The left wheel, 1 mm to the right, of the Manchester benchmark on a coarse grid."""
    profiles = CASES / "profiles"
    state = {"side": "left", "spacing": [0.5, 0.5],
             "wheel": {"profile": profiles / "MBench_S1002_v3.prw"},
             "rail": {"profile": profiles / "MBench_UIC60_v3.prr"},
             "wheelset": {"y": 1.0, "velocity": {"x": 2000.0}}, "vertical_force": 10000.0}
    return {"schema": 1, "title": "wheel", "units": "N-mm-s",
            "bodies": {"wheel": STEEL, "rail": STEEL}, "friction": {"coefficient": 0.3},
            "wheel_rail": {**state, **changes}}


class Steps(unittest.TestCase):
    """A solver's steps are WheelResults."""

    def test_the_parts_sum_to_the_whole(self):
        step = solver(wheel(side="both")).advance(y=2.0, velocity_yaw=0.01)
        self.assertEqual(list(step.sides), ["left", "right"])
        self.assertEqual([contact.side for contact in step.contacts], ["left", "right"])
        for axis in "xyz":
            name = f"track_force_{axis}"
            self.assertEqual(step.totals[name],
                             step["left"].totals[name] + step["right"].totals[name])
            self.assertEqual(step.totals[f"left_{name}"], getattr(step["left"], name))
        # 1e-5: to which the height is found
        np.testing.assert_allclose(step["right"].track_force_z, 1e4, rtol=2e-5)
        for contact in step.contacts:
            area = contact.spacing[0] * contact.spacing[1]
            np.testing.assert_allclose(area * contact.pressure.sum(), contact.normal_force,
                                       rtol=1e-12)
            self.assertEqual(contact.centres.shape, (*contact.pressure.shape, 3))
            middle = (contact.pressure[..., None] * contact.centres).sum((0, 1))
            middle /= contact.pressure.sum()
            # The pressure's centre is within some elements of the reference point.
            self.assertLess(abs(middle[1] - contact.track_y), 2.0)
            self.assertEqual(contact.unit("contact_angle"), "rad")
        self.assertEqual(step.unit("left_track_force_y"), "N")
        self.assertEqual(step["left"].contacts[0].normal_force, step.contacts[0].normal_force)

    def test_signals_are_handled_while_the_gradient_of_a_contact_is_found(self):
        check_signals(self, wheel(spacing=[0.06, 0.06]), contact=1)  # on the CPU

    def test_signals_are_handled_while_the_gradient_of_a_wheel_is_found(self):
        check_signals(self, wheel(spacing=[0.2, 0.2]), seed="track_force_x")

    def test_stresses_inside_are_totals_of_the_step_its_sides_and_contacts(self):
        case = {**wheel(side="both"), "interior": {"depths": [0.0, 1.0, 3.0]}}
        step = solver(case).advance()
        greatest = [max(body["max_von_mises"] for body in contact.interior.values()) for contact in step.contacts]
        self.assertEqual([contact.max_von_mises for contact in step.contacts], greatest)
        self.assertEqual([side.max_von_mises for side in step.sides.values()], greatest)
        self.assertEqual([step.left_max_von_mises, step.right_max_von_mises], greatest)
        self.assertEqual(step.max_von_mises, max(greatest))
        names = ["max_von_mises", "left_max_von_mises", "right_contact_1_max_von_mises_depth"]
        table = sf.sweep(case, {"wheel_rail.wheelset.y": [1.0]}, totals=names, backend=BACKEND)
        for name, value in zip(names, [step.max_von_mises, greatest[0], step.contacts[1].max_von_mises_depth]):
            self.assertAlmostEqual(table[name][0] / value, 1.0, delta=1e-9)
        with folder() as here:
            step.save(here / "inside.h5")
            read = sf.open(here / "inside.h5").step(1)
        self.assertEqual([contact.max_von_mises for contact in read.contacts], greatest)
        self.assertEqual(read.max_von_mises, step.max_von_mises)
        run = solver(case)
        run.advance()
        with self.assertRaisesRegex(sf.InputError, "max_von_mises: derivatives of stresses inside are not computed"):
            run.derivatives("max_von_mises")
        with self.assertRaisesRegex(sf.InputError, "max_dang_van: the case's interior has no such stress"):
            sf.sweep(case, {"wheel_rail.wheelset.y": [1.0]}, totals=["max_dang_van"], backend=BACKEND)

    def test_stresses_inside_are_computed_when_they_are_asked_for_whatever_ran_since(self):
        case = {**wheel(side="both"), "interior": {"depths": [0.0, 1.0, 3.0]}}
        run = solver(case)
        whole, kept, copied = run.advance(y=2.0), run.advance(y=2.0, fields=False), run.advance(y=2.0, fields=False)
        run.advance(y=-1.0)
        for step in (whole, kept, copied):
            self.assertNotIn("max_von_mises", step._now)
            self.assertIn("left_max_von_mises", dir(step))
        copied = pickle.loads(pickle.dumps(copied))
        for step in (kept, copied):
            self.assertEqual(step.max_von_mises, whole.max_von_mises)
            for name in ("left", "right"):
                self.assertEqual(step[name].totals["max_von_mises"], whole[name].contacts[0].max_von_mises)
                self.assertEqual(step[name].max_von_mises, getattr(step, f"{name}_max_von_mises"))
            self.assertEqual([set(step.totals), list(step["left"].totals)], [set(whole.totals), list(whole["left"].totals)])
            with self.assertRaisesRegex(sf.InputError, "kept without fields"):
                step.contacts[0].interior  # pylint: disable=pointless-statement
        moved = run.advance(y=2.0, fields=False)  # the solver's own total is that of the step it is at
        self.assertEqual(moved.max_von_mises, whole.max_von_mises)

    def test_the_case_of_a_solver_keeps_the_repeats_of_its_steps(self):
        run = solver({**wheel(), "steps": [{"repeat": 3}, {"wheel_rail": {"wheelset": {"y": 2.0}}}]})
        run.set(yaw=0.001)
        again = solver(run.case)
        self.assertEqual((run.steps_in_case, again.steps_in_case), (4, 4))
        again.restore(again.save_state())
        self.assertEqual(bits(again.advance().contacts[0]), bits(run.advance().contacts[0]))

    def test_a_saved_step_has_a_case_with_its_number(self):
        run = solver(wheel())
        run.advance()
        step = run.advance(y=2.0)
        with folder() as here:
            step.save(here / "second.h5")
            with sf.open(here / "second.h5") as file:
                self.assertEqual(file.numbers, [2])
                again = solver(file.case)
        self.assertEqual((again.steps_in_case, again["y"]), (2, 2.0))
        again.advance()
        self.assertEqual(bits(again.advance().contacts[0]), bits(step.contacts[0]))

    def test_a_sweep_over_what_the_first_step_gives_is_refused(self):
        case = {**wheel(), "steps": [{}, {"wheel_rail": {"wheelset": {"yaw": 0.001}}}]}
        table = sf.sweep(case, {"yaw": [0.0, 0.002]}, totals=["track_force_y"], backend=BACKEND)
        self.assertEqual(*table["track_force_y"])  # of the last step, which has a yaw of its own
        first = {**case, "steps": [{"wheel_rail": {"wheelset": {"y": 1.0}}}]}
        with self.assertRaisesRegex(sf.InputError, "accepted: steps.0.wheel_rail.wheelset.y"):
            sf.sweep(first, {"y": [0.0, 2.0]}, totals=["track_force_y"], backend=BACKEND)
        table = sf.sweep(first, {"steps.0.wheel_rail.wheelset.y": [0.0, 2.0]}, totals=["axle_z"], backend=BACKEND)
        self.assertNotEqual(*table["axle_z"])

    def test_short_names_paths_and_a_written_case_give_the_same_bits(self):
        short = solver(wheel()).advance(y=3.0, yaw=0.002, velocity_y=5.0)
        paths = solver(wheel()).advance({"wheel_rail.wheelset": {"y": 3.0, "yaw": 0.002},
                                         "wheel_rail.wheelset.velocity.y": 5.0})
        written = sf.solve(wheel(wheelset={"y": 3.0, "yaw": 0.002,
                                           "velocity": {"x": 2000.0, "y": 5.0}}), backend=BACKEND)
        for other in (paths, written):
            self.assertEqual(bits(other.contacts[0]), bits(short.contacts[0]))
        again = solver(wheel())
        again.set(y=3.0)
        self.assertEqual(again["y"], 3.0)
        self.assertEqual(again["wheel_rail.side"], "left")

    def test_a_wrong_short_name_is_answered_with_short_names(self):
        one = solver(wheel())
        with self.assertRaisesRegex(sf.InputError, "velocity_z_: there is no such short name; did you mean 'velocity_z'"):
            one.advance(velocity_z_=2.0)
        one.set(title="worn", friction={"coefficient": 0.2})
        self.assertEqual((one["title"], one["friction.coefficient"]), ("worn", 0.2))
        for value in (1.0, "left", True, np.float32(2.0), np.bool_(True)):
            with self.subTest(value), self.assertRaisesRegex(sf.InputError, "there is no such short name"):
                one.set(output=value)
        for values, says in (({"output": None}, "output: None has no form in a case"), ({"wear": None}, "wear: None has no form"),
                             ({"spacing": np.array([0.5, 0.5])}, "spacing: unknown key")):  # keys, not short names
            with self.subTest(values), self.assertRaisesRegex(sf.InputError, says):
                one.set(**values)

    def test_what_fails_takes_the_values_back(self):
        one = solver(wheel())
        before = one.advance()
        for wrong, says in (({"y": 1e9}, "the wheel is not over the rail"),
                            ({"vertical_force": -1.0}, r"vertical_force: -1\.0 is out of range"),
                            ({"yy": 1.0}, "yy: there is no such short name"), ({"Y": 1.0}, "did you mean 'y'"),
                            ({"wheel_rail.spacing": [1, 1]}, "is fixed once a step has run")):
            with self.subTest(wrong), self.assertRaisesRegex(sf.InputError, says):
                one.advance(**wrong)
        self.assertEqual(one.steps_done, 1)
        after = one.advance()
        self.assertEqual(bits(after.contacts[0]), bits(before.contacts[0]))
        with self.assertRaisesRegex(sf.InputError, "no side 'right'; accepted: left"):
            print(after["right"])
        with self.assertRaisesRegex(AttributeError, "did you mean 'track_force_y'"):
            print(after.track_forc_y)
        with self.assertRaisesRegex(sf.InputError, "y: unknown key"):
            solver(rolling()).advance(y=1.0)

    def test_trial_takes_back_position_and_results(self):
        one = solver(wheel())
        one.advance()
        with one.trial():
            moved = one.advance(y=2.5)
        self.assertEqual((one.steps_done, one["y"]), (1, 1.0))
        self.assertNotEqual(bits(moved.contacts[0]), bits(one.advance().contacts[0]))

    def test_a_lifted_wheel_has_no_contact_and_a_warning(self):
        step = solver(wheel()).advance(z=-1.0)
        self.assertEqual((step.contacts, step.track_force_z), ([], 0.0))
        for part in (step, step["left"]):  # as a sweep's columns and C's totals
            for name in ("normal_force", "max_pressure", "t_gamma", "contact_angle"):
                self.assertTrue(np.isnan(getattr(part, name)), name)
            self.assertNotIn("max_pressure", part.totals)
            with self.assertRaisesRegex(AttributeError, "has no 'max_presure'"):
                print(part.max_presure)
        self.assertEqual(step.unit("max_pressure"), "N/mm^2")
        for change in (step.contacts.clear, step["left"].contacts.clear, step.totals.clear, step.sides.clear, step.warnings.clear):
            with self.assertRaisesRegex(TypeError, "results are read-only"):
                change()
        self.assertEqual([text.split(",")[0] for text in step.warnings if "touches nothing" in text], ["the left wheel touches nothing"])
        self.assertRegex(sf.sweep(wheel(), {"z": [-1.0]}, backend=BACKEND).warnings[0], r"the left wheel touches nothing, and its forces are 0: it is 1\.\d+ mm")

    def test_a_wheel_that_turns_the_wrong_way_has_a_warning(self):
        run = solver(wheel())
        self.assertFalse(any("its creepages" in text for text in run.advance().warnings))
        for pitch in (4.348, 0.0):  # rad/s; of rolling: -4.348
            texts = [text for text in run.advance(velocity_pitch=pitch).warnings if "its creepages" in text]
            self.assertEqual(len(texts), 1, pitch)

    def test_copies_keep_totals_and_fields(self):
        step = solver(wheel()).advance()
        for other in (pickle.loads(pickle.dumps(step)), copy.deepcopy(step)):
            self.assertEqual(other.totals, step.totals)
            self.assertEqual(bits(other.contacts[0]), bits(step.contacts[0]))
            np.testing.assert_array_equal(other.contacts[0].centres, step.contacts[0].centres)
            for contact in (other.contacts[0], step.contacts[0]):
                self.assertFalse(contact.centres.flags.writeable)
            self.assertFalse(step.contacts[0].centres.flags.owndata)  # no second copy of them
            self.assertEqual(other["left"].totals, step["left"].totals)
            with self.assertRaisesRegex(sf.InputError, "from a file or a copy"):
                other.save("never.h5")
        without = solver(wheel()).advance(fields=False)
        self.assertEqual(without.contacts[0].field_names(), [])
        self.assertEqual({name: value for name, value in without.totals.items()
                          if not name.endswith("seconds")},
                         {name: value for name, value in step.totals.items()
                          if not name.endswith("seconds")})
        with self.assertRaisesRegex(sf.InputError, "kept without fields"):
            without.save("never.h5")

    @machine.needs("matplotlib.pyplot")
    def test_a_step_is_drawn_with_a_panel_for_each_contact(self):
        step = solver(wheel(side="both")).advance(y=2.0)
        self.assertEqual(len(step.contacts), 2)
        titles = [axes.get_title(loc="left") or axes.get_title() for axes in step.plot().axes]
        for contact in step.contacts:
            self.assertTrue(any(f"{contact.side} wheel, contact {contact.index}: pressure" in title for title in titles), titles)
        with self.assertRaisesRegex(sf.InputError, "nothing to plot named 'banana'"):
            step.plot("banana")

    @machine.needs("matplotlib.pyplot", "h5py")
    def test_a_file_of_any_kind_is_drawn_like_slipfield_plot(self):
        machine.module("matplotlib").use("Agg")
        figures = sf.figures
        contact, both = solver(rolling()).advance(), solver(wheel(side="both"))
        with folder() as here:
            contact.save(here / "contact.h5")
            both.advance(y=2.0).save(here / "wheel.h5")
            for path, drawn in (("contact.h5", figures.plot), ("wheel.h5", figures.wheel_in_contact)):
                figure, expected = sf.open(here / path).plot(), drawn(here / path)
                self.assertEqual([axes.get_title(loc="left") for axes in figure.axes], [axes.get_title(loc="left") for axes in expected.axes])
                self.assertEqual([len(axes.lines) for axes in figure.axes], [len(axes.lines) for axes in expected.axes])
            with self.assertRaisesRegex(sf.InputError, "7"):
                sf.open(here / "contact.h5").plot(step=7)
            cycle = [{"tangential": {"problem": "shift", "x": {"force_ratio": ratio}, "y": {"shift": 0.0}}} for ratio in (-0.5, 0.5, -0.5)]
            case = {name: value for name, value in rolling(steps=cycle).items() if name != "tangential"}
            sf.solve(case).save(here / "cycle.h5")
            line = sf.open(here / "cycle.h5").plot(over="shift_total_x", quantities="force_x").axes[0].lines[0]
            there = line.get_xdata()
            self.assertAlmostEqual(there[2], there[0], delta=1e-3 * abs(there[0]))  # a closed loop, to the solver's tolerance
            self.assertLess(there[1], -0.9 * there[0])
            with self.assertRaisesRegex(sf.InputError, "step: 2 of curves, which are of all steps"):
                sf.open(here / "cycle.h5").plot(step=2, over="step")
            closed = sf.open(here / "contact.h5")
            closed.close()
            with self.assertRaisesRegex(sf.InputError, "was closed"):
                closed.plot()


class Derivatives(unittest.TestCase):
    """Derivatives are those of the forces."""

    def test_the_gradient_of_a_contact_has_its_jacobian(self):
        run = solver({**wheel(side="both", spacing=[0.4, 0.4]), "output": {"sensitivities": True}, "solver": {"tolerance": 1e-8}})
        step = run.advance(y=2.0, velocity_yaw=0.01)
        self.assertEqual(len(step.contacts), 2)
        for contact in step.contacts:
            for row, name in enumerate(("force_x", "force_y", "moment_z")):
                gradient = run.gradient({name: 1.0}, contact=contact.index)
                found = [gradient[f"tangential.{key}"] for key in ("x.creepage", "y.creepage", "spin")]
                scale = np.abs(contact.jacobian[row]).max()
                np.testing.assert_allclose(found, contact.jacobian[row], atol=1e-6 * scale)
                self.assertAlmostEqual(gradient["normal.approach"] / contact.approach_derivatives[row + 1], 1.0, delta=1e-5)
                distance = gradient["undeformed_distance"]
                self.assertEqual(distance.shape, contact.pressure.shape)
                # Nearer bodies, or less distance everywhere, are the same.
                self.assertAlmostEqual(distance.sum() / gradient["normal.approach"], -1.0, delta=1e-8)
            along = run.derivative({"tangential.y.creepage": 1.0}, contact=contact.index)["moment_z"]
            self.assertAlmostEqual(along / contact.jacobian[2, 1], 1.0, delta=1e-5)
        with self.assertRaisesRegex(sf.InputError, "a wheel on a rail as a whole has no derivative by element; accepted: contact=1"):
            run.derivative({"stiffness": 1.0})
        with self.assertRaisesRegex(sf.InputError, "3"):
            run.gradient({"force_x": 1.0}, contact=3)

    def test_a_roller_has_no_derivative_to_the_velocity_along_the_rail(self):
        run = solver(wheel(track={"roller": {"radius": 500.0, "pitch": 4.0}}, wheelset={"y": 1.0, "velocity": {"pitch": -4.3}}))
        step = run.advance()
        gradient = run.gradient({"track_force_x": 1.0})
        self.assertIn("wheel_rail.wheelset.velocity.pitch", gradient)
        self.assertNotIn("wheel_rail.wheelset.velocity.x", gradient)
        self.assertNotIn("wheel_rail.wheelset.velocity.x", run.derivatives("track_force_x").keys)
        self.assertTrue(step.converged)

    def test_bumps_on_a_rail_move_the_forces_as_its_points_do(self):
        lines = (CASES / "profiles/MBench_UIC60_v3.prr").read_text().split("point.begin")[1].split("point.end")[0].splitlines()
        points = np.array([[float(word) for word in line.split()[:2]] for line in lines if line.strip() and "!" not in line])
        with folder() as here:
            def solved(lowered=lambda y: 0.0 * y, **changes):
                rail = here / "rail.txt"
                np.savetxt(rail, np.column_stack([points[:, 0], points[:, 1] + lowered(points[:, 0])]), fmt="%.17g")
                case = wheel(side="right", spacing=[0.4, 0.4], rail={"profile": rail}, **changes)
                if "vertical_force" not in changes:
                    del case["wheel_rail"]["vertical_force"]
                run = solver({**case, "solver": {"tolerance": 1e-8}})
                return run, run.advance()
            height = solved(vertical_force=1e4)[1].axle_z
            at_height = {"wheelset": {"y": 1.0, "z": height, "velocity": {"x": 2000.0}}}
            run, step = solved(**at_height)
            contact = step.contacts[0]
            by_points = {name: run.gradient({f"contact_1_{name}": 1.0})["wheel_rail.rail.profile"][:, 1]
                         for name in ("normal_force", "force_x", "force_y")}
            for offset in (0.0, 1.5, -1.5):
                def bump(y, middle=contact.rail_y + offset):
                    return np.exp(-((y - middle) / 1.2)**2)  # z is downwards: it lowers the rail
                moved = [solved(lambda y, sign=sign: sign * 2e-6 * bump(y), **at_height)[1].contacts[0] for sign in (1.0, -1.0)]
                for name, gradient in by_points.items():
                    found = (gradient * bump(run.profile("rail")[:, 0])).sum()
                    slope = (getattr(moved[0], name) - getattr(moved[1], name)) / 4e-6
                    # 1 %: single elements change their state between the two
                    self.assertAlmostEqual(found / slope, 1.0, delta=0.01, msg=(name, offset))

    def test_what_forces_leave_free_adapts_in_the_gradient(self):
        task = {"side": "both", "spacing": [0.8, 0.8], "wheelset": {"y": 2.0, "yaw": 0.003, "velocity": {"x": 2000.0, "yaw": 0.01}}}
        free = solver({**wheel(**task, vertical_force=1e4, longitudinal_force=500.0), "solver": {"tolerance": 1e-9}})
        step = free.advance()
        held = solver({**wheel(**task), "solver": {"tolerance": 1e-9}})
        pose = {"z": step.axle_z, "roll": step.axle_roll, "velocity": {"pitch": step.axle_pitch_velocity}}
        held.advance({"wheel_rail.wheelset": {**task["wheelset"], **pose,
                                              "velocity": {**task["wheelset"]["velocity"], **pose["velocity"]}}})
        found = free.gradient({"track_force_y": 1.0})
        scalar = held.gradient({"track_force_y": 1.0})
        forces = [held.gradient({name: 1.0}) for name in ("left_track_force_z", "right_track_force_z", "wheelset_force_x")]
        unknown = [f"wheel_rail.wheelset.{name}" for name in ("z", "roll", "velocity.pitch")]
        by_unknown = np.array([[force[key] for key in unknown] for force in forces])
        pulls = np.linalg.solve(by_unknown.T, [scalar[key] for key in unknown])
        self.assertTrue(set(unknown).isdisjoint(found))
        for key, value in found.items():
            with self.subTest(key):
                if key == "wheel_rail.vertical_force":
                    expected = pulls[0] + pulls[1]
                elif key == "wheel_rail.longitudinal_force":
                    expected = pulls[2]
                else:
                    expected = scalar[key] - sum(pull * force[key] for pull, force in zip(pulls, forces))
                # 1e-4: the heights of both wheels agree to 4e-7 mm
                np.testing.assert_allclose(value, expected, rtol=1e-4, atol=1e-4 * np.abs(value).max())
        right = free.gradient({"track_force_y": 1.0}, side="right")
        other = free.gradient({"right_track_force_y": 1.0})
        for key in found:
            np.testing.assert_array_equal(right[key], other[key])
        slope = free.derivatives("track_force_y", ["velocity_yaw"])["track_force_y", "velocity_yaw"]
        # a tenth: differences over what changes the contact as a whole
        self.assertAlmostEqual(found["wheel_rail.wheelset.velocity.yaw"] / slope, 1.0, delta=0.1)

    def test_the_gradient_by_points_is_that_of_moved_profiles(self):
        at = {"side": "right", "spacing": [0.6, 0.6], "wheelset": {"y": 1.0, "z": 0.22, "velocity": {"x": 2000.0, "pitch": -4.35}}}
        case = wheel(**at)
        del case["wheel_rail"]["vertical_force"]
        run = solver({**case, "solver": {"tolerance": 1e-9}})
        step = run.advance()
        self.assertEqual(len(step.contacts), 1)
        for name in ("track_force_x", "track_force_y", "track_force_z"):
            gradient = run.gradient({name: 1.0})
            on_wheel, on_rail = gradient["wheel_rail.wheel.profile"], gradient["wheel_rail.rail.profile"]
            self.assertEqual(on_wheel.shape, run.profile("wheel").shape)
            self.assertEqual(on_rail.shape, run.profile("rail").shape)
            # Its top and its gauge point place the rail, so that it stays where it is however it is moved as a whole.
            np.testing.assert_allclose(on_rail.sum(axis=0), 0.0, atol=2e-6 * np.abs(on_rail).sum())
            # The wheel moved along its axle and the wheelset moved are the same without yaw and roll. 1e-4: the sum of 150
            # differences, each with its rounding
            self.assertAlmostEqual(on_wheel[:, 0].sum() / gradient["wheel_rail.wheelset.y"], 1.0, delta=1e-4)
            # Far from the contact points do not matter.
            far = np.abs(run.profile("wheel")[:, 0] - step.contacts[0].wheel_y) > 45.0
            self.assertTrue(far.any() and not on_wheel[far].any())
        t_gamma = -sum(getattr(step.contacts[0], a) * getattr(step.contacts[0], b) for a, b in
                       (("force_x", "creepage_x"), ("force_y", "creepage_y"), ("moment_z", "spin")))
        seed = {f"contact_1_{a}": -getattr(step.contacts[0], b) for a, b in
                (("force_x", "creepage_x"), ("force_y", "creepage_y"), ("moment_z", "spin"),
                 ("creepage_x", "force_x"), ("creepage_y", "force_y"), ("spin", "moment_z"))}
        self.assertGreater(t_gamma, 0.0)
        # Creepage is what one works against: T-gamma grows with friction.
        self.assertGreater(run.gradient(seed)["friction.coefficient"], 0.0)
        for seed, sentence in (({"force_x": 1.0}, "the step has no 'force_x' with derivatives; accepted: track_force_x, "),
                               ({"contact_2_force_x": 1.0}, "the step has no 'contact_2_force_x' with derivatives"),
                               ({"left_track_force_x": 1.0}, "the step has no 'left_track_force_x' with derivatives"),
                               ({"track_force_x": np.ones(3)}, r"seed: track_force_x: the shape \(3,\); accepted: one number"),
                               ({"track_force_x": np.nan}, "track_force_x: is not finite; accepted: a finite number")):
            with self.subTest(seed), self.assertRaisesRegex(sf.InputError, sentence):
                run.gradient(seed)
        with self.assertRaisesRegex(sf.InputError, "side: the step has no left wheel; accepted: right, or whole"):
            run.gradient({"track_force_x": 1.0}, side="left")
        with self.assertRaisesRegex(sf.InputError, "side: 'middle' is not known; accepted: 'left', 'right', or None for all"):
            run.gradient({"track_force_x": 1.0}, side="middle")
        in_time = solver(wheel(problem="transient_rolling", step=0.5))
        in_time.advance()
        with self.assertRaisesRegex(sf.InputError, "a step of transient rolling of a wheel has no derivatives; accepted: wheel_rail.problem: steady"):
            in_time.gradient({"track_force_x": 1.0})
        with self.assertRaisesRegex(sf.InputError, "body: 'axle' is not known; accepted: 'wheel' or 'rail'"):
            run.profile("axle")

    def test_elements_of_the_other_wheel_count_where_a_force_is_on_both(self):
        task = {"side": "both", "spacing": [0.3, 0.3]}
        place = {"y": 0.7, "yaw": 0.003, "velocity": {"x": 2000.0, "yaw": 0.01}}
        free = solver(wheel(**task, wheelset=place, vertical_force=1e4))
        step = free.advance()
        near = {contact.side: free.gradient({"force_x": 1.0}, contact=contact.index).near_change for contact in step.contacts}
        self.assertGreater(near["right"], 0)
        self.assertEqual(free.gradient({"track_force_y": 1.0}, side="left").near_change, near["left"] + near["right"])
        held = wheel(**task, wheelset={**place, "z": step.axle_z, "roll": step.axle_roll})
        del held["wheel_rail"]["vertical_force"]
        alone = solver(held)
        contact = alone.advance()["left"].contacts[0]
        self.assertEqual(alone.gradient({"track_force_y": 1.0}, side="left").near_change,
                         alone.gradient({"force_x": 1.0}, contact=contact.index).near_change)

    def test_a_sweep_of_wheels_has_the_gradients_of_each(self):
        case = {**wheel(side="both", spacing=[0.8, 0.8]), "solver": {"tolerance": 1e-8}}
        paths = ["wheel_rail.wheelset.yaw", "wheel_rail.vertical_force", "friction.coefficient"]
        table = sf.sweep(case, {"y": [0.5, 2.0]}, backend=BACKEND, totals=["track_force_y"], gradient_of=["left_track_force_y"],
                         gradient_to=paths)
        for i, y in enumerate((0.5, 2.0)):
            one = solver(case, threads=1)
            one.advance(y=y)
            found = one.gradient({"left_track_force_y": 1.0})
            for path in paths:
                self.assertAlmostEqual(table.gradients["left_track_force_y", path][i] / found[path], 1.0, delta=1e-9)
            self.assertEqual(table.near_change[i], found.near_change)
        for of, to, sentence in (
                ("track_force_y", "wheel_rail.rail.left.profile", "no 'wheel_rail.rail.left.profile' with derivatives"),
                ("middle_track_force_y", paths, "no 'middle_track_force_y' with derivatives; accepted: track_force_x"),
                ("left_contact_1_pressure", paths, "no 'left_contact_1_pressure' with derivatives; accepted: track_force_x")):
            # Refused before a contact is solved: these would not converge.
            with self.subTest(of), self.assertRaisesRegex(sf.InputError, sentence):
                sf.sweep({**case, "solver": {"tolerance": 1e-300}}, {"y": [0.5]}, backend=BACKEND, totals=["track_force_y"],
                         gradient_of=of, gradient_to=to)

    def test_mirrored_wheels_have_mirrored_derivatives(self):
        one = solver(wheel(side="both", wheelset={"y": 0.0, "velocity": {"x": 2000.0}}))
        one.advance()
        left, right = (one.derivatives("track_force_y", ["velocity_y", "velocity_x"], side)
                       for side in ("left", "right"))
        # 1e-3: pushing aside is the same for both, speeding up pushes them apart
        np.testing.assert_allclose(left["track_force_y", "velocity_y"],
                                   right["track_force_y", "velocity_y"], rtol=1e-3)
        np.testing.assert_allclose(left["track_force_y", "velocity_x"],
                                   -right["track_force_y", "velocity_x"], rtol=1e-3)
        self.assertGreater(left["track_force_y", "velocity_y"], 0.0)  # creep damps

    def test_they_agree_with_other_differences_within_their_errors(self):
        one = solver(wheel())
        one.advance()
        found = one.derivatives()
        self.assertEqual(found.values.shape, (6, len(found.keys)))
        self.assertNotIn("wheel_rail.wheelset.z", found.keys)
        for key, step in (("yaw", 2e-4), ("velocity_pitch", 5e-4), ("vertical_force", 500.0)):
            at = one[key]
            forth, back = (np.array([one.advance({key: at + h}).totals[name]
                                     for name in found.totals]) for h in (step, -step))
            one.set({key: at})
            column = found.keys.index(one._path(key))
            errors = found.errors[:, column]
            difference = np.abs((forth - back) / (2.0 * step) - found.values[:, column])
            # the errors of both, of differences as wide; and 1 % of the greatest of its kind
            scale = np.repeat([np.abs(found.values[k:k + 3, column]).max() for k in (0, 3)], 3)
            self.assertTrue((difference <= 2.0 * errors + 0.01 * scale).all(), (key, difference))

    def test_of_a_lifted_wheel_they_are_0_and_those_of_its_place_are_not_there(self):
        for velocity in (2000.0, 0.0):
            one = solver(wheel())
            one.advance(z=-1.0, velocity_x=velocity)
            found = one.derivatives(["track_force_y", "normal_force", "t_gamma", "max_pressure", "least_gap", "rail_y"], ["z", "velocity_x"])
            np.testing.assert_array_equal(found.values[:4], 0.0)
            np.testing.assert_array_equal(found.errors[:4], 0.0)
            self.assertAlmostEqual(found["least_gap", "z"], -1.0, places=6)
            self.assertTrue(np.isnan(found.values[5]).all())

    def test_both_lifted_wheels_are_named_once_each_with_a_place(self):
        with folder() as here:
            up = wheel(side="both", wheelset={"y": 0.0, "z": -1.0, "velocity": {"x": 2000.0}})
            del up["wheel_rail"]["vertical_force"]
            said = [f"the {side} wheel touches nothing" for side in ("left", "right")]

            def told(texts, places):
                texts = [text.split(",")[0] for text in texts if "touches nothing" in text]
                self.assertEqual(texts, [place + one for place in places for one in said])
            run = solver(up)
            told(run.warnings, ["case:6:1: wheel_rail: "])
            told(run.advance().warnings, [""])
            told(run.warnings, ["case:6:1: wheel_rail: "])
            told(run.advance(z=-2.0).warnings, [""])
            told(run.advance(z=0.2).warnings, [])
            step = run.advance(z=-1.0)
            told(step.warnings, [""])
            step.save(here / "up.h5")
            file = sf.open(here / "up.h5")
            told(file.info["warnings"], ["wheel_rail: "])
            told(file.step().warnings, [""])
            table = sf.sweep(up, {"z": [0.2, -1.5]}, backend=BACKEND)
            told(table.warnings[0].split("\n"), [])
            told(table.warnings[1].split("\n"), ["wheel_rail: "])

    def test_what_is_not_prescribed_is_refused(self):
        one = solver(wheel())
        with self.assertRaisesRegex(sf.InputError, "no step has run yet"):
            one.derivatives()
        one.advance()
        with self.assertRaisesRegex(sf.InputError, r"wheelset\.z: the last step does not prescribe"):
            one.derivatives(keys="z")
        with self.assertRaisesRegex(sf.InputError, "side: 'middle' is not known"):
            one.derivatives(side="middle")
        with self.assertRaisesRegex(sf.InputError, "no such total"):
            one.derivatives("force_of_habit")
        ball = solver(rolling())
        ball.advance()
        with self.assertRaisesRegex(sf.InputError, "accepted: a case with wheel_rail"):
            ball.derivatives("force_x", "normal.force")


class Files(unittest.TestCase):
    """Results are written, and files of all kinds open."""

    def test_a_saved_wheel_opens_with_the_same_parts(self):
        case = {**wheel(side="both"), "steps": [{}, {"wheel_rail": {"wheelset": {"y": 2.0}}}]}
        solved = sf.solve(case, backend=BACKEND)
        with folder() as here:
            solved.save(here / "wheel.h5")
            with self.assertRaisesRegex(sf.InputError, "exists already"):
                solved.save(here / "wheel.h5")
            with sf.open(here / "wheel.h5") as file:
                self.assertIsInstance(file, sf.File)
                self.assertEqual(file.numbers, [1, 2])
                self.assertEqual(list(file.table.keys.items()), [("step", [1, 2])])
                self.assertEqual(list(file.table.side("left")["track_force_y"]),
                                 [step["left"].track_force_y for step in solved.steps])
                for read, result in zip(file, solved.steps):
                    self.assertEqual(read.totals, result.totals)
                    for side in ("left", "right"):
                        self.assertEqual(read[side].totals, result[side].totals)
                    for one, other in zip(read.contacts, result.contacts):
                        self.assertEqual(one.totals, other.totals)
                        self.assertEqual(bits(one), bits(other))
            with self.assertRaisesRegex(sf.InputError, "one result is of a wheel, the other of one contact; accepted: "):
                sf.compare(here / "wheel.h5", solved.contacts[0])
            same = sf.compare(here / "wheel.h5", solved)
            self.assertEqual({difference for difference, _ in same.values()}, {0.0})
            self.assertLessEqual({"axle_z", "contact 1: pressure", "contact 1: normal_force"}, set(same))
            self.assertNotIn("contact 1: seconds", same)
            self.assertEqual(sf.compare(solved.contacts[0], solved.contacts[0])["pressure"][0], 0.0)
            # One wheel alone knows its side.
            sf.solve(wheel(), backend=BACKEND).save(here / "left.h5")
            self.assertEqual(list(sf.open(here / "left.h5").step().sides), ["left"])

    def test_a_file_has_the_fields_that_were_written(self):
        case = {**wheel(), "output": {"fields": ["pressure", "slip_x"]}}
        with folder() as here:
            sf.solve(case, backend=BACKEND).save(here / "wheel.h5")
            contact = sf.open(here / "wheel.h5").step().contacts[0]
            self.assertEqual(contact.field_names(), ["pressure", "slip_x",
                                                     "relative_slip_velocity_x"])
            with self.assertRaisesRegex(sf.InputError, "traction_x: the step does not have it"):
                contact.field("traction_x")
            self.assertEqual(bits(pickle.loads(pickle.dumps(contact))), bits(contact))

    def test_fields_of_rows_are_those_of_the_file(self):
        case = {**wheel(), "wear": {"law": "archard", "coefficient": 1e-4, "hardness": 3000}, "fatigue": {"shear_yield": 300}}
        names = ["wear_profile", "surface_fatigue_along_y"]
        with folder() as here:
            step = sf.solve(case, backend=BACKEND)
            step.save(here / "wheel.h5")
            made, read = step.contacts[0], sf.open(here / "wheel.h5").step().contacts[0]
            for contact in (made, read, pickle.loads(pickle.dumps(made))):
                self.assertEqual(contact.row_field_names(), names)
                for name in names:
                    self.assertEqual(contact.field(name).shape, contact.y.shape)
                    np.testing.assert_array_equal(contact.field(name), getattr(made, name))
            np.testing.assert_allclose(made.wear_profile, made.wear_depth.sum(axis=1), rtol=1e-13)
            np.testing.assert_array_equal(np.isnan(made.surface_fatigue_along_y), made.pressure.sum(axis=1) == 0.0)
            self.assertEqual([made.unit(name) for name in names], ["mm", "-"])
            self.assertIn("index", sf.describe(names[1]))
            self.assertEqual(sf.compare(made, read)["wear_profile"][0], 0.0)
        bare = sf.solve(wheel(), backend=BACKEND).contacts[0]
        self.assertEqual(bare.row_field_names(), [])
        with self.assertRaisesRegex(sf.InputError, "wear_profile: the step does not have it; accepted: pressure, "):
            bare.field("wear_profile")

    def test_a_sweep_of_wheels_equals_single_ones(self):
        table = sf.sweep(wheel(side="both"), {"y": [0.5, 2.0]}, backend=BACKEND,
                         totals=["left_track_force_y", "axle_roll"], threads=2)
        for y, force, roll in zip(table["y"], table["left_track_force_y"], table["axle_roll"]):
            one = solver(wheel(side="both"), threads=1).advance(y=float(y))
            self.assertEqual((force, roll), (one.left_track_force_y, one.axle_roll))
        usual = sf.sweep(wheel(), {"y": [0.5]}, backend=BACKEND)
        np.testing.assert_allclose(usual["track_force_z"], 1e4, rtol=2e-5)

    def test_a_sweep_has_the_numbers_of_each_contact(self):
        names = ["right_contact_1_normal_force", "contact_2_normal_force", "contact_9_elements_contact",
                 "left_contact_1_contact_angle"]
        table = sf.sweep(wheel(side="both"), {"y": [0.5, 2.0]}, backend=BACKEND, totals=names)
        for i, y in enumerate(table["y"]):
            one = solver(wheel(side="both")).advance(y=float(y))
            self.assertEqual([table[name][i] for name in names[:2]], [one["right"].contacts[0].normal_force] * 2)
            self.assertEqual(table.side("left").contact(1)["contact_angle"][i], one["left"].contacts[0].contact_angle)
        self.assertTrue(np.isnan(table["contact_9_elements_contact"]).all())
        self.assertEqual((table.unit(names[0]), table.contact(2).unit("normal_force"), table.unit(names[3])),
                         ("N", "N", "rad"))
        with self.assertRaisesRegex(sf.InputError, "the table has no contact 3; accepted: "):
            table.contact(3)
        with self.assertRaisesRegex(sf.InputError, "no total 'contact_1_heaviness'"):
            sf.sweep(wheel(), {"y": [0.5]}, backend=BACKEND, totals="contact_1_heaviness")

    def test_a_sweeps_file_opens_as_its_table(self):
        program = os.environ.get("SLIPFIELD_PROGRAM", "")
        if not os.access(program, os.X_OK):
            self.skipTest("the program that writes sweeps was not named")
        import json
        import subprocess
        case = {**rolling(), "sweep": [
            {"key": "tangential.x.creepage", "values": [2e-4, 8e-4]},
            {"key": "normal.force", "values": [50.0, 100.0, 200.0]}]}
        with folder() as here:
            (here / "sweep.yaml").write_text(json.dumps(case), encoding="utf-8")
            subprocess.run([program, "run", here / "sweep.yaml", "--backend", "cpu", "-q", "-o",
                            here / "sweep.h5"], check=True, capture_output=True)
            file = sf.open(here / "sweep.h5")
            self.assertEqual((file.numbers, file.points, len(file), bool(file)), ([], [], 0, True))
            with self.assertRaisesRegex(sf.InputError, "this is a sweep, whose points have steps; accepted: table, or point"):
                file.step()
            table = file.table
            self.assertEqual(table.shape, (2, 3))
            self.assertEqual(list(table.keys["normal.force"]), [50.0, 100.0, 200.0])
            np.testing.assert_allclose(table["normal_force"], table["normal.force"], rtol=1e-5)
            self.assertTrue(table.converged.all())
            case = {**wheel(side="both"), "sweep": [{"key": "wheel_rail.wheelset.y", "values": [0.5, 2.0]}],
                    "output": {"fields": ["pressure"]}, "wear": {"law": "archard", "coefficient": 1e-4, "hardness": 3000}}
            (here / "wheels.yaml").write_text(json.dumps(case, default=str), encoding="utf-8")
            subprocess.run([program, "run", here / "wheels.yaml", "--backend", "cpu", "-q", "-o",
                            here / "wheels.h5"], check=True, capture_output=True)
            names = ["left_contact_1_normal_force", "right_contact_1_max_pressure", "right_track_force_y"]
            solved = sf.sweep(wheel(side="both"), {"y": [0.5, 2.0]}, backend="cpu", totals=names)
            read = sf.open(here / "wheels.h5").table
            for name in names:
                np.testing.assert_allclose(read[name], solved[name], rtol=1e-9)
            whole = sf.open(here / "wheels.h5")
            self.assertEqual(whole.points, [1, 2])
            second = whole.point(2).step()
            self.assertEqual(file.wear_profiles, [])
            worn = whole.wear_profiles
            self.assertEqual([(one["point"], one["side"], one["contact"]) for one in worn],
                             [(1, "left", 1), (1, "right", 1), (2, "left", 1), (2, "right", 1)])
            np.testing.assert_array_equal(worn[3]["depth"], second.contacts[1].wear_profile)
            np.testing.assert_array_equal(worn[3]["y"], second.contacts[1].y)
            self.assertEqual(second["right"].track_force_y, read["right_track_force_y"][1])
            self.assertEqual(second.contacts[0].field_names(), ["pressure"])
            self.assertEqual(second.contacts[1].totals["max_pressure"], second.contacts[1].pressure.max())
            later = sf.open(here / "wheels.h5")
            point = later.point(2)
            (here / "other.h5").write_bytes((here / "wheels.h5").read_bytes())
            os.replace(here / "other.h5", here / "wheels.h5")
            for what, more in (("a contact is read", point.step), ("the table is read", lambda: later.table),
                               ("the table is read", lambda: later.wear_profiles)):
                with self.assertRaisesRegex(sf.InputError, f"wheels.h5: has changed since it was opened, and {what} when it is first asked for"):
                    more()


if __name__ == "__main__":
    machine.run_tests()
