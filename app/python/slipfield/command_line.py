# SPDX-License-Identifier: Apache-2.0
"""Shared by the commands that the program starts in Python (`slipfield plot`, `report`, `surface`, `life`): one-sentence
errors, and failures of outputs that name the output."""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import gc
import io
import os
import signal
import sys
from typing import Any, Iterable, Iterator, NoReturn

MISSING = 69  # the exit code that says that a Python package is missing
_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


class Failed(Exception):
    """A message with its exit code."""

    def __init__(self, message: str, code: int = 2) -> None:
        super().__init__(" ".join(str(message).split()))
        self.code = code


def fail(message: str, code: int = 2) -> NoReturn:
    raise Failed(message, code)


class Parser(argparse.ArgumentParser):
    """The parser of `slipfield COMMAND`, which reports a mistake in one sentence."""

    def __init__(self, command: str, description: str) -> None:
        super().__init__(prog=f"python3 -m slipfield.{command}", description=description, allow_abbrev=False)
        self.command = command

    def error(self, message: str) -> NoReturn:
        raise Failed(message + f"; `slipfield {self.command} --help` lists what is accepted")


def end_with(parent: int) -> None:
    """Makes this process receive SIGTERM when its parent ends in any way (Linux). Ends it at once if the parent is already
    gone."""
    set_death_signal = 1  # PR_SET_PDEATHSIG
    if _LIBC is not None:
        _LIBC.prctl(set_death_signal, ctypes.c_ulong(signal.SIGTERM))
        if os.getppid() != parent:
            os._exit(128 + signal.SIGTERM)


@contextlib.contextmanager
def failing(name: str) -> Iterator[None]:
    """Turns exceptions raised inside into Failed; name: the command in a bug report."""
    from .errors import Error, InputError, NotConverged
    try:
        yield
    except NotConverged as error:
        raise Failed(str(error), 1) from error
    except InputError as error:
        raise Failed(str(error)) from error
    except Error as error:
        raise Failed(str(error), 3) from error
    except (OSError, MemoryError, ValueError, ArithmeticError, LookupError, TypeError, AttributeError, RuntimeError) as error:
        if os.environ.get("SLIPFIELD_TRACEBACK"):
            raise
        raise Failed(f"{name}: {type(error).__name__}: {error}", 3) from error


def require_packages(what: str, plot: bool) -> None:
    """Exits if packages are missing. what: needs them, "surfaces"; plot: also requires those that draw."""
    require_modules(("numpy", "h5py", *(["matplotlib"] if plot else [])),
                    f"{what} need the packages python3-numpy and python3-h5py, and --plot python3-matplotlib")


def require_modules(names: Iterable[str], packages: str) -> None:
    """Exits if modules are missing. packages: a clause that names what is needed; if an import raised an error, the program
    quotes it."""
    from .errors import is_missing
    for name in names:
        try:
            __import__(name)
        except Exception as error:  # as in imported()
            fault = f"has no {name}" if is_missing(name, error) else f"cannot import {name}: {type(error).__name__}: {' '.join(str(error).split())}"
            raise Failed(f"{sys.executable} {fault}; {packages}", MISSING) from error


def warn(text: str) -> None:
    sys.stderr.write("warning: " + " ".join(text.split()) + "\n")


def tell(text: str) -> None:
    """Prints to standard output; a reader that stops early, such as head, is not an error."""
    try:
        print(text, flush=True)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else Python ends with another exit code
        if not isinstance(error, BrokenPipeError):
            raise Failed(f"standard output: cannot be written: {error.strerror}", 3) from error


@contextlib.contextmanager
def written(name: str) -> Iterator[None]:
    """Turns an OSError raised inside into a failure to write `name`."""
    try:
        yield
    except OSError as error:
        raise Failed(f"{name}: cannot be written: {error.strerror}", 3) from error


def load_matplotlib() -> None:
    """Loads matplotlib without the docstrings that it composes for each class: nobody reads them here, and they take a quarter
    of a figure's time. Excludes the loaded objects, which stay, from garbage collection."""
    collects = gc.isenabled()
    gc.disable()
    from matplotlib import artist
    composed, artist.kwdoc = artist.kwdoc, lambda _: ""  # type: ignore[assignment]
    try:
        import matplotlib.figure  # noqa: F401  pylint: disable=unused-import
    finally:
        artist.kwdoc = composed
        gc.freeze()
        if collects:
            gc.enable()


@contextlib.contextmanager
def drawing() -> Iterator[None]:
    """Makes figures drawn inside independent of the user's settings and terminal."""
    load_matplotlib()
    import matplotlib
    # As rcdefaults(), which first reads all of matplotlib's style sheets: its own values, unchecked.
    dict.update(matplotlib.rcParams, dict.items(matplotlib.rcParamsDefault))
    matplotlib.use("Agg")
    from .figures import layout
    layout.Drawing.managed = False
    yield


def write_png(figure: Any, path: str, named: str, form: str = "png") -> None:
    """Writes the same bytes for the same figure: no date, no version. Draws into memory first, because the libraries do not
    report a full disk. named: the figure's name for the user; form: also svg and pdf."""
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None, "Producer": None}, "png": {"Software": None}}
    picture = io.BytesIO()
    figure.savefig(picture, format=form, metadata=metadata[form])
    with written(named), open(path, "wb") as output:
        output.write(picture.getvalue())
