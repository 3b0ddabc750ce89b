# SPDX-License-Identifier: Apache-2.0
"""Runs the program for the conditions, several at a time, and reads what their contacts wear off."""

from __future__ import annotations

import contextlib
import functools
import json
import math
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple

import h5py
import numpy as np

from ..command_line import end_with
from ..errors import Error, InputError, NotConverged
from .profile import WornContact
from .table import Conditions

# So few that `slipfield wear` writes the profile as it was, to the last digit; depths are of one pass again after a division.
_PASSES = 1e-12
_WHEEL = ("total_t_gamma", "total_t_gamma_spin", "total_worn_area", "greatest_wear_depth", "track_force_x", "track_force_y", "track_force_z",
          "contact_count", "axle_z", "axle_roll", "rolling_radius")
_CONTACT = ("t_gamma", "worn_area", "max_wear_depth", "rcf_damage", "normal_force", "force_x", "force_y", "max_pressure", "creepage_x",
            "creepage_y", "spin", "contact_angle", "track_y", "rail_y", "rail_z", "wheel_y", "wheel_z")
_OF_PASSES = ("total_worn_area", "greatest_wear_depth", "worn_area", "max_wear_depth")


@dataclass
class Contact:
    """A contact of a condition: on both profiles, and the length over which a pass wears the wheel."""
    side: str
    on: Dict[str, WornContact]  # by wheel and rail
    circumference: float        # of the wheel at the contact


@dataclass
class Found:
    """Of one condition: its contacts, and rows of the tables."""
    contacts: List[Contact]
    wheel_rows: List[Dict[str, Any]]
    contact_rows: List[Dict[str, Any]]
    warnings: List[str]
    case: str
    units: Dict[str, Tuple[str, str]] = field(default_factory=dict)


class Program:
    """The program, for one case."""

    def __init__(self, path: str, case: str, changes: List[str], conditions: Conditions, folder: str, jobs: int) -> None:
        self.path, self.case, self.changes, self.conditions, self.folder, self.jobs = path, case, changes, conditions, folder, jobs

    def check(self) -> List[str]:
        """All conditions, resolved; the first that is wrong ends it with the program's sentence."""
        rows = range(len(self.conditions.values))
        done = list(self._run([[self.path, "check", self.case, "--json", *self._set(row)] for row in rows]))
        found = []
        for row, (code, said, log) in enumerate(done):
            if code != 0:
                raise InputError(self._place(row) + _sentence(said, log))
            document = json.loads(said)
            text = document.get("resolved", "")
            sections = re.findall(r"^(\w+):", text, re.M)
            for section in ("wheel_rail", "wear"):
                if section not in sections:
                    raise InputError(f"{self.case}: there is no {section}; accepted: a case with wheel_rail and wear")
            if "sweep" in sections or document.get("steps", 1) != 1:
                raise InputError(f"{self.case}: the case has {'a sweep' if 'sweep' in sections else 'several steps'}; accepted: one position, "
                                 "and a table with a row for each (--conditions)")
            found.append(text)
        return found

    def solve(self, name: str, profiles: Dict[str, str]) -> List[Found]:
        """Every condition with these profiles (files, by body and side; none: those of the case). What an earlier process has
        solved under this name is not solved again."""
        paths = [os.path.join(self.folder, f"{name}-{row + 1}.h5") for row in range(len(self.conditions.values))]
        missing = [row for row, path in enumerate(paths) if not _is_solved(path)]
        commands = [[self.path, "run", self.case, "-q", "--backend", "cpu", "--overwrite", "-o", paths[row], *self._set(row),
                     *profile_settings(profiles), "--set", f"wear.passes={_PASSES}", "--set", "output.fields=none"] for row in missing]
        for row, (code, said, log) in zip(missing, self._run(commands)):
            if code == 1:
                raise NotConverged(f"{self._place(row)}the condition did not converge: {_message_of(paths[row])}; accepted: another "
                            "wheel_rail.spacing, a smaller --depth or more --smoothing")
            if code != 0:
                raise (InputError if code == 2 else Error)(self._place(row) + _sentence(said, log))
        return [read_found(path, _PASSES) for path in paths]

    def unworn(self, name: str, side: str, body: str, row: int) -> Any:
        """The profile of the case in the canonical form, y increasing."""
        result, table = (os.path.join(self.folder, file) for file in (f"{name}-{row + 1}.h5", f"{name}-{body}-{side}.txt"))
        (code, said, log), = self._run([[self.path, "wear", result, "--of", body, "--side", side, "--overwrite", "-o", table]])
        if code != 0:
            raise Error(_sentence(said, log))
        points = np.loadtxt(table)
        return points if points[-1, 0] > points[0, 0] else points[::-1].copy()

    def radius_difference(self, case: str, profiles: Dict[str, str], y: float) -> float:
        """Over 2y, of a right wheel less its left one, with the wheelset `y` off the track's centre; nan where there is none. `case`:
        resolved."""
        kept = "".join(section for section in re.split(r"^(?=\w)", case, flags=re.M) if re.match(r"schema|units|bodies|friction|wheel_rail", section))
        path, result = (os.path.join(self.folder, file) for file in ("geometry.yaml", "geometry.h5"))
        with open(path, "w", encoding="utf-8") as file:
            file.write(kept)
        settings = [f"wheel_rail.wheelset.y={y}", "wheel_rail.wheelset.yaw=0", "wheel_rail.geometry_only=true"]
        command = [self.path, "run", path, "-q", "--backend", "cpu", "--overwrite", "-o", result]
        for each in settings:
            command += ["--set", each]
        (code, _, _), = self._run([command + profile_settings(profiles)])
        if code != 0:
            return math.nan
        with h5py.File(result, "r") as file:
            step = file["steps/0001"].attrs
            left = step.get("side", "right") == "left"
            return float(step.get("rolling_radius_difference", math.nan)) / (-2.0 * y if left else 2.0 * y)

    def forget(self) -> None:
        """Removes the results of a round that is written."""
        for file in os.listdir(self.folder):
            if file.endswith((".h5", ".txt", ".yaml")):
                os.remove(os.path.join(self.folder, file))

    def _set(self, row: int) -> List[str]:
        return [part for each in [*self.changes, *self.conditions.settings(row)] for part in ("--set", each)]

    def _place(self, row: int) -> str:
        return f"{self.conditions.places[row]}: " if self.conditions.places[row] else ""

    def _run(self, commands: Sequence[List[str]]) -> Iterator[Tuple[int, str, str]]:
        """Exit code, standard output and errors of each command, in their order; `jobs` of them at a time."""
        environment = {"OMP_NUM_THREADS": "1", **os.environ}  # the conditions share the cores
        waiting = list(enumerate(commands))
        running: Dict[int, Tuple[Any, List[Any]]] = {}
        ended: Dict[int, Tuple[int, str, str]] = {}
        try:
            while waiting or running:
                while waiting and len(running) < self.jobs:
                    number, command = waiting.pop(0)
                    files = [tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") for _ in range(2)]
                    running[number] = (subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=files[0], stderr=files[1], env=environment,
                                                        preexec_fn=functools.partial(end_with, os.getpid())),  # pylint: disable=subprocess-popen-preexec-fn
                                       files)
                for number in [each for each, (process, _) in running.items() if process.poll() is not None]:
                    process, files = running.pop(number)
                    texts = []
                    for file in files:
                        with file:
                            file.seek(0)
                            texts.append(file.read())
                    ended[number] = (process.returncode, texts[0], texts[1])
                    if process.returncode != 0:
                        waiting.clear()  # the first failure is reported; what is running may finish
                time.sleep(0.002)
        finally:
            for process, files in running.values():
                process.terminate()
                process.wait()
                for file in files:
                    file.close()
        yield from (ended[number] for number in sorted(ended))  # they began in order, so a failure comes before what it left out


def profile_settings(profiles: Dict[str, str]) -> List[str]:
    """--set of both profiles; `profiles`: files by "wheel_left", "rail_right", ..."""
    settings = []
    for body in ("wheel", "rail"):
        files = {side: profiles.get(f"{body}_{side}") for side in ("left", "right")}
        given = [side for side, file in files.items() if file]
        if not given:
            continue
        entry = f"profile: {json.dumps(files[given[0]], ensure_ascii=False)}, mirror_y: false, mirror_z: false"
        if len(given) == 2:
            entry += f", right: {{profile: {json.dumps(files['right'], ensure_ascii=False)}}}"
        settings += ["--set", f"wheel_rail.{body}={{{entry}}}"]
    return settings


def _sentence(said: str, log: str) -> str:
    """The first error of the program, without its mark."""
    with contextlib.suppress(ValueError, AttributeError):
        return str(json.loads(said)["error"]).splitlines()[0]
    lines = [line[len("error: "):] for line in log.splitlines() if line.startswith("error: ")]
    return lines[0] if lines else (log.strip().splitlines() or ["the program ended without a word"])[-1]


def _is_solved(path: str) -> bool:
    try:
        with h5py.File(path, "r") as file:
            return str(file.attrs["outcome"]) == "converged"
    except (OSError, KeyError):
        return False


def _message_of(path: str) -> str:
    with contextlib.suppress(OSError, KeyError):
        with h5py.File(path, "r") as file:
            return next((_text(text) for text in file["table/message"][()] if _text(text)), "no reason given")
    return "no reason given"


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


def read_found(path: str, passes: float) -> Found:
    """A condition's result."""
    with h5py.File(path, "r") as file:
        case = _text(file["case"][()])
        track, wheelset = (flow_map(case, key) for key in ("track", "wheelset"))
        step = file["steps/0001"]
        found = Found([], [], [], [_text(each) for each in np.atleast_1d(file["warnings"][()])] if "warnings" in file else [], case)
        table = {name: file["table"][name][()] for name in ("side", "contact", *_WHEEL, *_CONTACT) if name in file["table"]}
        for name in table:
            attributes = file["table"][name].attrs
            found.units[name] = (_text(attributes.get("units", "-")), _text(attributes.get("description", "")))
        for row, contact in enumerate(table["contact"]):
            side = _text(table["side"][row])
            if side not in ("left", "right"):
                continue
            names = _CONTACT if contact else _WHEEL
            made: Dict[str, Any] = {"side": side, **({"contact": int(contact)} if contact else {})}
            for name in names:
                value = float(table[name][row]) if name in table else math.nan
                made[name] = value / passes if name in _OF_PASSES else value
            (found.contact_rows if contact else found.wheel_rows).append(made)
        groups = step["contacts"].values() if "contacts" in step else []
        for group in sorted(groups, key=lambda each: int(each.name.rsplit("/", 1)[1])):
            found.contacts.append(_contact(group, track, wheelset, float(step.attrs.get("axle_roll", 0.0)), passes))
    return found


def _contact(group: Any, track: Dict[str, Any], wheelset: Dict[str, Any], axle_roll: float, passes: float) -> Contact:
    """In the coordinates of the profiles, which are those of a right wheel and rail (THEORY.md 13.9)."""
    of = group.attrs
    side = _text(of["side"])
    sign = -1.0 if side == "left" else 1.0
    irregularity = track.get("irregularity", {})
    rail_roll = float(irregularity.get(side, irregularity).get("roll", 0.0))
    radius = float(wheelset["nominal_radius"])
    at_wheel = math.hypot(radius + of["wheel_z"], of["wheel_x"])
    s, depth, area = sign * group["grid/y"][()], np.zeros(len(group["grid/y"])), 0.0
    if "wear_profile" in group:
        depth, area = group["wear_profile"][()] / passes, float(of["worn_area"]) / passes
    if sign < 0.0:
        s, depth = s[::-1], depth[::-1]
    angle = float(of["contact_angle"])
    return Contact(side, {
        "rail": WornContact(sign * of["rail_y"], float(of["rail_z"]), sign * (angle - rail_roll) + float(track.get("cant", 0.0)), s, depth, area),
        "wheel": WornContact(sign * of["wheel_y"], at_wheel - radius, sign * (angle - axle_roll), s, depth, area),
    }, 2.0 * math.pi * at_wheel)


def flow_map(case: str, key: str) -> Dict[str, Any]:
    """A map on one line of a resolved case, such as `track: {gauge: 1435, gauge_face: auto}`."""
    found = re.search(rf"^  {key}: (\{{.*\}})$", case, re.M)
    if found is None:
        return {}
    quoted = re.sub(r'([{,]\s*)(\w+):', r'\1"\2":', found.group(1))
    made: Dict[str, Any] = json.loads(re.sub(r'(:\s*)([A-Za-z]\w*)', lambda word: word[1] + (word[2] if word[2] in ("true", "false") else
                                                                                          json.dumps(word[2])), quoted))
    return made


def first_of(found: Iterable[Found], side: str) -> Optional[int]:
    """The first condition of which that side wears."""
    return next((row for row, each in enumerate(found) if any(contact.side == side and contact.on["wheel"].area > 0.0 for contact in each.contacts)),
                None)
