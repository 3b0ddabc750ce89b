"""Cases as Python values: a dict, YAML text, or the path of a file."""

import json
import os
from pathlib import Path

import numpy as np

from .errors import InputError


class Case(dict):
    """A case as a dict, with the text that it was read from.

    text: the YAML with its comments; "" where there is none. folder: files that the case names are
    relative to it. Changed values are what counts; the text stays as it was.
    """

    text = ""
    folder = ""


def load(path):
    """The case of a file, as a dict.

    Needs PyYAML; slipfield.solve(path) reads the file itself and does not.
    """
    try:
        import yaml
    except ImportError as error:
        raise InputError("load() needs PyYAML, which is not installed; accepted: "
                         "`pip install pyyaml`, or the path instead of the dict") from error

    class Loader(yaml.SafeLoader):
        """YAML 1.2's numbers: 1e-3 is one, which YAML 1.1 takes for text."""

    import re
    Loader.add_implicit_resolver(
        "tag:yaml.org,2002:float",
        re.compile(r"^[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)$"),
        list("-+0123456789."))
    Loader.yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in resolvers
                if tag in ("tag:yaml.org,2002:float", "tag:yaml.org,2002:int",
                           "tag:yaml.org,2002:null")
                or (tag == "tag:yaml.org,2002:bool" and pattern.match("true"))]
        for first, resolvers in Loader.yaml_implicit_resolvers.items()}
    text = Path(path).read_text(encoding="utf-8")
    case = Case(yaml.load(text, Loader) or {})
    case.text = text
    case.folder = str(Path(path).resolve().parent)
    return case


def yaml_of(value, arrays=None, name="array"):
    """One value in YAML's flow style. Tables of numbers become `array:NAME`, and go into arrays."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, str):
        # What YAML would take for something else than this text goes into quotes.
        plain = value.replace("_", "").replace("-", "").isalnum() and value[0].isalpha()
        reserved = value.lower() in ("true", "false", "null", "yes", "no", "on", "off")
        return value if plain and not reserved else json.dumps(value)
    if isinstance(value, os.PathLike):
        return json.dumps(os.fspath(value))
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(str(key))}: {yaml_of(item, arrays, f'{name}.{key}')}"
                               for key, item in value.items()) + "}"
    table = hasattr(value, "__cuda_array_interface__") or getattr(value, "ndim", 0) == 2
    if table and arrays is not None:
        arrays[name] = value
        return json.dumps(f"array:{name}")
    if isinstance(value, (list, tuple)) or getattr(value, "ndim", 0) == 1:
        return "[" + ", ".join(yaml_of(item, arrays, f"{name}.{index}")
                               for index, item in enumerate(value)) + "]"
    if hasattr(value, "item") and getattr(value, "ndim", 1) == 0:
        return yaml_of(value.item())
    raise InputError(f"{name}: a {type(value).__name__} has no form in YAML; accepted: numbers, "
                     "text, true and false, lists, dicts, and tables (2-D arrays) as `file:`")


def source_of(case, folder=None, arrays=None):
    """(text, path, folder, arrays) for the compiled solver."""
    arrays = dict(arrays or {})
    if isinstance(case, dict):
        where = folder or getattr(case, "folder", "") or ""
        lines = [f"{json.dumps(str(key))}: {yaml_of(value, arrays, str(key))}"
                 for key, value in case.items()]
        return "\n".join(lines) + "\n", None, str(where), arrays
    if isinstance(case, os.PathLike):
        return None, os.fspath(case), "", arrays
    if isinstance(case, str):
        if "\n" in case or ": " in case:
            return case, None, str(folder or ""), arrays
        return None, case, "", arrays
    raise InputError(f"a {type(case).__name__} is not a case; accepted: a dict, YAML text, or the "
                     "path of a case file")
