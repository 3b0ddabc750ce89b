# SPDX-License-Identifier: Apache-2.0
"""`slipfield life`: python3 -m slipfield.life --program SLIPFIELD CASE.yaml [options].

The options are those of `slipfield life --help`, which passes them on with its own path; --plot-named is the figure's name, whose
content goes to --plot. Exit codes: 0 done; 1 a condition did not converge; 2 the case, the table or the command line is wrong; 3 any
other failure; 69 a Python package is missing; 128 and the signal's number after a signal.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import hashlib
import math
import os
import re
import shutil
import signal
import sys
from typing import Any, Dict, List, Optional, Sequence

from ..command_line import Failed, Parser, drawing, end_with, failing, require_packages, tell, write_png

_LENGTHS = {"": 1.0, "mm": 1.0, "m": 1e3, "km": 1e6}
_LEAST_LIFE = 1e6  # [mm], 1 km: a life without a unit that is shorter was perhaps meant in another one


class Stopped(BaseException):
    """Raised on a signal."""


def parser() -> argparse.ArgumentParser:
    made = Parser("life", __doc__.split("\n", maxsplit=1)[0])
    made.add_argument("case")
    made.add_argument("--program", required=True)
    made.add_argument("-o", "--output", required=True)
    for name in ("--conditions", "--classes", "--distance", "--wheels", "--plot", "--plot-named"):
        made.add_argument(name)
    for name, default in (("--depth", "0.1"), ("--smoothing", "5"), ("--change", "0.1"), ("--jobs", str(len(os.sched_getaffinity(0)))),
                          ("--backend", "cpu")):
        made.add_argument(name, default=default)
    made.add_argument("--set", action="append", default=[])
    for name in ("--resume", "--overwrite"):
        made.add_argument(name, action="store_true")
    return made


def length_of(text: Optional[str], option: str) -> float:
    """Returns a length in mm; 0 if it is not given."""
    if text is None:
        return 0.0
    found = re.fullmatch(r"\s*([-+.\deE]+?)\s*([a-z]*)\s*", text)
    try:
        value = float(found[1]) * _LENGTHS[found[2]] if found else math.nan
    except (ValueError, KeyError):
        value = math.nan
    if not 0.0 < value < math.inf:
        raise Failed(f'{option}: "{text}" is no distance; accepted: a number > 0 in mm, or with a unit: 500m, 100000km')
    return value


def shown(name: str, value: float) -> str:
    """Writes a setting in words: a distance with its unit."""
    if name != "distance":
        return f"{value:g}"
    return f"{value * 1e-6:g} km" if value == 0.0 or value >= 1e5 else f"{value * 1e-3:g} m"


def number_of(text: str, option: str, least: float, most: float, accepted: str) -> float:
    """Reads a number from `least` to `most`; `accepted` states the range in words."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not least <= value <= most:
        raise Failed(f'{option}: "{text}" is out of range; accepted: {accepted}')
    return value


def count_of(text: str, option: str, most: int) -> int:
    accepted = f"a whole number from 1 to {most}"
    value = number_of(text, option, 1, most, accepted)
    if not value.is_integer():
        raise Failed(f'{option}: "{text}" is not a whole number; accepted: {accepted}')
    return int(value)


def settings_of(asked: Any) -> Dict[str, Any]:
    wheels = 0.0 if asked.wheels is None else number_of(asked.wheels, "--wheels", 1e-300, 1e300, "a number > 0 of wheels")
    made = {"distance": length_of(asked.distance, "--distance"), "passing_wheels": wheels,
            "depth": number_of(asked.depth, "--depth", 1e-9, 1.0, "a depth in mm from 1e-9 to 1"),
            "smoothing": number_of(asked.smoothing, "--smoothing", 0.0, 50.0, "a length in mm from 0 (none) to 50"),
            "change": number_of(asked.change, "--change", 1e-6, 0.5, "a part from 1e-6 to 0.5")}
    if made["distance"] == 0.0 and wheels == 0.0:
        raise Failed("nothing is said to wear; accepted: --distance 100000km, in which the wheels wear, --wheels 1000000, which wear the "
                     "rail, or both")
    if 0.0 < made["distance"] < _LEAST_LIFE and not asked.distance.strip()[-1].isalpha():
        tell(f"warning: --distance {asked.distance}: a number without a unit is in mm, and {shown('distance', made['distance'])} are short for a life; "
             f"accepted also: a unit, as in {asked.distance.strip()}km")
    return made


def begin_or_resume(asked: Any, settings: Dict[str, Any], folder: str) -> Any:
    """Returns the existing life, or None; assigns the folder of unfinished work to this life."""
    from . import store
    life = None
    if os.path.lexists(asked.output):
        if not (asked.resume or asked.overwrite):
            raise Failed(f"{asked.output}: the file exists; accepted: --resume, --overwrite, or another name with -o")
        life = store.read(asked.output)  # of another kind: refused, whatever was asked for
        life = life if asked.resume else None
    if life is not None:
        if settings != life.settings and life.may_end_at(settings):
            tell(f"{asked.output}: the life ends at " + " and ".join(
                f"{shown(name, settings[name])}{' wheels' if name == 'passing_wheels' else ''}, not at {shown(name, life.settings[name])} as before, with "
                f"{shown(name, life.share * life.settings[name])} behind" for name in store.LENGTHS if settings[name] > 0.0))
            life.end_at(settings)
        for name, value in settings.items():
            if life.settings.get(name) != value:
                what = "another case, other profiles, another table or another backend" if name == "signature" else \
                    f"--{name.replace('passing_', '')} {shown(name, life.settings.get(name))}, not {shown(name, value)}"
                more = ", more --distance and --wheels in the same proportion" if name in store.LENGTHS else ""
                raise Failed(f"{asked.output}: this life was begun with {what}; accepted: what it was begun with{more}, or --overwrite")
    mark = os.path.join(folder, "signature")
    text = "".join(f"{name} {value!r}\n" for name, value in sorted(settings.items()))
    if os.path.isdir(folder):
        try:
            with open(mark, encoding="utf-8") as file:
                same = file.read() == text
        except OSError as error:
            raise Failed(f"{folder}: this folder is not of slipfield life; accepted: another name with -o") from error
        if same and asked.resume:
            return life
        shutil.rmtree(folder)
    os.makedirs(folder)
    with open(mark, "w", encoding="utf-8") as file:
        file.write(text)
    return life


def lock(output: str) -> Any:
    """Ensures that only one process computes a life. A killed process leaves the file but not the lock."""
    try:
        held = open(f"{output}.lock", "a", encoding="utf-8")  # pylint: disable=consider-using-with
    except OSError as error:
        raise Failed(f"{output}: it cannot be written: {error.strerror}", 3) from error
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise Failed(f"{output}: another process computes this life; accepted: --resume when it has ended", 3) from error
    if not os.path.exists(held.name) or os.stat(held.name).st_ino != os.fstat(held.fileno()).st_ino:
        held.close()  # the process that had it has removed it meanwhile
        return lock(output)
    return held


def run(asked: Any) -> None:
    settings = settings_of(asked)
    jobs = count_of(asked.jobs, "--jobs", 4096)
    if asked.backend not in ("cpu", "cuda"):
        raise Failed(f'--backend: "{asked.backend}" is no backend; accepted: cpu, cuda')
    if not asked.output.endswith((".h5", ".hdf5")):
        raise Failed(f"{asked.output}: the rounds are kept in HDF5, and the name says so; accepted: names that end in .h5 or .hdf5")
    require_packages("lives", bool(asked.plot))
    from .march import March
    from .program import Program
    from .table import of_case_alone, read_conditions
    classes = None if asked.classes is None else count_of(asked.classes, "--classes", 1000)
    if classes and not asked.conditions:
        raise Failed("--classes sorts the rows of a table; accepted: --conditions with it")
    conditions = read_conditions(asked.conditions, classes) if asked.conditions else of_case_alone()
    with lock(asked.output) as held:
        try:
            # A case looks for its profiles next to itself, wherever this is started.
            program = Program(asked.program, asked.case, asked.set, conditions, os.path.abspath(f"{asked.output}.rounds"), jobs, asked.backend)
            settings["signature"] = hashlib.sha256(repr((program.check(), conditions.weights, asked.backend)).encode()).hexdigest()
            life = begin_or_resume(asked, settings, program.folder)
            for note in conditions.notes:
                tell(note)
            march_on(March(program, asked.output, settings, tell), life, asked)
        finally:
            if os.path.getsize(held.name) == 0:  # else it was the user's
                os.remove(held.name)
    tell(f"life: {asked.output}")


def march_on(march: Any, life: Any, asked: Any) -> None:
    """Computes the rounds and their figure, even for a life that fails after some of them."""
    from ..errors import Error, InputError, NotConverged
    try:
        draw(march.run(life), asked)
    except Error as error:
        refused = isinstance(error, InputError) and (march.life is None or march.life.round == 0)
        if isinstance(error, NotConverged) or refused and not march.program.has_results():  # --resume would end so again
            shutil.rmtree(march.program.folder, ignore_errors=True)
        if march.life is not None and march.life.round > 0:
            with contextlib.suppress(Failed):
                draw(march.life, asked)
        raise


def draw(life: Any, asked: Any) -> None:
    if not asked.plot:
        return
    from .picture import plot
    with drawing():
        write_png(plot(life), asked.plot, asked.plot_named or asked.plot)


def ended(output: str) -> str:
    """Reports what a life that ends early leaves."""
    return f"`slipfield plot {output} -o FIG.png` draws the rounds until now, and " if os.path.exists(output) else ""


def stop(number: int, _: Any) -> None:
    signal.signal(number, signal.SIG_IGN)  # Ctrl-C comes from the terminal and from the program
    raise Stopped(number)


def end_with_parent() -> None:
    """Ends the rounds on a signal and when the program that started this process ends."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, stop)
    end_with(os.getppid())


def main(arguments: Optional[Sequence[str]] = None) -> None:
    given: List[str] = list(sys.argv[1:] if arguments is None else arguments)
    message, code = "", 0
    try:
        asked = parser().parse_args(given)
        try:
            with failing(asked.case):
                run(asked)
        except Stopped as error:
            code, message = 128 + int(error.args[0]), f"interrupted; {ended(asked.output)}the same command with --resume continues {asked.output}"
            if error.args[0] != signal.SIGINT:  # the program, which passes errors on, has ended before
                tell(message)
    except Stopped as error:
        code, message = 128 + int(error.args[0]), "interrupted before the first round"
    except Failed as error:
        message, code = str(error), error.code
    if message:
        sys.stderr.write(f"error: {message}\n")
    if code:
        sys.exit(code)


if __name__ == "__main__":
    end_with_parent()
    main()
