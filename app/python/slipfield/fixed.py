# SPDX-License-Identifier: Apache-2.0
"""Results are read-only in place; copies can be changed."""

from __future__ import annotations

from typing import Any, Dict, List, NoReturn, Tuple, TypeVar

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


def _refuse(self: Any, *_: Any, **__: Any) -> NoReturn:
    kind = "dict" if isinstance(self, dict) else "list"
    raise TypeError(f"results are read-only; accepted: {kind}(...) of it, a copy of your own")


class FixedDict(Dict[_Key, _Value]):
    """A read-only dict of results."""

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse  # type: ignore[assignment]

    def __reduce__(self) -> Tuple[Any, ...]:
        return FixedDict, (dict(self),)


class FixedList(List[_Value]):
    """A read-only list of results."""

    __setitem__ = __delitem__ = __iadd__ = __imul__ = append = clear = extend = insert = pop = remove = reverse = sort = _refuse  # type: ignore[assignment]

    def __reduce__(self) -> Tuple[Any, ...]:
        return FixedList, (list(self),)


def fixed(values: Any) -> Any:
    """Makes the array read-only."""
    values.flags.writeable = False
    return values


class ReadOnly:  # pylint: disable=too-few-public-methods
    """A result whose attributes cannot be replaced."""

    def __setattr__(self, name: str, value: Any) -> None:
        # the class first: a property would be computed
        if not name.startswith("_") and (hasattr(type(self), name) or hasattr(self, name)):
            raise AttributeError(f"{name}: results are read-only; accepted: a variable of your own")
        super().__setattr__(name, value)
