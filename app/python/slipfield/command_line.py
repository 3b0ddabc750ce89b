# SPDX-License-Identifier: Apache-2.0
"""What the commands that the program starts in Python share (`slipfield plot`, `report`, `surface`, `life`): one sentence for a
mistake, and outputs whose failure names them."""

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
    """A sentence and the exit code that goes with it."""

    def __init__(self, message: str, code: int = 2) -> None:
        super().__init__(" ".join(str(message).split()))
        self.code = code


def fail(message: str, code: int = 2) -> NoReturn:
    raise Failed(message, code)


class Parser(argparse.ArgumentParser):
    """Of `slipfield COMMAND`: one sentence for a mistake."""

    def __init__(self, command: str, description: str) -> None:
        super().__init__(prog=f"python3 -m slipfield.{command}", description=description, allow_abbrev=False)
        self.command = command

    def error(self, message: str) -> NoReturn:
        raise Failed(message + f"; `slipfield {self.command} --help` lists what is accepted")


def end_with(parent: int) -> None:
    """This process gets SIGTERM when its parent ends, however that ends (Linux). It ends here if the parent had ended before."""
    set_death_signal = 1  # PR_SET_PDEATHSIG
    if _LIBC is not None:
        _LIBC.prctl(set_death_signal, ctypes.c_ulong(signal.SIGTERM))
        if os.getppid() != parent:
            os._exit(128 + signal.SIGTERM)


@contextlib.contextmanager
def failing(name: str) -> Iterator[None]:
    """What is raised inside becomes Failed; name: what a bug is reported for."""
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
    """what: that needs them, "surfaces"; plot: also what draws."""
    require_modules(("numpy", "h5py", *(["matplotlib"] if plot else [])),
                    f"{what} need the packages python3-numpy and python3-h5py, and --plot python3-matplotlib")


def require_modules(names: Iterable[str], packages: str) -> None:
    """packages: what there should be, a clause. The program quotes the clause before it where an import raised something."""
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
    """To standard output; a reader that has seen enough, as head does, is no failure."""
    try:
        print(text, flush=True)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else Python ends with another exit code
        if not isinstance(error, BrokenPipeError):
            raise Failed(f"standard output: cannot be written: {error.strerror}", 3) from error


@contextlib.contextmanager
def written(name: str) -> Iterator[None]:
    """An OSError inside is one of writing `name`."""
    try:
        yield
    except OSError as error:
        raise Failed(f"{name}: cannot be written: {error.strerror}", 3) from error


def load_matplotlib() -> None:
    """Without the docstrings that it composes of what each of its classes accepts: nobody reads them here, and they are a quarter of
    the time that a figure takes. The garbage collector leaves alone what is loaded, which stays."""
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
    """A figure made inside is the same whatever the user's settings and the terminal are."""
    load_matplotlib()
    import matplotlib
    matplotlib.use("Agg")
    matplotlib.rcdefaults()
    from .figures import layout
    layout.Drawing.managed = False
    yield


def write_png(figure: Any, path: str, named: str, form: str = "png") -> None:
    """The same bytes for the same figure: no date, no version. Made in memory first, since the libraries lose the reason of a full
    disk. named: the figure's name for the user; form: also svg and pdf."""
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None, "Producer": None}, "png": {"Software": None}}
    picture = io.BytesIO()
    figure.savefig(picture, format=form, metadata=metadata[form])
    with written(named), open(path, "wb") as output:
        output.write(picture.getvalue())
