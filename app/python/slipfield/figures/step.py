# SPDX-License-Identifier: Apache-2.0
"""Figures of steps: the overview, or the requested pictures; animations."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
from dataclasses import dataclass, field as member
from typing import Any, List, Optional, Sequence, Tuple

from ..errors import Error
from . import inside as inner
from . import maps, names
from .layout import Panel, Text, page
from .view import Refused

MOST_PANELS = 32
MOST_FRAMES = 300


@dataclass
class Request:
    """The pictures requested for the steps; none chosen: an overview."""
    fields: Sequence[str] = ()
    cuts: bool = False
    at: Optional[Tuple[float, float]] = None
    history: bool = False
    shakedown: bool = False
    interior: Sequence[str] = ()
    whole_grid: bool = False
    surfaces: Sequence[str] = ()
    shape: bool = False

    def chosen(self) -> bool:
        """Whether something other than an overview is requested."""
        return bool(self.fields or self.cuts or self.history or self.shakedown or self.interior or self.surfaces
                    or self.shape)


@dataclass
class Made:
    """The panels of a figure, by picture and then by step, and the text around them."""
    panels: List[Panel]
    text: Text
    columns: Optional[int] = None
    legend: List[Any] = member(default_factory=list)


def overview_names(contact: Any) -> List[str]:
    """Names of the pictures of an overview that the step has data for: pressure, adhesion and slip, and traction relative to
    its bound."""
    held = set(contact.fields)
    friction = maps.has_friction(contact)
    found = ["pressure"] if "pressure" in held else []
    if friction:
        found.append("traction")
        if maps.is_row(contact) and {"slip_x", "slip_y"} <= held:
            found.append("slip")
    elif "displacement_n" in held:
        found.append("displacement_n")
    if not maps.is_row(contact) and (friction or "pressure" in held):
        found.append("cut traction" if friction else "cut pressure")
    if not found:
        fields = ", ".join(contact.fields) or "no field"
        raise Refused(f"{contact.view.name}: step {contact.number} holds {fields}, and an overview draws the pressure or the "
                      "tractions; accepted: " + ("--fields with one of these, " if contact.fields else "")
                      + "--history, --over step for totals along several steps, or another run with output.fields: all")
    return found


def picture_names(contact: Any, request: Request) -> List[str]:
    found = list(request.fields)
    found += [f"surface {name}" for name in request.surfaces]
    if request.shape:
        found.append("cut shape")
    if request.cuts or (request.at and request.chosen() and not request.shape):
        found.append("cut traction" if maps.has_friction(contact) else "cut pressure")
    found += ["history"] * request.history + ["shakedown"] * request.shakedown + [f"inside {n}" for n in request.interior]
    return found or overview_names(contact)


def made_of(contacts: Sequence[Any], request: Request, most: int = MOST_PANELS) -> Made:
    """Makes the panels of all contacts (at most so many); each picture has the same colours and scales in all of them."""
    first = contacts[0]
    scene = maps.scene_of(contacts, request.whole_grid, request.at)
    notes, legend = maps.notes_of(contacts), []
    drawn = picture_names(first, request)
    known = {*first.fields, *maps.ARROWS}
    for name in request.fields:
        if name not in known and name not in names.FIELDS:
            raise Refused(f'{first.view.name}: there is no field "{name}"; {names.accepted(name, known)}')
    if len(drawn) * len(contacts) > most:
        raise Refused(f"{len(drawn)} pictures of {len(contacts)} steps are {len(drawn) * len(contacts)} panels; a figure has "
                      f"at most {most}")
    panels: List[Panel] = []
    for name in drawn:
        panels += _panels(scene, name, notes, legend)
    if any(name.startswith("cut ") for name in drawn):
        notes += maps.cut_notes(scene)
    if not request.chosen() and first.insides:
        notes.append("The file also holds stresses inside the bodies: --interior depth,von_mises draws them.")
    text = Text(first.title, maps.summary_of(first) if len(contacts) == 1 else [], notes,
                maps.legend_of(scene, drawn) + legend)
    if len(contacts) > 1 and (turn := {maps.direction_text(c) for c in contacts}) and len(turn) == 1:
        text.summary = [part for part in turn if part]
    return Made(panels, text, len(contacts) if len(contacts) > 1 and len(drawn) > 1 and len(contacts) < 5 else None)


def _panels(scene: maps.Scene, name: str, notes: List[str], legend: List[Any]) -> List[Panel]:
    kind, _, what = name.partition(" ")
    if kind == "cut":
        return maps.cut_panels(scene, what)
    if kind == "surface":
        return maps.surface_panels(scene, what, notes)
    if kind == "inside":
        return inner.panels_of(scene, [what], legend)
    if name == "history":
        return inner.history_panels(scene, legend)
    if name == "shakedown":
        return inner.shakedown_panels(scene, notes, legend)
    if name in maps.ARROWS:
        return maps.arrow_panels(scene, name, notes)
    return maps.map_panels(scene, name, notes)


def steps(contacts: Sequence[Any], request: Optional[Request] = None) -> Any:
    """A figure of one contact, or of several steps side by side."""
    made = made_of(contacts, request or Request())
    return page(made.panels, made.text, made.columns)


# --- Animations
def animation(contacts: Sequence[Any], request: Request) -> List[Any]:
    """Makes one frame per contact, with common scales and one size."""
    if len(contacts) < 2:
        raise Refused(f"{contacts[0].view.name}: an animation needs the steps of a sequence, and this is one step; accepted: a "
                      "sequence kept with `output: {steps: all}`, or a figure (.png, .svg, .pdf)")
    if len(contacts) > MOST_FRAMES:
        raise Refused(f"{contacts[0].view.name}: {len(contacts)} steps are too many for an animation; accepted: at most "
                      f"{MOST_FRAMES} of them, chosen with --step")
    made = made_of(contacts, request, MOST_PANELS * len(contacts))
    count = len(contacts)
    frames = []
    for index, contact in enumerate(contacts):
        panels = [Panel(p.draw, p.title.split(": ", 1)[-1], p.aspect, p.bar, p.projection) for p in made.panels[index::count]]
        for panel in panels:
            panel.title = names.capital(panel.title)
        text = Text(made.text.title, maps.summary_of(contact), maps.notes_of([contact]), made.text.legend)
        frames.append(_pixels(page(panels, text)))
    height = max(frame.height for frame in frames)
    return [_padded(frame, frames[0].width, height) for frame in frames]


def _pixels(figure: Any) -> Any:
    from PIL import Image
    data = io.BytesIO()
    figure.savefig(data, format="png", dpi=110)
    if "pyplot" in str(type(figure.canvas.manager)):
        figure.clear()
    data.seek(0)
    return Image.open(data).convert("RGB")


def _padded(frame: Any, width: int, height: int) -> Any:
    """Pads pictures with white to one size, even as films require."""
    from PIL import Image
    size = (width + width % 2, height + height % 2)
    if frame.size == size:
        return frame
    made = Image.new("RGB", size, "white")
    made.paste(frame, (0, 0))
    return made


def write_frames(frames: Sequence[Any], path: str, form: str, rate: float) -> None:
    """Writes GIF, or MP4 by ffmpeg. Raises OSError if it cannot be written."""
    if form == "gif":
        from PIL import Image
        adaptive = [frame.quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE) for frame in frames]
        film = io.BytesIO()  # of a disk that is full PIL gives no reason
        adaptive[0].save(film, format="GIF", save_all=True, append_images=adaptive[1:], duration=1000.0 / rate, loop=0)
        with open(path, "wb") as file:
            file.write(film.getvalue())
        return
    if not shutil.which("ffmpeg"):
        raise Error("an animation as MP4 needs ffmpeg, which is not installed; accepted: install it (apt-get install "
                    "ffmpeg), or a name that ends with .gif")
    width, height = frames[0].size
    command = ["ffmpeg", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r",
               str(rate), "-i", "-", "-an", "-pix_fmt", "yuv420p", "-f", "mp4", os.path.abspath(path)]
    done = subprocess.run(command, input=b"".join(frame.tobytes() for frame in frames), capture_output=True, check=False)
    if done.returncode != 0:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["it gave no reason"]
        raise Error(f"ffmpeg failed: {lines[-1]}")
