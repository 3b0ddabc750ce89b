"""The exceptions of this package; all of them are Error."""


class Error(Exception):
    """Anything that failed: memory, a device, a file that cannot be written."""


class InputError(Error, ValueError):
    """What was given is wrong; the sentence says what is accepted."""


class CaseError(InputError):
    """A case is wrong.

    faults: one tuple (place, key, reason, remedy) for each error, in the order of the message;
    place, key, reason and remedy are those of the first ("" where there is none).
    """

    def __init__(self, message, faults=()):
        super().__init__(message)
        self.faults = [tuple(fault) for fault in faults]
        first = self.faults[0] if self.faults else ("", "", message, "")
        self.place, self.key, self.reason, self.remedy = first


class NotConverged(Error):
    """A step did not converge. result: what was found all the same."""

    def __init__(self, message, result):
        super().__init__(message)
        self.result = result


class Cancelled(Error):
    """The progress callback returned False; the solver is where it was before the call."""
