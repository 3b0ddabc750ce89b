# SPDX-License-Identifier: Apache-2.0
"""Lays out panels on a page: axes in a row have equal heights, in a column equal widths, whatever their labels; text has its
own space.

Places are computed in inches from the style's font size, so that nothing overlaps and edges align.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import math
import os
import re
import textwrap
from dataclasses import dataclass, field as member, replace
from typing import Any, Callable, Iterator, List, Optional, Sequence

from .names import clean
from .view import Refused

STYLES = ("screen", "column", "page", "slide")
_COLUMNS = {"screen": 2, "column": 1, "page": 2, "slide": 3}
_TITLED = {"screen": True, "column": False, "page": False, "slide": True}  # journals have captions
_RATIO = 0.62   # of a panel without a scale of its own
_LETTER = 0.54  # mean width of a letter over the font's size, to be safe
# Without `y` matplotlib lays out all labels at each drawing, to find what a title has to be above of: nothing here.
_TITLE = {"loc": "left", "pad": 5.0, "y": 1.0}


@dataclass
class Panel:
    """A pair of axes. `draw(axes)` draws the content; `bar`: leaves space for a colour bar."""
    draw: Callable[[Any], None]
    title: str = ""
    aspect: Optional[float] = None  # height over width of the axes
    bar: bool = False
    projection: Optional[str] = None
    wide: bool = False  # takes the whole width


@dataclass
class Text:
    """Text around the panels: title, common statements, notes at the foot, one legend."""
    title: str = ""
    summary: List[str] = member(default_factory=list)
    notes: List[str] = member(default_factory=list)
    legend: List[Any] = member(default_factory=list)


class Drawing:
    """State of the current drawing: its style, and whether pyplot shows its figures."""
    managed = True
    style = "screen"


def style_path(style: str) -> str:
    """The path of a style's sheet: `with matplotlib.style.context(style_path("column")): ...`"""
    if style not in STYLES:
        raise Refused(f'there is no style "{style}"; accepted: {", ".join(STYLES)}')
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "styles", style + ".mplstyle")


@contextlib.contextmanager
def styled(style: Optional[str] = None) -> Iterator[None]:
    """Draws in a style; None: in the surrounding one."""
    from matplotlib import style as sheets
    _load_backend()
    chosen, before = style or Drawing.style, Drawing.style
    with sheets.context(style_path(chosen)):
        Drawing.style = chosen
        try:
            yield
        finally:
            Drawing.style = before


@contextlib.contextmanager
def unmanaged() -> Iterator[None]:
    """Makes a figure without pyplot, which would keep and show it."""
    before, Drawing.managed = Drawing.managed, False
    try:
        yield
    finally:
        Drawing.managed = before


def shown_once(figure: Any) -> Any:
    """Returns the figure so that a notebook displays it once: as the value of its cell, but not again at the end of the cell."""
    figure._ipython_display_ = functools.partial(_display, figure)
    return figure


def _display(figure: Any) -> None:
    """Called by IPython to display a figure. The inline backend displays everything that pyplot still knows at the end of a
    cell."""
    from matplotlib import get_backend, pyplot
    if "inline" in get_backend():
        pyplot.close(figure)
    raise NotImplementedError  # IPython then displays it as any other figure


def _load_backend() -> None:
    """Loads a notebook's inline backend. It sets rcParams when it is loaded; inside a style these would be lost."""
    from matplotlib import get_backend
    backend = get_backend()
    if Drawing.managed and backend.startswith("module://"):
        importlib.import_module(backend[len("module://"):])


def new_figure(width: float, height: float) -> Any:
    if Drawing.managed:
        from matplotlib import pyplot
        return shown_once(pyplot.figure(figsize=(width, height)))
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    figure = Figure(figsize=(width, height))
    FigureCanvasAgg(figure)
    return figure


def letters(text: str) -> int:
    """Estimates the width of a text in letters, with mathtext as drawn."""
    bare = re.sub(r"\\(mathrm|mathbf|dot)", "", text)
    bare = re.sub(r"\\[a-zA-Z]+", "x", bare)
    return len(re.sub(r"[${}_^]", "", bare))


def wrapped(parts: Sequence[str], width: int, between: str = ",  ") -> List[str]:
    """Breaks a text into lines between parts, so that no formula is broken."""
    lines: List[str] = []
    for part in parts:
        if lines and letters(lines[-1]) + letters(between) + letters(part) <= width:
            lines[-1] += between + part
        else:
            lines.append(part)
    return lines


class Header:
    """Heights [inches] of the text above and below the panels for a width and a font."""

    def __init__(self, text: Text, width: float, em: float, titled: bool) -> None:
        from matplotlib import rcParams
        most = int(width / (_LETTER * em))
        title = clean(text.title) if titled else ""
        self.title = textwrap.wrap(title, max(10, int(most / 1.25)))[:2] if title else []
        self.summary = wrapped(text.summary, most)
        self.notes = textwrap.wrap("  ".join(dict.fromkeys(text.notes)), max(20, int(most / 0.88)))[:6]
        self.legend = text.legend
        small = float(rcParams["legend.fontsize"]) / 72.0
        widest = max((letters(handle.get_label()) for handle in text.legend), default=0)
        self.entry = small * (3.6 + _LETTER * widest)
        self.legend_columns = max(1, min(len(text.legend), int(width / self.entry)))
        self.legend_rows = math.ceil(len(text.legend) / self.legend_columns)
        self.small, self.em = small, em
        self.top = em * (0.6 + 1.75 * len(self.title) + 1.5 * len(self.summary) + 0.3) + 1.55 * small * self.legend_rows
        self.foot = em * (0.5 + 1.25 * len(self.notes)) if self.notes else 0.0

    def write(self, figure: Any, edge: float) -> None:
        width, height = figure.get_size_inches()
        em, y = self.em, height - 0.6 * self.em
        x = edge / width
        for line in self.title:
            figure.text(x, y / height, line, ha="left", va="top", fontsize=72 * em * 1.2, parse_math=False)
            y -= 1.75 * em
        for line in self.summary:
            figure.text(x, y / height, line, ha="left", va="top", fontsize=72 * em)
            y -= 1.5 * em
        if self.legend:
            figure.legend(handles=self.legend, loc="upper left", bbox_to_anchor=(x, (y - 0.25 * em) / height),
                          ncol=self.legend_columns, borderaxespad=0.0, borderpad=0.0, handlelength=2.0,
                          columnspacing=1.2, labelspacing=0.35)
        y = self.foot - 0.4 * em
        for line in self.notes:
            figure.text(x, y / height, line, ha="left", va="top", fontsize=72 * em * 0.88, color="#404040",
                        parse_math=False)
            y -= 1.25 * em


def page(panels: Sequence[Panel], text: Text, columns: Optional[int] = None) -> Any:
    """Draws the panels row by row as a figure in the current style."""
    from matplotlib import rcParams
    em = float(rcParams["font.size"]) / 72.0
    count = len(panels)
    if Drawing.style == "slide":  # the largest panels that fit
        return max((Sheet(panels, text, n, em) for n in range(1, min(count, 6) + 1)), key=lambda sheet: sheet.across).draw()
    if columns is None:
        columns = min(_COLUMNS[Drawing.style], count)
        if count == 3 and columns == 2 and Sheet(panels, text, 3, em).fits():
            columns = 3
    sheet = Sheet(panels, text, max(1, min(columns, count, 2 * _COLUMNS[Drawing.style])), em)
    while sheet.columns > 1 and sheet.across < 9 * em:
        sheet = Sheet(panels, text, sheet.columns - 1, em)
    return sheet.draw()


class Sheet:
    """Places of panels in this many columns [inches]."""

    def __init__(self, panels: Sequence[Panel], text: Text, columns: int, em: float) -> None:
        from matplotlib import rcParams
        self.panels, self.columns, self.em = panels, columns, em
        self.width = float(rcParams["figure.figsize"][0])
        if len(panels) == 1 and Drawing.style in ("screen", "page"):
            self.width *= 0.72  # larger panels than those of other figures say no more
        self.edge, self.left, self.bottom = 0.6 * em, 5.5 * em, 3.6 * em
        self.rows: List[List[Panel]] = []
        while (at := sum(map(len, self.rows))) < len(panels):
            self.rows.append(list(panels[at:at + (1 if panels[at].wide else columns)]))
        bars = [any(row[column].bar for row in self.rows if len(row) > column) for column in range(columns)]
        self.right = [5.2 * em if bar else 1.0 * em for bar in bars]
        if any(len(row) == 1 and row[0].wide for row in self.rows):
            self.right = [max(self.right)] * columns
        self.across = (self.width - 2 * self.edge - columns * self.left - sum(self.right)) / columns
        self.header = Header(text, self.width - 2 * self.edge, em, _TITLED[Drawing.style])
        if Drawing.style == "slide":
            while self.across > 5 * em and self.height() > float(rcParams["figure.figsize"][1]):
                self.across *= 0.95

    def fits(self) -> bool:
        """Returns whether all titles fit the width of their panels."""
        return all(_LETTER * self.em * letters(panel.title) < self.across + 0.8 * min(self.right) for panel in self.panels)

    def title(self, panel: Panel) -> str:
        """Breaks a title into two lines if one is too short."""
        most = int((self.wide(panel) + 0.8 * min(self.right)) / (_LETTER * self.em))
        return "\n".join(wrapped(re.split(r"(?<=,) | (?=at \$)", panel.title), most, " "))

    def wide(self, panel: Panel) -> float:
        return self.width - 2 * self.edge - self.left - self.right[-1] if panel.wide else self.across

    def above(self, row: Sequence[Panel]) -> float:
        return self.em * (1.0 + 1.3 * max(1 + self.title(panel).count("\n") for panel in row))

    def row_height(self, row: Sequence[Panel]) -> float:
        """Height of the axes: that of the highest panel."""
        plain = _RATIO if self.across < 40 * self.em else 0.5
        return max(self.wide(panel) * (min(max(panel.aspect, 0.25), 1.15) if panel.aspect is not None
                                       else plain * (0.55 if panel.wide else 1.0)) for panel in row)

    def height(self) -> float:
        return self.header.top + self.header.foot + sum(self.above(row) + self.row_height(row) + self.bottom for row in self.rows)

    def shorten(self, row: Sequence[Any], height: float) -> None:
        """Where a label is longer than its axis, all of the row leave their words to the titles, and keep symbol and unit."""
        if any(_LETTER * self.em * letters(axes.get_ylabel()) >= height + 1.5 * self.em for axes in row):
            for axes in row:
                self._shorten(axes)

    def label(self, axes: Any, panel: Panel) -> None:
        """Writes what the numbers of an axis or of a colour bar leave out into its label or the panel's title."""
        from .axis_numbers import labelled
        if panel.projection:
            return
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_label_text(labelled(axis.get_label_text(), axis))
        bar = getattr(axes, "slipfield_bar", None)
        if bar is not None and (title := labelled(panel.title, bar.yaxis)) != panel.title:
            axes.set_title(self.title(replace(panel, title=title)), **_TITLE)

    @staticmethod
    def _shorten(axes: Any) -> None:
        label = axes.get_ylabel()
        found = re.search(r"(\$[^$]+\$)?( [−+] [^()]+?)?\s*(\([^()]*\))?$", label)
        axes.set_ylabel(" ".join(part.strip() for part in found.groups() if part) if found else "")
        if not axes.get_title(loc="left"):
            axes.set_title(label, **_TITLE)

    def draw(self) -> Any:
        from .axis_numbers import AxisNumbers
        height = self.height()
        figure = new_figure(self.width, height)
        figure.slipfield_page = True
        y = height - self.header.top
        for row in self.rows:
            row_height = self.row_height(row)
            y -= self.above(row) + row_height
            x = self.edge
            drawn = []
            for column, panel in enumerate(row):
                axes = figure.add_axes(((x + self.left) / self.width, y / height, self.wide(panel) / self.width, row_height / height),
                                       **({"projection": panel.projection} if panel.projection else {}))
                axes.set_title(self.title(panel), **_TITLE)
                for axis in (axes.xaxis, axes.yaxis, *([axes.zaxis] if panel.projection == "3d" else [])):
                    axis.set_major_formatter(AxisNumbers())
                panel.draw(axes)
                self.label(axes, panel)
                drawn.append(axes)
                x += self.left + self.across + self.right[column]
            self.shorten(drawn, row_height)
            y -= self.bottom
        self.header.write(figure, self.edge)
        return figure


def colour_bar(axes: Any, image: Any, **options: Any) -> Any:
    """Draws a colour bar to the right of the axes, of equal height, in the space that the page reserved."""
    from matplotlib import rcParams

    from .axis_numbers import AxisNumbers
    figure = axes.figure
    if not hasattr(figure, "slipfield_page"):
        return figure.colorbar(image, ax=axes, **options)
    em = float(rcParams["font.size"]) / 72.0 / figure.get_size_inches()[0]
    box = axes.get_position(original=True)
    bar = figure.add_axes((box.x1 + 0.7 * em, box.y0, 0.9 * em, box.height))
    bar.set_label("<colorbar>")
    made = figure.colorbar(image, cax=bar, **options)
    made.formatter = AxisNumbers()
    axes.slipfield_bar = bar
    made.outline.set_linewidth(axes.spines["left"].get_linewidth())
    return made
