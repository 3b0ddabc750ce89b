# SPDX-License-Identifier: Apache-2.0
"""How PyYAML reads a case as the program does: YAML 1.2's scalars, and no key twice."""

from __future__ import annotations

import functools
import re
from typing import Any

_SCALARS = "tag:yaml.org,2002:"


@functools.lru_cache(maxsize=None)
def loader(yaml: Any) -> Any:
    """A class of loaders."""

    class Loader(yaml.SafeLoader):  # type: ignore[misc, name-defined]
        """1e-3 is a number, which YAML 1.1 takes for text; yes and no are text."""

    def mapping(self: Any, node: Any, deep: bool = False) -> Any:
        keys = set()
        for key, _ in node.value:
            if key.value in keys:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key '{key.value}' is there twice", key.start_mark)
            keys.add(key.value)
        return yaml.SafeLoader.construct_mapping(self, node, deep)

    Loader.construct_mapping = mapping
    Loader.yaml_implicit_resolvers = {}
    for tag, pattern, first in (
            ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
            ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
            ("int", r"[-+]?[0-9]+", "-+0123456789"),
            ("float", r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+]?\.(?:inf|Inf|INF)"
                      r"|\.(?:nan|NaN|NAN)", "-+0123456789.")):
        Loader.add_implicit_resolver(_SCALARS + tag, re.compile(f"^(?:{pattern})$"), list(first))
    return Loader
