# SPDX-License-Identifier: Apache-2.0
"""Creep forces from a table of `slipfield table make`."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Dict, List, Tuple

import numpy as np

from . import _slipfield
from .elements import level_of_caller
from .errors import InputError
from .given import path_of, real_array

if TYPE_CHECKING:
    from .case import PathLike


def _together(**given: Any) -> List[Any]:
    """Returns numbers and arrays, by their names, as arrays of one shape."""
    arrays = {name: real_array(value, name, "a real number, or an array of them") for name, value in given.items()}
    try:
        return list(np.broadcast_arrays(*arrays.values()))
    except ValueError:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in arrays.items() if array.ndim)
        raise InputError(f"the shapes do not go together: {shapes}; accepted: numbers, and arrays that broadcast to one "
                         "shape") from None


class CreepTable:
    """Forces of many contacts at once, with their derivatives.

    Parameters
    ----------
    path: a table of `slipfield table make`.

    Attributes
    ----------
    info: a dict with the table's own errors and its first and last ratio a/b.
    """

    def __init__(self, path: PathLike) -> None:
        self._table = _slipfield.CreepTable(path_of(path, "a table of creep forces"))
        self.info: Dict[str, Any] = self._table.info

    def forces(self, ratio: Any, creepage_x: Any, creepage_y: Any = 0.0,
               spin: Any = 0.0) -> Tuple[Any, Any]:
        """Returns dimensionless forces and their derivatives.

        Parameters
        ----------
        ratio: a/b of the semi-axes of the contact, along and across the rolling direction.
        creepage_x, creepage_y, spin: G c^2/(mu F_n) times xi, eta and c phi, with c^2 = a b. All four are numbers or
            arrays that broadcast to one shape.

        Returns
        -------
        forces: shape (..., 3), F_x/(mu F_n), F_y/(mu F_n), M_z/(mu F_n c).
        derivatives: shape (..., 3, 3), of each force to each creepage.
        """
        parts = _together(ratio=ratio, creepage_x=creepage_x, creepage_y=creepage_y, spin=spin)
        shape = parts[0].shape
        rows = np.stack([part.ravel() for part in parts], axis=-1)
        forces, derivatives, clamped = self._table.forces(rows)
        if clamped:
            warnings.warn(f"{clamped} ratios are outside the table's {self.info['first_ratio']:g} "
                          f"to {self.info['last_ratio']:g}; the nearest was taken", stacklevel=level_of_caller())
        return forces.reshape(shape + (3,)), derivatives.reshape(shape + (3, 3))

    def contact(self, a: Any, b: Any, shear_modulus: Any, friction: Any, normal_force: Any,
                creepage_x: Any, creepage_y: Any = 0.0, spin: Any = 0.0) -> Tuple[Any, Any]:
        """Returns forces and their derivatives in any consistent set of units.

        Parameters
        ----------
        a, b: semi-axes of the contact [length], along and across the rolling direction.
        shear_modulus: G [force/length^2]; friction: mu; normal_force: F_n [force]. If mu or F_n is 0, all forces are 0.
        creepage_x, creepage_y: xi and eta; spin: phi [1/length]. All are numbers or arrays that broadcast.

        Returns
        -------
        forces: shape (..., 3), F_x, F_y [force], M_z [force length].
        derivatives: shape (..., 3, 3), of each force to each creepage.
        """
        a, b, shear_modulus, friction, normal_force, creepage_x, creepage_y, spin = _together(
            a=a, b=b, shear_modulus=shear_modulus, friction=friction, normal_force=normal_force, creepage_x=creepage_x,
            creepage_y=creepage_y, spin=spin)
        free = (friction == 0.0) | (normal_force == 0.0)
        for name, values, fits in (("a", a, free | (a > 0.0)), ("b", b, free | (b > 0.0)),
                                   ("shear_modulus", shear_modulus, free | (shear_modulus > 0.0)),
                                   ("friction", friction, friction >= 0.0), ("normal_force", normal_force, normal_force >= 0.0)):
            for index in np.argwhere(~(fits & (free | np.isfinite(values)))):
                place = "".join(f"[{k}]" for k in index)
                raise InputError(f"{name}{place}: {values[tuple(index)]:g} is no {name} of a contact; accepted: finite numbers > 0, "
                                 "or a force or friction of 0, which transmits nothing")
        a, b = np.where(free, 1.0, a), np.where(free, 1.0, b)
        c = np.sqrt(a * b)
        bound = np.where(free, 0.0, friction * normal_force)
        scale = np.where(free, 0.0, shear_modulus) * c * c / np.where(free, 1.0, bound)
        forces, derivatives = self.forces(a / b, scale * creepage_x, scale * creepage_y,
                                          scale * c * spin)
        one = np.ones_like(forces[..., 0])
        to = np.stack([bound * one, bound * one, bound * c * one], axis=-1)
        by = np.stack([scale * one, scale * one, scale * c * one], axis=-1)
        return forces * to, derivatives * to[..., :, None] * by[..., None, :]
