# SPDX-License-Identifier: Apache-2.0
"""`slipfield surface`: python3 -m slipfield.surface FILE [-o OUT.h5] [options].

The options are those of `slipfield surface --help`, which checks them first and passes them on, with the outputs under
temporary names: --named and --plot-named are their own. Exit codes: 0 done; 2 the file or the command line is wrong; 3 it cannot
be written; 69 a Python package is missing.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
import warnings
from dataclasses import replace
from typing import Any, List, Optional, Sequence

from ..command_line import MISSING, Failed, Parser, drawing, failing, require_packages, tell, warn, write_png, written


def parser() -> argparse.ArgumentParser:
    made = Parser("surface", __doc__.split("\n", maxsplit=1)[0])
    made.add_argument("file")
    made.add_argument("-o", "--output")
    for name in ("--named", "--plot", "--plot-named", "--unit", "--height-unit", "--spacing", "--dataset", "--crop", "--level", "--fill",
                 "--flip", "--spikes"):
        made.add_argument(name)
    made.add_argument("--to", default="mm")
    for name in ("--missing", "--height-factor", "--lateral-factor"):
        made.add_argument(name, type=float)
    for name in ("--periodic", "--json", "--overwrite"):
        made.add_argument(name, action="store_true")
    return made


def numbers(text: Optional[str], option: str, form: str) -> Optional[List[float]]:
    if text is None:
        return None
    try:
        found = [float(part) for part in text.split(",")]
    except ValueError:
        found = []
    if len(found) != form.count(",") + 1:
        raise Failed(f'{option}: "{text}" is not understood; accepted: numbers {form}')
    return found


def prepared(asked: Any) -> Any:
    """Applies the requested changes to the file's surface in a fixed order."""
    from . import crop, despike, fill, flip, level, read, rescale, spikes
    from .prepare import spikes_text
    crops = numbers(asked.crop, "--crop", "X0,X1,Y0,Y1")
    made = read(asked.file, unit=asked.unit, height_unit=asked.height_unit, spacing=numbers(asked.spacing, "--spacing", "DX,DY"),
                dataset=asked.dataset, missing=asked.missing, to=asked.to)
    if asked.height_factor is not None or asked.lateral_factor is not None:
        made = rescale(made, 1.0 if asked.height_factor is None else asked.height_factor,
                       1.0 if asked.lateral_factor is None else asked.lateral_factor)
    if crops is not None:
        made = crop(made, crops[:2], crops[2:])
    if asked.flip is not None:
        made = flip(made, *(each.strip() for each in asked.flip.split(",")))
    if asked.spikes is not None:
        if asked.spikes != "missing":
            raise Failed(f'--spikes: "{asked.spikes}" is not a way; accepted: missing')
        made = despike(made)
    elif (found := spikes(made)).any():
        made = replace(made, warnings=(*made.warnings, f"{spikes_text(made, found)}, which may be errors of measurement; --spikes missing takes them off"))
    if asked.level is not None:
        made = level(made, asked.level)
    if asked.fill is not None:
        made = fill(made, asked.fill)
    return made


def case_lines(surface: Any, path: str) -> List[str]:
    """Returns the lines with which a case uses the file."""
    from .grid import metres_of
    mine = {"mm": 1e-3, "m": 1.0}
    unit = surface.unit if surface.unit in mine else "mm"
    dx, dy = (step * metres_of(surface.unit, "") / mine[unit] for step in (surface.dx, surface.dy))
    my, mx = surface.shape
    return [f"in a case in {unit}:",
            f"  grid: {{elements: [{mx}, {my}], spacing: [{dx:.10g}, {dy:.10g}]}}",
            f"  geometry: {{type: heights, file: {json.dumps(path, ensure_ascii=False)}, of: lower}}   # or of: upper"]


def run(asked: Any) -> None:
    require_packages("surfaces", bool(asked.plot))
    warnings.simplefilter("ignore")  # what packages say of each other's versions
    logging.disable(logging.ERROR)
    from . import files, measure, plot, write
    from .measures import slope_warnings
    made = prepared(asked)
    found = measure(made, asked.periodic)
    made = replace(made, warnings=(*made.warnings, *slope_warnings(asked.file, found)))
    output = asked.named or asked.output
    if asked.plot:
        with drawing():
            write_png(plot(made, found), asked.plot, asked.plot_named or asked.plot)
    if asked.named:
        with written(asked.named):
            files.write_new(made, asked.output, asked.named)
    elif asked.output:
        write(made, asked.output, asked.overwrite)
    for warning in made.warnings:
        warn(warning)
    if asked.json:
        document = {"file": asked.file, "sha256": made.sha256, "bytes": made.size, "steps": list(made.steps),
                    "warnings": list(made.warnings), "measures": found.to_dict(),
                    "spacing": [made.dx, made.dy], "output": output or None, "plot": asked.plot_named or asked.plot or None}
        tell(json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2))
        return
    lines = [*made.steps, f"sha256 {made.sha256}", "", repr(found)]
    if found.spectrum is not None and not asked.plot:
        lines.append(f"--plot draws the spectrum and the bearing curve, --json has all {len(found.spectrum)} wave lengths")
    if output:
        lines += ["", *case_lines(made, output)]
    tell("\n".join(lines))


def main(arguments: Optional[Sequence[str]] = None) -> None:
    given = list(sys.argv[1:] if arguments is None else arguments)
    message, code = "", 0
    try:
        asked = parser().parse_args(given)
        with failing(asked.file):
            run(asked)
    except Failed as error:
        message, code = str(error), error.code
    if code:
        sys.stderr.write(f"error: {message}\n")
        if "--json" in given and code != MISSING:
            print(json.dumps({"error": message, "exit_code": code}, ensure_ascii=False))
        sys.exit(code)


if __name__ == "__main__":
    main()
