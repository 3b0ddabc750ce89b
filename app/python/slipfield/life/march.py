# SPDX-License-Identifier: Apache-2.0
"""The rounds of a life.

A share h of the life wears off h times the areas that a whole life would at the current rates. Each round uses the mean of
two rates: the last ones found, and those on the profiles that the former alone predict for the end of the round (Heun's
method; the latter are the next round's "last ones", so that a round solves every condition once). Their difference determines
h. The profile on which the last rates were found is not quite that of the round's beginning, and near a change of the
contacts this difference does not fall with h: if shorter steps do not help, the rates are found again on the profile itself.
"""

from __future__ import annotations

import math
import os
import re
import shutil
import time
from typing import Any, Callable, Dict, List, Optional, Tuple

import numpy as np

from ..errors import Error, InputError
from . import store
from .profile import contact_areas, depths, remove, smoothing_weights, spline
from .program import Found, Program, first_of
from .store import Life

CONICITY_AT = 3.0   # [mm] off the track's centre
_LEAST_STEP = 1e-7  # of the life
_FOUND_AGAIN = 4    # before this attempt the rates at the round's beginning are found again
_DEPTH_ALLOWED = 0.95  # of the depth asked for, at the rate of a round's beginning
_WRITING = 20.0        # times the time that writing the life took, until it is written again
_DRIVEN = 5e-4         # mean creepage since the life began that is warned of, and each time that it has doubled
_UNITS = {
    "round": ("-", "0: as new"), "share": ("-", "of the life, that is behind"), "distance": ("mm", "that the wheels have rolled"),
    "passing_wheels": ("-", "that have passed over the rail"), "change": ("-", "part of the worn area that the round's two rates place differently"),
    "attempts": ("-", "steps tried"), "t_gamma": ("N", "of a wheel, mean over the conditions by their weights"),
    "creepage_x": ("-", "mean over contacts and conditions by normal forces and weights; < 0: the wheels brake"),
    "track_force_x": ("N", "of a wheel, mean over the conditions by their weights; > 0: it brakes"),
    "conicity": ("-", f"(dr(y) - dr(-y))/(4 y) at y = {CONICITY_AT:g} mm, dr the rolling radius difference of undeformed profiles"),
    "condition": ("-", "row of the table"), "side": ("-", "left or right"), "contact": ("-", "number on its side"),
    "weight": ("-", "share of the condition"), "wheel_passes": ("-", "of the wheel through the contact, in the whole life"),
    "rail_passes": ("-", "of wheels over the rail, in the whole life"),
}


class March:
    """An unfinished life. tell: prints a line."""

    def __init__(self, program: Program, output: str, settings: Dict[str, Any], tell: Callable[[str], None]) -> None:
        self.program, self.output, self.settings, self.tell = program, output, settings, tell
        self.distance, self.wheels = settings["distance"], settings["passing_wheels"]
        self.bodies = [body for body, asked in (("wheel", self.distance), ("rail", self.wheels)) if asked > 0.0]
        self.columns: List[Tuple[str, str, float]] = []
        self.life: Optional[Life] = None
        self.begun: Tuple[float, float] = (0.0, 0.0)  # when the rounds of this process began, and the share that was behind
        self.may_wait_until = -math.inf  # with the next writing
        self.unwritten = False           # a round
        self.whole = True                # what `life` holds; not while a round enters it

    def run(self, life: Optional[Life]) -> Life:
        """Begins the life, or continues from `life`."""
        if "rail" in self.bodies and self.program.rail_changes():
            raise InputError(f"{self.program.case}: the rail changes along the track, and wears otherwise at each place; accepted: --distance "
                             "without --wheels, in which the wheels wear, or a rail of one profile")
        os.makedirs(self.program.folder, exist_ok=True)
        if life is None:
            life = self._new()
            store.write(life, self.output)
        self.life = life
        self.head(life)
        self.begun = (time.monotonic(), life.share)
        try:
            while life.share < 1.0:
                self._round(life)
                self.unwritten = True
                if life.share >= 1.0 or time.monotonic() >= self.may_wait_until:
                    self._keep(life)
                self.line(life, life.round, self._time_left(life))
        finally:
            if self.unwritten and self.whole:
                self._keep(life)
        shutil.rmtree(self.program.folder, ignore_errors=True)
        return life

    def _keep(self, life: Life) -> None:
        """Writes the life. Its file grows with every round: writing it takes a twentieth of the time at most. A process that was
        killed finds what it had not written again in the results of its runs."""
        begun = time.monotonic()
        store.write(life, self.output)
        self.unwritten = False
        self.program.forget()
        now = time.monotonic()
        self.may_wait_until = now + _WRITING * (now - begun)

    def _new(self) -> Life:
        conditions = self.program.conditions
        found = self.program.solve("0", {})
        life = Life(self.settings, {"case": [found.case], "keys": conditions.keys,
                                    "conditions": ["\t".join(row) for row in conditions.values], "warnings": []})
        life.units = {**found.units, **_UNITS}
        for column, unit in (("worn_area", "mm^2"), ("max_wear_depth", "mm")):
            life.units[column] = (unit, f"{column} of one pass")
        spacing = float(self.program.values["wheel_rail"]["spacing"][1])
        for side in sorted(set(found.wheels["side"].tolist())):
            row = first_of(found, side)
            if row is None:
                raise InputError(f"{self.program.case}: the {side} wheel wears in no condition; accepted: rolling contact with friction, and a wear "
                                 "coefficient > 0")
            for body in self.bodies:
                life.profiles[f"{body}_{side}"] = [spline(self.program.unworn("0", side, body, row), spacing)]
        life.areas, life.worn = self._areas(found, {name: points[-1] for name, points in life.profiles.items()})
        self._enter(life, found, {}, 0.0, 1)
        return life

    def _round(self, life: Life) -> None:
        """Computes one more round."""
        number = life.round + 1
        before = {name: points[-1] for name, points in life.profiles.items()}
        areas_before, worn_before = life.areas, life.worn
        step, attempt = min(life.step, self._step_of_depth(life, before)), 1
        while True:
            left = 1.0 - life.share
            step = left / max(1, math.ceil(left / step)) if left < 2.0 * step else step  # the last two rounds are equal
            last = step == left
            predicted = {name: remove(points, step * areas_before[name], body_of(name)) for name, points in before.items()}
            found = self.program.solve(f"{number}-{attempt}", self._write(f"{number}-{attempt}", predicted))
            areas, worn = self._areas(found, predicted)
            change = max(_moved(areas_before[name], areas[name]) for name in areas)
            factor = 0.7 * self.settings["change"] / max(change, 1e-12)
            taken = {name: 0.5 * step * (areas_before[name] + areas[name]) for name in areas}
            deepest = max(float(depths(points, taken[name]).max()) for name, points in before.items())
            if change <= self.settings["change"] and deepest <= self.settings["depth"]:
                break
            step *= min(0.5, max(0.25, factor)) if change > self.settings["change"] else max(0.25, 0.9 * self.settings["depth"] / deepest)
            attempt += 1
            if attempt == _FOUND_AGAIN and change > self.settings["change"]:
                found = self.program.solve(f"{number}-0", self._write(f"{number}-0", before))
                areas_before, worn_before = self._areas(found, before)
            if step < _LEAST_STEP:
                raise Error(f"{self.output}: round {number}: " + (
                    f"{change:.0%} of the wear changes its place within {step:.1g} of the life; accepted: a greater --smoothing or --change"
                    if change > self.settings["change"] else
                    f"more than {self.settings['depth']:g} mm wear off within {step:.1g} of the life; accepted: a greater --depth"))
        rounded = {name: 0.5 * step * (worn_before[name] + worn[name]) for name in worn}
        self.whole = False
        for name, points in before.items():
            life.profiles[name].append(remove(points, taken[name], body_of(name)))
        life.share = 1.0 if last else life.share + step
        life.areas, life.worn, life.step = areas, worn, step * min(1.5, max(0.5, factor))
        self._enter(life, found, rounded, change, attempt)
        self.whole = True

    def _step_of_depth(self, life: Life, profiles: Dict[str, Any]) -> float:
        """Returns a step slightly below the depth allowed, because the rate at the round's end may be greater."""
        greatest = max(float(depths(points, life.areas[name]).max()) for name, points in profiles.items())
        return _DEPTH_ALLOWED * self.settings["depth"] / greatest if greatest > 0.0 else 1.0

    def _areas(self, found: Found, profiles: Dict[str, Any]) -> Tuple[Dict[str, Any], Dict[str, float]]:
        """Returns the smoothed areas that all conditions together would wear off in a whole life; and their sum from the
        program."""
        areas, worn = {}, {}
        for name, points in profiles.items():
            here = found.contacts["side"] == side_of(name)
            on = found.on[body_of(name)].some(here)
            passes = self._passes(body_of(name), found)[here]
            total = contact_areas(points, on, passes)
            weights = smoothing_weights(points, self.settings["smoothing"])
            areas[name] = total if weights is None else weights @ total
            worn[name] = math.fsum((passes * on.area).tolist())
        return areas, worn

    def _passes(self, body: str, found: Found) -> Any:
        """Numbers of passes of the contacts in the whole life. In each pass a contact wears worn_area off a ring of its
        circumference, and thus the same volume off each length of the distance: a wheel makes distance/circumference passes,
        whatever its slip. Each wheel passes over the rail once."""
        return self._weights(found.contacts) * (self.distance / found.circumference if body == "wheel" else self.wheels)

    def _weights(self, rows: Dict[str, Any]) -> Any:
        return np.array(self.program.conditions.weights)[rows["condition"]]

    def _write(self, number: str, profiles: Dict[str, Any]) -> Dict[str, str]:
        """Writes files for a case with every digit. Runs that a killed life left behind may still read those of its round."""
        paths = {}
        for name, points in profiles.items():
            paths[name] = os.path.join(self.program.folder, f"{number}-{name}.txt")
            with open(paths[name] + ".new", "w", encoding="utf-8") as file:
                file.writelines(f"{y!r} {z!r}\n" for y, z in points.tolist())
            os.replace(paths[name] + ".new", paths[name])
        return paths

    def _enter(self, life: Life, found: Found, worn: Dict[str, float], change: float, attempts: int) -> None:
        """Adds the rows and the warnings of a round, each kind once."""
        number = life.round + 1
        before = life.tables["rounds"][-1] if life.tables["rounds"] else {}
        files = self._write(f"{number}-end", {name: points[-1] for name, points in life.profiles.items()})
        row = {"round": number, "share": life.share, "distance": life.share * self.distance, "passing_wheels": life.share * self.wheels, "change": change,
               "attempts": attempts, "conicity": self.program.conicity(files, CONICITY_AT), **self._means(life, found)}
        for name, points in life.profiles.items():
            row[f"worn_area_{name}"] = before.get(f"worn_area_{name}", 0.0) + worn.get(name, 0.0)
            row[f"depth_{name}"] = float(np.hypot(*(points[-1] - points[0]).T).max())
            life.units[f"worn_area_{name}"] = ("mm^2", "the program's worn areas times passes, since the life began")
            life.units[f"depth_{name}"] = ("mm", "greatest, since the life began")
        life.tables["rounds"].append(row)
        for rows, table, more in ((found.wheels, life.tables["wheels"], {"weight": self._weights(found.wheels)}),
                                  (found.contacts, life.tables["contacts"], {f"{body}_passes": self._passes(body, found) for body in ("wheel", "rail")})):
            table.append({"round": np.full(len(rows["condition"]), number), **rows, "condition": rows["condition"] + 1, **more})
        seen = {_kind(text) for text in life.texts["warnings"]}
        for k in sorted(found.warnings):
            for text in found.warnings[k]:
                if _kind(text) not in seen:
                    seen.add(_kind(text))
                    self._warn(life, f"round {number}, condition {k + 1}: {text}")
        if driven := self.driven(life):
            self._warn(life, f"round {number}: {driven}")

    def _warn(self, life: Life, text: str) -> None:
        life.texts["warnings"].append(text)
        self.tell(f"warning: {text}")

    def _means(self, life: Life, found: Found) -> Dict[str, float]:
        """Means over the conditions by their weights."""
        sides = {side_of(name) for name in life.profiles}
        weights = self._weights(found.wheels)
        means = {column: math.fsum((weights * np.nan_to_num(found.wheels[column])).tolist()) / len(sides) for column in ("t_gamma", "track_force_x")}
        creepage = found.contacts["creepage_x"]
        rolls = np.isfinite(creepage)
        loads = (self._weights(found.contacts) * found.contacts["normal_force"])[rolls]
        means["creepage_x"] = math.fsum((loads * creepage[rolls]).tolist()) / max(math.fsum(loads.tolist()), 1e-300)
        return means

    def driven(self, life: Life) -> str:
        """Returns a sentence if worn wheels drive or brake at the pitch velocity of the case, which no longer matches their
        rolling radii, by twice as much as last reported; else empty."""
        rounds = life.tables["rounds"]
        if self.program.prescribes("longitudinal_force") or "wheel" not in self.bodies or "creepage_x" not in rounds[0]:  # of an earlier program
            return ""
        first, now = rounds[0], rounds[-1]
        doublings = [math.floor(math.log2(max(abs(row["creepage_x"] - first["creepage_x"]) / _DRIVEN, 0.5))) for row in rounds]
        if doublings[-1] < 0 or doublings[-1] <= max(doublings[:-1]):
            return ""
        worn = max(now[f"depth_{name}"] for name in life.profiles if body_of(name) == "wheel")
        return (f"the pitch velocity of the conditions is fixed, and the wheel {'brakes' if now['creepage_x'] < first['creepage_x'] else 'drives'} as it "
                f"wears: with {worn:.2g} mm off, its mean longitudinal creepage is {now['creepage_x']:.2g} and its mean force {now['track_force_x']:.3g} N "
                f"({first['creepage_x']:.2g} and {first['track_force_x']:.3g} N as new), which wears it more; wheel_rail.longitudinal_force: 0 lets "
                "it roll freely")

    def _time_left(self, life: Life) -> str:
        seconds = (time.monotonic() - self.begun[0]) * (1.0 - life.share) / (life.share - self.begun[1])
        limit, unit, name = next(each for each in ((120.0, 1.0, "s"), (7200.0, 60.0, "min"), (math.inf, 3600.0, "h")) if seconds < each[0])
        return f"  {seconds / unit:.{0 if limit < math.inf else 1}f} {name} left" if life.share < 1.0 else ""

    def head(self, life: Life) -> None:
        self.columns = [("round", "", 1.0), *([("distance", "km", 1e-6)] if self.distance else []),
                        *([("passing_wheels", "", 1.0)] if self.wheels else []),
                        *((f"depth_{name}", "mm", 1.0) for name in life.profiles), ("t_gamma", "N", 1.0), ("conicity", "", 1.0), ("change", "", 1.0)]
        self.tell("  ".join(f"{name + (f' [{unit}]' if unit else ''):>12}" for name, unit, _ in self.columns))
        for number in range(life.round + 1):
            self.line(life, number)

    def line(self, life: Life, number: int, left: str = "") -> None:
        row = life.tables["rounds"][number]
        self.tell("  ".join(f"{format(row[name] * factor, '.5g'):>{max(12, len(name) + (len(unit) + 3 if unit else 0))}}"
                            for name, unit, factor in self.columns) + left)


def body_of(name: str) -> str:
    return name.split("_")[0]


def side_of(name: str) -> str:
    return name.split("_")[1]


def _moved(first: Any, second: Any) -> float:
    """Returns the part of the areas that has moved: 0 if the places are equal, 1 if they do not overlap."""
    return float(np.abs(first - second).sum() / max((first + second).sum(), 1e-300))


def _kind(text: str) -> str:
    """Returns the warning without its numbers and without its prefix."""
    return re.sub(r"[-+.\d]+(e[-+]?\d+)?", "#", text.split(": ", 1)[1] if text.startswith("round ") else text)
