# SPDX-License-Identifier: Apache-2.0
"""slipfield convert: pairs of control digits of CONTACT. Each file converts and runs; files that say the same
in two ways have the same numbers, and what cannot be stated is refused with its line. It takes 4 s, for 110 runs."""
import functools
import json
import math
import os
import re
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "program"))
import machine  # noqa: E402
from program import call, case_folder, rounds  # noqa: E402

MX, MY = 13, 10
GRID = (-6.5, -4.0, 1.0, 0.8)  # XL, YL, DX, DY
STEEL = ".28 .28 82000. 82000."
BASE = ".0015 0. .0035 0. 0. 0."  # touches in about 4.5 x 2.6
ELLIPSE = (4.0, 2.5)
HEAT = " 20. 450. .05 7.85e-6   BKTEMP, HEATCP, LAMBDA, DENS\n 20. 450. .05 7.85e-6\n"


def centres():
    for iy in range(MY):
        for ix in range(MX):
            yield GRID[0] + (ix + .5) * GRID[2], GRID[1] + (iy + .5) * GRID[3]


def inp(**given):
    """One case in the order of CONTACT's lines, its digits and numbers by their names."""
    v = dict(P=2, B=0, T=3, N=1, F=0, S=0, V=0, L=0, D=2, C=2, M=0, Z=2, E=0, X=0, H=0, G=0, R=1,
             load="20000.", x="8d-4", y="0.", spin="0.", centre="", friction=".3 .3", memory="0. 1.",
             rolling="0d 1. 30000.", bodies=STEEL, sheet="1e-6", creep="1. 1. 0. 0.", slope="1. 1. 1.",
             flx="1e-4", layer="1000. .02 0. 0.", relax=".5 1. 1 1.1", betapl="1.", ipotcn=1,
             area=" ".join(map(str, GRID)), iplan="1", base=BASE, plan="", slip="", points="")
    v.update(given)
    lines = ["3 MODULE", "{P}{B}{T}{N}{F}{S}", "{V}{L}{D}{C}{M}{Z}{E}", "{X}{H}{G}0014{R}"]
    if v["X"] == 1:
        lines.append("0000000  PSFLCIN")
    if v["G"] != 1:
        lines.append("200 30 30 10 1d-7  MAXGS, MAXIN, MAXNR, MAXOUT, EPS")
    if v["G"] in (2, 3):
        lines.append("{relax}")
    if v["G"] == 4:
        lines.append("1 1.1")
    lines.append("{load} {x} {y} {spin} {centre}")
    row = "{friction}"
    if v["V"] == 0 and v["L"] != 1:
        lines.append(row)
        lines.extend(["{memory}"] if v["L"] >= 2 else [])
    if v["C"] >= 2:
        lines.extend(["{rolling}"] if v["T"] >= 2 else [])
        lines.append("{bodies}")
        lines.extend(["{sheet}"] if v["B"] == 1 else [])
        lines.extend({1: ["{creep}"], 2: ["{flx} {slope}"], 3: ["{slope}"], 5: ["{slope}"],
                      4: ["{layer}"]}.get(v["M"], []))
    if v["H"] == 3:
        lines.append(HEAT.rstrip("\n"))
        lines.extend(["{betapl}"] if v["M"] == 4 else [])
    if v["D"] == 2:
        lines.extend(["{ipotcn}", f"{MX} {MY} {{area}}"])
    if v["Z"] == 2 and v["ipotcn"] > 0:
        lines.extend(["1 {iplan}", "{base}"])
        lines.extend(["{plan}"] if v["plan"] else [])
    if v["V"] != 0 and v["L"] != 1:
        lines.append(row)
        lines.extend(["{memory}"] if v["L"] >= 2 else [])
    lines.extend(["{slip}"] if v["E"] == 9 else [])
    lines.extend(["{points}"] if v["S"] >= 2 else [])
    return "".join(f" {line}\n".format(**v) for line in lines)


def rows(row):
    return "\n ".join([row] * MY)


def kept(**given):
    """A case that keeps all that it can."""
    return inp(**{**dict(C=0, D=0, Z=0, L=1, G=1), **given})


EXPONENTIAL = dict(L=4, friction=".18 .12 100. 0. 0.", G=4)
WARM = dict(L=6, friction=".3 20. -.15 200.", H=3)
FAST = dict(ipotcn=-3, area=f"{ELLIPSE[0]} {ELLIPSE[1]} 1.1", rolling="180d .5 3d4")
FASTSIM = dict(M=3, B=3, **FAST)
FASTRIP = dict(M=5, B=2, **FAST)
SPIN = "\n ".join(f"{-2e-4 * y} {2e-4 * (x + 1.0 / 6.0)}" for x, y in centres())

# Pairs of files that mean the same, apart from rounding.
SAME = {
    "V = 3 with equal rows": (inp(x=".4", F=1), inp(V=3, F=1, x=".12", friction=rows(".3 .3"))),
    "V = 3 with equal rows of a law": (inp(**EXPONENTIAL),
                                       inp(V=3, **{**EXPONENTIAL, "friction": rows(".18 .12 100. 0. 0.")})),
    "two terms of one law": (inp(**EXPONENTIAL), inp(L=4, friction=".18 .05 100. .07 100.", G=4)),
    "L = 6 with equal rows": (inp(x=".02", **WARM), inp(x=".02", V=3, **{**WARM, "friction": rows(WARM["friction"])})),
    "L = 6 that stays cold": (inp(x=".02"), inp(x=".02", **{**WARM, "friction": ".3 2d4 -.15 200."})),
    "E = 9 instead of spin": (inp(spin="2e-4"), inp(E=9, slip=SPIN)),
    "E = 1 after E = 2 has all of the spin": (inp(spin="2e-4"),
                                              inp(E=2, spin="2e-4") + kept(E=1, spin="2e-4")),
    "E = 1 after E = 9 keeps it": (inp(E=9, slip=SPIN), inp(E=9, slip=SPIN) + kept(E=1)),
    "SPINXO, SPINYO": (inp(x="1e-3", y="2e-4", spin="2e-4"),
                       inp(x="8e-4", y="0.", spin="2e-4", centre="-1. 1.")),
    "FACPHI of a sixth": (inp(spin="2e-4"), inp(spin="2e-4", rolling="0. 1. 3D4 .16666667")),
    "TC = 0 is rubber at rest": (inp(bodies=".28 .28 41000. 41000."), inp(M=1)),
    "FG = 0 is no rubber": (inp(), inp(M=1, creep="0. 0. .01 .01")),
    "LAYTHK of 0": (inp(), inp(M=4, layer="1000. 0. 0. 0.")),
    "no yield from 1e10 on": (inp(M=4), inp(M=4, layer="1000. .02 1d10 0.")),
    "IPOTCN 2": (inp(), inp(ipotcn=2, area="-6.5 -4. 6.5 4.")),
    "IPOTCN 3": (inp(), inp(ipotcn=3, area="-6. -3.6 1. .8")),
    "IPOTCN 4": (inp(), inp(ipotcn=4, area="-6. -3.6 6. 3.6")),
    "IPLAN = 4 with weights of 1": (
        inp(iplan="3", plan="-6.5 0. -4. 4. 1. 6.5 -4. 4."),
        inp(iplan="4", plan="2\n -6.5 0. -4. 4.\n 1. 6.5 -4. 4.\n 1.")),
    "M and B without motion": (inp(T=0), inp(T=0, M=3, slope="1. 1. 1.")),
    "G = 1 after G = 2 keeps its step": (inp(G=2, rolling="0d .5 3d4"),
                                         inp(G=2, rolling="0d .5 3d4") + kept(T=3)),
    "M = 4 with T = 2 goes on by DX": (inp(T=2, M=4), inp(T=2, M=4, rolling="0d .4 3d4")),
    "R = 0 and R = 1": (inp() + kept(x="9d-4"), inp(R=0) + kept(x="9d-4").replace(" 3 MODULE\n", "")),
    "P of steady rolling": (inp() + kept(x="9d-4"), inp(P=0) + kept(P=0, x="9d-4")),
    "comments, commas and remarks": (inp(T=1, x=".004"),
                                     inp(T=1, x=".004").replace("20000. .004", "% FN\n 2.D+4, , = 4.d-3\n\n")),
    "FASTSIM: one ellipse for another force": (
        inp(**FASTSIM, load="30000."), inp(**FASTSIM) + kept(M=3, B=3, load="30000.", ipotcn=-3)),
    "FASTSIM: E = 1 after E = 3": (inp(spin="4e-4", **FASTSIM),
                                   inp(spin="4e-4", E=3, **FASTSIM) + kept(M=3, B=3, E=1, spin="4e-4", ipotcn=-3)),
    "FASTSIM: FLX and E = 9": (
        inp(**{**FASTSIM, "M": 2}), inp(**{**FASTSIM, "M": 2, "x": "0.", "E": 9, "slip": "8d-4 0. " * MX * MY})),
    "FaStrip: E = 3 without spin": (inp(y="1e-3", **FASTRIP), inp(y="1e-3", E=3, **FASTRIP)),
}

# Runs, with a number that follows from the input.
RUNS = {
    "FX F_n with N = 0 and V = 3": (inp(N=0, F=2, V=3, load=".05", x=".05", y="-.02", friction=rows(".3 .3")),
                                    lambda s: s["force_x"] / s["normal_force"], .05),
    "FX FREF F_n with N = 0 and L = 6": (inp(N=0, F=1, load=".05", x=".5", **WARM),
                                         lambda s: s["force_x"] / s["normal_force"], .15),
    "FX F_n with V = 2": (inp(F=1, V=2, x=".05", friction=rows(".3 .3")),
                          lambda s: s["force_x"] / 20000.0, .05),
    "FSTAT above FKIN": (inp(x=".05", friction=".3 .2"), lambda s: abs(s["force_x"]) / 20000.0, .2),
    "FSTAT above FKIN in a shift": (inp(T=1, x=".2", friction=".3 .2"),
                                    lambda s: abs(s["force_x"]) / 20000.0, .2),
    "SABSH of 0": (inp(x=".05", L=3, friction=".2 .1 0. 0. 0."), lambda s: abs(s["force_x"]) / 20000.0, .2),
    "V = 3 with rows of FSTAT and FKIN": (inp(x=".05", V=3, friction=rows(".3 .2")),
                                          lambda s: abs(s["force_x"]) / 20000.0, .2),
    "L = 6 with memory": (inp(x=".02", memory=".01 1.", **WARM),
                          lambda s: .15 * 2e4 < abs(s["force_x"]) < .3 * 2e4, True),
    "FASTSIM with a sheet": (inp(**{**FASTSIM, "B": 1}, x=".05"), lambda s: abs(s["force_x"]) / 2e4, .3),
    "FASTSIM with computed pressure and heat": (inp(M=3, B=0, H=3, x=".05"),
                                                lambda s: abs(s["force_x"]) / 6e3, 1.0),
    "FASTSIM with forces, E = 2 and a centre": (
        inp(**FASTSIM, F=1, x="-.6", spin="3e-4", E=2, centre="1. .5"), lambda s: s["force_x"] / 6e3, -.6),
    "FaStrip with a force": (inp(**FASTRIP, F=1, x=".5"), lambda s: s["force_x"] / 6e3, .5),
    "FaStrip with B = 0": (inp(M=5, B=0, x=".05"), lambda s: abs(s["force_x"]) / 6e3, 1.0),
    "FaStrip with KPEC": (inp(M=5, B=5, N=0, load=".05", x=".05"),
                          lambda s: abs(s["force_x"]) / s["normal_force"], .3),
    "Modified FASTSIM with a falling law": (
        inp(M=3, B=3, slope=".54 .02 .62", **FAST, L=2, friction=".1 .2 100. 0. 0.", x=".05"),
        lambda s: round(abs(s["force_x"]) / 2e4, 2), .1),
    "BETAPL": (inp(M=4, H=3, betapl=".4", layer="1000. .02 50. 0.", x=".02"),
               lambda s: s["max_temperature"] > 20.0, True),
    "rolling backwards along y is along x": (inp(rolling="90d 1. 3d4", x=".05"),
                                             lambda s: abs(s["force_x"]) / 2e4, .3),
    "a shift, then transient steps": (inp(T=1, F=1, x="-.6") + kept(P=0, T=2, C=2, F=1, x="-.6") +
                                      kept(P=0, T=2, F=1, x="-.6"), lambda s: s["force_x"] / 6e3, -.6),
    "points inside": (inp(S=3, points="2 0 MATFIL\n 6\n 1 2 13\n 5 1 5\n 2\n -1. -.5\n 0 ISUBS"),
                      lambda s: s["normal_force"] / 2e4, 1.0),
}

# Refused, with the first line of the reason.
REFUSED = {
    "bilinear": (inp(C=3), r":3:5: C = 3: "),
    "FASTSIM in a shift": (inp(T=1, **{**FASTSIM, "rolling": ""}), r":2:4: T = 1: FASTSIM and FaStrip"),
    "rubber without motion": (inp(M=1, T=0), r":2:4: T = 0: viscoelastic bodies"),
    "FASTSIM and rows that differ": (inp(V=3, friction=rows(".3 .3")[:-2] + ".2 .2", **FASTSIM), r":3:2: V = 3"),
    "slip of elements in FaStrip": (inp(E=9, slip="0. 0. " * MX * MY, **FASTRIP), r":3:8: E = 9"),
    "a line contact by its approach": (inp(N=0, load=".05", ipotcn=-5, area="4. 3. 1."), r":2:5: N = 0"),
    "temperature without heat": (inp(L=6, friction=".3 20. -.1 100."), r":3:3: L = 6"),
    "FKIN above FSTAT": (inp(friction=".2 .3"), r":7:5: FKIN: 0.3 differs"),
    "temperature in FASTSIM": (inp(**FASTSIM, **WARM), r":3:3: L = 6: FASTSIM and FaStrip"),
    "a negative coefficient": (inp(**{**WARM, "friction": ".1 20. -.2 100."}), r"DFHEAT: makes"),
    "BETAPL above 1": (inp(M=4, H=3, betapl="1.4"), r"BETAPL: '1.4' is out of range"),
    "two terms, one of them at once": (inp(L=2, friction=".1 .1 100. .1 0."), r"SABSH2: is not positive"),
    "SDEC in an ellipse": (inp(**{**FASTSIM, "B": 4}), r":2:3: B = 4"),
    "KPEC with a force": (inp(M=3, B=5), r":2:5: N = 1"),
    "tractions of another grid": (inp(T=1) + inp(P=0, T=1, area="-6.5 -4. 1. .7"), r"P = 0: continues"),
    "a word for a number": (inp(load="2o000."), r":6:2: FN: '2o000.' is not a number"),
    "a file that ends": (inp()[:-40], r"missing, for the file ends here"),
}


@functools.lru_cache(maxsize=None)
def run(text, name="case"):
    """The last step of all files that the input becomes."""
    with open(name + ".inp", "w", encoding="utf-8") as file:
        file.write(text + " 0 MODULE\n")
    done = call("convert", name + ".inp", "-o", name + ".yaml", "--overwrite")
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    last = re.findall(r"written to (\S+)", done.stdout)[-1]
    done = call("run", last, "--backend", "cpu", "--json", "--overwrite")
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)["steps"][-1]


def some(table):
    """All entries; evenly spread ones where each takes ten times as long."""
    entries = list(table.items())
    return entries[::len(entries) // rounds(len(entries))]


class Inputs(unittest.TestCase):
    def test_files_that_say_the_same_have_the_same_numbers(self):
        with case_folder():
            for name, (one, other) in some(SAME):
                with self.subTest(name):
                    first, second = run(one), run(other)
                    for quantity in ("normal_force", "force_x", "force_y", "moment_z", "approach"):
                        scale = {"approach": first["approach"], "moment_z": 8e4}.get(quantity, 2e4)
                        self.assertLessEqual(abs(first[quantity] - second[quantity]), 1e-4 * scale, quantity)

    def test_files_run_and_give_the_number_that_they_ask_for(self):
        with case_folder():
            for name, (text, number, value) in some(RUNS):
                with self.subTest(name):
                    step = run(text)
                    self.assertEqual(step["outcome"], "converged")
                    self.assertTrue(math.isclose(number(step), value, rel_tol=2e-3), number(step))

    def test_what_cannot_be_stated_is_refused_with_its_line(self):
        with case_folder():
            for name, (text, says) in REFUSED.items():
                with self.subTest(name):
                    with open("case.inp", "w", encoding="utf-8") as file:
                        file.write(text + (" 0 MODULE\n" if "ends" not in name else ""))
                    done = call("convert", "case.inp")
                    self.assertEqual(done.returncode, 2, done.stderr)
                    self.assertRegex(done.stderr, says)

    def test_no_case_file_has_the_name_of_an_input_file(self):
        with case_folder():
            with open("m.inp", "w", encoding="utf-8") as file:
                file.write(inp() + " 0 MODULE\n")
            for output in ("m.inp", "other.INP"):
                done = call("convert", "m.inp", "-o", output, "--overwrite")
                self.assertEqual(done.returncode, 2)
                self.assertIn("--output names an input file of CONTACT", done.stderr)
            self.assertFalse(os.path.exists("other.INP"))


if __name__ == "__main__":
    machine.run_tests()
