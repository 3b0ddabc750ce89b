# SPDX-License-Identifier: Apache-2.0
"""Runs the program for the conditions, which are the points of a sweep, and reads the wear of their contacts."""

from __future__ import annotations

import contextlib
import copy
import functools
import itertools
import json
import math
import os
import re
import signal
import subprocess
import tempfile
from dataclasses import dataclass, field, fields
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

import h5py
import numpy as np

from ..command_line import end_with
from ..errors import Error, InputError, NotConverged
from .profile import WornContacts
from .table import Conditions

_PASSES = 1e-12     # of a run: the depths are of one pass again after a division
_NO_PASSES = 1e-30  # so few that `slipfield wear` writes the profile as it was, point by point
_WHEEL = ("t_gamma", "t_gamma_spin", "worn_area", "max_wear_depth", "track_force_x", "track_force_y", "track_force_z",
          "contact_count", "axle_z", "axle_roll", "rolling_radius")
_CONTACT = ("t_gamma", "worn_area", "max_wear_depth", "rcf_damage", "normal_force", "force_x", "force_y", "max_pressure", "creepage_x",
            "creepage_y", "spin", "contact_angle", "track_y", "rail_y", "rail_z", "wheel_y", "wheel_z")
_MOST_BYTES = 8_000_000  # of conditions in one run; a case may have twice as much
_OF_PASSES = ("worn_area", "max_wear_depth")

_COLUMNS = ("point", "side", "contact", "outcome", "message", "warnings", "axle_roll", "wheel_x", "wear_profile_y", "wear_profile",
            *dict.fromkeys(_WHEEL + _CONTACT))

_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass
class Frame:
    """The part of a resolved case that maps contacts to the profiles."""
    case: str
    radius: float  # of the wheel, nominal
    cant: float
    rail_roll: Dict[str, float]  # by side


@dataclass
class Found:
    """The results of conditions, numbered from 0: columns of wheels and of contacts, ordered by the conditions."""
    wheels: Dict[str, Any]    # with condition and side, as in contacts
    contacts: Dict[str, Any]
    on: Dict[str, WornContacts]  # of the contacts, by wheel and rail
    circumference: Any           # of the wheel at each contact: the length over which a pass wears it
    warnings: Dict[int, List[str]]  # by condition
    outcomes: List[Tuple[str, str]]  # of each condition, with its message
    case: str  # of the first
    units: Dict[str, Tuple[str, str]] = field(default_factory=dict)


def joined(parts: Sequence[Found]) -> Found:
    """The results of several runs as those of one."""
    if len(parts) == 1:
        return parts[0]
    first = [0, *itertools.accumulate(len(part.outcomes) for part in parts)]
    widest = max(part.on["rail"].s.shape[1] for part in parts)

    def columns(of: str) -> Dict[str, Any]:
        tables = [dict(getattr(part, of), condition=getattr(part, of)["condition"] + begin) for part, begin in zip(parts, first)]
        return {name: np.concatenate([table[name] for table in tables]) for name in tables[0]}

    def rows(values: Any) -> Any:
        return values if values.ndim == 1 else np.pad(values, ((0, 0), (0, widest - values.shape[1])), "edge")

    on = {body: WornContacts(*(np.concatenate([rows(getattr(part.on[body], each.name)) for part in parts]) for each in fields(WornContacts)))
          for body in parts[0].on}
    return Found(columns("wheels"), columns("contacts"), on, np.concatenate([part.circumference for part in parts]),
                 {begin + k: texts for part, begin in zip(parts, first) for k, texts in part.warnings.items()},
                 [outcome for part in parts for outcome in part.outcomes], parts[0].case, parts[0].units)


class Program:
    """The program for one case. jobs: from the options; None if not given."""

    def __init__(self, path: str, case: str, changes: List[str], conditions: Conditions, folder: str, jobs: int, backend: str = "cpu") -> None:
        self.path, self.case, self.changes, self.conditions, self.folder = path, case, changes, conditions, folder
        self.jobs, self.backend = jobs, backend
        self.resolved = ""  # the first condition's case
        self.values: Dict[str, Any] = {}  # the same by its keys
        self.frames: List[Frame] = []  # of each condition

    def check(self) -> List[str]:
        """Checks all conditions and resolves the first; the first wrong one raises the program's message. Sets the data common
        to all conditions."""
        document = self._document(0)
        if "points" in document or document["steps"] != 1:
            raise InputError(f"{self.case}: the case has {'a sweep' if 'points' in document else 'several steps'}; accepted: one position, "
                             "and a table with a row for each (--conditions)")
        self.resolved, self.values = document["resolved"], document["values"]
        for section in ("wheel_rail", "wear"):
            if section not in self.values:
                raise InputError(f"{self.case}: there is no {section}; accepted: a case with wheel_rail and wear")
        found = [self.resolved]
        with tempfile.TemporaryDirectory() as folder:
            for rows in self._together():
                for row in rows:
                    if any(not _is_whole(value) for value in self.conditions.values[row]):
                        self._document(row)  # it refuses what makes sense with the next row only
                sweep = self._write_sweep(os.path.join(folder, "sweep.yaml"), rows)
                (code, said, log), = self._run([[self.path, "check", self.case, "--json", *self._set(), "--set", sweep]])
                if code != 0:
                    for row in rows:  # the sentence is then about one row
                        self._document(row)
                    raise InputError(_sentence(said, log))
                found.append(json.loads(said)["resolved"])
        known: Dict[Tuple[str, ...], Frame] = {}
        for row in range(len(self.conditions.values)):
            key = tuple(self.conditions.values[row][k] for k, name in enumerate(self.conditions.keys) if _moves_frames(name))
            if key not in known:
                document = self._document(row) if row else document
                known[key] = frame_of(document["resolved"], document["values"]["wheel_rail"])
            self.frames.append(known[key])
        return found

    def prescribes(self, key: str) -> bool:
        """Whether any condition has this key of wheel_rail."""
        return key in self.values["wheel_rail"] or any(name.startswith(f"wheel_rail.{key}") for name in self.conditions.keys)

    def rail_changes(self) -> bool:
        """Whether the rail changes along the track: one of its profiles is a list, or a file of slices."""
        rail = self.values["wheel_rail"]["rail"]
        profiles = [of.get("profile", "") for of in (rail, rail.get("left", {}), rail.get("right", {}))]
        return any(isinstance(profile, list) or profile.lower().endswith(".slcs") for profile in profiles)

    def solve(self, name: str, profiles: Dict[str, str]) -> Found:
        """Solves every condition with these profiles (files, by body and side; none: those of the case), thousands of them in
        one run of the program. Continues what an earlier process began under this name."""
        found = []
        for number, rows in enumerate(self._together(), 1):
            path = os.path.join(self.folder, f"{name}-{number}.h5")
            sweep = self._write_sweep(os.path.join(self.folder, f"{name}-{number}.yaml"), rows)
            # --resume takes what is there, all of it perhaps, and refuses the result of another case.
            command = [self.path, "run", self.case, "-q", "--backend", self.backend, "--resume", "-o", path, *self._set(),
                       *profile_settings(profiles), "--set", sweep]
            (code, said, log), = self._run([command + (["--jobs", str(self.jobs)] if self.backend == "cpu" else [])])
            if code not in (0, 1) or not os.path.exists(path):  # else each point says how it ended
                raise (InputError if code == 2 else Error)(self._failure(path, rows, _sentence(said, log, code)))
            found.append(self._read(path, rows))
        return joined(found)

    def has_results(self) -> bool:
        """Whether some conditions have been solved, for --resume."""
        return os.path.isdir(self.folder) and any(name.endswith(".h5") for name in os.listdir(self.folder))

    def _failure(self, path: str, rows: range, sentence: str) -> str:
        """Returns the message that ended a run; for a condition with its place in the table."""
        with contextlib.suppress(OSError, KeyError, Error):
            for row, (outcome, message) in zip(rows, self._read_found(path, rows).outcomes):
                if outcome == "failed" and message and message in sentence:
                    return self._place(row) + message
        return sentence

    def _read_found(self, path: str, rows: range) -> Found:
        return read_found(path, _PASSES, self.frames[rows.start:rows.stop])

    def _read(self, path: str, rows: range) -> Found:
        found = self._read_found(path, rows)
        for row, (outcome, message) in zip(rows, found.outcomes):
            if outcome == "not_run":
                raise Error(f"{self._place(row)}the condition was not run, although the program ended as if it was; accepted: the same command "
                            "with --resume")
            if outcome == "not_converged":
                raise NotConverged(f"{self._place(row)}the condition did not converge: {message}; accepted: another wheel_rail.spacing, a "
                                   "smaller --depth or more --smoothing")
            if outcome != "converged":
                raise InputError(f"{self._place(row)}{message}")
        return found

    def _together(self) -> Iterator[range]:
        """Splits the rows into runs of as many as the text of a case may have."""
        count = len(self.conditions.values)
        longest = max(sum(map(len, row)) for row in self.conditions.values) + 12 * len(self.conditions.keys) + 20
        most = min(50_000, max(1, _MOST_BYTES // longest))
        for first in range(0, count, most):
            yield range(first, min(count, first + most))

    def _write_sweep(self, path: str, rows: range) -> str:
        """Writes the conditions as the points of a sweep; returns the --set for it. Every value is alone on its line, as --set
        requires."""
        with open(path, "w", encoding="utf-8") as file:
            file.write("- together:\n")
            for k, key in enumerate(["wear.passes", *self.conditions.keys]):
                file.write(f"  - key: {json.dumps(key, ensure_ascii=False)}\n    values:\n")
                file.writelines(f"    - {self.conditions.values[row][k - 1] if k else _PASSES}\n" for row in rows)
        return f"sweep=@{path}"

    def _document(self, row: int) -> Any:
        """Returns the document that `check` prints for one condition."""
        (code, said, log), = self._run([[self.path, "check", self.case, "--json", *self._set(row)]])
        if code != 0:
            raise InputError(self._place(row) + _sentence(said, log))
        return json.loads(said)

    def unworn(self, name: str, side: str, body: str, row: int) -> Any:
        """Returns the profile of the case in the canonical form, y increasing. row: a condition that wears that side."""
        result, table = (os.path.join(self.folder, file) for file in (f"{name}-unworn.h5", f"{name}-{body}-{side}.txt"))
        for command in ([self.path, "run", self.case, "-q", "--backend", "cpu", "--overwrite", "-o", result, *self._set(row), "--set",
                         f"wear.passes={_NO_PASSES}", "--set", "output.fields=none"],
                        [self.path, "wear", result, "--of", body, "--side", side, "--overwrite", "-o", table]):
            (code, said, log), = self._run([command])
            if code != 0:
                raise Error(_sentence(said, log))
        points = np.loadtxt(table)
        return points if points[-1, 0] > points[0, 0] else points[::-1].copy()

    def conicity(self, profiles: Dict[str, str], y: float) -> float:
        """Returns (dr(y) - dr(-y))/(4 y), dr = right radius - left radius, the same for the mirrored wheelset; nan if there is none. The
        height and the roll are those that both wheels find, for a single one no roll, and the rails lie where the profiles have them."""
        return (self._radius_difference(profiles, y) - self._radius_difference(profiles, -y)) / (4.0 * y)

    def _radius_difference(self, profiles: Dict[str, str], y: float) -> float:
        kept = copy.deepcopy({section: self.values[section] for section in ("schema", "units", "bodies", "friction", "wheel_rail")
                              if section in self.values})
        for section, key in (("wheelset", "z"), ("wheelset", "roll"), ("track", "irregularity")):
            kept["wheel_rail"].get(section, {}).pop(key, None)
        path, result = (os.path.join(self.folder, file) for file in ("geometry.yaml", "geometry.h5"))
        with open(path, "w", encoding="utf-8") as file:
            json.dump(kept, file, ensure_ascii=False)  # which is YAML as well
        settings = [f"wheel_rail.wheelset.y={y}", "wheel_rail.wheelset.yaw=0", "wheel_rail.geometry_only=true"]
        command = [self.path, "run", path, "-q", "--backend", "cpu", "--overwrite", "-o", result]
        for each in settings:
            command += ["--set", each]
        (code, _, _), = self._run([command + profile_settings(profiles)])
        if code != 0:
            return math.nan
        with h5py.File(result, "r") as file:
            step = file["steps/0001"].attrs
            return float(step.get("rolling_radius_difference", math.nan))

    def forget(self) -> None:
        """Removes the results of a round that has been written."""
        for file in os.listdir(self.folder):
            if file.endswith((".h5", ".txt", ".yaml")):
                os.remove(os.path.join(self.folder, file))

    def _set(self, row: Optional[int] = None) -> List[str]:
        settings = [] if row is None else self.conditions.settings(row)
        return [part for each in [*self.changes, *settings] for part in ("--set", each)]

    def _place(self, row: int) -> str:
        return f"{self.conditions.places[row]}: " if self.conditions.places[row] else ""

    def _run(self, commands: Sequence[List[str]]) -> Iterator[Tuple[int, str, str]]:
        """Runs each command in turn; returns exit code, standard output and errors."""
        environment = {"OMP_NUM_THREADS": str(self.jobs), **os.environ}
        for command in commands:
            texts = []
            with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as said, \
                    tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as log:
                process = None
                signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)  # Python ignores what their handlers raise while it forks
                try:
                    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=said, stderr=log, env=environment,  # pylint: disable=consider-using-with
                                               preexec_fn=functools.partial(_begin_process, os.getpid()))  # pylint: disable=subprocess-popen-preexec-fn
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


def _begin_process(parent: int) -> None:
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
    end_with(parent)


def profile_settings(profiles: Dict[str, str]) -> List[str]:
    """Returns --set arguments for both profiles; `profiles`: files by "wheel_left", "rail_right", ..."""
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


def _sentence(said: str, log: str, code: int = 0) -> str:
    """Returns the first error of the program, without its mark."""
    with contextlib.suppress(ValueError, AttributeError):
        return str(json.loads(said)["error"]).splitlines()[0]
    lines = [line[len("error: "):] for line in log.splitlines() if line.startswith("error: ")]
    if lines:
        return lines[0]
    ended = f"the program ended with {f'signal {-code}' if code < 0 else f'exit code {code}'}" if code else "the program ended without an error"
    return f"{ended}; the end of its log: {(log.strip().splitlines() or ['nothing'])[-1]}"


def _is_whole(value: str) -> bool:
    """Whether a value in a YAML list ends with its line: no bracket or quote is open, and there is no control character."""
    bare = re.sub(r'"(?:[^"\\]|\\.)*"|\'[^\']*\'', "", value)
    return (min(map(ord, value), default=32) >= 32 and not re.search("[\"'*&#]", bare) and
            all(bare.count(begin) == bare.count(end) for begin, end in ("[]", "{}")))


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


def read_found(path: str, passes: float, frames: List[Frame]) -> Found:
    """Reads the conditions of a sweep; each has a frame."""
    with h5py.File(path, "r") as file:
        table = file["table"]
        columns = {name: table[name][()] for name in _COLUMNS if name in table}
        units = {name: (_text(table[name].attrs.get("units", "-")), _text(table[name].attrs.get("description", ""))) for name in columns}
        doubts = [_text(text) for text in file["warnings"][()]] if "warnings" in file else []
    for name in _OF_PASSES:
        if name in columns:
            columns[name] = columns[name] / passes
    points, begins = np.unique(columns["point"], return_index=True)  # a condition's first row has what is said of all of it
    if len(points) != len(frames) or points[-1] - points[0] + 1 != len(frames):
        raise Error(f"{path}: has {len(points)} points for {len(frames)} conditions; accepted: the same command again, without this file")
    first = int(points[0])
    columns["condition"] = columns["point"].astype(int) - first
    columns["side"] = np.array([_text(side) for side in columns["side"]])
    outcomes, warnings = [], {}
    for k, row in enumerate(begins):
        message = re.sub(r"^step \d+( did not converge)?: ", "", _text(columns["message"][row]))
        outcomes.append((_text(columns["outcome"][row]), message))
        if texts := [text for text in (_text(columns["warnings"][row]).splitlines() + [message]) if text]:
            warnings[k] = texts
    for text in doubts:
        row, of_condition = _of_condition(text, first)
        if of_condition and not any(of_condition.startswith(known) for known in warnings.get(row, [])):
            warnings.setdefault(row, []).append(of_condition)
    of_sides = np.isin(columns["side"], ("left", "right"))
    wheels = _rows(columns, of_sides & (columns["contact"] == 0), ("condition", "side", *_WHEEL))
    here = of_sides & (columns["contact"] != 0)
    contacts = _rows(columns, here, ("condition", "side", "contact", *_CONTACT))
    roll = columns.get("axle_roll", np.full(len(here), math.nan))[begins][contacts["condition"]]
    rows = _wear_rows(columns, here, contacts["side"] == "left", passes)
    on, circumference = _on_profiles(contacts, columns["wheel_x"][here], rows, frames, np.where(np.isnan(roll), 0.0, roll))
    return Found(wheels, contacts, on, circumference, warnings, outcomes, frames[0].case, units)


def _rows(columns: Dict[str, Any], which: Any, names: Sequence[str]) -> Dict[str, Any]:
    """Returns these columns of some rows; NaN where there is none."""
    found = {name: columns[name][which] if name in columns else np.full(np.count_nonzero(which), math.nan) for name in names}
    return {name: values.astype(int) if values.dtype.kind in "iu" else values for name, values in found.items()}


def _wear_rows(columns: Dict[str, Any], which: Any, turned: Any, passes: float) -> Tuple[Any, Any]:
    """Returns the places and depths of the rows of some contacts' elements, in turned order for some; a contact with fewer
    repeats its last."""
    count = np.count_nonzero(which)
    lists = [columns[name][which] if name in columns else [()] * count for name in ("wear_profile_y", "wear_profile")]
    lengths = np.fromiter(map(len, lists[1]), int, count)[:, None]
    number = np.arange(max(2, lengths.max(initial=0)))
    place = np.minimum(number, np.maximum(lengths, 1) - 1)
    place = np.where(turned[:, None], np.maximum(lengths, 1) - 1 - place, place)
    made = []
    for values in lists:
        rows = np.zeros((count, len(number)))
        rows[number < lengths] = np.concatenate([(), *values])
        made.append(np.take_along_axis(rows, place, axis=1))
    return made[0], made[1] / passes


def _of_condition(text: str, first: int) -> Tuple[int, str]:
    """Turns a warning about a whole sweep into one about the first condition concerned; empty if points say the same."""
    if re.match(r"point \d+: |\d+ points, first ", text):
        return 0, ""
    place = re.search(r" \((?:first )?in point (\d+) of the sweep, .*?(?:; in (.*) points)?\)$", text)
    if place is None:
        return 0, text
    return int(place[1]) - first, text[:place.start()] + (f" (in {place[2]} conditions)" if place[2] else "")


def _on_profiles(contacts: Dict[str, Any], wheel_x: Any, rows: Tuple[Any, Any], frames: List[Frame],
                 axle_roll: Any) -> Tuple[Dict[str, WornContacts], Any]:
    """Converts contacts to the coordinates of the profiles, which are those of a right wheel and rail (THEORY.md 13.9), and returns
    the wheel's circumferences there."""
    left = contacts["side"] == "left"
    sign = np.where(left, -1.0, 1.0)
    of = contacts["condition"]
    radius, cant = (np.array([getattr(frame, name) for frame in frames])[of] for name in ("radius", "cant"))
    rail_roll = np.array([[frame.rail_roll[side] for side in ("right", "left")] for frame in frames])[of, left.astype(int)]
    at_wheel = np.hypot(radius + contacts["wheel_z"], wheel_x)
    area = np.nan_to_num(contacts["worn_area"], nan=0.0)
    s, depth = sign[:, None] * rows[0], rows[1]
    angle = contacts["contact_angle"]
    return {
        "rail": WornContacts(sign * contacts["rail_y"], contacts["rail_z"], sign * (angle - rail_roll) + cant, s, depth, area),
        "wheel": WornContacts(sign * contacts["wheel_y"], at_wheel - radius, sign * (angle - axle_roll), s, depth, area),
    }, 2.0 * math.pi * at_wheel


def frame_of(case: str, wheel_rail: Dict[str, Any]) -> Frame:
    track = wheel_rail.get("track", {})
    irregularity = track.get("irregularity", {})
    roll = {side: float(irregularity.get(side, irregularity).get("roll", 0.0)) for side in ("left", "right")}
    return Frame(case, float(wheel_rail["wheelset"]["nominal_radius"]), float(track.get("cant", 0.0)), roll)


def _moves_frames(key: str) -> bool:
    """Whether conditions with different values of this key may have different frames."""
    parts = key.split(".")
    return parts[0] == "wheel_rail" and (parts[-1] in ("wheel_rail", "track", "cant", "irregularity", "left", "right", "wheelset", "nominal_radius")
                                         or (parts[-1] == "roll" and "irregularity" in parts))


def first_of(found: Found, side: str) -> Optional[int]:
    """Returns the first condition that wears that side."""
    wears = (found.contacts["side"] == side) & (found.on["wheel"].area > 0.0)
    return int(found.contacts["condition"][wears][0]) if wears.any() else None
