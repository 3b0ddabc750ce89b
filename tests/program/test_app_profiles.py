# SPDX-License-Identifier: Apache-2.0
"""Profiles as other programs write them give the numbers of the same profiles; wheels and rails of every kind run."""
import json
import math
import os
import shutil
import sys
import unittest

import machine  # noqa: F401

from program import BACKEND, call, case_folder

PROFILES = os.path.join(os.path.abspath(sys.argv[2]), "profiles")
CASE = """\
schema: 1
units: N-mm-s
bodies: {{wheel: {{shear_modulus: 82000, poisson_ratio: 0.28}}, rail: {{shear_modulus: 82000, poisson_ratio: 0.28}}}}
friction: {{coefficient: 0.3}}
wheel_rail:
  side: right
  wheel: {wheel}
  rail: {rail}
  track: {track}
  wheelset: {wheelset}
  vertical_force: {force}
  spacing: {spacing}
"""
CONTACT_MODULUS = 82000 / (1 - 0.28)  # 2 G (1 + nu) / (2 (1 - nu^2)) of two bodies


def write(name, text, encoding="utf-8"):
    with open(name, "w", encoding=encoding, newline="\n") as file:
        file.write(text)


def simpack_points(name):
    """y and z of a SIMPACK file in the canonical form: its own mirror.y done."""
    points, inside, sign = [], False, 1.0
    with open(os.path.join(PROFILES, name), encoding="utf-8") as file:
        for line in file:
            words = line.split("!")[0].replace("=", " ").split()
            if words[:1] == ["mirror.y"] and float(words[1]) != 0.0:
                sign = -1.0
            inside = "point.begin" in line or (inside and "point.end" not in line)
            if inside and len(words) > 1:
                points.append((float(words[0]), float(words[1])))
    return [(sign * y, z) for y, z in points]


def case(wheel, rail, track="{gauge: 1435, gauge_height: 14}", wheelset="{y: 1, velocity: {x: 2000}}", force=10000,
         spacing="[0.4, 0.4]"):
    write("case.yaml", CASE.format(wheel=wheel, rail=rail, track=track, wheelset=wheelset, force=force, spacing=spacing))


def contact(*arguments):
    """The first contact of a run, and what it warned of."""
    done = call("run", "case.yaml", "--overwrite", "--backend", BACKEND, "--json", *arguments)
    if done.returncode != 0:
        raise AssertionError(done.stdout + done.stderr)
    document = json.loads(done.stdout)
    return document["steps"][0]["contacts"][0], done.stderr


def table(points, separator=" ", digits=6):
    return "".join(f"{y:.{digits}f}{separator}{z:.{digits}f}\n" for y, z in points)


class Formats(unittest.TestCase):
    def test_the_manchester_profiles_are_the_same_in_every_format(self):
        wheel, rail = (simpack_points(name) for name in ("MBench_S1002_v3.prw", "MBench_UIC60_v3.prr"))
        mirrored = [(-y, z) for y, z in wheel], [(-y, z) for y, z in rail]

        def in_inches(points):
            return [(y / 25.4, z / 25.4) for y, z in points]

        def vampire(points, origin, up):
            return "".join(f"{-y - origin:.6f} {up * z:.6f} {y + origin:.6f} {up * z:.6f}\n" for y, z in points)

        gauge_point = -43.032558  # of this rail, where VAMPIRE's is at half the gauge
        files = {
            "table": (("w.txt", table(wheel), ""), ("r.txt", table(rail), "")),
            "commas and names": (("w.csv", "z [mm],y [mm]\n" + table([(z, y) for y, z in wheel], ","), ""),
                                 ("r.csv", "y,z\n" + table(rail, ","), "")),
            "inches": (("w.txt", table(in_inches(wheel), digits=9), ", unit: inch"),
                       ("r.txt", table(in_inches(rail), digits=9), ", unit: inch")),
            "Fortran": (("w.dat", table(wheel).replace("\n", "D+00\n").replace(" ", "D+00 "), ""),
                        ("r.dat", "\ufeff" + table(rail).replace("\n", "d0\n"), "")),
            "MiniProf": (("w.whl", "MINIPROF 101 148 1994 3 24\nname.prd\n\n" + table(mirrored[0]), ", mirror_y: true"),
                         ("r.mpt", "Xoffset=2.0\nYOFFSET=1\nColumndef=X,Y,A\n\n" +
                          "".join(f"{y - 2:.6f} {z - 1:.6f} 7\n" for y, z in mirrored[1]), ", mirror_y: true")),
            "VAMPIRE": (("w.whe", "WHEELPROFILE\nS1002\nTREADDATUM EUROPEAN\nFLANGEBACK 1360.0\n" + vampire(wheel, 750.0, 1), ""),
                        ("r.rai", "RAILPROFILE\nUIC 60\nGAUGEPOINT EUROPEAN\nGAUGE 1435.0\n" +
                         vampire(rail, 717.5 - gauge_point, -1), "")),
            "GENSYS": (("w.wheel", table(mirrored[0]), ", mirror_y: true"), ("r.rail", table(mirrored[1]), ", mirror_y: true")),
            "z up": (("w.txt", table([(y, -z) for y, z in wheel]), ""), ("r.txt", table([(y, -z) for y, z in rail]), "")),
        }
        with case_folder():
            case(f"{{profile: {PROFILES}/MBench_S1002_v3.prw}}", f"{{profile: {PROFILES}/MBench_UIC60_v3.prr}}")
            wanted, _ = contact()
            for name, pair in files.items():
                for file, text, _ in pair:
                    write(file, text)
                case(*(f"{{profile: {file}{keys}}}" for file, _, keys in pair))
                found, warnings = contact()
                for key, tolerance in (("track_y", 1e-4), ("contact_angle", 1e-5), ("normal_force", 0.1),
                                       ("max_pressure", 0.1)):  # points of 6 digits; .1 of 1300 N/mm2
                    self.assertLess(abs(found[key] - wanted[key]), tolerance, f"{name}: {key}")
                self.assertNotIn("profile:", warnings, name)

    def test_text_of_a_spreadsheet_in_utf_16_is_read(self):
        with case_folder():
            write("w.txt", "\ufeff" + table(simpack_points("MBench_S1002_v3.prw"), "\t"), "utf-16-le")
            case("{profile: w.txt}", f"{{profile: {PROFILES}/MBench_UIC60_v3.prr}}")
            done = call("check", "case.yaml")
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_check_says_by_what_z_was_found_and_where_the_gauge_is(self):
        with case_folder():
            write("w.txt", table([(y, -z) for y, z in simpack_points("MBench_S1002_v3.prw")]))
            case("{profile: w.txt}", f"{{profile: {PROFILES}/MBench_UIC60_v3.prr}}")
            said = call("check", "case.yaml").stderr
            self.assertRegex(said, r"wheel: .*; z points up by the shape \(the flange, .* mm wide, is at less z than the "
                                   r"tread\), and is mirrored; mirror_z: false leaves it")
            self.assertIn("gauge: measured at y = -43.03 mm of the rail's profile", said)


class Kinds(unittest.TestCase):
    def pressure(self, force, radius):
        return (6 * force * CONTACT_MODULUS ** 2 / (math.pi ** 3 * radius ** 2)) ** (1 / 3)

    def test_a_crowned_wheel_on_a_flat_roller_has_hertz_pressure(self):
        # Rolling radii 400 and 500, a crown with the same relative radius: a circular contact.
        radius = 1 / (1 / 400 + 1 / 500)
        with case_folder():
            crown = [(0.5 * i - 40, math.sqrt(radius ** 2 - (0.5 * i - 40) ** 2) - radius) for i in range(161)]
            write("crown.txt", table(crown))
            write("flat.txt", table([(i - 60.0, 0.0) for i in range(121)]))
            case("{profile: crown.txt, mirror_z: false}", "{profile: flat.txt, mirror_z: false}",
                 "{rail_origin: [750, 0], roller: {radius: 500, pitch: 4}}",
                 "{nominal_radius: 400}", 20000, "[0.1, 0.1]")
            found, warnings = contact()
            # Half-spaces of some 50 elements across: .3 % of the pressure.
            self.assertLess(abs(found["max_pressure"] / self.pressure(20000, radius) - 1), 0.005)
            self.assertLess(abs(found["track_y"] - 750), 0.05)
            self.assertNotIn("warning", warnings)
            # The other way round: a roller measured like a wheel, crowned, under a cylindrical wheel.
            write("roller.whl", "MINIWHEELPROF 1\n\n" + table(crown))
            case("{profile: flat.txt, mirror_z: false}", "{profile: roller.whl, mirror_y: false, mirror_z: true}",
                 "{rail_origin: [750, 0], roller: {radius: 500, pitch: 4}}",
                 "{nominal_radius: 400}", 20000, "[0.1, 0.1]")
            turned, _ = contact()
            self.assertLess(abs(turned["max_pressure"] / found["max_pressure"] - 1), 0.002)

    def test_each_of_two_measured_rollers_has_its_radius(self):
        radius = 1 / (1 / 400 + 1 / 500)
        with case_folder():
            write("crown.txt", table([(0.5 * i - 40, math.sqrt(radius ** 2 - (0.5 * i - 40) ** 2) - radius) for i in range(161)]))
            write("flat.txt", table([(i - 60.0, 0.0) for i in range(121)]))
            case("{profile: crown.txt, mirror_z: false}", "{profile: flat.txt, mirror_z: false, left: {shift: [0, -0.5]}}",
                 "{rail_origin: [750, 0], roller: {radius: 500, pitch: 4}}",
                 "{nominal_radius: 400, velocity: {pitch: -5}}", 20000, "[0.2, 0.2]")
            done = call("run", "case.yaml", "--backend", BACKEND, "--json", "--set", "wheel_rail.side=both")
            self.assertEqual(done.returncode, 0, done.stderr)
            left, right = json.loads(done.stdout)["steps"][0]["contacts"]
            # The left roller is .5 mm larger, of 500: rail less wheel, forwards, over the mean of both.
            self.assertLess(abs(left["creepage_x"] + 0.5 / 500.25), 1e-6)
            self.assertLess(abs(right["creepage_x"]), 1e-6)

    def test_the_gauge_of_a_grooved_rail_is_that_of_the_face_asked_for(self):
        def line(corners):
            points = []
            for (ya, za), (yb, zb) in zip(corners, corners[1:]):
                parts = int(math.hypot(yb - ya, zb - za) / 0.5)
                points += [(ya + (yb - ya) * i / parts, za + (zb - za) * i / parts) for i in range(parts)]
            return points
        head = [(0.5 * i - 30, (0.5 * i - 30) ** 2 / 600) for i in range(121)]
        grooved = line([(-92, 30), (-92, 9), (-76, 9), (-74, 45), (-37, 45), (-32, 14), (-30, 1.5)]) + head + line(
            [(30.5, 2), (34, 12), (34, 25)])
        with case_folder():
            write("crown.txt", table([(0.5 * i - 25, -(0.5 * i - 25) ** 2 / 800) for i in range(101)]))
            write("grooved.txt", table(grooved))
            places = {}
            for face in ("auto", "head", "lip", "[-36, 33]"):
                case("{profile: crown.txt, mirror_z: false}", "{profile: grooved.txt}",
                     f"{{gauge: 1435, gauge_height: 10, gauge_face: {face}}}",
                     "{flange_back_distance: 1360, y: %s, velocity: {x: 1000}}" % (60 if face == "lip" else 0), 20000)
                said = call("check", "case.yaml").stderr
                places[face] = float(said.split("gauge: measured at y = ")[1].split(" mm")[0])
                found, _ = contact("--set", "wheel_rail.spacing=[1, 1]")
                # The wheel's crown is where the head's is, or nearly: they touch between the two.
                origin = 717.5 - places[face]
                self.assertLess(abs(found["track_y"] - origin), 40, face)
            self.assertLess(abs(places["head"] + 31.4), 0.2)
            self.assertEqual(places["auto"], places["head"])
            self.assertEqual(places["[-36, 33]"], places["head"])
            self.assertLess(abs(places["lip"] + 92), 0.1)


class SlicesOfASweep(unittest.TestCase):
    def test_the_case_of_a_sweep_over_slices_reads_from_any_folder(self):
        rail = os.path.join(PROFILES, "MBench_UIC60_v3.prr")
        with case_folder(CASE.format(wheel=f"{{profile: {os.path.join(PROFILES, 'MBench_S1002_v3.prw')}}}",
                                     rail="{profile: [rails/a.prr, rails/b.prr], position: [0, 100]}", track="{rail_origin: [760.5, 0]}",
                                     wheelset="{velocity: {x: 2000}}", force=10000, spacing="[1, 1]")
                         + "sweep: [{key: wheel_rail.wheelset.x, values: [0, 50]}]\n") as folder:
            os.mkdir("rails")
            for name in ("a.prr", "b.prr"):
                shutil.copy(rail, os.path.join("rails", name))
            self.assertEqual(call("run", "case.yaml", "-o", "out.h5", "--backend", "cpu", "-q").returncode, 0)
            document = json.loads(call("inspect", "out.h5", "--json").stdout)
            self.assertIn(os.path.join(os.path.realpath(folder), "rails", "b.prr"), document["case"].replace(folder, os.path.realpath(folder)))
            os.mkdir("elsewhere")
            write("elsewhere/again.yaml", document["case"])
            done = call("run", "elsewhere/again.yaml", "-o", "again.h5", "--backend", "cpu", "-q")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(call("compare", "out.h5", "again.h5", "--tolerance", "1e-300").returncode, 0)


if __name__ == "__main__":
    machine.run_tests()
