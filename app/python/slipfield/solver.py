# SPDX-License-Identifier: Apache-2.0
"""Solvers: a case step by step, or at once."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _slipfield
from .case import length_unit, settings_of, source_of, table_of
from .elements import Grid, warn_of_places
from .errors import Error, InputError, NotConverged
from .given import flag_of, near_names, number_of
from .gradient import Gradient, pairs_of, through_steps
from .progress import show_progress
from .result import Result
from .wheel import SHORT_KEYS, Derivatives, WheelResult, checked_side, derivatives_of

if TYPE_CHECKING:
    from .case import CaseLike, PathLike
    AnyResult = Union[Result, WheelResult]
    Progress = Callable[[int, str, int, float], Optional[bool]]

_MOST_THREADS = 4096


class DeviceField:  # pylint: disable=too-few-public-methods
    """A field in GPU memory, (my, mx) and float64, for other libraries: `torch.from_dlpack(field)`, without a copy.

    CuPy, JAX and PyTorch take it by DLPack, Numba by `__cuda_array_interface__`. It is the solver's own memory: valid until
    the next step, and not to be changed.
    """

    def __init__(self, solver: Solver, name: str) -> None:
        self._solver, self._name, self._step = solver, name, solver.steps_done

    def _place(self) -> Tuple[int, int]:
        """The address, and the number of the GPU."""
        place = self._solver._call(self._solver._solver.cuda_field, self._name) if self._solver.steps_done == self._step else None
        if place is None:
            raise InputError(f"{self._name}: the field was that of step {self._step}, which the solver has left; accepted: "
                             "device_field() after each step")
        return place

    @property
    def __cuda_array_interface__(self) -> Dict[str, Any]:
        # Not marked as read-only, because PyTorch refuses that.
        return {"shape": self._solver.grid.shape, "typestr": "<f8", "data": (self._place()[0], False), "strides": None, "version": 3}

    def __dlpack_device__(self) -> Tuple[int, int]:
        return 2, self._place()[1]  # CUDA's kind

    def __dlpack__(self, *, stream: Any = None, max_version: Any = None,  # pylint: disable=unused-argument
                   dl_device: Any = None, copy: Optional[bool] = None) -> Any:
        # No stream need wait, as the solver's work has ended; every library knows the first version.
        address, device = self._place()
        if copy or dl_device not in (None, (2, device)):
            raise BufferError("a field is shown where it is; accepted: a copy by the library that takes it")
        return _slipfield.show_dlpack(self._solver._solver, address, self._solver.grid.shape, (2, device))


def _check_options(backend: Any, device: Any, threads: Any, progress: Any) -> None:
    if not isinstance(backend, str):
        raise InputError(f"backend: {backend!r} is not text; accepted: 'auto', 'cpu', 'cuda'")
    if backend == "cuda" and (reason := _slipfield.gpu()):
        raise Error(f"backend cuda: no GPU answers: {reason}; accepted: 'auto' or 'cpu'")
    if device is not None and (not isinstance(device, (int, np.integer)) or not 0 <= device < 2**31):
        raise InputError(f"device: {device!r} is not the number of a GPU; accepted: 0, 1, ..., or "
                         "None for the first")
    if not isinstance(threads, (int, np.integer)) or not 0 <= threads <= _MOST_THREADS:
        raise InputError(f"threads: {threads!r} is out of range; accepted: a whole number from 1 to {_MOST_THREADS}, or 0 for all")
    if progress is not None and not callable(progress):
        raise InputError("progress: cannot be called; accepted: a function of (step, phase, "
                         "iteration, change)")


def _named(values: Any, what: str) -> Dict[str, Any]:
    """Returns a dict whose keys are texts; raises InputError otherwise."""
    if not isinstance(values, Mapping):
        raise InputError(f"{what}: a value of type {type(values).__name__} is not a dict; "
                         'accepted: {"tangential.x.creepage": 0.002, ...}')
    for key in values:
        if not isinstance(key, str):
            raise InputError(f"{what}: the key {key!r} is not text; accepted: the path of a key of "
                             "the case, for example 'normal.force'")
    return dict(values)


class Solver:
    """A case that is solved step by step while its loads change.

    Parameters
    ----------
    case: a dict, YAML text, or the path of a case file. A dict may hold tables as `file` directly: heights or
        coefficients of shape (my, mx), row 0 at the lowest y, as arrays of NumPy or of a GPU.
    backend: "auto" (a GPU if one answers), "cpu" or "cuda".
    device: the number of the GPU; None: the first.
    threads: number of CPU threads; 0: all.
    folder: base of relative file names in a text or a dict.
    arrays: {name: table} for `file: array:name`, tables of shape (my, mx).
    progress: a function of (step, phase, iteration, change), called in each iteration; it returns False to cancel.

    Steps of a case with `wheel_rail` return a WheelResult. Their loads have short names as keywords: y, z [mm], roll, yaw
    [rad], velocity_x, velocity_y, velocity_z [mm/s], velocity_roll, velocity_pitch, velocity_yaw [rad/s],
    vertical_force, longitudinal_force [N], side.

    Only one thread at a time may call a solver; other Python threads run during a call. After Ctrl-C without `progress`
    only restore() or a new solver helps. Errors are CaseError, InputError and Error.
    """

    def __init__(self, case: CaseLike, *, backend: str = "auto", device: Optional[int] = None,
                 threads: int = 0, folder: Optional[PathLike] = None,
                 arrays: Optional[Mapping[str, Any]] = None,
                 progress: Optional[Progress] = None) -> None:
        _check_options(backend, device, threads, progress)
        text, path, where, tables = source_of(case, folder, arrays)
        self._free = threading.Lock()
        self._solver = _slipfield.Solver(text=text, path=path, backend=backend, device=device,
                                         threads=threads, folder=where, arrays=tables,
                                         progress=progress)
        self._array_names = set(tables)
        if not self._solver.is_wheel:
            warn_of_places(case, self._solver.grid)

    def _call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Refuses a call during another one, which the compiled solver cannot handle."""
        if not self._free.acquire(blocking=False):
            raise InputError("the solver is in another call, of another thread or the one that "
                             "calls progress; accepted: one call at a time, or a solver for each "
                             "thread")
        try:
            return function(*arguments)
        finally:
            self._free.release()

    def _path(self, key: str) -> str:
        """Returns the path of a key that may have a short name."""
        return SHORT_KEYS.get(key, key) if self._solver.is_wheel else key

    def _type_of(self, shape: str) -> Any:
        """The type of a shape by its path; "" of what is no shape."""
        try:
            return self[f"{shape}.type"]
        except InputError:
            return ""

    def _check_short(self, given: Mapping[str, Any]) -> None:
        """Raises InputError for a number or a text under a name that is neither a short one of a wheel, nor a path, title,
        units or schema."""
        for key, value in given.items():
            is_path = "." in key or key in (*SHORT_KEYS, "title", "units", "schema")
            if self._solver.is_wheel and not is_path and isinstance(value, (str, int, float, np.generic)):
                raise InputError(f"{key}: there is no such short name; {near_names(key, SHORT_KEYS, 'accepted: ' + ', '.join(SHORT_KEYS))}, "
                                 "or the path of a key, as 'wheel_rail.track.gauge'")

    def set(self, values: Optional[Mapping[str, Any]] = None, **keywords: Any) -> None:
        """Sets values by the paths of their keys, all of them or none.

        Loads (friction, normal, tangential; for a wheel friction, position, velocity and forces) may
        change before every step, all other keys only before the first. Values hold for all later steps, also against the
        case's `steps`.

        Parameters
        ----------
        values: {"tangential.x.creepage": 0.002, ...}, in the units of the case.
        keywords: the same for keys without a dot, and for the short names of a wheel: y=3.0, yaw=0.01.
        """
        self._check_short({**_named({} if values is None else values, "set"), **keywords})
        tables: Dict[str, Any] = {}
        given = {self._path(key): value for key, value
                 in {**_named({} if values is None else values, "set"), **keywords}.items()}
        unit = length_unit(self.units)
        pairs = [pair for key, value in given.items() for pair in settings_of(key, value, tables, unit, given, self._type_of)]
        self._call(self._solver.set, pairs, tables)
        self._array_names |= set(tables)

    def __reduce__(self) -> Any:
        raise TypeError("a Solver cannot be pickled or copied; accepted: one made in the process "
                        "that uses it. Cases and results can be pickled")

    def __setitem__(self, key: str, value: Any) -> None:
        self.set({key: value})

    def __getitem__(self, key: str) -> Any:
        """The value of a key at the next step: a number, True, False, a list, or text (YAML for a map)."""
        if not isinstance(key, str):
            raise InputError(f"{key!r} is not the path of a key; accepted: text, for example "
                             "'normal.force'")
        text = self._call(self._solver.value, self._path(key))
        try:
            return json.loads(text)
        except ValueError:
            return text

    __iter__ = None  # or Python would ask for the keys 0, 1, ...

    def set_array(self, name: str, table: Any) -> None:
        """Replaces a table that the case names.

        Parameters
        ----------
        name: that of `file: array:name`; for a table in a dict the path of its key, such as "geometry.file".
        table: heights [length of the case] or coefficients, shape (my, mx), row 0 at the lowest y.
        """
        if name not in self._array_names:
            known = ", ".join(sorted(self._array_names)) or "none, since the case was made without arrays"
            raise InputError(f"there is no array {name!r} to replace; accepted: {known}")
        self._call(self._solver.set, [], {name: table_of(name, table)})

    def advance(self, values: Optional[Mapping[str, Any]] = None, *, fields: bool = True,
                **keywords: Any) -> AnyResult:
        """Sets values, solves the next step, and returns its result.

            solver.advance({"tangential.x.creepage": 0.002})
            wheelset.advance(y=3.0, yaw=0.01)

        After the case's own `steps` the last of them is repeated. A step that does not converge has
        Result.converged == False. An exception restores the previous values (except tables).

        Parameters
        ----------
        values, keywords: see set().
        fields: False keeps the totals only, and with `interior` the tractions, until its totals are computed from them.

        Returns
        -------
        A Result, or a WheelResult for a wheel on a rail.
        """
        fields = flag_of(fields, "fields", "True, or False, which keeps the totals only")
        if values is None and not keywords:
            return self._result(self._call(self._solver.advance, fields))
        before = self._call(self._solver.values)
        try:
            self.set(values, **keywords)
            return self._result(self._call(self._solver.advance, fields))
        except BaseException:
            self._call(self._solver.take_back, before)
            raise

    def _result(self, step: Any) -> AnyResult:
        kind = WheelResult if isinstance(step, _slipfield.WheelStep) else Result
        return kind(step, self.title, self.units)

    def derivatives(self, totals: Union[str, Sequence[str], None] = None,
                    keys: Union[str, Sequence[str], None] = None,
                    side: Optional[str] = None, errors: bool = True) -> Derivatives:
        """Returns the derivatives of a wheel's totals at the last step.

        Central differences: the step is solved four more times for each key, over a tenth of the change that alters the
        contact as a whole. Free numbers adapt, all else is held. The solver does not advance. If nothing touches, derivatives
        of forces and of a contact's totals are 0, those of its place NaN, and the step's warnings say so.
        Errors, from four more solutions for each key, are the difference from differences over half of that, or twice the
        scatter over several points and two coarser grids, whichever is greater; what much finer elements would change is not
        included.

        Parameters
        ----------
        totals: names; by default forces [N] and moments [N mm] on the rail in track coordinates.
        keys: paths or short names; by default all that the step prescribes of position, velocity and forces.
        side: "left" or "right"; None: the whole wheelset.
        errors: False omits them.

        Returns
        -------
        Derivatives, with values and their errors, arrays of shape (totals, keys).
        """
        return self._call(derivatives_of, self._solver, totals, keys, side, bool(errors))

    def gradient(self, seed: Any, steps: Optional[Sequence[Result]] = None, contact: int = 0,
                 side: Optional[str] = None) -> Any:
        """Returns the derivatives of a scalar to all inputs of the last step.

            solver.gradient({"force_x": 1.0})["undeformed_distance"]      # by the undeformed distance of each element
            solver.gradient({"force_x": 1.0}, steps=results)[0]           # through the steps before, to the first

        Held are which elements touch and which stick, the state that the previous step left, and the undeformed distance if a
        shape follows the force (hertz). Derivatives to heights with `of: upper` or `lower` are the negative, -g, as
        h = max z - z, and at the highest point sum(g) - g. Takes one to two more solutions, on the GPU that solved the step
        if its memory suffices, else on the CPU.

        Parameters
        ----------
        seed: the derivatives of the scalar to results of the step; results left out count as 0. Fields, arrays of shape
            (my, mx): pressure, traction_x, traction_y, slip_x, slip_y. Numbers: normal_force, approach, force_x,
            force_y, moment_z, friction_work, and the rigid motion as results name it (shift_x, ..., spin).
        steps: consecutive results of advance(), with their fields. Derivatives then include the state that a step leaves to
            the next. The seed is that of the last one, or a list with one for each.
        contact: for a wheel on a rail the number of one of its contacts (Contact.index), with fields on its grid in its own
            coordinates; its place and its plane are held too, and normal.approach is that of the undeformed bodies. 0: the
            whole wheelset, through the geometry; the seed then has only numbers: track_force_x, wheelset_force_x,
            track_moment_x, ..., with both wheels also left_track_force_x, ..., and those of contacts, such as
            contact_1_force_x, contact_1_creepage_x, contact_1_contact_angle.
        side: of a wheelset: only "left" or "right"; None: all of it.

        Returns
        -------
        For one contact a Gradient with undeformed_distance and friction (the coefficient) by element; with uniform friction
        friction.coefficient, or the numbers of its law (friction.static, friction.kinetic, friction.half_velocity, ...); the
        loads by the paths of their keys, such as normal.force and tangential.x.creepage; stiffness, a relative change of all
        moduli. With `steps` a list with one for each; inputs common to all steps, such as the undeformed distance, have the
        sum.
        For a wheelset a Gradient with what the step prescribes of wheel_rail.wheelset, .vertical_force and
        .longitudinal_force, while free numbers adapt; the points of the profiles, wheel_rail.wheel.profile and
        wheel_rail.rail.profile (with two wheels wheel_rail.wheel.left.profile, ...), arrays of d/dy and d/dz of each point of
        profile(); the numbers of the friction law and stiffness. Also held are the elements of each contact's grid, counted
        from its reference point, and which regions form one contact.
                """
        if steps is not None:
            return self._call(through_steps, self._solver.gradients, steps, seed, "seed")
        if self._solver.is_wheel and number_of(contact, "contact", "0, 1, 2, ...") == 0:
            return Gradient(*self._call(self._solver.wheel_gradient, pairs_of(seed, None, "seed"), checked_side(side)))
        if side is not None:
            raise InputError("side: is of a wheelset as a whole; accepted: None, with the number of a contact")
        return self._by_gradient(self._solver.gradient, seed, "seed", contact)

    def profile(self, body: str, side: Optional[str] = None) -> Any:
        """Returns the points that a profile's curve is made from: an array (points, 2) of y and z [mm], for a right wheel or rail
        with z down and y to the field side. With `smoothing` the curve, which contacts use, is smoother than they are. body: "wheel" or "rail"; side: None if the step has one wheel."""
        if body not in ("wheel", "rail"):
            raise InputError(f"body: {body!r} is not known; accepted: 'wheel' or 'rail'")
        return self._call(self._solver.profile, body, checked_side(side))

    def derivative(self, direction: Any, steps: Optional[Sequence[Result]] = None, contact: int = 0) -> Any:
        """Returns the changes of the last step's results along a change of its inputs.

        Parameters
        ----------
        direction: the changes, with the names that gradient() returns; inputs left out do not change.
        steps, contact: see gradient(); with steps the direction is that of the last one, or a list with one for each.

        Returns
        -------
        A Gradient with the names that gradient() takes; with `steps` a list with one for each.
        """
        if steps is not None:
            return self._call(through_steps, self._solver.derivatives_of_steps, steps, direction, "direction")
        return self._by_gradient(self._solver.derivative, direction, "direction", contact)

    def _by_gradient(self, find: Any, values: Mapping[str, Any], what: str, contact: int) -> Gradient:
        number = number_of(contact, "contact", "1, 2, ...")
        if self._solver.is_wheel and number == 0:
            raise InputError("a wheel on a rail as a whole has no derivative by element; accepted: contact=1 or another of its "
                             "contacts, gradient() of its totals, or derivatives()")
        grid = Grid(self._call(self._solver.contact_grid, number))
        return Gradient(*self._call(find, pairs_of(values, grid.shape, what), number))

    def run(self, *, fields: bool = True, progress: bool = False) -> AnyResult:
        """Solves the remaining steps of the case.

        Parameters
        ----------
        fields: False keeps the totals only, as in advance().
        progress: True shows how many steps are done and the time that is left, by tqdm where it is installed.

        Returns
        -------
        The last step's result, whose `steps` are all of them.
        """
        results: List[Any] = []
        bar = show_progress(self.steps_in_case, "steps") if progress else None
        try:
            while self.steps_done < self.steps_in_case:
                if bar:
                    bar.update(self.steps_done)
                results.append(self.advance(fields=fields))
            if bar:
                bar.update(self.steps_done)
        finally:
            if bar:
                bar.close()
        if not results:
            raise InputError("all steps of the case have run; accepted: advance() for more")
        results[-1]._earlier = results[:-1]
        return results[-1]

    def save_state(self) -> _slipfield.State:
        """Returns the state that the steps so far leave to the next, for restore()."""
        return self._call(self._solver.save)

    def restore(self, state: _slipfield.State) -> None:
        """Returns to a state: the next step gives the same bits as it would have then.

        Values that were set stay set. state: from save_state().
        """
        if not isinstance(state, _slipfield.State):
            raise InputError(f"a value of type {type(state).__name__} is not a state; accepted: "
                             "what save_state() returned")
        self._call(self._solver.restore, state)

    @contextlib.contextmanager
    def trial(self) -> Iterator[Solver]:
        """`with solver.trial(): ...`: restores the state and the values set (except tables) at the end, even after an
        exception."""
        state, values = self.save_state(), self._call(self._solver.values)
        try:
            yield self
        finally:
            self._call(self._solver.take_back, values)
            self.restore(state)

    def device_field(self, name: str) -> Optional[DeviceField]:
        """Returns a field of the last step on the GPU, (my, mx), without a copy; None if it is not there."""
        if name not in _slipfield.field_names():
            raise InputError(f"there is no field {name!r}; "
                             f"{near_names(name, _slipfield.field_names(), 'slipfield.field_names() has all')}")
        return None if self._call(self._solver.cuda_field, name) is None else DeviceField(self, name)

    @property
    def grid(self) -> Grid:
        """The grid of the case. The contacts of a wheel on a rail have grids of their own: contact.grid."""
        if self._solver.is_wheel:
            raise InputError("a wheel on a rail has no grid before it is solved; accepted: `contact.grid` of a solved step")
        return Grid(self._solver.grid)

    @property
    def case(self) -> str:
        """The case with every default written out: YAML."""
        return self._call(self._solver.resolved)

    @property
    def warnings(self) -> List[str]:
        """The warnings of the run: those of the case and of all steps so far."""
        return self._call(lambda: self._solver.warnings)

    @property
    def backend(self) -> str:
        """The chosen backend: "cpu" or "cuda"."""
        return self._call(lambda: self._solver.backend)

    @property
    def device(self) -> str:
        """The name of the processor or the GPU."""
        return self._call(lambda: self._solver.device)

    @property
    def steps_done(self) -> int:
        """How many steps have run."""
        return self._solver.steps_done

    @property
    def steps_in_case(self) -> int:
        """How many steps the case has, repeats counted."""
        return self._solver.steps_in_case

    @property
    def title(self) -> str:
        """The title of the case."""
        return self._solver.title

    @property
    def units(self) -> str:
        """The units of the case: "N-mm-s" or "SI"."""
        return self._solver.units

    def __repr__(self) -> str:
        return f"<slipfield.Solver {self.title!r}: {self.steps_done} steps done>"


def solve(case: CaseLike, *, fields: bool = True, backend: str = "auto", device: Optional[int] = None, threads: int = 0,
          folder: Optional[PathLike] = None, arrays: Optional[Mapping[str, Any]] = None,
          progress: Union[bool, Progress, None] = None) -> AnyResult:
    """Solves all steps of a case.

    Parameters
    ----------
    case, backend, device, threads, folder, arrays: see Solver. Results are not compared with the case's `expected`;
        `slipfield run` does that.
    fields: False keeps the totals only, as in Solver.advance().
    progress: True shows how many steps are done and the time that is left, by tqdm where it is installed; or a function
        of (step, phase, iteration, change), called in each iteration, which returns False to cancel.

    Returns
    -------
    The last step's Result, or WheelResult for a wheel on a rail; `.steps` has all of them.

    Raises
    ------
    NotConverged, which carries the result, if a step did not converge; CaseError, InputError, Error.
    """
    if not (progress is None or isinstance(progress, bool) or callable(progress)):
        raise InputError("progress: cannot be called; accepted: True, or a function of (step, phase, iteration, change)")
    shown = progress is True
    solver = Solver(case, backend=backend, device=device, threads=threads, folder=folder, arrays=arrays,
                    progress=None if isinstance(progress, bool) else progress)
    result = solver.run(fields=fields, progress=shown)
    for step in result.steps:
        if not step.converged:
            raise NotConverged(f"step {step.number} did not converge: {step.message}", result)
    return result
