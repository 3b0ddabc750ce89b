# SPDX-License-Identifier: Apache-2.0
"""slipfield.figures, by matplotlib's objects: what is drawn is what the file holds, with its symbols and units, in panels of
one size, and no text over another. It takes 15 s:
matplotlib lays out the texts of a hundred figures."""
import contextlib
import gc
import math
import os
import re
import shutil
import subprocess
import sys
import unittest
from types import SimpleNamespace

import machine
import warm_python
from program import CASE, DATA, FRICTIONLESS, ONE_ROW, call, case_folder, run_case, wheel_case

h5py, np = machine.modules("h5py", "numpy")
machine.script_needs("matplotlib.figure", "jinja2")
import matplotlib  # noqa: E402  pylint: disable=wrong-import-position

matplotlib.use("Agg")
PACKAGE = os.path.join(DATA, "..", "..", "app", "python")
sys.path.insert(0, PACKAGE)
from slipfield import figures  # noqa: E402  pylint: disable=wrong-import-position
from slipfield.figures import layout, maps, names, totals  # noqa: E402  pylint: disable=wrong-import-position
from slipfield.errors import InputError  # noqa: E402  pylint: disable=wrong-import-position
from slipfield.figures.view import Column, Grid, Refused  # noqa: E402  pylint: disable=wrong-import-position

layout.Drawing.managed = False
ROLLING = CASE.split("tangential:")[0] + ("tangential: {problem: steady_rolling, x: {creepage: 0.002}, velocity: 1000.0}\n")
SWEEP = CASE.split("steps:")[0] + """sweep:
  - {key: normal.force, from: 4.0, to: 9.0, points: 3}
  - {key: tangential.x.force_ratio, values: [-0.5, -0.25]}
  - {key: friction.coefficient, values: [0.3, 0.4]}
"""
INTERIOR = FRICTIONLESS + "interior: {body: lower, depths: [0.0, 0.2, 0.4, 0.8], quantities: [von_mises, stress_xz]}\n"
WORN = ROLLING + "wear: {law: archard, coefficient: 1.0e-4, hardness: 3000}\n"
FULL = """schema: 1
units: N-mm-s
bodies: {upper: {young_modulus: 0.1, poisson_ratio: 0.5}, lower: {young_modulus: 70000, poisson_ratio: 0.2}}
grid: {elements: [24, 24], spacing: [0.001, 0.001], boundary: periodic}
geometry: {type: rough, hurst: 0.8, rms_height: 1.0e-5, wavelengths: [0.008, 0.024]}
normal: {force: 5.76e-3}
"""
TOGETHER = FULL + """sweep:
  - {key: geometry.seed, values: [0, 1, 2]}
  - together:
    - {key: geometry.hurst, values: [0.3, 0.8]}
    - {key: normal.force, values: [1.0, 2.0]}
"""
WHEELSET = wheel_case() + "steps: [{}, {wheel_rail: {wheelset: {y: 2.0}}}]\n"
FOLDER = contextlib.ExitStack()
FILES = {}


STRIP = """schema: 1
units: N-mm-s
bodies:
  upper: {shear_modulus: 82000, poisson_ratio: 0.28}
  lower: {shear_modulus: 82000, poisson_ratio: 0.28}
friction: {coefficient: 0.3}
grid: {elements: [55, 4], spacing: [0.04, 100], origin: [-1.07, 0], boundary: periodic_y}
geometry: {type: cylinder, radius: 500, axis: y}
normal: {force: 71560}
tangential: {problem: shift, x: {force_ratio: -0.64}}
"""


def setUpModule():  # pylint: disable=invalid-name
    """One result of each kind."""
    gc.freeze()  # else each collection goes through all modules as well
    FOLDER.enter_context(case_folder())
    for name, case in (("plain", CASE), ("rolling", ROLLING), ("dry", FRICTIONLESS), ("row", ONE_ROW), ("sweep", SWEEP),
                       ("interior", INTERIOR), ("wheelset", WHEELSET), ("full", FULL), ("together", TOGETHER), ("worn_rolling", WORN)):
        with open(f"{name}.yaml", "w", encoding="utf-8") as file:
            file.write(case)
        done = call("run", f"{name}.yaml", "-o", f"{name}.h5", "--backend", "cpu")
        assert done.returncode == 0, done.stderr
        FILES[name] = os.path.abspath(f"{name}.h5")
    done = call("run", "rolling.yaml", "-o", "wet.h5", "--backend", "cpu", "--set", "friction.coefficient=0.2")
    assert done.returncode == 0, done.stderr
    FILES["wet"] = os.path.abspath("wet.h5")


def tearDownModule():  # pylint: disable=invalid-name
    FOLDER.close()


def texts_of(figure):
    """All that is to be read in a figure."""
    found = [text.get_text() for text in figure.texts]
    for legend in figure.legends:
        found += [text.get_text() for text in legend.get_texts()]
    for axes in figure.axes:
        found += [axes.get_xlabel(), axes.get_ylabel(), axes.get_title(loc="left")]
        found += [text.get_text() for text in axes.texts]
    return [text for text in found if text]


def panels_of(figure):
    """The axes without those of colour bars."""
    return [axes for axes in figure.axes if axes.get_label() != "<colorbar>"]


def boxes_of(figure):
    """(text, its box in pixels) of everything that is written."""
    renderer = figure.canvas.get_renderer()
    written = list(figure.texts)
    for legend in figure.legends:
        written += legend.get_texts()
    for axes in figure.axes:
        if axes.name == "3d":
            continue
        written += [axes.xaxis.label, axes.yaxis.label, axes._left_title, *axes.texts]  # pylint: disable=protected-access
        for axis, low_high in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
            low, high = sorted(low_high)
            written.append(axis.get_offset_text())
            written += [tick.label1 if axes.get_label() != "<colorbar>" else tick.label2 for tick in axis.get_major_ticks()
                        if low <= tick.get_loc() <= high]
    return [(text.get_text(), text.get_window_extent(renderer)) for text in written if text.get_visible() and text.get_text().strip()]


class Sound(unittest.TestCase):
    """What holds for every figure."""

    def assert_sound(self, figure, what):
        figure.draw_without_rendering()  # lays everything out
        width, height = figure.canvas.get_width_height()
        boxes = boxes_of(figure)
        for text, box in boxes:
            self.assertTrue(box.x0 > -2 and box.x1 < width + 2 and box.y0 > -2 and box.y1 < height + 2,
                            f"{what}: \"{text}\" is cut off: {box}, {width} x {height}")
        for i, (text, box) in enumerate(boxes):
            for other, second in boxes[i + 1:]:
                over_x = min(box.x1, second.x1) - max(box.x0, second.x0)
                over_y = min(box.y1, second.y1) - max(box.y0, second.y0)
                self.assertFalse(over_x > 1.5 and over_y > 1.5, f"{what}: \"{text}\" and \"{other}\" overlap")
        rows = {}
        for axes in panels_of(figure):
            box = axes.get_position(original=True)
            rows.setdefault(round(box.y0 * height), []).append(box)
        for row in rows.values():
            self.assertEqual(len({round(box.height * height) for box in row}), 1, f"{what}: heights")
            self.assertEqual(len({round(box.width * width) for box in row}), 1, f"{what}: widths")
        for text in texts_of(figure):
            self.assertNotIn("_", text.replace("_{", "").replace("$", "") if "$" not in text else "", f"{what}: {text}")
            self.assertNotRegex(text, r"\de[+-]\d", f"{what}: {text}")
            self.assertNotRegex(text, r"(^|[\s(])-\d", f"{what}: a hyphen for a minus: {text}")


class Kinds(Sound):
    def test_every_kind_is_sound_in_every_style(self):
        kinds = {
            "overview": lambda: figures.plot(FILES["plain"]),
            "rolling": lambda: figures.plot(FILES["rolling"]),
            "without friction": lambda: figures.plot(FILES["dry"]),
            "one row": lambda: figures.plot(FILES["row"]),
            "fields": lambda: figures.plot(FILES["plain"], ["gap", "slip", "element_division", "traction_x"]),
            "steps": lambda: figures.plot(FILES["plain"], ["pressure", "traction"], step=[1, 2, 3]),
            "cuts": lambda: figures.plot(FILES["plain"], cuts=True, at=(0.1, 0.2)),
            "history": lambda: figures.plot(FILES["plain"], history=True),
            "shape": lambda: figures.plot(FILES["plain"], shape=True, surfaces=["pressure", "gap"]),
            "inside": lambda: figures.plot(FILES["interior"], interior=["depth", "von_mises", "stress_xz"]),
            "over steps": lambda: figures.curves(FILES["plain"]),
            "sweep": lambda: figures.curves(FILES["sweep"]),
            "sweep, totals": lambda: figures.curves(FILES["sweep"], ["force_x", "max_pressure"], panels="none"),
            "heat": lambda: figures.heat_maps(FILES["sweep"], ["approach", "shift_x"]),
            "full contact": lambda: figures.plot(FILES["full"]),
            "keys together": lambda: figures.curves(FILES["together"], ["max_pressure"], over="normal.force"),
            "facets of keys together": lambda: figures.curves(FILES["together"], ["max_pressure"], panels="geometry.hurst"),
            "pair": lambda: figures.over_each_other([FILES["rolling"], FILES["wet"]]),
            "difference": lambda: figures.difference(FILES["rolling"], FILES["wet"]),
            "wheel": lambda: figures.wheel_in_contact(FILES["wheelset"]),
            "plan": lambda: figures.contacts(FILES["wheelset"]),
            "wheel over steps": lambda: figures.curves(FILES["wheelset"]),
            "contact of a wheel": lambda: figures.plot(FILES["wheelset"], contact=2),
        }
        for style in figures.STYLES:
            with figures.styled(style):
                for what, draw in kinds.items():
                    with self.subTest(what=what, style=style):
                        self.assert_sound(draw(), f"{what}, {style}")

    def test_styles_have_the_sizes_that_they_are_for(self):
        for style, width in (("column", 85.0), ("page", 175.0)):
            figure = figures.plot(FILES["rolling"], style=style)
            self.assertAlmostEqual(figure.get_size_inches()[0] * 25.4, width, delta=0.5)
            self.assertNotIn("sphere on a plane, µ = 0.4", texts_of(figure))  # a caption says it
        slide = figures.plot(FILES["rolling"], style="slide")
        self.assertLess(slide.get_size_inches()[1], 7.55)
        with self.assertRaisesRegex(Refused, 'no style "poster"; accepted: screen, column'):
            figures.plot(FILES["plain"], style="poster")
        sheets = {}
        for style in figures.STYLES:
            with open(figures.style_path(style), encoding="utf-8") as file:  # one file, to be copied or combined with others
                sheets[style] = dict(re.findall(r"^([\w.]+): (.*)$", file.read(), re.M))
            with matplotlib.style.context([figures.style_path(style), {"font.size": 5.0}]):
                self.assertEqual(matplotlib.rcParams["font.size"], 5.0)
        for name, value in sheets["screen"].items():
            if not re.search("size|dpi|width", name):
                self.assertEqual({sheet[name] for sheet in sheets.values()}, {value}, name)


class Drawn(unittest.TestCase):
    def test_the_cut_of_two_bumps_goes_through_the_greatest_pressure(self):
        grid = Grid(np.arange(7.0), np.arange(5.0), 1.0, 1.0)
        for pressure, place, why in (
                ({(0, 2): 1.0, (4, 2): 1.5}, (4, 2), "The cuts go through the greatest pressure, because nothing touches in the row or in the column of "
                 "the pressure's centroid, x = 2 mm, y = 2.4 mm."),
                ({(2, 2): 1.0, (2, 3): 1.0, (3, 2): 1.0}, (2, 2), ""), ({}, (2, 3), ""),
                ({(1, 1): 1.0, (3, 1): -1.0}, (2, 3), "The cuts go through the middle of the grid, because adhesion pulls more than the contact presses.")):
            values = np.zeros((5, 7))
            for at, value in pressure.items():
                values[at] = value
            contact = SimpleNamespace(grid=grid, number=1, fields=["pressure"], field=lambda name, values=values: values)
            scene = maps.Scene([contact], (0.0, 7.0, 0.0, 5.0), names.Unit(1.0, "mm"))
            self.assertEqual(maps.place_of(contact, scene), place)
            self.assertEqual(maps.cut_notes(scene), [why] if why else [])  # and where it is the centroid nothing is said
            at = maps.Scene([contact], scene.window, scene.length, at=(5.0, 1.0))
            self.assertEqual((maps.place_of(contact, at), maps.cut_notes(at)), ((1, 5), []))

    def test_a_full_contact_has_the_colours_of_its_pressures_and_no_digits_of_rounding(self):
        figure = figures.plot(FILES["full"])
        with h5py.File(FILES["full"]) as file:
            pressure = file["steps/0001/pressure"][()]
            force, approach = (file["steps/0001"].attrs[name] for name in ("normal_force", "approach"))
        self.assertTrue(0.0 < np.ptp(pressure) < 1e-3 * pressure.min())
        drawn = panels_of(figure)[0].collections[0]
        np.testing.assert_allclose(drawn.get_clim(), np.array([pressure.min(), pressure.max()]), rtol=1e-12)  # MPa
        self.assertTrue(0.0 < abs(approach) < 1e-12 and force > 0.0)  # the mean level does not move
        summary = next(text for text in texts_of(figure) if "F_n" in text)
        self.assertIn(r"$\delta$ = 0 mm", summary)
        figure.draw_without_rendering()
        for axes in panels_of(figure)[2:]:  # the cuts: what the numbers leave out is in the label
            found = re.fullmatch(r"\$p_n\$ − (\d[\d.]*) MPa \(\$10\^\{(-\d)\}\$ MPa\)", axes.get_ylabel())
            self.assertTrue(found, axes.get_ylabel())
            self.assertFalse(axes.yaxis.get_offset_text().get_visible())
            tick = next(each for each in axes.yaxis.get_major_ticks() if each.get_loc() == axes.yaxis.get_majorticklocs()[1])
            shown = float(tick.label1.get_text().replace("−", "-"))
            self.assertAlmostEqual(shown * 10.0**float(found[2]) + float(found[1]), tick.get_loc(), delta=1e-9 * tick.get_loc())
        self.assertRegex(panels_of(figure)[0].get_title(loc="left"), r"Pressure \$p_n\$ − 10 MPa \(\$10\^\{-\d\}\$ MPa\)")

    def test_colours_begin_at_0_unless_no_element_is_near_it(self):
        full = 3.0 + np.arange(12.0).reshape(3, 4) / 10
        ring = full.copy()
        ring[1, 1] = np.nan
        for arrays, kind, ends in (([full], "sequential", (3.0, 4.1)), ([full, full + 0.4], "sequential", (3.0, 4.5)), ([ring], "sequential", (0.0, 4.1)),
                                   ([full, ring], "sequential", (0.0, 4.1)), ([full - 2.9], "sequential", (0.0, 1.2)),
                                   ([np.full((3, 4), 3.0)], "sequential", (0.0, 3.0)), ([full], "signed", (-4.1, 4.1))):
            limits = maps.limits_of(arrays, kind)
            np.testing.assert_allclose((limits.low, limits.high), ends)

    def test_what_numbers_leave_out_is_in_the_label_or_the_title(self):
        from slipfield.figures.axis_numbers import AxisNumbers, labelled
        axes = layout.new_figure(4.0, 3.0).add_axes((0.2, 0.2, 0.6, 0.6))
        for values, label, says in (([24401.0, 24402.5], "Pressure $p_n$ (GPa)", "Pressure $p_n$ − 24400 (GPa)"),
                                    ([-24401.0, -24402.5], "Number", "Number + 24400"), ([1e-9, 3e-9], "Gap (µm)", "Gap ($10^{-9}$ µm)"),
                                    ([7.0 + 1e-9, 7.0 + 2e-9], "Gap (µm)", "Gap − 7 µm ($10^{-9}$ µm)"),
                                    ([0.0, 3e9], "Samples", "Samples ($10^{9}$)"), ([1.0, 2.0], "Gap (µm)", "Gap (µm)")):
            axes.clear()
            axes.yaxis.set_major_formatter(AxisNumbers())
            axes.plot([0.0, 1.0], values)
            self.assertEqual(labelled(label, axes.yaxis), says)

    def test_keys_that_vary_together_are_all_named(self):
        """In legends and titles of panels, and along an axis in a note."""
        both = ["hurst 0.3, $F_n$ = 1 N", "hurst 0.8, $F_n$ = 2 N"]
        figure = figures.curves(FILES["together"], ["max_pressure"])
        self.assertEqual([text.get_text() for text in figure.legends[0].get_texts()], both)
        figure = figures.curves(FILES["together"], ["max_pressure"], panels="geometry.hurst")
        self.assertEqual([axes.get_title(loc="left") for axes in panels_of(figure)], both)
        for over, says in (("normal.force", "normal force 1 N, hurst 0.3; normal force 2 N, hurst 0.8"),
                           ("geometry.hurst", "hurst 0.3, normal force 1 N; hurst 0.8, normal force 2 N")):
            figure = figures.curves(FILES["together"], ["max_pressure"], over=over)
            self.assertIn(f"Keys that vary together: {says}.", texts_of(figure))
            self.assertEqual([text.get_text() for text in figure.legends[0].get_texts()], ["seed 0", "seed 1", "seed 2"])
        self.assertTrue(any("Keys that vary together: " in text for text in texts_of(figures.heat_maps(FILES["together"], ["max_pressure"]))))
        alone = figures.curves(FILES["together"], ["max_pressure"], where=["geometry.hurst=0.3"])
        self.assertFalse(any("vary together" in text for text in texts_of(alone)))

    def test_an_overview_has_the_numbers_of_the_file(self):
        figure = figures.plot(FILES["plain"])
        with h5py.File(FILES["plain"]) as file:
            step = file["steps/0003"]
            pressure, division = step["pressure"][()], step["element_division"][()]
            traction = step["traction_x"][()]
            force = step.attrs["normal_force"]
        panels = panels_of(figure)
        self.assertEqual(len(panels), 4)
        mesh = panels[0].collections[0]
        drawn = np.ma.filled(mesh.get_array(), np.nan).reshape(pressure.shape)
        np.testing.assert_allclose(drawn, np.where(division > 0, pressure, np.nan))  # MPa are N/mm^2
        self.assertEqual(mesh.get_clim(), (0.0, pressure.max()))
        texts = texts_of(figure)
        for text in ("Pressure $p_n$ (MPa)", "$x$ (mm)", "$y$ (mm)", "Traction (MPa)", "adhesion", "slip", "± traction bound",
                     "sphere on a plane, µ = 0.4"):
            self.assertIn(text, texts)
        self.assertTrue(any(f"$F_n$ = {names.number(force)} N" in text and "Step 3 of 3" in text for text in texts), texts)
        self.assertFalse(any("rolling" in text for text in texts))  # it is shifted
        cut = panels[2]
        row = [line for line in cut.lines if line.get_label() == "$p_x$"][0]
        iy = int(np.argmin(np.abs(-1.4 + 0.25 * (np.arange(11) + 0.5) - float(cut.get_title(loc="left").split("= ")[1].split()[0].replace("−", "-")))))
        np.testing.assert_allclose(row.get_ydata(), traction[iy], rtol=1e-12)

    def test_prefixes_are_chosen_by_axis_and_signs_are_minus_signs(self):
        self.assertEqual(names.quantity(10150.0, "N"), "10.15 kN")
        self.assertEqual(names.quantities([-3072.6, 10000.0], "N"), "(−3.073, 10) kN")
        self.assertEqual(names.quantity(3.2e-6, "mm"), "3.2 nm")
        self.assertEqual(names.quantity(0.0125, "mm"), "12.5 µm")
        self.assertEqual(names.quantity(751.2, "mm"), "751.2 mm")
        self.assertEqual(names.quantity(0.02, "mm^2"), "0.02 mm²")  # as in long labels at an axis: 0.0025
        self.assertEqual(names.quantity(2.5e-5, "mm^2"), "25 µm²")
        self.assertEqual(names.quantity(2.5e-5, "m^2"), "25 mm²")
        self.assertEqual(names.quantity(4.5e8, "Pa"), "450 MPa")
        self.assertEqual(names.quantity(1222.8, "N/mm^2"), "1.223 GPa")
        self.assertEqual(names.quantity(0.02431, "rad"), "1.393°")
        self.assertEqual(names.quantity(-0.000625, "-", "creepage_x"), "−0.0625 %")
        self.assertEqual(names.quantity(0.000625, "rad/mm"), "0.625 rad/m")
        self.assertEqual(names.quantity(150.0, "degrees"), "150 degrees")
        self.assertEqual(names.quantity(48208.0, "N mm"), "48.21 N·m")
        self.assertEqual(names.quantity(0.0, "N"), "0 N")
        self.assertEqual(names.number(1.5e-9), "1.5·10⁻⁹")

    def test_units_of_si_files(self):
        with case_folder(CASE.replace("N-mm-s", "SI")):
            run_case("-o", "out.h5")
            texts = texts_of(figures.plot("out.h5"))
            self.assertIn("$x$ (m)", texts)
            self.assertIn("Pressure $p_n$ (Pa)", texts)

    def test_a_contact_of_a_wheel_says_which(self):
        texts = texts_of(figures.plot(FILES["wheelset"], step=1, contact=2))
        self.assertTrue(any("Step 1 of 2, contact 2 of 2, right wheel" in text for text in texts), texts)
        self.assertTrue(any("rolling →" in text for text in texts), texts)
        alone = texts_of(figures.plot(FILES["rolling"]))
        self.assertFalse(any("Step" in text or "contact" in text for text in alone), alone)

    def test_both_wheels_have_their_forces_in_one_unit_and_their_contacts_at_their_places(self):
        figure = figures.wheel_in_contact(FILES["wheelset"], 1)
        titles = [axes.get_title(loc="left") for axes in figure.axes]
        self.assertEqual(len(titles), 2)
        for title, side in zip(titles, ("Left", "Right")):
            self.assertRegex(title, rf"^{side} wheel: \$Q\$ = [−\d.]+ kN, \$Y\$ = [−\d.]+ kN$")
        with h5py.File(FILES["wheelset"]) as file:
            for number, axes in enumerate(figure.axes, 1):
                place = file[f"steps/0001/contacts/{number}"].attrs["track_y"]
                self.assertAlmostEqual(axes.lines[-1].get_xdata()[0], place)
                self.assertTrue(axes.yaxis_inverted())
        plan = figures.contacts(FILES["wheelset"], 1)
        for axes in panels_of(plan):
            self.assertEqual(axes.get_xlabel(), "$x$, along the track (mm)")
        self.assertEqual(len({axes.collections[0].get_clim() for axes in panels_of(plan)}), 1)

    def test_curves_of_a_wheelset_are_those_of_both_wheels(self):
        figure = figures.curves(FILES["wheelset"], ["track_force_y"])
        with h5py.File(FILES["wheelset"]) as file:
            for line, side in zip([line for line in figure.axes[0].lines if len(line.get_xdata()) == 2 and line.get_marker() == "o"], ("left", "right")):
                wanted = [file[f"steps/{n:04d}"].attrs[f"{side}_track_force_y"] for n in (1, 2)]
                ratio = np.array(wanted) / line.get_ydata()
                self.assertAlmostEqual(ratio[0], ratio[1])
        self.assertLessEqual({"left wheel", "right wheel"}, set(texts_of(figure)))
        both = figures.curves(FILES["wheelset"], ["track_force_y"], side="both")
        self.assertNotIn("left wheel", texts_of(both))
        left = figures.curves(FILES["wheelset"], ["track_force_y"], side="left").axes[0].lines
        self.assertTrue(any(np.array_equal(one.get_ydata(), other.get_ydata()) for one in left for other in figure.axes[0].lines
                            if len(one.get_xdata()) == 2 and one.get_marker() == "o"))

    def test_curves_of_a_sweep_have_the_points_of_the_table(self):
        figure = figures.curves(FILES["sweep"], ["force_x"])
        with h5py.File(FILES["sweep"]) as file:
            table = {key: file[f"table/{key}"][()] for key in ("normal.force", "friction.coefficient")}
            force = file["table/force_x"][()]
        panels = panels_of(figure)
        self.assertEqual(len(panels), 2)  # of three keys one has panels
        drawn = sorted(value for axes in panels for line in axes.lines if line.get_marker() == "o" for value in line.get_ydata())
        np.testing.assert_allclose(drawn, sorted(force))
        for text in ("Normal force $F_n$ (N)", r"$F_x/(\mu F_n)$ = −0.25"):
            self.assertIn(text, texts_of(figure))
        self.assertFalse(any("converged" in text for text in texts_of(figure)))
        part = figures.curves(FILES["sweep"], ["force_x"], where=["normal.force=4", "friction.coefficient=0.3"])
        chosen = (table["normal.force"] == 4.0) & (table["friction.coefficient"] == 0.3)
        np.testing.assert_allclose(sorted(value for line in part.axes[0].lines if line.get_marker() == "o" for value in line.get_ydata()),
                                   1000.0 * np.array(sorted(force[chosen])))  # in mN
        heat = figures.heat_maps(FILES["sweep"], ["force_x"])
        cells = np.concatenate([np.ravel(axes.collections[0].get_array()) for axes in panels_of(heat)])
        np.testing.assert_allclose(sorted(cells), sorted(force))

    def test_a_total_that_a_key_prescribes_is_not_drawn_unasked(self):
        labels = {axes.get_ylabel() for axes in panels_of(figures.curves(FILES["sweep"]))}  # over force, force ratio and friction
        self.assertEqual({label.split(" (")[0] for label in labels}, {"Shift in x $w_x$"})

    def test_a_damaged_field_is_a_wrong_file(self):
        for damage, says in ((np.zeros((3, 2)), "pressure is of 3 x 2 elements, and the grid of 11 x 13"),
                             (np.full((11, 13), b"x"), "pressure: could not convert string")):
            with case_folder():
                shutil.copy(FILES["plain"], "copy.h5")
                with h5py.File("copy.h5", "r+") as file:
                    del file["steps/0003/pressure"]
                    file["steps/0003/pressure"] = damage
                done = call("plot", "copy.h5", "-o", "a.png", env=warm_python.environment())
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn("error: copy.h5: the result file is damaged or incomplete (" + says, done.stderr)

    def test_points_that_did_not_converge_are_hollow_and_counted(self):
        with case_folder():
            source = os.path.abspath("copy.h5")
            with open(FILES["sweep"], "rb") as old, open(source, "wb") as new:
                new.write(old.read())
            with h5py.File(source, "r+") as file:
                file["table/outcome"][3] = "not_converged"
            figure = figures.curves(source, ["force_x"])
            texts = " ".join(texts_of(figure))
            self.assertIn("1 of 12 points did not converge.", texts)
            hollow = [line for axes in panels_of(figure) for line in axes.lines if line.get_markerfacecolor() == "white"]
            self.assertEqual(len(hollow), 1)

    def test_colours_end_below_single_elements_only_and_the_note_counts_them(self):
        smooth = np.fromfunction(lambda i, j: np.sqrt(np.maximum(1.0 - ((i - 20) ** 2 + (j - 20) ** 2) / 400.0, 0.0)), (41, 41))
        limits = maps.limits_of([smooth], "sequential")
        self.assertEqual((limits.low, limits.high, limits.beyond), (0.0, 1.0, 0))
        peak = np.exp(-((np.arange(101)[:, None] - 50) ** 2 + (np.arange(101)[None, :] - 50) ** 2) / 50.0)  # narrow, and smooth
        self.assertEqual(maps.limits_of([peak], "sequential").beyond, 0)
        spiked = smooth.copy()
        spiked[20, 20] = spiked[5, 20] = 9.0
        limits = maps.limits_of([spiked], "sequential")
        self.assertEqual(limits.beyond, 2)
        self.assertEqual(int((spiked > limits.high).sum()), 2)
        note, = maps.note_of(limits, "pressure", "N/mm^2")
        self.assertRegex(note, r"^The colours of the pressure end at .* MPa; 2 elements are beyond, up to 9 MPa\.$")

    def test_two_equal_results_say_so(self):
        texts = texts_of(figures.difference(FILES["rolling"], FILES["rolling"], ["pressure"]))
        self.assertIn("no difference:\nthe two are equal", texts)
        figure = figures.difference(FILES["rolling"], FILES["wet"], ["traction_x"])
        with h5py.File(FILES["rolling"]) as first, h5py.File(FILES["wet"]) as second:
            wanted = first["steps/0001/traction_x"][()] - second["steps/0001/traction_x"][()]
            inside = (first["steps/0001/element_division"][()] > 0) | (second["steps/0001/element_division"][()] > 0)
        mesh = panels_of(figure)[0].collections[0]
        shown = np.ma.filled(mesh.get_array(), np.nan).reshape(wanted.shape)
        self.assertAlmostEqual(np.nanmax(np.abs(shown)) / np.abs(wanted[inside]).max() % 1.0, 0.0, places=9)
        self.assertEqual(mesh.get_clim()[0], -mesh.get_clim()[1])
        self.assertTrue(any("minus" in text for text in texts_of(figure)))

    def test_what_is_inside_is_hinted_at_and_drawn(self):
        self.assertTrue(any("--interior depth,von_mises" in text for text in texts_of(figures.plot(FILES["interior"]))))
        figure = figures.plot(FILES["interior"], interior=["depth", "von_mises"])
        with h5py.File(FILES["interior"]) as file:
            lower = file["steps/0001/interior/lower"]
            curve = lower["von_mises_by_depth"][()]
            highest = lower["von_mises"][()].max()
        line = panels_of(figure)[0].lines[1]
        np.testing.assert_allclose(line.get_ydata(), curve)
        self.assertAlmostEqual(panels_of(figure)[1].collections[0].get_clim()[1], highest, delta=0.2 * highest)

    def test_the_shakedown_limits_are_those_of_johnson(self):
        """Elastic limit and shakedown limit of a line contact without friction: p_0/k = 1/.300 and 4 [Johnson 1985, 9.2]."""
        elastic, shakedown = figures.inside.line_limits(0.0)
        self.assertAlmostEqual(elastic, 3.33, delta=0.01)
        self.assertAlmostEqual(shakedown, 4.0, delta=0.01)
        self.assertAlmostEqual(figures.inside.line_limits(0.6)[1], 1.0 / 0.6, delta=0.01)  # the surface yields
        self.assertAlmostEqual(figures.inside.point_limits(0.0)[1], 1.0 / 0.2137, delta=1e-9)
        self.assertAlmostEqual(figures.inside.ellipse_limits(0.0, 0.252**-0.5)[1], 1.0 / 0.2371, delta=0.01)  # Lundberg and Palmgren, t = 1.1
        for friction in (0.0, 0.2, 0.5):
            self.assertEqual(figures.inside.ellipse_limits(friction, 0.5), figures.inside.point_limits(friction))
            self.assertAlmostEqual(figures.inside.ellipse_limits(friction, 1e9)[1], figures.inside.line_limits(friction)[1], delta=1e-6)

    def test_a_place_is_the_one_of_the_grid(self):
        unit = figures.names.Unit(1.0, "mm")
        self.assertEqual(figures.maps.place_text(-0.0075, unit, 0.165), "−0.0075 mm")
        self.assertEqual(figures.maps.place_text(1e-17, unit, 0.015), "0 mm")

    def test_what_is_outside_the_contact_is_drawn_there(self):
        for name in ("gap", "permanent_deformation", "adhesive_stress"):
            self.assertIn(name, figures.maps.EVERYWHERE)

    def test_temperatures_have_one_unit(self):
        self.assertEqual(figures.names.scaled("degrees", 60.0, "max_temperature").text, "degrees")

    def test_cases_that_differ_in_long_lists_are_said_to_differ_there(self):
        points = [str([k + 0.5 * i for k in range(40)]) for i in range(2)]
        cases = [f"geometry: {{type: profile, y: {each}}}\n" for each in points]
        self.assertEqual(figures.pairs.labels_of(["a.h5", "b.h5"], cases, "N-mm-s")[1], ["The cases differ in geometry.y."])
        self.assertEqual(figures.names.label("geometry.2.y"), "geometry.2.y")

    def test_labels_of_a_row_are_of_one_kind(self):
        long = "Rightward force on the rail and what else there is to say of it $F_y$ (N)"
        panels = [figures.Panel(lambda axes, text=text: axes.set_ylabel(text)) for text in ("Force $F$ (N)", long)]
        with figures.styled("screen"):
            drawn = panels_of(figures.page(panels, figures.Text("", [], [])))
        self.assertEqual([axes.get_ylabel() for axes in drawn], ["$F$ (N)", "$F_y$ (N)"])
        self.assertEqual([axes.get_title(loc="left") for axes in drawn], ["Force $F$ (N)", long])

    def test_kinks_do_not_set_the_scale_of_curvatures(self):
        self.assertIsNone(figures.wheel._usual_range(np.linspace(-1.0, 2.0, 500)))
        values = np.full(500, 2.0)
        values[:250], values[250] = -1.0, 400.0
        low, high = figures.wheel._usual_range(values)
        self.assertTrue(-2.0 < low < -1.0 and 2.0 < high < 3.0, (low, high))

    def test_a_line_of_elements_has_its_arrow_where_the_element_is(self):
        figure = figures.plot(FILES["plain"], ["traction"])
        quiver = [c for c in panels_of(figure)[0].collections if hasattr(c, "U")][0]
        with h5py.File(FILES["plain"]) as file:
            tx, grid = file["steps/0003/traction_x"][()], file["grid"].attrs
            x = (np.asarray(quiver.X) - grid["origin"][0]) / grid["spacing"][0] - 0.5
            y = (np.asarray(quiver.Y) - grid["origin"][1]) / grid["spacing"][1] - 0.5
        np.testing.assert_allclose(quiver.U, tx[np.rint(y).astype(int), np.rint(x).astype(int)])  # of one element, no mean

    def test_arrows_of_a_strip_are_shorter_than_their_distance(self):
        with open("strip.yaml", "w", encoding="utf-8") as file:
            file.write(STRIP)
        done = call("run", "strip.yaml", "-o", "strip.h5", "--backend", "cpu")
        self.assertEqual(done.returncode, 0, done.stderr)
        figure = figures.plot("strip.h5", ["traction"])
        figure.canvas.draw()
        axes = panels_of(figure)[0]
        quiver = [c for c in axes.collections if hasattr(c, "U")][0]
        columns = np.unique(axes.transData.transform(np.column_stack((quiver.X, quiver.Y)))[:, 0].round(3))
        pixels = np.hypot(quiver.U, quiver.V).max() / quiver.scale * axes.bbox.width
        self.assertLess(pixels, 1.2 * np.diff(columns).min())
        self.assertGreater(pixels, 0.5 * np.diff(columns).min())

    def test_mistakes_say_what_is_accepted(self):
        for call_, says in ((lambda: figures.plot(FILES["plain"], step=7), "no step 7; accepted: 1, 2, 3"),
                            (lambda: figures.plot(FILES["plain"], ["presure"]), "did you mean 'pressure'"),
                            (lambda: figures.plot(FILES["plain"], at=(5.0, 0.0)), "accepted: x from -1.2 to 1.4, y from -1.4 to 1.35"),
                            (lambda: figures.plot(FILES["wheelset"], contact=3), "no contact 3; accepted: 1 to 2"),
                            (lambda: figures.plot("plain.yaml"), "not an HDF5 file"),
                            (lambda: figures.plot("none.h5"), "no such file"),
                            (lambda: figures.curves(FILES["sweep"], over="normal.forse"), "did you mean 'normal.force'"),
                            (lambda: figures.curves(FILES["sweep"], over="force_xx"), "did you mean 'force_x'"),
                            (lambda: figures.curves(FILES["sweep"], over="colour"), "accepted: approach, elastic_energy, "),
                            (lambda: figures.curves(FILES["sweep"], where=["normal.force=7"]), "accepted: 4, 6.5, 9"),
                            (lambda: figures.plot(FILES["plain"], interior=["depth"]), "has no interior; accepted: a case with 'interior'"),
                            (lambda: figures.plot(FILES["plain"], shakedown=True), "accepted: a case with 'fatigue'"),
                            *((draw, '"wear_profile" has no number for each element, and a figure of fields draws those that have; accepted: ')
                              for draw in (lambda: figures.plot(FILES["worn_rolling"], ["wear_profile"]),
                                           lambda: figures.plot(FILES["worn_rolling"], surfaces=["wear_profile"]),
                                           lambda: figures.difference(FILES["worn_rolling"], FILES["worn_rolling"], ["wear_profile"]),
                                           lambda: figures.over_each_other([FILES["worn_rolling"], FILES["worn_rolling"]], ["wear_profile"])))):
            with self.assertRaises(Refused) as caught:
                call_()
            self.assertIn(says, str(caught.exception))


    def test_wrong_types_are_one_sentence(self):
        plain, sweep = FILES["plain"], FILES["sweep"]
        table = {"name": "a", "role": "rail", "length": 1.0, "points": [[0, 0], [1, 0]], "curve": [[0, 0, 0, 0], [1, 0, 0, 0]]}
        self.assertTrue(figures.profile(table).axes)
        for call_, says in ((lambda: figures.plot(3), "a value of type int is not a path; accepted: the path of a result file"),
                            (lambda: figures.plot(None), "None is not a path"),
                            (lambda: figures.plot(plain, 3), 'fields: a value of type int is not a name; accepted: text or a list'),
                            (lambda: figures.plot(plain, ["pressure", 3]), "fields: a value of type int is not a name"),
                            (lambda: figures.plot(plain, step="a"), "step: 'a' is not a number of a step"),
                            (lambda: figures.plot(plain, step=1.5), "step: 1.5 is not a number of a step"),
                            (lambda: figures.plot(plain, step=[]), "step: there is none"),
                            (lambda: figures.plot(plain, contact="x"), "contact: 'x' is not a number of a contact"),
                            (lambda: figures.plot(sweep, point="x"), "point: 'x' is not a number of a point"),
                            (lambda: figures.plot(sweep), "this is a sweep, which has points and no steps"),
                            (lambda: figures.plot(plain, at=3), "at: 3 is not a place; accepted: (x, y)"),
                            (lambda: figures.plot(plain, at=(1, "a"), cuts=True), "is not a place"),
                            (lambda: figures.plot(plain, interior=3), "interior: a value of type int is not a name"),
                            (lambda: figures.open_view(plain).step("a"), "step: 'a' is not a number of a step"),
                            (lambda: figures.profile(3), "the profile has no 'name', 'role', 'points', 'curve', 'length'"),
                            (lambda: figures.profile("wheel.prw"), "accepted: a dict with name, role, points, curve and length"),
                            (lambda: figures.profile({**table, "curve": [[1, 2]]}), "'curve' is not a table; accepted: two rows"),
                            (lambda: figures.curves(sweep, 3), "quantities: a value of type int is not a name"),
                            (lambda: figures.curves(sweep, where=3), "where: a value of type int is not a name"),
                            (lambda: figures.curves(sweep, side="lift"), "side: 'lift' is not known"),
                            (lambda: figures.curves([sweep]), "1 results cannot be drawn over each other; accepted: 2 to 6"),
                            (lambda: figures.over_each_other(plain), "several results are drawn over each other, and this is one"),
                            (lambda: figures.over_each_other([]), "0 results cannot be drawn over each other"),
                            (lambda: figures.wheel_in_contact(plain), "it has no profiles in contact"),
                            (lambda: figures.wheel_in_contact(FILES["wheelset"], profiles=3), "profiles: these are not the curves")):
            with self.subTest(says), self.assertRaises(InputError) as caught:
                call_()
            self.assertIn(says, str(caught.exception))
            self.assertNotIn("\n", str(caught.exception))

    def test_results_that_do_not_belong_together_are_refused(self):
        done = call("run", "rolling.yaml", "-o", "far.h5", "--backend", "cpu", "--set", "grid.origin=[9, -1.4]",
                    "--set", "geometry={type: sphere, radius: 1e4}")  # at the end of the grid that is nearest to its summit
        self.assertEqual(done.returncode, 0, done.stderr)
        for call_, says in (
                (lambda: figures.over_each_other([FILES["rolling"], "far.h5"]), "the results do not lie in one place"),
                (lambda: figures.over_each_other([FILES["rolling"], "far.h5"], at=(0.0, 0.0)),
                 "the place is not on the grid of far.h5; accepted: x from 9 to"),
                (lambda: figures.over_each_other([FILES["rolling"], FILES["wheelset"]]),
                 " is of one contact and "),
                (lambda: figures.curves([FILES["plain"], FILES["wheelset"]]), "accepted: results of one kind")):
            with self.subTest(says), self.assertRaises(InputError) as caught:
                call_()
            self.assertIn(says, str(caught.exception))
        chosen = figures.over_each_other([FILES["plain"], FILES["wheelset"]], step=1, contact=1)
        self.assertTrue(panels_of(chosen))

    def test_a_total_of_one_wheel_is_drawn_of_a_sequence_and_of_a_sweep(self):
        with open("lateral.yaml", "w", encoding="utf-8") as file:
            file.write(WHEELSET.split("steps:")[0] + "sweep: [{key: wheel_rail.wheelset.y, values: [1.0, 2.0]}]\n")
        done = call("run", "lateral.yaml", "-o", "lateral.h5", "--backend", "cpu")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = []
        for path in (FILES["wheelset"], "lateral.h5"):
            axes = panels_of(figures.curves(path, ["left_track_force_y"]))[0]
            lines.append(axes.lines[0].get_ydata())
            with self.assertRaises(Refused) as caught:
                figures.curves(path, ["no_such_total"])
            self.assertIn(" nearest_angle", str(caught.exception))
            self.assertNotIn("left_", str(caught.exception))
        np.testing.assert_allclose(lines[0], lines[1], rtol=1e-9)


    def test_lines_across_the_track_have_a_gap_where_a_contact_jumps(self):
        places = [0.5 * k for k in range(-4, 5)]
        row = {"equivalent_conicity": 0.1, "rolled_conicity": 0.1, **{
            f"{side}_nearest_{what}": 0.0 for side in ("left", "right") for what in ("rail_y", "wheel_y", "angle")}}
        rows = [{**row, "wheelset_y": y, "rolling_radius_difference": y, "right_nearest_wheel_y": -y if y < 1.0 else -20.0 - y} for y in places]
        figure = figures.geometry({"title": "", "rows": rows})
        gaps = [int(np.isnan(np.asarray(line.get_ydata(), dtype=float)).sum()) for axes in figure.axes for line in axes.lines
                if len(line.get_xdata()) >= len(places)]
        # Of the radius difference and the three lines of the right wheel, none of those of the left one.
        self.assertEqual((gaps.count(1), gaps.count(0)), (4, 3))

    def test_numbers_of_contacts_and_of_wear_say_what_gives_them(self):
        worn = WHEELSET.split("steps:")[0] + "sweep: [{key: wheel_rail.wheelset.y, values: [1.0, 3.0]}]\n"
        with open("worn.yaml", "w", encoding="utf-8") as file:
            file.write(worn + "wear: {law: t_gamma, density: 7.85e-6}\n")
        done = call("run", "worn.yaml", "-o", "worn.h5", "--backend", "cpu")
        self.assertEqual(done.returncode, 0, done.stderr)
        for path, name, says in (
                (FILES["wheelset"], "seconds", "belongs to a contact, and curves show the whole wheel; accepted: --contact 1, with --side left or right"),
                ("worn.h5", "seconds", "accepted: --contact 1, with --side left or right, the curves of one contact"),
                (FILES["wheelset"], "worn_area", "accepted: the result of a case with 'wear'"),
                (FILES["sweep"], "worn_area", "accepted: the result of a case with 'wear'"),
                (FILES["plain"], "rail_y", 'there is no quantity "rail_y"')):
            with self.subTest(path=path, name=name), self.assertRaises(Refused) as caught:
                figures.curves(path, [name])
            self.assertIn(says, str(caught.exception))
        done = call("plot", "worn.h5", "-o", "a.png", "--contact", "1", "--quantities", "t_gamma",
                    env=dict(os.environ, SLIPFIELD_PYTHON=sys.executable))
        self.assertEqual(done.returncode, 2)
        self.assertIn("worn.h5: contacts are numbered on each wheel, and this is the result of a wheelset; accepted: --side left or right", done.stderr)
        self.assertTrue(any(r"T$\gamma$" in text for text in texts_of(figures.curves("worn.h5"))))
        figures.curves("worn.h5", ["max_pressure", "t_gamma", "contact_angle"])  # of whole wheels

    def test_the_keys_that_totals_need_are_those_of_the_program(self):
        with open("needs.yaml", "w", encoding="utf-8") as file:
            file.write(WHEELSET + "expected:\n" + "".join(
                f"  - {{quantity: {name}, value: 1, tolerance: 1}}\n" for name in names.TOTALS))
        said = call("check", "needs.yaml").stderr
        needs = dict(re.findall(r"'(\w+)' does not exist without '(wear|heat|output: {sensitivities: true})'", said))
        self.assertIn("worn_area", needs)
        needs.update(t_gamma="steady_rolling", t_gamma_spin="steady_rolling")  # which a wheel's case always may have
        self.assertEqual({name: names.request_of(name) for name in names.TOTALS if names.request_of(name)}, needs)


class Loop:
    """Totals of a sequence that loads and unloads, as Rows takes them from a result."""
    sides = []
    totals = {"approach": [1.0, 3.0, 2.0, 0.0], "normal_force": [0.0, 4.0, 2.0, -1.0]}

    def column(self, name, side=""):
        found = self.totals.get(name)
        return None if side or found is None else Column(name, np.array(found), {"approach": "mm"}.get(name, "N"))


class TotalsOverTotals(unittest.TestCase):
    def test_a_force_that_is_noise_has_the_unit_and_the_scale_of_the_greatest(self):
        class Symmetric(Loop):
            """Without a force across."""
            totals = {"normal_force": [1e4, 1e4], "force_x": [1e3, 2e3], "force_y": [2e-10, -1e-10]}

        rows = totals.Rows({"step": np.array([1.0, 2.0])}, "N-mm-s", Symmetric())
        with layout.styled("screen"):
            along, across = panels_of(totals.curves(rows, ["force_x", "force_y"]))
        self.assertTrue(along.get_ylabel().endswith("(kN)") and across.get_ylabel().endswith("(kN)"))
        np.testing.assert_allclose(across.get_ylim(), [-1.0, 1.0], rtol=1e-9)  # a tenth of 10 kN

    def test_a_loop_is_connected_in_the_order_of_its_steps(self):
        rows = totals.Rows({"step": np.array([1.0, 2.0, 3.0, 4.0])}, "N-mm-s", Loop())
        with layout.styled("screen"):
            axes = panels_of(totals.curves(rows, ["normal_force"], "approach"))[0]
        line = next(line for line in axes.lines if len(line.get_xdata()) == 4)
        np.testing.assert_allclose(line.get_xdata(), Loop.totals["approach"])
        np.testing.assert_allclose(line.get_ydata(), Loop.totals["normal_force"])
        self.assertIn("Approach", axes.get_xlabel())
        self.assertIn("(mm)", axes.get_xlabel())
        with self.assertRaises(Refused) as caught:
            totals.curves(rows, ["normal_force"], "approahc")
        self.assertEqual(str(caught.exception), ': --over names no key and no total of it, "approahc"; did you mean \'approach\'?')

    def test_over_the_points_of_a_sweep_there_is_a_line_for_each_value_of_the_other_keys(self):
        axes = panels_of(figures.curves(FILES["sweep"], ["normal_force"], over="approach", panels="none",
                                        where=["friction.coefficient=0.3"]))[0]
        lines = [line for line in axes.lines if len(line.get_xdata()) == 3]
        self.assertEqual(len(lines), 2)
        for line in lines:
            np.testing.assert_allclose(line.get_ydata(), [4.0, 6.5, 9.0], rtol=1e-6)
            self.assertTrue((np.diff(line.get_xdata()) > 0.0).all())


class Alone(unittest.TestCase):
    def test_the_package_needs_no_compiled_module_and_says_so(self):
        code = ("import sys; sys.modules['slipfield._slipfield'] = None\n"
                "from slipfield import figures; import slipfield\n"
                "print(len(figures.plot(sys.argv[1]).axes))\n"
                "try:\n    slipfield.solve\nexcept ImportError as error:\n    print(error)\n")
        done = subprocess.run([sys.executable, "-B", "-c", code, FILES["plain"]], capture_output=True, text=True, timeout=120,
                              env={**os.environ, "PYTHONPATH": PACKAGE, "MPLBACKEND": "Agg"}, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.split("\n")[0], "5")  # four panels and a colour bar
        self.assertIn("slipfield's compiled module is not built here, and only slipfield.figures, slipfield.life and slipfield.surface work without it", done.stdout)

    def test_a_figure_can_be_changed(self):
        figure = figures.plot(FILES["plain"], ["pressure"])
        figure.axes[0].set_title("mine", loc="left")
        self.assertIn("mine", texts_of(figure))
        self.assertTrue(math.isfinite(figure.get_size_inches()[0]))


if __name__ == "__main__":
    machine.run_tests()
