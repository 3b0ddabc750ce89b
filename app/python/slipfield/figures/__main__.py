# SPDX-License-Identifier: Apache-2.0
"""`slipfield plot` and `slipfield report`: python3 -m slipfield.figures plot FILE.h5 -o FIGURE [options].

The options are those of `slipfield plot --help`, which checks them first and passes them on. The program also passes
--format, the format of an output under a temporary name, and --profiles, JSON with the curves of the profiles.
Exit codes: 0 done; 2 the file or the command line is wrong; 3 it cannot be drawn; 69 a Python package is missing.
"""

from __future__ import annotations

import json
import logging
import os
import re
import sys
import warnings
from typing import Any, Dict, List, Optional, Sequence

from ..command_line import Failed, Parser, drawing, fail, failing, require_modules, warn, write_png, written

FORMATS = ("png", "svg", "pdf", "gif", "mp4")


def named_by_user(text: str) -> str:
    """Removes the suffix from NAME.partial-NUMBER (io/pending_file.cpp): the user only knows NAME."""
    return re.sub(r"\.partial-\d+(\.\d+)?", "", text)


def parser(command: str) -> Parser:
    made = Parser(command, __doc__.split("\n", maxsplit=1)[0])
    made.prog = f"python3 -m slipfield.figures {command}"
    made.add_argument("-o", "--output")
    made.add_argument("--profiles")
    if command == "geometry":
        made.add_argument("--format")
        made.set_defaults(files=["the geometry"])
        return made
    made.add_argument("files", nargs="+" if command == "plot" else 1)
    made.add_argument("--overwrite", action="store_true")
    if command == "report":
        return made
    for name, kind in (("--format", str), ("--style", str), ("--at", str), ("--frame-rate", float), ("--over", str), ("--panels", str),
                       ("--point", int), ("--side", str), ("--contact", int)):
        made.add_argument(name, type=kind)
    for name in ("--step", "--fields", "--interior", "--surface", "--quantities", "--where"):
        made.add_argument(name, action="append", default=[])
    for name in ("--cuts", "--history", "--shakedown", "--whole-grid", "--shape", "--heat-map", "--contact-lines",
                 "--contacts", "--difference"):
        made.add_argument(name, action="store_true")
    return made


def listed(values: Sequence[str]) -> List[str]:
    return [part.strip() for value in values for part in value.split(",") if part.strip()]


def step_numbers(values: Sequence[str]) -> List[int]:
    found = []
    for part in listed(values):
        if part != "last" and not (part.isdigit() and int(part) > 0):
            fail(f'"{part}" is not a step; steps are numbered from 1, and `last` is the last')
        found.append(0 if part == "last" else int(part))
    return found


def place_of(text: Optional[str]) -> Any:
    if text is None:
        return None
    try:
        x, y = (float(part) for part in text.split(","))
    except ValueError:
        fail(f'--at: "{text}" is not a place; accepted: x,y')
    return x, y


class Plot:
    """One call of `plot`."""

    def __init__(self, asked: Any) -> None:
        self.asked = asked
        self.profiles = read_json(asked.profiles)
        self.form = asked.format or os.path.splitext(asked.output)[1].lower().lstrip(".")
        if self.form not in FORMATS:
            fail(f"{asked.output}: a figure's name ends with .png, .svg or .pdf, that of an animation with .gif or .mp4")
        if not asked.format and os.path.exists(asked.output) and not asked.overwrite:
            fail(f"{asked.output} exists already; use --overwrite to replace it, or choose another name")
        self.animated = self.form in ("gif", "mp4")
        self.steps = step_numbers(asked.step)
        self.curved = bool(asked.over or asked.quantities or asked.where or asked.panels or asked.heat_map or asked.side and not asked.contact)

    def request(self) -> Any:
        from .step import Request
        a = self.asked
        return Request(fields=listed(a.fields), cuts=a.cuts, at=place_of(a.at), history=a.history, shakedown=a.shakedown,
                       interior=listed(a.interior), whole_grid=a.whole_grid, surfaces=listed(a.surface), shape=a.shape)

    def draws_fields(self) -> bool:
        request = self.request()
        return bool(self.steps or request.chosen() or request.whole_grid or request.at)

    def run(self) -> None:
        from .layout import styled
        with styled(self.asked.style or "screen"):
            figure = self.figure()
            if figure is not None:
                write_png(figure, self.asked.output, named_by_user(self.asked.output), self.form)

    def still(self, why: str) -> None:
        if self.animated:
            fail(f"an animation (.{self.form}) needs {why}; accepted here: .png, .svg, .pdf")

    def figure(self) -> Any:
        from . import wheel
        from .view import is_life, open_view
        asked = self.asked
        if "profile" in self.profiles:
            self.still("the steps of one contact")
            return wheel.profile(self.profiles["profile"])
        if is_life(asked.files[0]):
            from ..life import plot, read
            self.still("the steps of one contact")
            return plot(read(asked.files[0]), asked.style or "screen")
        if asked.difference and len(asked.files) != 2:
            fail(f"--difference is of two results, and {len(asked.files)} {'is' if len(asked.files) == 1 else 'are'} named; "
                 "accepted: slipfield plot A.h5 B.h5 --difference")
        views = [open_view(path) for path in asked.files]
        for view in views:
            if message := view.incomplete():
                warn(message)
            if asked.side and not view.sides:
                fail(f"{view.name}: --side needs a wheelset, and this is the result of {view.kind}; accepted: without it")
        if len(views) > 1:
            return self.several(views)
        view = views[0]
        if asked.point:
            view = view.point(asked.point)
        if view.is_sweep:
            return self.sweep(view)
        if self.curved:
            return self.over_steps(view)
        if asked.contact_lines:
            fail(f"{view.name}: --contact-lines are of a sweep over wheel_rail.wheelset.y; accepted: such a sweep")
        if view.is_wheel and not asked.contact:
            if asked.contacts or not self.request().chosen() and not asked.whole_grid and not asked.at:
                return self.wheel(view)
        return self.contacts(view)

    def sweep(self, view: Any) -> Any:
        from . import contact_lines, curves, heat_maps
        asked = self.asked
        self.still("the steps of one contact")
        if self.draws_fields() or asked.contacts:
            fail(f"{view.name}: this is a sweep; pictures of fields need a point of it: --point N where the sweep keeps fields, "
                 "else the result of `slipfield run CASE.yaml --point N`")
        if asked.contact_lines:
            if self.curved:
                fail(f"{view.name}: --contact-lines is a figure of its own; accepted: without --over, --quantities, --where, "
                     "--panels and --heat-map")
            return contact_lines(view, self.profiles.get("sides"))
        quantities = listed(asked.quantities)
        if asked.heat_map:
            if asked.panels:
                fail(f"{view.name}: a heat map has two keys in one panel, and a panel for each value of a third; accepted: "
                     "--heat-map or --panels")
            return heat_maps(view, quantities, asked.over or "", asked.where, asked.side or "", contact=asked.contact or 0)
        return curves(view, quantities, asked.over or "", asked.panels or "", asked.where, asked.side or "", contact=asked.contact or 0)

    def over_steps(self, view: Any) -> Any:
        from . import curves
        asked = self.asked
        self.still("fields, and these are curves")
        if asked.where or asked.panels or asked.heat_map:
            fail(f"{view.name}: this is no sweep; accepted: --over step, or --over a total that it has, and --quantities, its "
                 "totals along the steps")
        if self.draws_fields() or asked.contact_lines:
            fail(f"{view.name}: --over step is a figure of its own; accepted: --quantities, without options for the fields of "
                 "one step")
        return curves(view, listed(asked.quantities), asked.over or "step", side=asked.side or "", contact=asked.contact or 0)

    def wheel(self, view: Any) -> Any:
        from . import wheel
        self.still("the steps of one contact: --contact")
        if len(self.steps) > 1:
            fail(f"{view.name}: the profiles in contact are drawn of one step; accepted: one --step")
        step = self.steps[0] if self.steps else 0
        if self.asked.contacts:
            return wheel.plan(view, step, self.field_in_plan())
        return wheel.in_contact(view, step, self.profiles.get("sides"))

    def field_in_plan(self) -> str:
        asked, fields = self.asked, listed(self.asked.fields)
        for given, option in ((asked.history, "--history"), (asked.at, "--at"), (asked.cuts, "--cuts"), (asked.interior, "--interior"),
                              (asked.surface, "--surface"), (asked.shape, "--shape"), (asked.shakedown, "--shakedown"),
                              (asked.whole_grid, "--whole-grid")):
            if given:
                fail(f"{option} is of one contact, and --contacts draws all of them; accepted: --contact N instead of --contacts")
        if len(fields) > 1:
            fail(f"--fields: --contacts draws one field, and {len(fields)} are named; accepted: one of them")
        return fields[0] if fields else "pressure"

    def contacts(self, view: Any) -> Any:
        from . import step
        asked, request = self.asked, self.request()
        if asked.contacts:
            fail(f"{view.name}: --contacts needs a wheel on a rail; accepted: without it")
        if asked.frame_rate is not None and not 0.1 <= asked.frame_rate <= 60.0:
            fail(f"--frame-rate: {asked.frame_rate:g} steps in a second are not possible; accepted: 0.1 to 60")
        numbers = self.steps or (view.step_numbers if self.animated else [0])
        contacts = [view.contact(number, asked.contact or 0, asked.side or "") for number in numbers]
        if self.animated:
            frames = step.animation(contacts, request)
            with written(named_by_user(asked.output)):
                step.write_frames(frames, asked.output, self.form, asked.frame_rate or 4.0)
            return None
        return step.steps(contacts, request)

    def several(self, views: Sequence[Any]) -> Any:
        self.still("the steps of one result, and several are named")
        self.refuse_single()
        from . import difference, over_each_other, pairs
        asked = self.asked
        sweeps = [view.is_sweep and not asked.point for view in views]
        if any(sweeps) and not all(sweeps):
            fail(f"{', '.join(asked.files)}: some of these are sweeps and some are not; accepted: sweeps alone, or --point and "
                 "the results of points")
        pairs.require_one_kind(views, None if self.curved or all(sweeps) else bool(asked.contact))
        if all(sweeps) or self.curved:
            return self.several_curves(views, all(sweeps))
        views = [view.point(asked.point) if view.is_sweep else view for view in views]
        chosen = {"fields": listed(asked.fields), "step": self.steps[0] if self.steps else 0, "contact": asked.contact or 0,
                  "whole_grid": asked.whole_grid}
        if not asked.difference:
            return over_each_other(views, at=place_of(asked.at), **chosen)
        if asked.at or asked.cuts:
            fail("--difference draws maps, without cuts; accepted: without --at and --cuts, or these without --difference")
        return difference(*views, **chosen)

    def several_curves(self, views: Sequence[Any], sweeps: bool) -> Any:
        from . import curves
        asked = self.asked
        if self.draws_fields() or asked.difference:
            fail(f"{asked.files[0]}: this is a sweep or a sequence, drawn as curves; accepted: --point for the fields of a point, or "
                 "--quantities, --over, --where, --panels")
        if not sweeps and (asked.where or asked.panels):
            fail(f"{asked.files[0]}: the curves of results are over their steps; accepted: --over step, or --over a total that all "
                 "of them have, and --quantities alone")
        return curves(list(views), listed(asked.quantities), asked.over or "", asked.panels or "", asked.where,
                      asked.side or "", contact=asked.contact or 0)

    def refuse_single(self) -> None:
        """Refuses options for a single result."""
        asked, fields = self.asked, "--fields, --step, --at, --whole-grid, --difference"
        for given, option, accepted in (
                (asked.history, "--history", fields), (asked.interior, "--interior", fields), (asked.surface, "--surface", fields),
                (asked.shape, "--shape", "--fields gap"), (asked.shakedown, "--shakedown", fields), (asked.contacts, "--contacts", "--contact"),
                (asked.contact_lines, "--contact-lines", "--quantities rolling_radius_difference"),
                (asked.heat_map, "--heat-map", "curves"),
                (len(self.steps) > 1, "a list of steps", "one --step, of each of the results")):
            if given:
                fail(f"{option} takes one result, and {len(asked.files)} are named; accepted: {accepted}")


def read_json(path: Optional[str]) -> Dict[str, Any]:
    """Reads JSON from a file; "-": from standard input; None: {}."""
    if not path:
        return {}
    if path == "-":
        return dict(json.load(sys.stdin))
    with open(path, encoding="utf-8") as file:
        return dict(json.load(file))


def geometry(asked: Any) -> None:
    """Draws for `slipfield geometry --plot`, whose document replaces the profiles."""
    from . import geometry as across, styled
    with styled("screen"):  # which also says the resolution
        write_png(across(read_json(asked.profiles)), asked.output, named_by_user(asked.output), asked.format)


def report(asked: Any) -> None:
    from .report import report_page
    text = report_page(asked.files[0], read_json(asked.profiles).get("sides"), warn)
    with written(named_by_user(asked.output)), open(asked.output, "w", encoding="utf-8") as file:
        file.write(text)


COMMANDS = {"plot": lambda asked: Plot(asked).run(), "report": report, "geometry": geometry}


def run(command: str, asked: Any) -> None:
    if not asked.output:
        fail("--output is required; accepted: -o FIGURE")
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # of fonts that it looks for once
    require_modules(("h5py", "matplotlib", *(["jinja2"] if command == "report" else [])),
                    "figures need the packages python3-matplotlib, python3-h5py and python3-jinja2")
    warnings.simplefilter("ignore")  # what packages say of each other's versions
    with drawing():
        COMMANDS[command](asked)


def main(arguments: Optional[Sequence[str]] = None) -> None:
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        if not given or given[0] not in COMMANDS:
            fail(f"no command; accepted: {', '.join(COMMANDS)}")
        asked = parser(given[0]).parse_args(given[1:])
        with failing(f"{asked.files[0]}: it cannot be drawn"):
            run(given[0], asked)
    except Failed as error:
        sys.stderr.write(f"error: {named_by_user(str(error))}\n")
        sys.exit(error.code)


if __name__ == "__main__":
    main()
