# SPDX-License-Identifier: Apache-2.0
"""slipfield surface, and the Python package behind it: closed forms, every format, what is refused, and that a case reads what it
wrote."""
import gzip
import hashlib
import json
import os
import re
import resource
import struct
import subprocess
import sys
import unittest

import machine
import warm_python
from program import DATA, PROGRAM, call, case_folder, errors_of

h5py, np = machine.modules("h5py", "numpy")
PACKAGE = os.path.join(DATA, "..", "..", "app", "python")
sys.path.insert(0, PACKAGE)
from slipfield import surface  # noqa: E402  pylint: disable=wrong-import-position
from slipfield.errors import Error, InputError, imported  # noqa: E402  pylint: disable=wrong-import-position

RANDOM = np.random.default_rng(7)
HEIGHTS = RANDOM.normal(size=(5, 7))  # not square; row 0 at the lowest y
DX, DY = 0.5, 0.25                    # um
ROUNDING = 1e-13                      # some hundred units in the last place of numbers near 1
PYTHON = warm_python.environment() or {**os.environ, "SLIPFIELD_PYTHON": sys.executable}


def of(function, mx=64, my=48, dx=0.01, dy=0.02):
    """A surface of a function of x and y in mm, about the middle."""
    x, y = np.meshgrid(dx * (np.arange(mx) - 0.4 * mx), dy * (np.arange(my) - 0.3 * my))
    return surface.Surface(function(x, y), dx, dy)


def with_hole(made):
    heights = made.heights.copy()
    heights[10:20, 30:37] = heights[0, 0] = np.nan
    return surface.Surface(heights, made.dx, made.dy)


def write(name, text, encoding="utf-8"):
    with open(name, "w", encoding=encoding) as file:
        file.write(text)
    return name


def rows(heights, between=" ", form="{:.17g}"):
    return "".join(between.join(form.format(value) for value in row) + "\n" for row in heights)


class Numbers(unittest.TestCase):
    def test_a_sinusoid_has_its_rms_height_slope_and_curvature(self):
        amplitude, waves, mx, dx = 1e-3, 3, 600, 0.002
        k = 2.0 * np.pi * waves / (mx * dx)
        for turned in (False, True):
            made = of(lambda x, y: amplitude * np.sin(k * (y if turned else x)), *((40, mx, 0.003, dx) if turned else (mx, 40, dx, 0.003)))
            values = surface.measure(made, periodic=True).values
            sample = (k * dx)**2 / 12  # what differences of samples leave out of a derivative, twice that for its square
            self.assertAlmostEqual(values["rms_height"] / (amplitude / np.sqrt(2)), 1.0, delta=ROUNDING)
            self.assertAlmostEqual(values["rms_slope"] / (amplitude * k / np.sqrt(2)), 1.0, delta=sample)
            self.assertAlmostEqual(values["rms_curvature"] / (amplitude * k**2 / np.sqrt(2) / 2), 1.0, delta=2 * sample)
            self.assertEqual(values["rms_slope_x" if turned else "rms_slope_y"], 0.0)
            self.assertAlmostEqual(values["skewness"], 0.0, delta=ROUNDING)
            self.assertAlmostEqual(values["kurtosis"], 1.5, delta=ROUNDING)
            self.assertAlmostEqual(values["peak_to_valley"], 2 * amplitude, delta=1e-4 * amplitude)  # no sample at the very top

    def test_a_plane_has_its_slope_no_curvature_and_a_straight_bearing_curve(self):
        found = surface.measure(with_hole(of(lambda x, y: 0.3 * x - 0.4 * y)))
        self.assertAlmostEqual(found.values["rms_slope"], 0.5, delta=ROUNDING)
        self.assertAlmostEqual(found.values["rms_curvature"], 0.0, delta=1e-10)  # rounding over dx^2
        self.assertEqual((found.values["missing"], found.spectrum), (71, None))
        self.assertNotIn("-0 ", repr(surface.measure(of(lambda x, y: np.zeros_like(x)))))
        straight = surface.measure(of(lambda x, y: x, mx=1001, my=3))
        np.testing.assert_allclose(np.diff(straight.bearing_height, 2), 0.0, atol=1e-12)
        self.assertAlmostEqual(straight.bearing_height[50], 0.0, delta=1e-12)

    def test_what_is_left_of_rounding_is_zero(self):
        lines = [line.split() for line in repr(surface.measure(surface.level(of(lambda x, y: np.sin(x) * np.cos(3 * y)), "plane"))).splitlines()]
        self.assertEqual([line[2] for line in lines if line[:2] == ["mean", "height"]], ["0"])
        axes = surface.plot(surface.Surface(np.cos(2 * np.pi * np.arange(64) / 8)[None, :] * np.ones((64, 1)), 1.0, 1.0)).axes
        spectrum = next(each for each in axes if each.get_ylabel().startswith("Spectrum"))
        self.assertGreater(spectrum.get_ylim()[0], 1e-17 * spectrum.get_ylim()[1])

    def test_a_paraboloid_has_its_curvature_on_a_map_and_on_one_row(self):
        self.assertAlmostEqual(surface.measure(of(lambda x, y: x * x / 8 + y * y / 20)).values["rms_curvature"], (1 / 4 + 1 / 10) / 2, delta=1e-9)
        row = surface.measure(of(lambda x, y: x * x / 8, my=1))
        self.assertAlmostEqual(row.values["rms_curvature"], 1 / 4, delta=1e-9)
        self.assertIn("mm^3", repr(row))

    def test_the_spectrum_holds_the_mean_square(self):
        """Parseval: the sum over all waves, divided by the area, is mean(z^2); a bin holds the mean over its waves."""
        waves, mx, my, dx, dy = 5, 60, 50, 0.1, 0.2
        found = surface.measure(of(lambda x, y: 2.0 * np.cos(2 * np.pi * waves * x / (mx * dx)), mx, my, dx, dy), periodic=True)
        q = 2 * np.pi * waves / (mx * dx)
        inside = np.argmin(np.abs(found.wavenumber - q))
        self.assertGreater(found.spectrum[inside], 1e20 * np.delete(found.spectrum, inside).max())
        noise = surface.Surface(RANDOM.normal(size=(my, mx)), dx, dy)
        flat = surface.measure(noise, periodic=True)
        self.assertAlmostEqual(np.median(flat.spectrum) / (np.var(noise.heights) * dx * dy), 1.0, delta=0.1)  # white: the same for all waves
        windowed = surface.measure(noise)
        self.assertAlmostEqual(np.median(windowed.spectrum) / (np.var(noise.heights) * dx * dy), 1.0, delta=0.15)

    def test_numbers_are_attributes_and_items(self):
        found = surface.measure(of(lambda x, y: x))
        self.assertEqual((found.rms_slope, found["rms_height"]), (found.values["rms_slope"], found.values["rms_height"]))
        self.assertIn("rms_slope", dir(found))
        with self.assertRaisesRegex(AttributeError, "did you mean 'rms_slope'"):
            found.rms_slop  # pylint: disable=pointless-statement
        with self.assertRaises(KeyError):
            found["slope"]  # pylint: disable=pointless-statement

    def test_numbers_are_plain_and_units_are_named(self):
        found = surface.measure(of(lambda x, y: np.cos(x + y)))
        document = json.loads(json.dumps(found.to_dict(), allow_nan=False))
        self.assertEqual(document["rms_height"], found.values["rms_height"])
        self.assertEqual(found.unit_of("rms_curvature"), "1/mm")
        self.assertIn("<td>rms height</td>", found._repr_html_())  # pylint: disable=protected-access


class Changes(unittest.TestCase):
    def test_levelling_takes_off_its_form_to_rounding(self):
        forms = {"mean": lambda x, y: 3.0 + 0 * x, "plane": lambda x, y: 1 + 0.2 * x - 0.3 * y,
                 "sphere": lambda x, y: 0.1 - (x * x + y * y) / 100 + 0.1 * x, "curvature": lambda x, y: x * x / 3 - y * y / 5 + x * y / 7 + y,
                 3: lambda x, y: x**3 - y * x * x + 2 * y**3 + x, "6": lambda x, y: x**6 + (x * y)**3 - y**5 + 1}
        for kind, form in forms.items():
            for made in (of(form), with_hole(of(form))):
                level = surface.level(made, kind)
                greatest = np.nanmax(np.abs(made.heights))
                self.assertLess(np.nanmax(np.abs(level.heights)) / greatest, ROUNDING, kind)
                self.assertEqual(level.missing, made.missing)
                self.assertIn("levelled: ", level.steps[-1])

    def test_levelling_leaves_what_is_no_form_and_says_what_it_took(self):
        wave = of(lambda x, y: 1e-3 * np.sign(np.sin(40 * x) * np.sin(30 * y)))
        tilted = surface.Surface(wave.heights + of(lambda x, y: 0.02 * x - 0.01 * y - (x * x + y * y) / 200).heights, wave.dx, wave.dy)
        left = surface.level(tilted, "sphere")
        again = surface.level(wave, "sphere")
        np.testing.assert_allclose(left.heights, again.heights, atol=1e-15)  # linear: the same is left of the wave
        pure = surface.level(of(lambda x, y: -(x * x + y * y) / 200, mx=51, my=41), "sphere").steps[-1]
        self.assertIn("curvature -0.01 1/mm", pure)
        self.assertIn("slopes 0.25 in x and -0.125 in y", surface.level(of(lambda x, y: x / 4 - y / 8), "plane").steps[-1])

    def test_one_row_is_levelled_along_it(self):
        self.assertLess(np.abs(surface.level(of(lambda x, y: x * x + x, my=1), "curvature").heights).max(), ROUNDING)

    def test_flipping_twice_is_nothing(self):
        made = with_hole(of(lambda x, y: np.cos(x) + y))
        for what in ("x", "y", "heights"):
            once = surface.flip(made, what)
            self.assertFalse(np.array_equal(once.heights, made.heights, equal_nan=True))
            np.testing.assert_array_equal(surface.flip(once, what).heights, made.heights)
        np.testing.assert_array_equal(surface.flip(made, "x", "y").heights, made.heights[::-1, ::-1])

    def test_a_hole_is_filled_by_a_membrane_or_the_lowest_height(self):
        plane = of(lambda x, y: 1 + 0.3 * x - 0.2 * y)
        hole = plane.heights.copy()
        hole[5:17, 20:41] = hole[30, 30] = np.nan
        holed = surface.Surface(hole, plane.dx, plane.dy)
        filled = surface.fill(holed)
        np.testing.assert_allclose(filled.heights, plane.heights, atol=1e-12)  # a membrane on a plane is that plane
        np.testing.assert_array_equal(filled.heights[np.isfinite(hole)], plane.heights[np.isfinite(hole)])
        self.assertIn("253 samples", filled.steps[-1])
        lowest = surface.fill(holed, "lowest")
        self.assertEqual(lowest.heights[30, 30], np.nanmin(hole))
        edge = surface.fill(with_hole(of(lambda x, y: 2 + 0 * x)))  # to the edge: no height beyond those of the rim
        np.testing.assert_allclose(edge.heights, 2.0, atol=1e-12)

    def test_spikes_are_few_and_the_step_says_why_none_is_taken_off(self):
        """A sample in a hundred at most is a spike; where more stand out, or nothing is usual, the step says so with the number."""
        noise = RANDOM.normal(size=(60, 50))
        for count, taken in ((0, 0), (1, 1), (30, 30), (31, 0), (90, 0)):
            heights = noise.copy()
            apart = heights[5:55:5, 5:50:5]  # none near another or the edge
            apart[np.arange(90).reshape(apart.shape) < count] = 1e3
            made = surface.despike(surface.Surface(heights, 1.0, 1.0))
            self.assertEqual(made.missing, taken, count)
            self.assertEqual(surface.spikes(surface.Surface(heights, 1.0, 1.0)).sum(), taken)
            says = (r"there were no spikes$" if not count else rf"treated as not measured: {count} spikes?, " if taken else
                    rf"no spikes were taken off: {100 * count / 3000:.3g} % of the samples \({count}\) are more than 12 robust standard deviations "
                    r"\([\d.]+ mm\) from the samples around, and more than 1 % cannot be spikes$")
            self.assertRegex(made.steps[-1], says)
        terraces = np.zeros((9, 9))
        terraces[4, 4] = 1.0
        self.assertIn("no spikes were looked for: more than half of the samples", surface.despike(surface.Surface(terraces, 1.0, 1.0)).steps[-1])
        self.assertEqual(surface.despike(surface.Surface(0 * terraces, 1.0, 1.0)).steps[-1], "there were no spikes")

    def test_cropping_and_scales(self):
        made = of(lambda x, y: x + 10 * y, mx=20, my=10, dx=1.0, dy=2.0)
        part = surface.crop(made, (made.x[3], made.x[8]), (made.y[2] - 0.5, made.y[4] + 0.5))
        np.testing.assert_array_equal(part.heights, made.heights[2:5, 3:9])
        self.assertEqual((part.x[0], part.y[-1]), (made.x[3], made.y[4]))
        self.assertIn("nothing was cropped", surface.crop(made, (-1e9, 1e9), (-1e9, 1e9)).steps[-1])
        axes = surface.plot(part).axes[0]  # its places are those that crop() takes
        np.testing.assert_allclose(axes.get_xlim(), (part.x[0] - 0.5, part.x[-1] + 0.5))
        np.testing.assert_allclose(axes.get_ylim(), (part.y[0] - 1.0, part.y[-1] + 1.0))
        scaled = surface.rescale(made, heights=2.0, lateral=3.0, unit="um")
        np.testing.assert_allclose(scaled.heights, made.heights * 2e3, rtol=1e-14)
        self.assertAlmostEqual(scaled.dx, 3000.0)
        self.assertAlmostEqual(scaled.x[5] / made.x[5], 3000.0)
        self.assertIs(surface.rescale(made), made)

    def test_what_is_wrong_is_a_sentence(self):
        made = of(lambda x, y: x, mx=5, my=4)
        for call_it, says in ((lambda: surface.level(made, "cone"), "'cone' is not a form; accepted: mean, plane, sphere"),
                              (lambda: surface.level(made, 13), "0 to 12"), (lambda: surface.level(made, True), "not a form"),
                              (lambda: surface.level(made, 4), "5 x 4 samples are too few"),
                              (lambda: surface.fill(made, "mean"), "accepted: smooth, lowest"),
                              (lambda: surface.flip(made, "z"), "accepted: x, y, heights"),
                              (lambda: surface.crop(made, (0, 0.001), (0, 1)), "holds 1 of its samples"),
                              (lambda: surface.crop(made, 1, (0, 1)), "accepted: two numbers"),
                              (lambda: surface.rescale(made, heights=-1.0), "flip changes the sign"),
                              (lambda: surface.rescale(made, unit="furlong"), "'furlong' is not a unit of length; accepted: m, cm"),
                              (lambda: surface.Surface(np.zeros(3), 1, 1), "an array of shape (3,) is not a surface"),
                              (lambda: surface.Surface(np.full((2, 2), np.nan), 1, 1), "no height is a number"),
                              (lambda: surface.Surface(np.zeros((2, 2)), 0, 1), "dx: 0 is not a distance"),
                              (lambda: surface.Surface(np.zeros((2, 2)), "a", 1), "dx: 'a' is not a distance of samples; accepted: a number > 0"),
                              (lambda: surface.Surface(np.zeros((2, 2)), 1, None), "dy: None is not a distance"),
                              (lambda: surface.Surface(np.zeros((2, 2)), 1, True), "dy: True is not a distance"),
                              (lambda: surface.Surface(np.zeros((2, 2)), 1, 1, y0=np.nan), "y0: nan is not a place; accepted: a finite number"),
                              (lambda: surface.Surface([[1, 2], [3]], 1, 1), "is no array of numbers; accepted: real numbers of shape (my, mx)"),
                              (lambda: surface.Surface("scan.txt", 1, 1), "has no real numbers"),
                              (lambda: surface.Surface(np.full((2, 2), 1j), 1, 1), "heights: an array of complex128 has no real numbers; accepted: "),
                              (lambda: surface.crop(made, (0, "a"), (0, 1)), "x = (0, 'a') are no limits; accepted: two numbers"),
                              (lambda: surface.crop(made, (0, 1), None), "y = None are no limits"),
                              (lambda: surface.rescale(made, heights="2"), "heights = '2' is not a factor"),
                              (lambda: surface.rescale(made, lateral=np.inf), "lateral = inf is not a factor")):
            with self.assertRaises(InputError) as caught:
                call_it()
            self.assertIn(says, str(caught.exception))

    def test_any_real_numbers_are_numbers(self):
        made = of(lambda x, y: x + y, mx=5, my=4)
        for number in (2, 2.0, np.float32(2), np.float64(2), np.int16(2), np.array(2.0)):
            np.testing.assert_array_equal(surface.rescale(made, heights=number).heights, 2 * made.heights)
            given = surface.Surface(made.heights, dx=number, dy=1)
            self.assertEqual((given.dx, type(given.dx)), (2.0, float))
        listed = surface.Surface([[1, 2], [3, 4]], 1, 1)
        np.testing.assert_array_equal(listed.heights, [[1.0, 2.0], [3.0, 4.0]])
        masked = surface.Surface(np.ma.masked_equal([[1, 2], [3, 4]], 3), 1, 1)
        np.testing.assert_array_equal(masked.heights, [[1.0, 2.0], [np.nan, 4.0]])

    def test_it_needs_no_compiled_module(self):
        code = ("import sys; sys.modules['slipfield._slipfield'] = None\nimport numpy as np, slipfield\n"
                "made = slipfield.surface.Surface(np.eye(4), 1.0, 1.0)\nprint(slipfield.surface.measure(made).values['samples_x'])\n")
        done = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True, timeout=60,
                              env={**os.environ, "PYTHONPATH": PACKAGE}, check=False)
        self.assertEqual((done.stdout, done.returncode), ("4\n", 0), done.stderr)


class Files(unittest.TestCase):
    """Each format holds HEIGHTS [um] at DX, DY [um]."""

    def read(self, name, heights=HEIGHTS, **given):
        found = surface.read(name, **given)
        np.testing.assert_allclose(found.heights * 1e3, heights, rtol=1e-12)
        np.testing.assert_allclose((found.dx * 1e3, found.dy * 1e3), (DX, DY), rtol=1e-6)
        with open(name, "rb") as file:
            content = file.read()
        self.assertEqual((found.sha256, found.size), (hashlib.sha256(content).hexdigest(), len(content)))
        return found

    def test_tables_of_text(self):
        given = {"unit": "um", "spacing": (DX, DY)}
        with case_folder():
            self.read(write("a.txt", rows(HEIGHTS)), **given)
            self.read(write("b.csv", "# Value units: nm\n" + rows(1e3 * HEIGHTS, ", ")), **given)
            self.read(write("c.csv", "heights of a surface\n" + rows(HEIGHTS, ";").replace(".", ",")), **given)
            self.read(write("d.txt", rows(HEIGHTS, "\t", "{:.16e}").replace("e", "D")), **given)
            self.read(write("e.txt", rows(HEIGHTS, " ").replace(".", ",")), **given)
            self.read(write("f.txt", rows(HEIGHTS, ",").replace("\n", ",\r\n"), "utf-16"), **given)
            holed = HEIGHTS.copy()
            holed[1, 2] = holed[0, 4] = np.nan
            for word in ("nan", "1.#QNAN", "BAD", "No Data", "---", ""):
                text = rows(holed, ",").replace("nan", word)
                self.assertIn("2 were not measured", self.read(write("g.csv", text), holed, **given).steps[0], word)
            self.read(write("h.txt", rows(np.nan_to_num(holed, nan=-9999))), holed, missing=-9999, **given)
            self.read(write("i.txt", rows(np.nan_to_num(holed, nan=1.70141e38))), holed, **given)

    def test_a_row_and_a_column_of_places_are_no_heights(self):
        places = np.vstack([[np.nan, *(2 + DX * np.arange(7))], np.column_stack([DY * np.arange(5) - 1, HEIGHTS])])
        falling = np.vstack([places[:1], places[:0:-1]])
        with case_folder():
            for name, text in (("a.csv", rows(places, ",").replace("nan", "")), ("b.txt", rows(np.nan_to_num(places))),
                               ("c.csv", rows(falling, ";").replace("nan", "y/x"))):
                found = self.read(write(name, text), unit="um")
                np.testing.assert_allclose((found.x0 * 1e3, found.y0 * 1e3), (2, -1))
                self.assertIn("its first row holds places x, its first column places y", found.steps)
            few = places[:4, :8]  # with names for what would be too few otherwise
            self.read(write("d.csv", rows(few, ",").replace("nan", "y/x")), HEIGHTS[:3, :7], unit="um")
            for name, text, says in (("e.csv", rows(few ** 2, ",").replace("nan", "y/x"), "places that are not even"),
                                     ("f.csv", "-3,1,-2,5,-1,7\n-3,2,-2,4,-1,9\n", "has decimal commas between commas")):
                with self.assertRaisesRegex(InputError, says):
                    surface.read(write(name, text), unit="um", spacing=(1, 1))
            tilted = 0.3 * np.arange(9) + 0.7 * np.arange(6)[:, None] + np.outer(np.sin(np.arange(6)), np.arange(9) > 0)
            np.testing.assert_allclose(surface.read(write("tilted.txt", rows(tilted)), unit="um", spacing=(1, 1)).heights * 1e3, tilted)
            plane = 0.3 * np.arange(9) + 0.7 * np.arange(6)[:, None]
            np.testing.assert_allclose(surface.read(write("plane.txt", rows(plane)), unit="um", spacing=(1, 1)).heights * 1e3, plane)
            self.read(write("quoted.csv", "\n".join(",".join(f'"{height:.17g}"' for height in row) for row in HEIGHTS)), unit="um", spacing=(DX, DY))

    def test_tables_as_other_programs_write_them(self):
        """Spreadsheets' quotes, errors, blank corners and decimal commas; counts above the heights; MATLAB's brackets; words between points."""
        given = {"unit": "um", "spacing": (DX, DY)}
        mx, my = 7, 5
        x, y = DX * np.arange(mx), DY * np.arange(my)
        places = np.vstack([[np.nan, *x], np.column_stack([y, HEIGHTS])])
        points = [(x[i], y[j], HEIGHTS[j, i]) for j in range(my) for i in range(mx)]
        holed = HEIGHTS.copy()
        holed[1, 2] = np.nan
        quoted = "\n".join(",".join('"' + f"{height:.17f}".replace(".", ",") + '"' for height in row) for row in HEIGHTS)
        named = "Point;X [um];Y [um];Z [um]\n" + "".join(f"Point {k};" + rows([point], ";") for k, point in enumerate(points))
        with case_folder():
            self.read(write("a.csv", quoted), **given)
            self.read(write("b.csv", rows(places, ";").replace("nan", "y\\x").replace(".", ",")), unit="um")
            self.read(write("c.csv", rows(places, ",").replace("nan", "y [um] \\ x [um]")), height_unit="um")
            self.read(write("d.txt", rows(places, "\t").replace("nan", "")), unit="um")
            for error in ("#N/A", "#NV", "#DIV/0!"):
                for mark in (",", ";", "\t"):
                    self.read(write("e.csv", rows(holed, mark).replace("nan", error)), holed, **given)
            found = self.read(write("f.dat", f"{mx} {my}\n" + rows(HEIGHTS)), **given)
            self.assertIn("line 1, '7 5', was taken as a title", found.steps)
            self.read(write("g.m", "Z = [\n" + rows(HEIGHTS).replace("\n", ";\n") + "];\n"), **given)
            self.read(write("h.txt", rows(HEIGHTS).replace("-", "\u2212").replace(" ", "\u00a0")), **given)
            self.read(write("i.csv", named))
            self.read(write("j.csv", named.replace(".", ",")))
            for head in ("X Y Z\n[um] [um] [um]\n", "x;y;z\nµm;µm;µm\n", "Länge [um];Breite [um];Höhe [um]\n"):
                self.read(write("k.csv", head + rows(points, ";" if ";" in head else " ")))
            self.read(write("l.csv", ",x,y,z\n" + rows([(k, *point) for k, point in enumerate(points)], ",")), unit="um")
            size = f"# x-pixels = {mx}\n# y-pixels = {my}\n# x-length = {1e3 * mx * DX}\n# y-length = {1e3 * my * DY}\n# Bit2nm = 1000\n"
            self.read(write("m.asc", "# File Format = ASCII\n" + size + "# Start of Data:\n" + rows(HEIGHTS[::-1])))
            with self.assertRaisesRegex(InputError, "'1,234.5' in line 1 is not a number"):
                surface.read(write("n.csv", '"1,234.5";"2"\n"3";"4"\n'), **given)

    def test_places_of_few_rows_and_of_few_digits_are_no_heights(self):
        thirds = np.round((1 + np.arange(7)) / 3, 3)
        with case_folder():
            for heights, x, name in ((HEIGHTS[:3], DX * np.arange(7), "a.txt"), (HEIGHTS, thirds, "b.txt"), (HEIGHTS[:2], thirds, "c.txt")):
                table = np.vstack([[0, *x], np.column_stack([DY * np.arange(len(heights)), heights])])
                for text in (rows(table, " ", "{:.6g}"), rows(table.T, " ", "{:.6g}"))[:1 if len(table) == 3 else 2]:  # three columns are points
                    found = surface.read(write(name, text), unit="um")
                    self.assertIn("its first row holds places x, its first column places y", found.steps, name)
                    self.assertEqual(found.heights.size, heights.size)

    def test_heights_of_few_rows_stay_heights_and_places_without_a_corner_are_places(self):
        given = {"unit": "um", "spacing": (1, 1)}
        with case_folder():
            for text in ("0.0 0.4 0.9 1.3 1.7 2.2 2.6\n1.5 1.4 2.9 3.3 2.7 3.2 3.6\n1.0 1.9 2.1 2.2 2.9 3.1 4.0\n",
                         "0 4 9 13 17 22 26\n3 4 29 13 7 2 6\n1 19 21 3 7 8 2\n"):
                self.assertEqual(surface.read(write("a.txt", text), **given).heights.shape, (3, 7))
            for count, where in (("3 4", ""), ("4", "4\n"), ("8 8 8", "")):
                table = "".join(rows([[0.5 * j, 1.5, 2.5 + j * j, 3.7]]) for j in range(5))
                with self.assertRaisesRegex(InputError, "the lines before it have"):
                    surface.read(write("b.txt", count + "\n" + where * 2 + table), **given)
            heights = np.round(HEIGHTS[:, :4], 3)
            table = rows(np.column_stack([np.arange(5), heights]))
            for text in ("0 1 2 3\n" + table, "0,0;1,0;2,0;3,0\n" + table.replace(" ", ";").replace(".", ",")):
                found = surface.read(write("c.txt", text), unit="um")
                np.testing.assert_allclose(found.heights * 1e3, heights)
                self.assertIn("its first row holds places x, its first column places y", found.steps)
            with self.assertRaisesRegex(InputError, "places that are not even"):
                surface.read(write("d.txt", "0 1 2 3\n" + rows(np.column_stack([np.arange(5)**2, heights]))), **given)

    def test_a_sentence_says_the_unit_of_heights(self):
        with case_folder():
            for words, unit in (("heights in nm", "nm"), ("Höhe in µm", "µm"), ("height in the middle", "mm"), ("raised, in nm steps", "mm")):
                found = surface.read(write("a.txt", f"# {words}\n" + rows(HEIGHTS)), unit="mm", spacing=(DX, DY))
                self.assertTrue(found.steps[0].endswith(f"heights in {unit}"), found.steps[0])

    def test_commas_that_may_be_decimal_ones_are_refused(self):
        given = {"unit": "um", "spacing": (DX, DY)}
        with case_folder():
            for line in ("0,02, 0,05, 0,09", "0,02,0,05,0,09,0,13"):
                with self.assertRaisesRegex(InputError, "may have decimal commas between commas; accepted: "):
                    surface.read(write("a.csv", f"{line}\n" * 4), **given)
            for line in ("2,5,9,13", "2, 5, 9, 13", "0,5,0,9", "0.02, 0.05, 0.09, 0.1"):
                self.assertEqual(surface.read(write("a.csv", f"{line}\n" * 5), **given).shape, (5, 4))

    def test_commas_in_quotes_may_be_behind_thousands(self):
        given = {"unit": "um", "spacing": (1, 1)}
        with case_folder():
            for text in ('"900","1,185","1,370","903"\n"901","1,186","1,371","904"\n', '"1,185","1,370"\n"1,186","1,371"\n'):
                with self.assertRaisesRegex(InputError, '"1,185" in line 1 may have a decimal comma or one behind the thousands'):
                    surface.read(write("a.csv", text), **given)
            for text in ('"900","1,185"\n"1","0,903"\n', '"900","1,185"\n"1","1,5"\n', '"900";"1,185"\n"901";"1,186"\n'):
                found = surface.read(write("b.csv", text), **given)
                self.assertIn("decimal commas", " ".join(found.steps))
                self.assertAlmostEqual(found.heights[0, 1] * 1e3, 1.185)

    def test_errors_ends_of_lines_and_empty_cells_of_tables(self):
        given = {"unit": "um", "spacing": (DX, DY)}
        holed = HEIGHTS.copy()
        with case_folder():
            for j, i in ((1, 0), (4, 6), (2, 3)):
                holed[j, i] = np.nan
            for mark in (",", ", ", "; ", "\t"):
                self.read(write("a.csv", rows(holed, mark).replace("nan", "#N/A")), holed, **given)
            self.read(write("b.m", "Z = [\n" + rows(HEIGHTS, ", ").replace("\n", ";\n") + "];\n"), **given)
            text = rows(HEIGHTS, "\t").splitlines(keepends=True)
            self.read(write("c.txt", "".join("\t" * (j % 2) + line for j, line in enumerate(text))), **given)
            holed = HEIGHTS.copy()
            holed[1, 0] = np.nan
            self.read(write("d.txt", rows(holed, "\t").replace("nan", "")), holed, **given)
            points = [(i * DX, j * DY, HEIGHTS[j, i], 5.0) for j in range(5) for i in range(7)]
            for head in ("x y z width", "X Y height Höhe", "x y z Länge"):
                self.read(write("e.txt", head + "\n" + rows(points)), unit="um")

    def test_a_spacing_that_differs_from_the_files_is_warned_of_with_both(self):
        points = rows([(i * DX, j * DY, HEIGHTS[j, i]) for i in range(7) for j in range(5)])
        with case_folder():
            found = surface.read(write("a.xyz", points), unit="um", spacing=(2 * DX, DY))
            self.assertEqual(found.warnings, (f"a.xyz: the file says that its samples are {DX:.6g} x {DY:.6g} apart; {2 * DX:.6g} x {DY:.6g} um was "
                                              "given and counts: --spacing is for files that do not say it",))
            self.assertEqual(surface.read("a.xyz", unit="um", spacing=(DX, DY)).warnings, ())
            write("b.xyz", "x [um];y [um];z [um]\n" + points.replace(" ", ";"))
            self.assertEqual(surface.read("b.xyz", unit="mm", spacing=(1e-3 * DX, 1e-3 * DY)).warnings, ())  # the same in other units

    def test_lists_of_points(self):
        points = [(2 + i * DX, j * DY - 1, HEIGHTS[j, i]) for i in range(7) for j in range(5)]
        RANDOM.shuffle(points)
        holed = HEIGHTS.copy()
        holed[3, 4] = np.nan
        fewer = [point for point in points if point[:2] != (2 + 4 * DX, 3 * DY - 1)]
        with case_folder():
            found = self.read(write("a.xyz", rows(points)), unit="um")
            np.testing.assert_allclose((found.x0 * 1e3, found.y0 * 1e3), (2, -1))
            self.read(write("b.csv", "x [um]; y [um]; z [um]\n" + rows(fewer, ";").replace(".", ",")), holed)
            self.read(write("c.txt", "# unit = um\n" + rows([(*point, 7.0) for point in points])))
            np.save("d.npy", np.array(points))
            self.read("d.npy", unit="um")
            noisy = [(x + 1e-4 * RANDOM.normal(), y, z) for x, y, z in points]  # of a stage
            found = surface.read(write("e.xyz", rows(noisy)), unit="um")
            np.testing.assert_allclose(found.heights * 1e3, HEIGHTS)
            found = surface.read(write("f.xyz", "0 0 1\n5e-324 1 2\n1 0 3\n1 1 4\n"), unit="mm")  # the least number is noise
            np.testing.assert_array_equal(found.heights, [[1, 3], [2, 4]])

    def test_columns_of_points_are_those_that_are_named(self):
        """In any order, between others, by their words; a comment or a line; their units are each its own."""
        x, y = np.meshgrid(DX * np.arange(7), DY * np.arange(5))
        columns = {"x": x.ravel(), "y": y.ravel(), "z": HEIGHTS.ravel(), "i": np.arange(35.0)}
        with case_folder():
            for head, order, between in (
                    ("y [um],x [um],z [um]", "yxz", ","), ("z [um];x [um];y [um]", "zxy", ";"), ("# z [um] y [um] x [um]", "zyx", " "),
                    ("number, Pos_Y (um), Pos_X (um), height (um)", "iyxz", ","), ('"PosY [um]"\t"PosX [um]"\t"Z [um]"', "yxz", "\t"),
                    ("# unit = um\n# Columns: y x z", "yxz", " "), ("northing [um],easting [um],depth,elevation [um]", "yxiz", ","),
                    ("y [um],x [um],value\n# Value units: um", "yxz", ","), ("X/µm Y/um Z/um", "xyz", " "),
                    ("a scan\nx [um],y [um],z [um],i,i,i,i,i", "xyziiiii", ",")):
                text = head + "\n" + rows(np.stack([columns[each] for each in order], axis=1), between)
                found = self.read(write("a.txt", text))
                at = ", ".join(str(order.index(axis) + 1) + " (" for axis in "xyz")
                if order[:3] != "xyz":
                    self.assertEqual(re.sub(r"'[^']*'\)", "", found.steps[1]), f"x, y and z are its columns {at}", head)
            mixed = np.stack([1e-3 * columns["x"], 1e3 * columns["y"], 1e6 * columns["z"]], axis=1)
            found = self.read(write("b.csv", "x [mm],y [nm],z [pm]\n" + rows(mixed, ",")))
            self.assertIn("samples of 0.0005 mm x 250 nm, heights in pm", found.steps[0])
            for sentence in ("x y z in um", "Coordinates x y z", "data for z on an x y grid", "made by x"):
                self.read(write("f.txt", f"# {sentence}\n" + rows(np.stack([columns[each] for each in "xyz"], axis=1))), unit="um")
            for head, order, says in (
                    ("y,x,g,i", "yxzi", "names its columns y, x, g, i; accepted: one of them named x, one y, and one z or height"),
                    ("x,x,z", "xyz", "names its columns x, x, z; accepted"),
                    ("x,y,z", "ixyz", "names 3 columns, x, y, z, over lines of 4 numbers; accepted: a name for each column"),
                    ("# y x z in um", "yxz", "names 5 columns, y, x, z, in, um, over lines of 3 numbers"),
                    ("i;x;y;z", "xyz", "names 4 columns, i, x, y, z, over lines of 3 numbers")):
                text = head + "\n" + rows(np.stack([columns[each] for each in order], axis=1), ",")
                with self.assertRaises(InputError) as caught:
                    surface.read(write("c.csv", text), unit="um")
                self.assertIn(says, str(caught.exception))
            one = surface.read(write("e.csv", "x [um],y [µm],z [um]\n" + rows(np.stack([columns[each] for each in "xyz"], axis=1), ",")), unit="nm")
            self.assertIn("the file says that distances are in um; nm was given and counts", one.steps)
            with self.assertRaises(InputError) as caught:
                surface.read("b.csv", unit="um")
            self.assertIn("distances along x are in mm, those along y in nm, and um is given for both; accepted: no --unit", str(caught.exception))
            with self.assertRaises(InputError) as caught:
                surface.read(write("d.csv", "x [um],y,z [um]\n" + rows(mixed, ",")))
            self.assertIn("in which unit its distances along y are; accepted: --unit (", str(caught.exception))

    def test_an_index_an_intensity_or_an_error_is_no_height(self):
        x, y = np.meshgrid(DX * np.arange(7), DY * np.arange(5))
        columns = {"x": x.ravel(), "y": y.ravel(), "z": HEIGHTS.ravel(), "i": np.arange(35.0)}

        def table(head, order):
            return write("a.csv", head + "\n" + rows(np.stack([columns[each] for each in order], axis=1), ","))

        with case_folder():
            for name in ("index", "intensity", "Quality [%]", "z error", "Temperature", "point_no", "Intensität", "height uncertainty (nm)"):
                for head, order in ((f"x [um],y [um],{name}", "xyi"), (f"{name},x [um],y [um]", "ixy"), (f"a,b,{name}", "xyi")):
                    with self.assertRaises(InputError, msg=head) as caught:
                        surface.read(table(head, order), unit="um")
                    self.assertEqual(str(caught.exception), f"a.csv: names its columns {head.replace(',', ', ')}, of which none is a height; accepted: "
                                     "one of them named x, one y, and one z or height")
                self.assertEqual(self.read(table(f"{name},x [um],y [um],z [um]", "ixyz")).warnings, ())  # the height is named
            for name in ("depth", "value", "Tiefe"):
                (warning,) = self.read(table(f"x [um],y [um],{name} [um]", "xyz")).warnings
                self.assertIn(f"names its columns x [um], y [um], {name} [um], and '{name} [um]' was taken for the height, because", warning)
            for name in ("Height", "h", "elevation", "point height", "z"):
                self.assertEqual(self.read(table(f"x [um],y [um],{name} [um]", "xyz")).warnings, (), name)
            with h5py.File("a.h5", "w") as file:
                file["intensity"] = HEIGHTS
            with self.assertRaises(InputError) as caught:
                surface.read("a.h5", unit="um", spacing=(DX, DY))
            self.assertIn("whose name is that of a height; accepted: --dataset (in Python dataset=) with one of /intensity", str(caught.exception))
            self.read("a.h5", unit="um", spacing=(DX, DY), dataset="intensity")  # said by name

    def test_text_compressed_by_gzip_is_read_and_no_more_is_promised(self):
        with case_folder():
            for name, content in (("a.txt.gz", rows(HEIGHTS).encode()), ("b.npy.gz", b"\x93NUMPY\0\1\2")):
                with gzip.open(name, "wb") as file:
                    file.write(content)
            self.read("a.txt.gz", unit="um", spacing=(DX, DY))
            with self.assertRaisesRegex(InputError, "b.npy.gz: is compressed by gzip and holds no text; accepted: the file without compression"):
                surface.read("b.npy.gz")
            with open("a.txt.gz", "rb") as file:
                content = file.read()
            with open("c.txt.gz", "wb") as file:
                file.write(content[:len(content) // 2])
            with self.assertRaisesRegex(InputError, "c.txt.gz: cannot be read as gzip: .*; accepted: a complete file"):
                surface.read("c.txt.gz", unit="um", spacing=(DX, DY))

    def test_usual_units_of_length_are_taken_and_written_as_a_case_reads_them(self):
        metres = {"mil": 2.54e-5, "mils": 2.54e-5, "thou": 2.54e-5, "uin": 2.54e-8, "µin": 2.54e-8, "microinch": 2.54e-8, "ft": 0.3048, "Å": 1e-10,
                  "Angstroms": 1e-10, "Microns": 1e-6, "inch": 0.0254, "km": 1e3}
        with case_folder():
            for unit, length in metres.items():
                found = surface.read(write("a.csv", f"# Value units: {unit}\n" + rows(HEIGHTS)), unit="mm", spacing=(DX, DY), to="m")
                np.testing.assert_allclose(found.heights, length * HEIGHTS, rtol=1e-12, err_msg=unit)
            surface.write(surface.Surface(HEIGHTS, DX, DY, "mil"), "mils.h5")
            with h5py.File("mils.h5") as file:
                self.assertEqual((file["heights"].attrs["units"], file["x"].attrs["units"]), ("mil", "mil"))
                np.testing.assert_allclose(file["heights"][()], HEIGHTS)
            surface.write(surface.Surface(HEIGHTS, DX, DY, "uin"), "microinches.h5")
            with h5py.File("microinches.h5") as file:  # io/heights/hdf5.cpp knows no uin
                self.assertEqual((file["heights"].attrs["units"], file["x"].attrs["units"]), ("mm", "mm"))
                np.testing.assert_allclose(file["heights"][()], 2.54e-5 * HEIGHTS)
            for unit in ("MM", "PM", "a", "V", "furlong"):
                with self.assertRaises(InputError):
                    surface.read("a.csv", unit=unit, spacing=(DX, DY))

    def test_classic_netcdf_is_placed_by_its_coordinates(self):
        """In either order of its dimensions, rising or falling, and without coordinates with the first row at the lowest y."""
        netcdf_file = machine.module("scipy.io")
        if not netcdf_file:
            self.skipTest("scipy is not installed")
        holed = HEIGHTS.copy()
        holed[1, 2] = np.nan
        for order, fall_x, fall_y in (("yx", 1, 1), ("xy", 1, 1), ("yx", 1, -1), ("xy", 1, -1), ("xy", -1, 1), ("yx", 0, 0), ("xy", 0, 0)):
            with case_folder(), self.subTest(order=order, x=fall_x, y=fall_y):
                with netcdf_file.netcdf_file("a.nc", "w") as file:
                    for axis, count, step, fall in (("x", 7, DX, fall_x), ("y", 5, DY, fall_y)):
                        file.createDimension(axis, count)
                        if fall:
                            places = file.createVariable(axis, "d", (axis,))
                            places[:] = step * np.arange(count)[::fall]
                            places.units = "um"
                    made = file.createVariable("heights", "d", tuple(order))
                    stored = np.where(np.isnan(holed), -7.0, holed)[::fall_y or 1, ::fall_x or 1]
                    made[:] = stored.T if order == "xy" else stored
                    made.units, made._FillValue = "um", -7.0  # pylint: disable=protected-access
                self.read("a.nc", holed, **({} if fall_x else {"unit": "um", "spacing": (DX, DY)}))
        with case_folder():
            with open("b.nc", "wb") as file:
                file.write(b"CDF\1\0\0")
            with self.assertRaisesRegex(InputError, "b.nc: cannot be read as classic netCDF: "):
                surface.read("b.nc")

    def test_points_may_be_missing_in_any_number_of_columns(self):
        """Also where places have the noise of a stage, or few digits, of which they lie on a finer grid."""
        mx, my = 24, 15
        x, y = np.meshgrid(np.arange(mx) / 3.0, np.arange(my) / 7.0)
        heights = RANDOM.normal(size=(my, mx))
        exact = np.stack([x.ravel(), y.ravel(), heights.ravel()], axis=1)
        noisy = exact + [0.01, 0.004, 0.0] * RANDOM.normal(size=exact.shape).clip(-1.5, 1.5)  # at most a twentieth of a step
        for places, form in ((exact, "{:.17g}"), (exact, "{:.2f}"), (noisy, "{:.17g}"), (noisy, "{:.3f}")):
            for lost in (slice(0, 0), slice(5, 12), slice(1, 15)):
                holed = heights.copy()
                holed[:, lost] = holed[3:9, 2] = np.nan
                known = np.isfinite(holed).ravel()
                text = "".join(" ".join([form.format(a), form.format(b), repr(float(c))]) + "\n" for a, b, c in RANDOM.permutation(places[known]))
                with case_folder():
                    found = surface.read(write("a.xyz", text), unit="mm")
                np.testing.assert_array_equal(found.heights, holed, f"{form} {lost}")
                np.testing.assert_allclose((found.dx, found.dy), (1 / 3, 1 / 7), rtol=5e-3)  # of noise at both ends

    def test_points_are_not_merged_where_most_columns_are_missing(self):
        x, y = np.meshgrid([0, 1, 2, 3, 100, 101, 102, 103], np.arange(6))
        points = np.stack([x.ravel(), y.ravel(), RANDOM.normal(size=x.size)], axis=1)
        with case_folder():
            with self.assertRaises(InputError) as caught:
                surface.read(write("a.xyz", rows(points)), unit="mm")
            self.assertIn("its 48 points fill less than a quarter of the 104 x 6 places of their grid", str(caught.exception))
            again = np.tile(points[points[:, 0] < 4], (2, 1))  # each twice with the same height
            self.assertEqual(surface.read(write("b.xyz", rows(again)), unit="mm").shape, (6, 4))

    def test_gwyddions_text_has_its_size_and_its_first_row_at_the_top(self):
        """Its labels and its decimal sign are those of the user's language."""
        with case_folder():
            for channel, width, height, units in (("Channel", "Width", "Height", "Value units"), ("Kanal", "Breite", "Höhe", "Werteinheiten")):
                head = f"# {channel}: Topo\n# {width}: {7 * DX} µm\n# {height}: {5 * DY * 1e3} nm\n# {units}: m\n"
                text = head + rows(1e-6 * HEIGHTS[::-1], "\t", "{:.16f}")
                for written in (text, text.replace(".", ",")):
                    found = self.read(write("a.txt", written), np.round(HEIGHTS, 10))
                    self.assertIn("rows were reversed", found.steps[1])
            narrow = f"# Width: {3 * DX} µm\n# Height: {5 * DY} µm\n# Value units: um\n" + rows(HEIGHTS[::-1, :3])  # no x, y, z
            self.read(write("b.txt", narrow), HEIGHTS[:, :3])
            with self.assertRaises(InputError) as caught:
                surface.read(write("c.txt", narrow.replace(f"Width: {3 * DX}", "Width: 0,0")))
            self.assertIn("is Gwyddion's text of Width: 0,0 µm, Height: 1.25 µm; accepted: a width and a height > 0", str(caught.exception))

    def test_esris_grid_has_its_first_row_in_the_north_and_nodata(self):
        holed = HEIGHTS.copy()
        holed[1, 2] = holed[0, 4] = np.nan
        head = f"ncols 7\nnrows 5\nxllcorner 3\nyllcorner {{}}\ncellsize {DX}\n"
        square = {"dx": DX / 1e3, "dy": DX / 1e3}
        with case_folder():
            for nothing, line in ((-9999, ""), (-32768, "NODATA_value -32768\n"), (-3.4028234663852886e38, "nodata_value -3.40282e+38\n")):
                text = head.format(2) + line + rows(np.nan_to_num(holed[::-1], nan=nothing))
                found = surface.read(write("a.asc", text), unit="um")
                np.testing.assert_allclose(found.heights * 1e3, holed, rtol=1e-12)
                np.testing.assert_allclose((found.dx, found.dy), (square["dx"], square["dy"]))
                np.testing.assert_allclose((found.x0 * 1e3, found.y0 * 1e3), (3 + DX / 2, 2 + DX / 2))
                self.assertEqual((found.missing, found.warnings), (2, ()))
                self.assertIn("its first row is the northern one: rows were reversed", found.steps)
            text = f"NCOLS 7\nNROWS 5\nXLLCENTER 3\nYLLCENTER 2\nDX {DX}\nDY {DY}\n" + rows(HEIGHTS[::-1])
            found = self.read(write("b.asc", text), unit="um")
            np.testing.assert_allclose((found.x0 * 1e3, found.y0 * 1e3), (3, 2))
            found = self.read(write("c.asc", text.replace(".", ",")), unit="um")  # of a desktop with decimal commas
            for columns, count in (("7", "6"), ("-7", "-5"), ("3.5", "10"), ("7", "five")):
                with self.assertRaises(InputError) as caught:
                    surface.read(write("d.asc", text.replace("NROWS 5", f"NROWS {count}").replace("NCOLS 7", f"NCOLS {columns}")), unit="um")
                self.assertIn(f"has 35 values, and its header says ncols {columns} and nrows ", str(caught.exception))

    def test_a_value_far_from_all_others_gets_a_warning_as_check_gives_it(self):
        with case_folder():
            for value, count in ((-9999.0, 2), (-32768.0, 1), (999.25, 3), (1e20, 1)):
                holed = HEIGHTS.copy()
                holed.flat[[9, 20, 33][:count]] = value
                given = {"unit": "um", "spacing": (DX, DY)}
                found = surface.read(write("a.txt", rows(holed)), **given)
                least, greatest = (holed[holed != value].min(), holed[holed != value].max())
                number = f"{value:.10g}"
                self.assertEqual(found.warnings, (
                    f"a.txt: the value {number} in {count} place{'s' if count > 1 else ''}, first in row 2, column 3, lies far from all others "
                    f"({least:.4g} to {greatest:.4g}), as a fill value does where nothing was measured; --missing {number} (in Python missing=) "
                    "reads it so",))
                self.assertEqual(surface.level(found).warnings, found.warnings)
                self.assertEqual(surface.read("a.txt", missing=value, **given).warnings, ())
            for value in (-9998.0, 3.0 * np.abs(HEIGHTS).max()):  # no usual one; not far
                holed.flat[[9, 20, 33]] = value
                self.assertEqual(surface.read(write("a.txt", rows(holed)), unit="um", spacing=(DX, DY)).warnings, ())

    def test_missing_may_be_any_number(self):
        holed = HEIGHTS.copy()
        holed[1, 2] = holed[0, 4] = np.nan
        given = {"unit": "um", "spacing": (DX, DY)}
        with case_folder():
            for missing, word in ((np.inf, "inf"), (-np.inf, "-inf"), (np.nan, "nan"), (0, "0"), (np.float32(-0.1), "-0.1")):
                np.save("a.npy", np.nan_to_num(holed, nan=float(missing)) if missing == missing else holed)
                found = self.read("a.npy", holed, missing=missing, **given)
                self.assertIn(f"2 samples are {word}", found.steps[1])
            np.save("a.npy", HEIGHTS)
            self.assertEqual(self.read("a.npy", missing=np.inf, **given).missing, 0)
            self.assertEqual(self.read("a.npy", missing=-9998, **given).warnings, (
                "a.npy: no height is -9998, the number that was given for places that were not measured (missing)",))
            with h5py.File("a.h5", "w") as file:
                file["heights"] = np.where(np.isnan(holed), np.inf, holed)
                file["heights"].attrs.update(_FillValue=np.inf, units="um")
            self.read("a.h5", holed, **given)

    def test_npy(self):
        with case_folder():
            np.save("a.npy", np.asfortranarray(HEIGHTS))
            self.read("a.npy", unit="um", spacing=(DX, DY))
            self.read("a.npy", HEIGHTS * 1e-3, unit="um", height_unit="nm", spacing=(DX, DY))

    def test_hdf5_with_all_that_its_attributes_say(self):
        packed = np.round((HEIGHTS + 1.0) / 1e-4).astype("i2")
        packed[2, 3] = -32768
        expected = np.where(packed == -32768, np.nan, packed * 1e-4 - 1.0)
        with case_folder():
            with h5py.File("a.h5", "w") as file:
                heights = file.create_dataset("topo/height", data=packed[::-1])
                heights.attrs.update(scale_factor=0.1, add_offset=-1000.0, _FillValue=np.int16(-32768), units="nm")
                for axis, (name, step, count) in enumerate((("y", -DY, 5), ("x", DX, 7))):
                    scale = file.create_dataset("topo/" + name, data=3 + step * np.arange(count))
                    scale.attrs["units"] = "um"
                    scale.make_scale(name)
                    heights.dims[axis].attach_scale(scale)
            self.read("a.h5", expected)
            with h5py.File("b.h5", "w") as file:  # no scales, but coordinates of these names next to it; the dimensions (x, y)
                heights = file.create_dataset("z", data=packed.T, fillvalue=-32768)
                heights.attrs.update(Scale_Factor="0.0001", ADD_OFFSET=-1.0, unit=np.bytes_("um"))
                for name, step, count in (("y", DY, 5), ("x", DX, 7)):
                    file.create_dataset(name, data=step * np.arange(count)).make_scale(name)
                heights.dims[0].attach_scale(file["x"])
                heights.dims[1].attach_scale(file["y"])
            self.assertIn("exchanged", "".join(self.read("b.h5", expected, unit="um").steps))
            with h5py.File("c.h5", "w") as file:
                file["one"], file["two"] = HEIGHTS, 2 * HEIGHTS
                file["two"].attrs["units"] = "um"
                file["lat"], file["lon"] = DY * np.arange(5), DX * np.arange(7)
                file["lat"].attrs["units"] = file["lon"].attrs["units"] = "um"
            self.read("c.h5", 2 * HEIGHTS, dataset="two")
            with self.assertRaises(InputError) as caught:
                surface.read("c.h5")
            self.assertIn("has 2 arrays of two dimensions; accepted: --dataset (in Python dataset=) with one of /one, /two", str(caught.exception))

    def test_coordinates_have_each_their_own_unit_and_direction(self):
        """As scales of the dimensions, or as datasets next to the heights; where they only count they say the direction."""
        def made(name, x, y, scales, units=()):
            with h5py.File(name, "w") as file:
                heights = file.create_dataset("heights", data=HEIGHTS)
                heights.attrs["units"] = "um"
                for axis, letter, places in ((1, "x", x), (0, "y", y)):
                    file[letter] = places
                    file[letter].attrs.update({"units": dict(units)[letter]} if units else {})
                    if scales:
                        file[letter].make_scale(letter)
                        heights.dims[axis].attach_scale(file[letter])
            return name

        x, y = np.arange(7.0), np.arange(5.0)
        with case_folder():
            for scales in (False, True):
                found = self.read(made("a.h5", 1e3 * DX * x, DY * y + 3, scales, {"x": "nm", "y": "um"}))
                self.assertIn("samples of 500 nm x 0.25 um", found.steps[0])
                np.testing.assert_allclose((found.x0, found.y0), (0.0, 3e-3))
                given = {"unit": "um", "spacing": (DX, DY)}
                for places, heights, says in (((x, y), HEIGHTS, 0), ((x, y[::-1]), HEIGHTS[::-1], 1), ((x[::-1], y), HEIGHTS[:, ::-1], 1),
                                              ((x[::-1], -y), HEIGHTS[::-1, ::-1], 2)):
                    found = self.read(made("b.h5", *places, scales), heights, **given)
                    self.assertEqual("".join(found.steps).count(" were reversed"), says)
                for broken in ((x, np.where(y == 2, np.nan, y)), (np.where(x == 0, np.inf, x), y)):
                    with self.assertRaises(InputError) as caught:
                        surface.read(made("c.h5", *broken, scales), **given)
                    self.assertIn("are not evenly spaced", str(caught.exception))
            with self.assertRaises(InputError) as caught:
                surface.read("a.h5", unit="um")
            self.assertIn("along x are in nm, those along y in um, and um is given for both", str(caught.exception))

    def test_arrays_of_octave_are_read_as_it_shows_them(self):
        with case_folder():
            with h5py.File("a.h5", "w") as file:
                file["Z/value"] = HEIGHTS.T
                file["Z"].attrs["OCTAVE_NEW_FORMAT"] = np.uint8(1)
            self.read("a.h5", unit="um", spacing=(DX, DY))

    def test_matlab_old_and_new(self):
        with case_folder():
            with h5py.File("new.mat", "w", userblock_size=512) as file:  # columns one after the other
                for name, value in (("Z", HEIGHTS), ("X", np.tile(DX * np.arange(7), (5, 1))), ("Y", np.tile(DY * np.arange(5)[:, None], 7))):
                    file.create_dataset(name, data=value.T).attrs["MATLAB_class"] = np.bytes_("double")
            with open("new.mat", "r+b") as file:
                file.write(b"MATLAB 7.3 MAT-file")
            self.read("new.mat", unit="um")
            machine.require(self, "scipy.io")
            machine.module("scipy.io").savemat("old.mat", {"Z": HEIGHTS[::-1], "x": DX * np.arange(7), "y": 1 - DY * np.arange(5), "name": "scan"})
            self.read("old.mat", unit="um")

    def test_what_is_wrong_is_a_sentence(self):
        with case_folder():
            np.save("text.npy", np.array(["a"]))
            np.save("a.npy", HEIGHTS)
            with open("a.npy", "rb") as file:
                content = file.read()
            with open("damaged.npy", "wb") as file:
                file.write(content.replace(b")", b"("))
            with h5py.File("volts.h5", "w") as file:
                file["heights"] = HEIGHTS
                file["heights"].attrs["units"] = "V"
                file["x"], file["y"] = np.arange(7.0)**2, np.arange(5.0)
            with h5py.File("none.h5", "w") as file:
                file["line"] = np.arange(4.0)
            with open("nul.xyz", "wb") as file:
                file.write(b"\0\1\2")
            with open("wrong.npy", "wb") as file:  # as a text editor writes it again
                file.write(content.replace(b"\x93", b"\xef\xbf\xbd"))
            scattered = RANDOM.uniform(size=(40, 3))
            for name, given, says in (
                    ("none.txt", {}, "there is no such file"), (".", {}, "is a folder"), (write("empty.txt", ""), {}, "is empty"),
                    ("a.npy", {}, "nothing says how far its samples are apart"), ("text.npy", {}, "accepted: numbers of shape (my, mx)"),
                    ("a.npy", {"spacing": (1, 1)}, "in which unit its distances are; accepted: --unit"),
                    ("a.npy", {"spacing": (1, -1), "unit": "mm"}, "are no distances"), ("a.npy", {"unit": "furlong"}, "unit: 'furlong' is not a unit"),
                    ("a.npy", {"dataset": "z"}, "accepted: no dataset"),
                    ("damaged.npy", {}, "damaged.npy: cannot be read as .npy: "),
                    ("wrong.npy", {}, "wrong.npy: does not begin with NumPy's \\x93NUMPY, as a file called .npy does"),
                    (write("line.txt", "0 1\n1 3\n2.5 2\n3 1\n"), {"unit": "um", "spacing": (1, 1)}, "a line of places and heights, not a surface"),
                    (write("trace.csv", "X;Y;value\n" + rows([(0.5 * i, 3.0 + 0.1 * i * i, 1.0) for i in range(20)], ";")), {"unit": "mm"},
                     "x increases from each point to the next, as of a line, which is no surface"),
                    (write("traces.csv", rows([(0.5 * i, *RANDOM.normal(size=7)) for i in range(20)], ",")), {"unit": "um", "spacing": (1, 1)},
                     "has even places in its first column, and heights in 7 others; accepted: heights alone"),
                    (write("g.xyz", "0 0 1\n1 nan 2\n2 2 3\n3 0 4\n"), {"unit": "um"}, "the x or y of a point is no length; accepted: x, y and z"),
                    (write("h.xyz", "0 0 1\n1 1 2\n2 1e300 3\n3 0 4\n"), {"unit": "um"}, "the x or y of a point is no length"),
                    ("volts.h5", {"dataset": 3}, "dataset: 3 is not a name; accepted: text"),
                    ("a.npy", {"missing": "a"}, "missing: 'a' is not a number; accepted: the number that stands for places"),
                    ("a.npy", {"spacing": ("a", 1), "unit": "mm"}, "spacing: ('a', 1) are no distances; accepted: DX,DY, two numbers > 0"),
                    (write("a.txt", "1 2 3 4\n1 2 x 4\n"), {}, "'x' in line 2 is not a number"),
                    (write("b.txt", "1 2 3 4\n1 2 4\n"), {}, "line 2 has 3 values, the lines before it have 4"),
                    (write("c.txt", "# nothing\nhere\n"), {}, "has no line of numbers"),
                    (write("d.txt", rows(np.full((4, 4), np.nan)) .replace("nan", "bad") + "1 bad bad bad\n"), {"unit": "V"}, "'V' is not a unit"),
                    (write("e.xyz", rows(scattered)), {"unit": "um"}, "are not those of a grid with even steps"),
                    (write("f.xyz", "0 0 1\n1 0 2\n0 1 3\n1 1 4\n1 1 5\n"), {"unit": "um"}, "x = 1, y = 1 twice with different heights"),
                    ("volts.h5", {}, "not evenly spaced"), ("none.h5", {}, "has 0 arrays of two dimensions")):
                with self.assertRaises(InputError, msg=name) as caught:
                    surface.read(name, **given)
                self.assertIn(says, str(caught.exception))
            with h5py.File("volts.h5", "r+") as file:
                del file["x"], file["y"]
            with self.assertRaises(InputError) as caught:
                surface.read("volts.h5", unit="um", spacing=(1, 1))
            self.assertIn("its heights are in 'V', which is not a length", str(caught.exception))
            self.assertIn("the file says that heights are in V; nm was given", "".join(
                surface.read("volts.h5", unit="um", spacing=(1, 1), height_unit="nm").steps))

    def test_one_row_is_read_again(self):
        with case_folder():
            surface.write(surface.Surface(HEIGHTS[:1], 0.5, 0.5), "a.h5")
            np.testing.assert_array_equal(surface.read("a.h5").heights, HEIGHTS[:1])

    def test_a_file_that_cannot_be_written_is_an_error_of_the_package(self):
        """In a Python of its own: HDF5 itself crashes at a limit of the size of files, which imitates a full disk."""
        code = ("import resource, sys\nfrom slipfield import surface, errors\nimport numpy as np\n"
                "resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)\n"
                "try:\n    surface.write(surface.Surface(np.eye(50), 1, 1), 'a.h5')\n"
                "except errors.Error as error:\n    sys.stderr.write(f'{type(error).__name__}: {error}')\n")
        with case_folder():
            for limit in (100, 3000, 20000):
                done = subprocess.run([sys.executable, "-B", "-c", code, str(limit)], capture_output=True, text=True, timeout=60,
                                      env={**os.environ, "PYTHONPATH": PACKAGE}, check=False)
                self.assertEqual((done.returncode, done.stderr), (0, "Error: a.h5: cannot be written: File too large"))
                self.assertFalse([name for name in os.listdir() if name.startswith("a.h5")])
            with self.assertRaises(Error) as caught:
                surface.write(surface.Surface(HEIGHTS, 1, 1), "none/a.h5")
            self.assertNotIsInstance(caught.exception, InputError)
            self.assertEqual(str(caught.exception), "none/a.h5: cannot be written: No such file or directory")
            with self.assertRaisesRegex(InputError, r"a.txt: a surface is an HDF5 file, .*; accepted: names that end in .h5 or .hdf5"):
                surface.write(surface.Surface(HEIGHTS, 1, 1), "a.txt")

    def test_a_picture_is_called_one(self):
        with case_folder():
            with open("a.PNG", "wb") as file:
                file.write(b"\x89PNG\r\n\x1a\n\0\0")
            with self.assertRaisesRegex(InputError, "a.PNG: is a picture, and its colours are no heights; accepted: "):
                surface.read("a.PNG")

    def test_other_formats_name_the_package_that_reads_them(self):
        if machine.module("SurfaceTopography"):
            self.skipTest("SurfaceTopography is installed")
        with case_folder():
            for name, content in (("a.x3p", b"PK\3\4..."), ("b.sdf", b"aISO-1.0\n"), ("c.opd", b"\1\0Directory")):
                with open(name, "wb") as file:
                    file.write(content)
                with self.assertRaises(InputError) as caught:
                    surface.read(name)
                self.assertIn(f"{sys.executable} -m pip install SurfaceTopography", str(caught.exception))
                self.assertIn(f"{name[1:]} is read by the Python package SurfaceTopography", str(caught.exception))
            with open("d.docx", "wb") as file:  # which nothing reads
                file.write(b"PK\3\4...")
            with self.assertRaisesRegex(InputError, "d.docx: is of no format that slipfield reads itself; many others are read by the Python package"):
                surface.read("d.docx")

    def test_a_package_that_cannot_be_imported_is_not_said_to_be_missing(self):
        with case_folder():
            os.mkdir("SurfaceTopography")
            write(os.path.join("SurfaceTopography", "__init__.py"), "raise ImportError('numpy.core.multiarray failed to import')\n")
            with open("a.x3p", "wb") as file:
                file.write(b"PK\3\4...")
            sys.path.insert(0, os.getcwd())
            loaded = sys.modules.pop("SurfaceTopography", None)
            try:
                with self.assertRaises(InputError) as caught:
                    surface.read("a.x3p")
            finally:
                sys.path.pop(0)
                sys.modules.update({"SurfaceTopography": loaded} if loaded else {})
            self.assertIn(f"which {sys.executable} cannot import: numpy.core.multiarray failed to import", str(caught.exception))

    def test_a_call_that_needs_it_says_what_its_import_raised(self):
        with case_folder():
            write("broken_package.py", "raise AttributeError('_ARRAY_API not found')\n")
            write("needs_another.py", "import nowhere_at_all\n")
            sys.path.insert(0, os.getcwd())
            try:
                for name, says in (("broken_package", "is installed, but importing it raised AttributeError: _ARRAY_API not found; accepted: an environment"),
                                   ("needs_another", "is installed, but importing it raised ModuleNotFoundError: No module named 'nowhere_at_all'"),
                                   ("nowhere_at_all", "is not installed; accepted: `pip install nowhere_at_all`")):
                    with self.subTest(name=name), self.assertRaises(InputError) as caught:
                        imported(f"{name}.part" if name == "nowhere_at_all" else name, "plot()")
                    self.assertIn(f"plot() needs {name}, which {says}", str(caught.exception))
            finally:
                sys.path.pop(0)
            os.mkdir("h5py")
            write(os.path.join("h5py", "__init__.py"), "raise ImportError('libhdf5.so.310: cannot open')\n")
            write("a.xyz", "0 0 0\n")
            done = call("surface", "a.xyz", env=dict(os.environ, SLIPFIELD_PYTHON=sys.executable, PYTHONPATH=os.getcwd()))
            self.assertIn(f"no python3 here has what it takes: {sys.executable} cannot import h5py: ImportError: libhdf5.so.310: cannot open; accepted: "
                          "apt-get install", done.stderr)

    def test_other_formats_are_read_by_that_package(self):
        machine.require(self, "SurfaceTopography")
        package = machine.module("SurfaceTopography")
        made = package.Topography(HEIGHTS[::-1].T, (7 * DX, 5 * DY), unit="µm")  # [x, y], y downwards as in a picture
        with case_folder():
            for name, write_it in (("a.x3p", made.to_x3p), ("b.gwy", made.to_gwy)):
                write_it(name)
                self.read(name)
            package.Topography(HEIGHTS.T, (7 * DX, 5 * DY), unit="µm").to_netcdf("c.nc")  # with coordinates, which rise
            self.read("c.nc")
            masked = package.Topography(np.ma.masked_equal(HEIGHTS, HEIGHTS[1, 2]).T, (7 * DX, 5 * DY), unit="µm")
            masked.to_netcdf("d.nc")
            self.read("d.nc", np.where(HEIGHTS == HEIGHTS[1, 2], np.nan, HEIGHTS))


class Program(unittest.TestCase):
    def surface(self, *arguments, environment=None):
        done = call("surface", *arguments, env=environment or PYTHON)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        return done.stdout

    def refused(self, *arguments, says, code=2, environment=None, **options):
        before = {name: os.stat(name).st_mtime_ns for name in os.listdir()}
        done = call("surface", *arguments, env=environment or PYTHON, **options)
        self.assertEqual((done.returncode, done.stdout), (code, ""), done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn(says, errors_of(done)[0])
        self.assertNotIn(".partial", done.stderr)
        self.assertEqual({name: os.stat(name).st_mtime_ns for name in os.listdir()}, before)

    def test_a_case_reads_what_it_wrote_and_finds_the_same_numbers(self):
        holed = 1e-3 * HEIGHTS
        holed[2, 3] = np.nan
        with case_folder():
            write("scan.txt", rows(holed))
            printed = self.surface("scan.txt", "-o", "scan.h5", "--unit", "um", "--spacing", f"{DX},{DY}", "--level", "plane", "--fill",
                                   "smooth", "--flip", "x")
            self.assertIn("\nsurface written to scan.h5\n", printed)
            self.assertEqual(re.findall("^spectrum, (\\w+) wave", printed, re.M), ["longest", "shortest"])
            self.assertRegex(printed, r"--json has all \d+ wave lengths")
            for step in ("read scan.txt", "flipped: x", "levelled: plane taken off", "filled: 1 sample"):
                self.assertIn(step, printed)
            grid, geometry = re.findall(r"^  (grid: .*|geometry: .*)$", printed, re.M)
            case = ("schema: 1\nunits: N-mm-s\nbodies: {upper: {young_modulus: 2.0e5, poisson_ratio: 0.3}, lower: {young_modulus: 2.0e5, "
                    f"poisson_ratio: 0.3}}}}\n{grid}\n{geometry}\nnormal: {{approach: 1.0e-7}}\n")
            write("case.yaml", case)
            done = call("run", "case.yaml", "-o", "out.h5", "--backend", "cpu")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotIn("apart", done.stderr)  # the file's spacing is the case's
            made = surface.read("scan.h5")
            with h5py.File("out.h5") as file:
                np.testing.assert_array_equal(file["steps/0001/undeformed_distance"][()], made.heights.max() - made.heights)
            expected = surface.fill(surface.level(surface.flip(surface.read("scan.txt", unit="um", spacing=(DX, DY)), "x")))
            np.testing.assert_array_equal(made.heights, expected.heights)
            values = surface.measure(made).values
            checked = json.loads(call("check", "case.yaml", "--json").stdout)["heights"]
            self.assertEqual([each["file"] for each in checked], ["scan.h5"])
            for name in ("rms_height", "rms_slope", "rms_curvature"):
                self.assertAlmostEqual(checked[0][name] / values[name], 1.0, delta=1e-12)
            self.assertIn(f"heights of scan.h5: rms height {values['rms_height']:.4g} mm, rms slope {values['rms_slope']:.4g}, rms curvature "
                          f"{values['rms_curvature']:.4g} 1/mm", call("check", "case.yaml").stderr)
            write("si.yaml", case.replace("N-mm-s", "SI").replace(grid, f"grid: {{elements: [7, 5], spacing: [{DX}e-6, {DY}e-6]}}"))
            done = call("run", "si.yaml", "-o", "si.h5", "--backend", "cpu")
            with h5py.File("si.h5") as file:
                np.testing.assert_allclose(file["steps/0001/undeformed_distance"][()], 1e-3 * (made.heights.max() - made.heights), atol=1e-18)

    def test_the_file_says_where_the_heights_are_from(self):
        with case_folder():
            write("scan.txt", rows(HEIGHTS))
            self.surface("scan.txt", "-o", "scan.h5", "--unit", "nm", "--spacing", "20,30", "--to", "um", "--height-factor", "2")
            with open("scan.txt", "rb") as file:
                content = file.read()
            with h5py.File("scan.h5") as file:
                self.assertEqual((file.attrs["source"], file.attrs["source_bytes"]), ("scan.txt", len(content)))
                self.assertEqual(file.attrs["source_sha256"], hashlib.sha256(content).hexdigest())
                steps = json.loads(file.attrs["steps"])
                self.assertEqual(steps[1], "rescaled: heights times 2")
                self.assertEqual(file["heights"].attrs["units"], "um")
                np.testing.assert_allclose(file["heights"][()], 2e-3 * HEIGHTS)
                np.testing.assert_allclose(file["x"][()], 20e-3 * (np.arange(7) - 3))
                self.assertEqual(file["heights"].dims[1][0], file["x"])

    def test_json_is_one_document_also_of_a_mistake(self):
        with case_folder():
            write("scan.txt", rows(HEIGHTS))
            document = json.loads(self.surface("scan.txt", "--unit", "mm", "--spacing", "9,9", "--json", "-o", "scan.h5"))
            self.assertEqual((document["output"], document["plot"], document["bytes"]), ("scan.h5", None, os.path.getsize("scan.txt")))
            self.assertAlmostEqual(document["measures"]["rms_height"], HEIGHTS.std(), delta=1e-15)
            for arguments in (("scan.txt",), ("none.txt",), ("scan.txt", "--levle", "plane")):
                done = call("surface", *arguments, "--json", env=PYTHON)
                self.assertEqual((done.returncode, json.loads(done.stdout)["exit_code"]), (2, 2))

    def test_nothing_of_the_users_is_overwritten(self):
        with case_folder():
            given = ("--unit", "mm", "--spacing", "9,9")
            write("scan.txt", rows(HEIGHTS))
            write("mine.h5", "mine")
            with h5py.File("other.h5", "w") as file:
                file["heights"] = HEIGHTS
            os.symlink("other.h5", "link.h5")
            for name, says in (("mine.h5", "not a surface of slipfield"), ("other.h5", "not a surface of slipfield"),
                               ("scan.h5.txt", "accepted: names that end in .h5"), ("no/scan.h5", "there is no folder no")):
                self.refused("scan.txt", "-o", name, *given, "--overwrite", says=says)
            self.refused("other.h5", "-o", "link.h5", *given, "--overwrite", says="the command reads this file")
            self.refused("scan.txt", "--plot", "mine.h5", *given, "--overwrite", says="accepted: names that end in .png")
            self.surface("scan.txt", "-o", "scan.h5", *given)
            self.refused("scan.txt", "-o", "scan.h5", *given, says="use --overwrite")
            self.surface("scan.txt", "-o", "scan.h5", *given, "--flip", "x", "--overwrite")
            np.testing.assert_array_equal(surface.read("scan.h5").heights, HEIGHTS[:, ::-1])
            with self.assertRaises(InputError) as caught:
                surface.write(surface.read("scan.h5"), "other.h5", overwrite=True)
            self.assertIn("is not a surface of slipfield", str(caught.exception))
            with self.assertRaises(InputError) as caught:
                surface.write(surface.read("scan.h5"), "scan.h5")
            self.assertIn("exists already", str(caught.exception))

    def test_mistakes_are_one_sentence_and_leave_nothing(self):
        with case_folder():
            write("scan.txt", rows(HEIGHTS).replace(rows(HEIGHTS[:1, :1]).strip(), "nan"))
            given = ("--unit", "mm", "--spacing", "1,1")
            for arguments, says in (
                    (("none.txt",), "none.txt: there is no such file"), (("scan.txt",), "how far its samples are apart"),
                    (("scan.txt", "-o", "a.h5", *given), "1 of 35 samples were not measured, and a case needs all; accepted: --fill smooth"),
                    (("scan.txt", *given, "--crop", "1,2"), '--crop: "1,2" is not understood; accepted: numbers X0,X1,Y0,Y1'),
                    (("scan.txt", *given, "--crop", "8,9,0,1"), "which lie at 0 to 6"),
                    (("scan.txt", "--unit", "mm", "--spacing", "a,1"), "accepted: numbers DX,DY"),
                    (("scan.txt", *given, "--level", "cone"), "'cone' is not a form"), (("scan.txt", *given, "--fill", "x"), "accepted: smooth, lowest"),
                    (("scan.txt", *given, "--flip", "x,z"), "'z' is not a direction"), (("scan.txt", *given, "--missing", "x"), "--missing"),
                    (("scan.txt", *given, "--to", "furlong"), "to: 'furlong' is not a unit of length"), (("scan.txt", "--levl", "x"), "--level")):
                self.refused(*arguments, says=says)

    def test_a_full_disk_is_exit_code_3_with_name_and_reason(self):
        def full():  # imitated by a limit of the size of files
            resource.setrlimit(resource.RLIMIT_FSIZE, (2500, 2500))
        given = ("--unit", "mm", "--spacing", "1,1")
        with case_folder():
            write("scan.txt", rows(HEIGHTS))
            self.refused("scan.txt", "-o", "scan.h5", *given, says="scan.h5: cannot be written: File too large", code=3, preexec_fn=full)
            machine.require(self, "matplotlib.figure")
            self.refused("scan.txt", "--plot", "scan.png", *given, says="scan.png: cannot be written: File too large", code=3, preexec_fn=full)

    @machine.needs("/dev/full")
    def test_a_full_standard_output_is_an_error(self):
        with case_folder(), open("/dev/full", "w", encoding="utf-8") as full:
            write("scan.txt", rows(HEIGHTS))
            done = subprocess.run([PROGRAM, "surface", "scan.txt", "--unit", "mm", "--spacing", "9,9"], stdout=full, stderr=subprocess.PIPE,
                                  text=True, timeout=60, env=PYTHON, check=False)
            self.assertEqual((done.returncode, done.stderr), (3, "error: standard output: cannot be written: No space left on device\n"))

    def test_a_warning_is_printed_and_in_the_document(self):
        with case_folder():
            write("scan.txt", rows(np.where(HEIGHTS == HEIGHTS.max(), -9999.0, HEIGHTS)))
            done = call("surface", "scan.txt", "--unit", "mm", "--spacing", "9,9", "--json", env=PYTHON)
            warning, slope = json.loads(done.stdout)["warnings"]
            self.assertIn("scan.txt: the value -9999 in 1 place, first in row ", warning)
            self.assertIn("scan.txt: the rms slope is ", slope)  # of the fill value
            self.assertEqual((done.returncode, done.stderr), (0, f"warning: {warning}\nwarning: {slope}\n"))
            self.surface("scan.txt", "--unit", "mm", "--spacing", "9,9", "--missing", "-9999")  # none: nothing on stderr

    def test_slopes_that_no_half_space_or_no_finish_has_are_warned_of(self):
        """The rms slope of a sinusoid is its amplitude k/sqrt(2), in whatever units heights and distances are."""
        wave = np.cos(2.0 * np.pi * np.arange(64) / 32)[None, :] * np.ones((5, 1))  # k = 2 pi/32 of a sample
        with case_folder():
            write("scan.txt", rows(0.1 * wave))
            self.surface("scan.txt", "--unit", "um", "--spacing", "1,1")  # rms slope 0.014: no warning
            for height, says in (("mm", "the rms slope is 13.9 over 64 x 5 um, and elastic half-spaces have slopes far below 1; probably"),
                                 ("pm", "the rms slope is 1.39e-08 over 64 x 5 um, less than the finest finish has")):
                done = call("surface", "scan.txt", "--unit", "um", "--to", "um", "--height-unit", height, "--spacing", "1,1", "--periodic", env=PYTHON)
                self.assertEqual(done.returncode, 0, done.stderr)
                (line,) = done.stderr.splitlines()
                self.assertIn(f"warning: scan.txt: {says}", line)
                self.assertIn("(--height-unit)", line)
            write("flat.txt", rows(0.0 * wave))
            self.surface("flat.txt", "--unit", "um", "--spacing", "1,1")
            write("plane.txt", rows(np.arange(64.0)[None, :] + np.arange(5.0)[:, None]))
            self.surface("plane.txt", "--unit", "um", "--height-unit", "nm", "--spacing", "1,1", "--level", "plane")  # rounding has no slope

    def test_without_python_one_sentence_says_what_to_install(self):
        with case_folder():
            write("scan.txt", rows(HEIGHTS))
            self.refused("scan.txt", code=3, environment={**os.environ, "SLIPFIELD_PYTHON": "/none"},
                         says="accepted: apt-get install python3-numpy python3-h5py python3-matplotlib")

    def test_a_figure_is_drawn(self):
        machine.require(self, "matplotlib.figure")
        with case_folder():
            write("scan.txt", rows(of(lambda x, y: np.cos(20 * x) * np.sin(9 * y)).heights))
            self.assertIn("figure written to scan.png", self.surface("scan.txt", "--unit", "um", "--spacing", "1,2", "--plot", "scan.png"))
            with open("scan.png", "rb") as file:
                head = file.read(24)
            self.assertEqual(head[:8], b"\x89PNG\r\n\x1a\n")
            width, height = struct.unpack(">II", head[16:])
            self.assertTrue(600 < width < 4000 and 300 < height < 4000, (width, height))

    def test_the_options_are_those_of_the_package(self):
        listed = set(re.findall(r"^  .*?(--[\w-]+)", call("surface", "--help").stdout, re.M))
        with open(os.path.join(PACKAGE, "slipfield", "surface", "__main__.py"), encoding="utf-8") as file:
            known = set(re.findall(r'"(--[\w-]+)"', file.read()))
        self.assertEqual(listed - known, {"--help"})
        self.assertEqual(known - listed, {"--named", "--plot-named"})


if __name__ == "__main__":
    machine.run_tests()
