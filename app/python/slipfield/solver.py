"""Solvers: a case step by step, or at once."""

import contextlib

from . import _slipfield
from .case import source_of, yaml_of
from .errors import InputError, NotConverged
from .result import Result


class DeviceField:
    """A field where the GPU has it, for CuPy and PyTorch: `cupy.asarray(field)`, without a copy.

    Valid until the solver's next step.
    """

    def __init__(self, interface, solver):
        self.__cuda_array_interface__ = interface
        self._solver = solver  # whose memory it is


class Solver:
    """A case that is solved step by step while its loads change.

    case: a dict, YAML text, or the path of a case file. backend: "auto" (a GPU where one answers),
    "cpu" or "cuda"; device: the GPU's number. threads: of the CPU; 0: all. folder: files that a text
    or dict names are relative to it. arrays: {name: table} for `file: array:name` in the case; a
    dict may hold tables (2-D arrays, of NumPy or of a GPU) as `file` directly. progress(step, phase,
    iteration, change): called in each iteration; returning False cancels.
    Errors: CaseError, InputError, Error.
    """

    def __init__(self, case, *, backend="auto", device=None, threads=0, folder=None, arrays=None,
                 progress=None):
        text, path, where, tables = source_of(case, folder, arrays)
        self._solver = _slipfield.Solver(text=text, path=path, backend=backend, device=device,
                                         threads=threads, folder=where, arrays=tables,
                                         progress=progress)

    def set(self, values=None, **keywords):
        """Sets values by the paths of their keys: {"tangential.x.creepage": 0.002}. All or none.

        Loads (friction, normal, tangential) may change before every step, everything else before
        the first. They hold for all later steps.
        """
        pairs, tables = [], {}
        for key, value in {**(values or {}), **keywords}.items():
            pairs.append((key, yaml_of(value, tables, key)))
        for name, table in tables.items():
            self._solver.set_array(name, table)
        self._solver.set(pairs)

    def __setitem__(self, key, value):
        self.set({key: value})

    def __getitem__(self, key):
        """The value of a key at the step that comes next: a number where it is one, or YAML text."""
        text = self._solver.value(key)
        for kind in (int, float):
            with contextlib.suppress(ValueError):
                return kind(text)
        return text

    def set_array(self, name, table):
        """A table in place of the one that the case names as `array:name`."""
        self._solver.set_array(name, table)

    def advance(self, values=None, *, fields=True):
        """Sets values, solves the next step, and returns its Result.

        Beyond the case's own `steps` the last of them is repeated. fields: False keeps the totals
        only. A step that does not converge says so in Result.converged.
        """
        if values:
            self.set(values)
        return Result(self._solver.advance(fields), self.title, self.units, self._solver.write)

    def run(self, *, fields=True):
        """All steps of the case that are left; the last one's Result, which holds those before."""
        steps = []
        while self.steps_done < self.steps_in_case:
            steps.append(self._solver.advance(fields))
        if not steps:
            raise InputError("all steps of the case have run; accepted: advance() for more")
        results = []
        for step in steps:
            results.append(Result(step, self.title, self.units, self._solver.write, results))
        return results[-1]

    def save_state(self):
        """Everything that the steps so far leave to the next; for restore()."""
        return self._solver.save()

    def restore(self, state):
        """Back to a state: the next step gives the bits that it would have given then."""
        self._solver.restore(state)

    @contextlib.contextmanager
    def trial(self):
        """`with solver.trial(): ...`: the state is restored at the end. Loads set stay set."""
        state = self.save_state()
        try:
            yield self
        finally:
            self.restore(state)

    def device_field(self, name):
        """A field of the last step on the GPU, without a copy; None where it is not there."""
        interface = self._solver.cuda_field(name)
        return None if interface is None else DeviceField(interface, self)

    @property
    def case(self):
        """The case with every default written out: YAML."""
        return self._solver.resolved()

    @property
    def warnings(self):
        """What is suspicious in the case and in the last step."""
        return self._solver.warnings

    @property
    def backend(self):
        return self._solver.backend

    @property
    def device(self):
        return self._solver.device

    @property
    def steps_done(self):
        return self._solver.steps_done

    @property
    def steps_in_case(self):
        return self._solver.steps_in_case

    @property
    def title(self):
        return self._solver.title

    @property
    def units(self):
        return self._solver.units

    def __repr__(self):
        return f"<slipfield.Solver {self.title!r}: {self.steps_done} steps done>"


def solve(case, *, fields=True, **options):
    """Solves all steps of a case and returns the last one's Result; `.steps` has all of them.

    case, options: as Solver. Raises NotConverged, which carries the Result, where a step did not
    converge.
    """
    result = Solver(case, **options).run(fields=fields)
    for step in result.steps:
        if not step.converged:
            raise NotConverged(f"step {step.number} did not converge: {step.message}", result)
    return result
