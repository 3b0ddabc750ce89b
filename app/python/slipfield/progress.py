# SPDX-License-Identifier: Apache-2.0
"""Progress of a run with the time left: by tqdm if it is installed, else as a plain line on stderr."""

from __future__ import annotations

import sys
import time
from typing import Any, Optional

_PAUSE = 0.2  # between two states of the plain line [s]


def seconds_text(seconds: float) -> str:
    """A time as "42 s", "3 min 20 s" or "2 h 5 min"."""
    whole = int(round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


class _PlainLine:
    """Writes `12 of 200 points, 34 s left` into the same line again and again."""

    def __init__(self, count: int, what: str, stream: Any = None) -> None:
        self.count, self.what = count, what
        self.stream = sys.stderr if stream is None else stream
        self.begun, self.shown, self.width = time.monotonic(), float("-inf"), 0

    def text(self, done: int, note: str, spent: float) -> str:
        """The line after `spent` seconds."""
        line = f"{done} of {self.count} {self.what}"
        if 0 < done < self.count:
            line += f", {seconds_text(spent / done * (self.count - done))} left"
        elif done == self.count:
            line += f" in {seconds_text(spent)}"
        return line + (f", {note}" if note and done < self.count else "")

    def update(self, done: int, note: str = "") -> None:
        """Shows the state, at most a few times a second."""
        now = time.monotonic()
        if now - self.shown < _PAUSE and done < self.count:
            return
        self.shown = now
        line = self.text(done, note, now - self.begun)
        self.stream.write("\r" + line.ljust(self.width))
        self.stream.flush()
        self.width = len(line)

    def close(self) -> None:
        """Ends the line."""
        if self.width:
            self.stream.write("\n")
            self.stream.flush()


class _TqdmBar:
    def __init__(self, tqdm: Any, count: int, what: str) -> None:
        self.bar = tqdm(total=count, unit=f" {what}", leave=True)

    def update(self, done: int, note: str = "") -> None:
        """Shows the state; tqdm decides how often."""
        if note:
            self.bar.set_postfix_str(note, refresh=False)
        self.bar.update(done - self.bar.n)

    def close(self) -> None:
        """Keeps the last state on the screen."""
        self.bar.close()


def show_progress(count: int, what: str) -> Any:
    """Returns an object with update(done, note) and close(). what: the plural of the things counted."""
    tqdm: Optional[Any]
    try:
        from tqdm import tqdm
    except ImportError:
        tqdm = None
    return _PlainLine(count, what) if tqdm is None else _TqdmBar(tqdm, count, what)
