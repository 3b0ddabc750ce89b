# SPDX-License-Identifier: Apache-2.0
"""The exceptions of this package; all derive from Error."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Optional, Sequence

if TYPE_CHECKING:
    from .result import Result


class Error(Exception):
    """Any other failure: memory, a device, a file that cannot be written."""


class InputError(Error, ValueError):
    """An argument is wrong; the message says what is accepted."""


class CaseError(InputError):
    """A case is wrong.

    faults: a tuple (place, key, reason, remedy) for each error, in the order of the message; place, key,
    reason and remedy are those of the first ("" if there are none).
    """

    place: str
    key: str
    reason: str
    remedy: str

    def __init__(self, message: str, faults: Sequence[Sequence[str]] = ()) -> None:
        super().__init__(message.replace("\nerror: ", "\n"))
        self.faults = [tuple(fault) for fault in faults]
        first = self.faults[0] if self.faults else ("", "", message, "")
        self.place, self.key, self.reason, self.remedy = first


class NotConverged(Error):
    """A step did not converge. result: its last iterate."""

    def __init__(self, message: str, result: Optional[Result] = None) -> None:
        super().__init__(message)
        self.result = result


class Cancelled(Error):
    """The progress callback returned False; the solver is as it was before the call."""


def is_missing(module: str, error: BaseException) -> bool:
    """Returns whether importing a module failed because it is not installed, rather than because its own import raised the
    error."""
    return isinstance(error, ModuleNotFoundError) and error.name == module.partition(".")[0]


def imported(module: str, call: str) -> Any:
    """Imports an optional module; otherwise raises the error for the call that needs it."""
    try:
        return importlib.import_module(module)
    except Exception as error:  # packages of versions that do not go together raise all sorts
        name = module.partition(".")[0]
        fault, accepted = (("is not installed", f"`pip install {name}`") if is_missing(module, error) else
                           (f"is installed, but importing it raised {type(error).__name__}: {' '.join(str(error).split())}", f"an environment in which `import {name}` works"))
        raise InputError(f"{call} needs {name}, which {fault}; accepted: {accepted}") from error
