# SPDX-License-Identifier: Apache-2.0
"""slipfield schema: valid JSON Schema, and of one mind with the reader, on cases and on spoilt cases.

It takes 12 s: jsonschema some 20 ms for each of the 300 spoilt cases, and as long for a process that reads it."""
import glob
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest

import machine
from program import CASE, PROGRAM, call, case_folder

jsonschema, yaml = machine.modules("jsonschema", "yaml")
if not hasattr(jsonschema, "Draft7Validator"):
    machine.skip("this jsonschema has no Draft 7")

CASES = sys.argv[2]
SPOILT = int(os.environ.get("SLIPFIELD_SPOILT_CASES", "300"))
CORPUS = os.path.join(os.path.dirname(os.path.abspath(CASES)), "tests", "data", "corpus")
# What the schema knows as well as the reader: keys, types, ranges and words.
KNOWN_TO_BOTH = re.compile(r": (unknown key|is a list|is a map|.* is out of range|.* is not known|.*is not a number"
                           r"|.* is neither true nor false|has no value)")
# Faults that only the reader finds: they depend on another value, or on how a number is written.
READERS_OWN = re.compile("of the sweep|quoted text|is not supported yet|in double precision|is listed twice|"
                         "normal.force: .* is out of range")  # a pull, which only adhesion holds


class CoreLoader(yaml.SafeLoader):
    """Numbers and words as YAML 1.2 has them and the program reads them: 1e-6 is a number, on is a word."""


CoreLoader.yaml_implicit_resolvers = {}
for tag, pattern, first in (("null", r"^(?:~|null|Null|NULL|)$", ["~", "n", "N", ""]), ("bool", "^(?:true|false)$", "tf"),
                            ("int", r"^[-+]?[0-9]+$", "-+0123456789"),
                            ("float", r"^[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$", "-+.0123456789")):
    CoreLoader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(pattern), list(first))
CoreLoader.add_constructor("tag:yaml.org,2002:int", lambda loader, node: int(node.value))
CoreLoader.add_constructor("tag:yaml.org,2002:float", lambda loader, node: float(node.value))

SCHEMA = json.loads(call("schema").stdout)
VALIDATOR = jsonschema.Draft7Validator(SCHEMA)


def load(text):
    return yaml.load(text, CoreLoader)  # nothing but plain values


def refused_by_schema(case):
    """The first reason, or None."""
    error = next(iter(VALIDATOR.iter_errors(case)), None)
    return error and f"{'.'.join(map(str, error.absolute_path))}: {error.message[:200]}"


def refused_by_reader(paths):
    """Of each file, two at least, the messages, one for each fault, or []; by one call."""
    done = subprocess.run([PROGRAM, "check", "--json", *paths], capture_output=True, text=True, timeout=300,
                          check=False)
    found = json.loads(done.stdout)
    return [[] if case["valid"] else
            [line for line in case["error"].splitlines() if re.search(r"\.yaml:\d+:\d+: ", line)] or [case["error"]]
            for case in found]


def keys_of(schema, section):
    """Every key of a section with its schema, wherever a condition has put it."""
    for part in [schema] + [rule["then"] for rule in schema.get("allOf", []) if "then" in rule]:
        found = part.get("properties", {}).get(section) if section else part
        if isinstance(found, dict):
            if section:
                yield from keys_of(found, "")
            else:
                yield from found.get("properties", {}).items()
        if part is not schema:
            yield from keys_of(part, section)


def places(value, path=()):
    """Every value of the case by its path."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in items:
        yield from places(member, path + (key,))


def spoilt(case, rng):
    """A copy with one value of another type, out of range or unknown, or with a key too many; and what was done."""
    case = json.loads(json.dumps(case))
    path = rng.choice(list(places(case)))
    parent = case
    for key in path[:-1]:
        parent = parent[key]
    value = parent[path[-1]] if path else case
    if isinstance(value, dict) and rng.random() < 0.5:
        value["zzzzzz"] = 1
        return case, f"{path}: a key zzzzzz"
    swept = [entry.get("key") for entry in case.get("sweep", []) if isinstance(entry, dict)]
    if not path or ".".join(map(str, path)) in swept:  # the sweep's values take the place of this one
        return None, ""
    other = rng.choice([-1, -1e30, 1e30, 0, 0.3, "zzzzzz", True, [], [1, 2, 3, 4, 5, 6, 7], ["a"], {}, {"zzzzzz": 1}])
    parent[path[-1]] = other
    return case, f"{path}: {other!r}"


class Schema(unittest.TestCase):
    def compare(self, by_reader, case, what):
        by_schema = refused_by_schema(case)
        if by_schema:
            self.assertTrue(by_reader, f"{what}: the schema refuses what the reader takes: {by_schema}")
        elif by_reader:
            ours = [line for line in by_reader if KNOWN_TO_BOTH.search(line) and not READERS_OWN.search(line)]
            self.assertFalse(ours, f"{what}: the schema takes what the reader refuses")
        return bool(by_schema)

    def test_it_is_a_schema_and_explains_its_keys(self):
        jsonschema.Draft7Validator.check_schema(SCHEMA)
        self.assertGreater(len(SCHEMA["properties"]), 15)
        for key, value in SCHEMA["properties"].items():
            self.assertTrue(value.get("description"), key)
        friction = SCHEMA["properties"]["solver"]["properties"]["tolerance"]
        self.assertEqual((friction["exclusiveMinimum"], friction["maximum"], friction["default"]), (0.0, 0.1, 1e-6))

    def test_it_takes_every_case(self):
        paths = glob.glob(os.path.join(CASES, "**", "*.yaml"), recursive=True)
        self.assertGreater(len(paths), 40)
        for path in paths:
            with open(path, encoding="utf-8") as file:
                self.assertIsNone(refused_by_schema(load(file.read())), path)

    def test_the_file_next_to_the_cases_is_what_the_program_prints(self):
        with open(os.path.join(CASES, "schema.json"), encoding="utf-8") as file:
            self.assertEqual(file.read(), call("schema").stdout,
                             "to renew it: slipfield schema > cases/schema.json")

    def test_steps_complete_what_the_case_leaves_out(self):
        case = load(CASE)
        parts = {key: case.pop(key) for key in ("friction", "normal", "tangential")}
        case["steps"] = [parts]
        self.assertIsNone(refused_by_schema(case))
        case["friction"] = {"static": 0.4}
        parts["friction"] = {"kinetic": 0.3}
        self.assertIsNone(refused_by_schema(case))
        del case["steps"]
        self.assertIsNotNone(refused_by_schema(case))

    def test_entries_of_a_sweep_are_whole(self):
        for entry, good in (({"key": "normal.force", "values": [1]}, True), ({"values": [1]}, False),
                            ({"key": "normal.force", "from": 1, "to": 2, "points": 3}, True),
                            ({"key": "normal.force", "from": 1, "points": 3}, False),
                            ({"key": "normal.force", "values": [1], "to": 1}, False)):
            self.assertEqual(refused_by_schema({**load(CASE), "sweep": [entry]}) is None, good, entry)

    def test_every_case_points_editors_to_it(self):
        paths = glob.glob(os.path.join(CASES, "**", "*.yaml"), recursive=True)
        self.assertGreater(len(paths), 40)
        for path in paths:
            with open(path, encoding="utf-8") as file:
                first = file.readline()
            name = os.path.relpath(os.path.join(CASES, "schema.json"), os.path.dirname(path))
            self.assertEqual(first, f"# yaml-language-server: $schema={name}\n", path)

    def test_spoilt_cases_are_refused_by_both_or_by_neither(self):
        rng = random.Random(21)
        with tempfile.TemporaryDirectory() as folder:
            copy = machine.copy_to_write(CASES, os.path.join(folder, "cases"))
            paths = sorted(glob.glob(os.path.join(copy, "*.yaml")))
            cases = []
            for number in range(SPOILT):
                path = rng.choice(paths)
                with open(path, encoding="utf-8") as file:
                    case, what = spoilt(load(file.read()), rng)
                if case is None:
                    continue
                changed = os.path.join(copy, f"spoilt{number}.yaml")
                with open(changed, "w", encoding="utf-8") as file:
                    json.dump(case, file)
                cases.append((changed, case, f"{os.path.basename(path)}, {what}"))
            by_reader = refused_by_reader([path for path, _, _ in cases])
            refused = sum(self.compare(messages, case, what) for messages, (_, case, what) in zip(by_reader, cases))
            self.assertGreater(refused, SPOILT // 2)  # most of what is spoilt

    def test_the_bad_cases_of_the_fuzzer_are_refused_by_both_or_by_the_reader(self):
        compared, refused = 0, {}
        for path in sorted(glob.glob(os.path.join(CORPUS, "case*", "*"))):
            try:
                with open(path, encoding="utf-8") as file:
                    case = load(file.read())
            except (yaml.YAMLError, UnicodeDecodeError, ValueError, TypeError, RecursionError):
                continue
            try:
                reason = refused_by_schema(case)
            except Exception:  # keys that JSON has not
                continue
            compared += 1
            if reason:
                refused[path] = reason
        for (path, reason), messages in zip(refused.items(), refused_by_reader(list(refused))):
            self.assertTrue(messages, f"{path}: {reason}")
        self.assertGreater(compared, 200)
        self.assertGreater(len(refused), 150)

    def test_a_default_given_changes_nothing(self):
        with case_folder():
            without = call("check", "case.yaml").stdout
            given = 0
            for section in ("grid", "tangential", "solver", "output"):
                for key, value in keys_of(SCHEMA, section):
                    if not isinstance(value, dict) or "default" not in value or f"{key}:" in CASE:
                        continue
                    text = json.dumps(value["default"])
                    done = call("check", "case.yaml", "--set", f"{section}.{key}={text}")
                    if done.returncode:  # not with this problem
                        continue
                    given += 1
                    self.assertEqual(done.stdout, without, f"{section}.{key}={text}")
            self.assertGreater(given, 5)


if __name__ == "__main__":
    machine.run_tests()
