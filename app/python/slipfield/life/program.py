# SPDX-License-Identifier: Apache-2.0
"""Runs the program for the conditions, which are the points of a sweep, and reads what their contacts wear off."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import json
import math
import os
import re
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple

import h5py
import numpy as np

from ..errors import Error, InputError, NotConverged
from .profile import WornContact
from .table import Conditions

# So few that `slipfield wear` writes the profile as it was, to the last digit; depths are of one pass again after a division.
_PASSES = 1e-12
_WHEEL = ("total_t_gamma", "total_t_gamma_spin", "total_worn_area", "greatest_wear_depth", "track_force_x", "track_force_y", "track_force_z",
          "contact_count", "axle_z", "axle_roll", "rolling_radius")
_CONTACT = ("t_gamma", "worn_area", "max_wear_depth", "rcf_damage", "normal_force", "force_x", "force_y", "max_pressure", "creepage_x",
            "creepage_y", "spin", "contact_angle", "track_y", "rail_y", "rail_z", "wheel_y", "wheel_z")
_LONGEST_ARGUMENT = 100_000  # bytes; of those of Linux (MAX_ARG_STRLEN), which has 131072
_OF_PASSES = ("total_worn_area", "greatest_wear_depth", "worn_area", "max_wear_depth")

_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


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
        """What the life is of: the first condition, resolved, and all of them; the first that is wrong ends it with the program's
        sentence."""
        document = self._document(0)
        found = [document.get("resolved", "")]
        sections = re.findall(r"^(\w+):", found[0], re.M)
        for section in ("wheel_rail", "wear"):
            if section not in sections:
                raise InputError(f"{self.case}: there is no {section}; accepted: a case with wheel_rail and wear")
        if "sweep" in sections or document.get("steps", 1) != 1:
            raise InputError(f"{self.case}: the case has {'a sweep' if 'sweep' in sections else 'several steps'}; accepted: one position, "
                             "and a table with a row for each (--conditions)")
        for rows in self._together():
            (code, said, log), = self._run([[self.path, "check", self.case, "--json", *self._set(), "--set", self._sweep(rows)]])
            if code != 0:
                for row in rows:  # whose sentence names its place in the table
                    self._document(row)
                raise InputError(_sentence(said, log))
            found.append(json.loads(said)["resolved"])
        return found

    def solve(self, name: str, profiles: Dict[str, str]) -> List[Found]:
        """Every condition with these profiles (files, by body and side; none: those of the case), hundreds of them in one run of the
        program. It continues what an earlier process has begun under this name."""
        found: List[Found] = []
        for number, rows in enumerate(self._together(), 1):
            path = os.path.join(self.folder, f"{name}-{number}.h5")
            # The smallest field: points without one have no contacts in the result.
            command = [self.path, "run", self.case, "-q", "--backend", "cpu", "--jobs", str(self.jobs), "--resume", "-o", path, *self._set(),
                       *profile_settings(profiles), "--set", "output.fields=[element_division]", "--set", self._sweep(rows)]
            if not _is_solved(path):
                (code, said, log), = self._run([command])
                if code < 0 or not os.path.exists(path):  # else each point says how it ended
                    raise (InputError if code == 2 else Error)(_sentence(said, log))
            found += self._read(path, rows)
        return found

    def _read(self, path: str, rows: range) -> List[Found]:
        with h5py.File(path, "r") as file:
            table = file["table"]
            outcomes, messages = ([_text(text) for text in table[name][()]] for name in ("outcome", "message"))
            for at, point in enumerate(table["point"][()].tolist()):
                if outcomes[at] == "not_converged":
                    why = re.sub(r"^step \d+ did not converge: ", "", messages[at])
                    raise NotConverged(f"{self._place(rows[point - 1])}the condition did not converge: {why}; accepted: another wheel_rail.spacing, "
                                       "a smaller --depth or more --smoothing")
                if outcomes[at] != "converged":
                    raise InputError(self._place(rows[point - 1]) + messages[at])
            return read_found(file, _PASSES)

    def _together(self) -> Iterator[range]:
        """The rows of each run: as many as fit an argument of the program, and no more than a file of some fifty megabytes has."""
        count, separator = len(self.conditions.values), len(", ")
        longest = max(sum(len(value.encode()) + separator for value in [f"{_PASSES}", *row]) for row in self.conditions.values)
        most = min(2000, max(1, _LONGEST_ARGUMENT // longest))
        for first in range(0, count, most):
            yield range(first, min(count, first + most))

    def _sweep(self, rows: range) -> str:
        """The --set that makes the conditions the points of a sweep."""
        keys = ["wear.passes", *self.conditions.keys]
        values = [[f"{_PASSES}"] * len(rows), *([self.conditions.values[row][k] for row in rows] for k in range(len(keys) - 1))]
        return "sweep=[{together: [" + ", ".join(f"{{key: {json.dumps(key, ensure_ascii=False)}, values: [{', '.join(column)}]}}"
                                               for key, column in zip(keys, values)) + "]}]"

    def _document(self, row: int) -> Any:
        """What `check` says of one condition."""
        (code, said, log), = self._run([[self.path, "check", self.case, "--json", *self._set(row)]])
        if code != 0:
            raise InputError(self._place(row) + _sentence(said, log))
        return json.loads(said)

    def unworn(self, name: str, side: str, body: str, row: int) -> Any:
        """The profile of the case in the canonical form, y increasing. row: a condition of which that side wears."""
        result, table = (os.path.join(self.folder, file) for file in (f"{name}-unworn.h5", f"{name}-{body}-{side}.txt"))
        for command in ([self.path, "run", self.case, "-q", "--backend", "cpu", "--overwrite", "-o", result, *self._set(row), "--set",
                         f"wear.passes={_PASSES}", "--set", "output.fields=none"],
                        [self.path, "wear", result, "--of", body, "--side", side, "--overwrite", "-o", table]):
            (code, said, log), = self._run([command])
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

    def _set(self, row: Optional[int] = None) -> List[str]:
        settings = [] if row is None else self.conditions.settings(row)
        return [part for each in [*self.changes, *settings] for part in ("--set", each)]

    def _place(self, row: int) -> str:
        return f"{self.conditions.places[row]}: " if self.conditions.places[row] else ""

    def _run(self, commands: Sequence[List[str]]) -> Iterator[Tuple[int, str, str]]:
        """Exit code, standard output and errors of each command, one after another."""
        environment = {"OMP_NUM_THREADS": str(self.jobs), **os.environ}
        for command in commands:
            texts = []
            with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as said, \
                    tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as log:
                process = None
                signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)  # Python ignores what their handlers raise while it forks
                try:
                    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=said, stderr=log, env=environment,  # pylint: disable=consider-using-with
                                               preexec_fn=functools.partial(end_with, os.getpid()))  # pylint: disable=subprocess-popen-preexec-fn
                    signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
                    process.wait()
                finally:
                    signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
                    if process is not None and process.poll() is None:
                        process.terminate()
                        process.wait()
                for file in (said, log):
                    file.seek(0)
                    texts.append(file.read())
            yield process.returncode, texts[0], texts[1]


def end_with(parent: int) -> None:
    """This process gets SIGTERM when its parent ends, however that ends (Linux). It ends here if the parent had ended before."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
    set_death_signal = 1  # PR_SET_PDEATHSIG
    if _LIBC is not None:
        _LIBC.prctl(set_death_signal, ctypes.c_ulong(signal.SIGTERM))
        if os.getppid() != parent:
            os._exit(128 + signal.SIGTERM)


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


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


def read_found(file: Any, passes: float) -> List[Found]:
    """The conditions that are the points of a sweep."""
    table = {name: file["table"][name][()].tolist() for name in ("point", "side", "contact", *_WHEEL, *_CONTACT) if name in file["table"]}
    units = {name: (_text(file["table"][name].attrs.get("units", "-")), _text(file["table"][name].attrs.get("description", ""))) for name in table}
    found = []
    for number in range(1, table["point"][-1] + 1):
        point = file[f"points/{number:04d}"]
        case, step = _text(point["case"][()]), point["steps/0001"]
        warnings = [_text(each) for each in np.atleast_1d(point["warnings"][()])] if "warnings" in point else []
        found.append(Found([], [], [], warnings, case, units))
        track, wheelset = (flow_map(case, key) for key in ("track", "wheelset"))
        groups = step["contacts"].values() if "contacts" in step else []
        for group in sorted(groups, key=lambda each: int(each.name.rsplit("/", 1)[1])):
            found[-1].contacts.append(_contact(group, track, wheelset, float(step.attrs.get("axle_roll", 0.0)), passes))
    for row, contact in enumerate(table["contact"]):
        side = _text(table["side"][row])
        if side not in ("left", "right"):
            continue
        made: Dict[str, Any] = {"side": side, **({"contact": int(contact)} if contact else {})}
        for name in _CONTACT if contact else _WHEEL:
            value = float(table[name][row]) if name in table else math.nan
            made[name] = value / passes if name in _OF_PASSES else value
        each = found[table["point"][row] - 1]
        (each.contact_rows if contact else each.wheel_rows).append(made)
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
