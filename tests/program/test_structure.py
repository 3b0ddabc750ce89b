# SPDX-License-Identifier: Apache-2.0
""".ci/check_structure.py finds what it promises to find."""
import importlib.util
import os
import re
import subprocess
import tempfile
import unittest

import machine

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def checker():
    path = os.path.join(ROOT, ".ci", "check_structure.py")
    if not os.path.exists(path):  # a copy of the sources without it
        machine.skip(".ci/check_structure.py is not here")
    spec = importlib.util.spec_from_file_location("check_structure", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CHECK = checker()
# The repository that the texts are about.
FILES = {"solver/fields/step_ops.h": "// SPDX\n", "solver/version.h.in": "", "io/CASE.md": "", "tests/io/test_case.cpp": "",
         "io/made.cpp.in": "", "app/run.sh": "", "app/folder/beside.py": ""}


def found_in(files, check):
    """What a check says in a folder of these files."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for name, content in files.items():
                os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
                with open(name, "w", encoding="utf-8") as file:
                    file.write(content)
            return check()
        finally:
            os.chdir(before)


class References(unittest.TestCase):
    def faults(self, path, text):
        files = {**FILES, path: text}
        return found_in(files, lambda: list(CHECK.missing_references(sorted(files))))

    def test_names_of_missing_files_are_found(self):
        for path, text in (("solver/a.h", "// as in _ops.h\n"), ("solver/a.h", "// as in solver/step/steps_ops.h\n"),
                           ("solver/a.cu", "// the files *_kernels.h\n"), ("app/a.c", "/* see other.c */\n"),
                           ("app/a.md", "`program.cpp` is compiled\n"), ("app/a.md", "`slipfield/versions.h`\n"),
                           ("app/a.md", "run `./runs.sh`\n"), ("io/a.cmake", "# fills io/made.cpp\n"),
                           ("io/a.cmake", "set(x 1)  # fills io/making.cpp.in\n"), ("tests/a.py", "# as gone.py\n"),
                           ("tests/CMakeLists.txt", "# test_*.sh\n"), ("cases/a.yaml", "# see io/CASES.md\n")):
            with self.subTest(path=path, text=text):
                self.assertEqual(len(self.faults(path, text)), 1)

    def test_names_of_files_that_are_there_pass(self):
        for path, text in (("solver/a.h", "// as in step_ops.h, solver/fields/step_ops.h and *_ops.h\n"),
                           ("app/a.md", "[cases](../io/CASE.md), `slipfield/version.h`, `./app/run.sh`\n"),
                           ("app/folder/a.py", "# beside.py, test_*.cpp\n"), ("io/a.cmake", "# fills io/made.cpp.in\n"),
                           ("io/a.cpp", '#include "elsewhere.h"\nconst char* name = "wheel.c";\n')):
            with self.subTest(path=path, text=text):
                self.assertEqual(self.faults(path, text), [])

    def test_cuda_headers_are_kept_from_builds_without_them(self):
        texts = {"gpu/CMakeLists.txt": '  list(FILTER sources INCLUDE REGEX\n    "_stub\\\\.cpp$|/(shape)\\\\.cpp$")\n',
                 "gpu/a.h": "#include <cuda_runtime.h>\n", "gpu/b.h": '#include "gpu/a.h"\n',
                 "gpu/shape.cpp": '#include "gpu/b.h"\n', "gpu/run.cpp": '#include "gpu/b.h"\n',
                 "io/x.cpp": "#include <cstddef>\n", "app/y.cpp": '#include "gpu/a.h"\n'}
        faults = found_in(texts, lambda: list(CHECK.cuda_in_cpu_builds(sorted(texts))))
        self.assertEqual([fault.split(":")[0] for fault in faults], ["app/y.cpp", "gpu/shape.cpp"])

    def test_this_repository_names_no_missing_file(self):
        before = os.getcwd()
        os.chdir(ROOT)
        try:
            files = [path for path in CHECK.tracked() if os.path.exists(path)]
            self.assertEqual(list(CHECK.missing_references(files)), [])
        except (OSError, subprocess.CalledProcessError) as error:  # no git, or no checkout
            self.skipTest(str(error))
        finally:
            os.chdir(before)


class Floors(unittest.TestCase):
    def faults(self, path, text):
        return found_in({path: text}, lambda: list(CHECK.climbing([path])))

    def test_an_include_may_lead_down_but_not_up(self):
        up = self.faults("solver/fields/a.h", '// SPDX\n#include "solver/step/step_model.h"\n')
        self.assertEqual(up, ["solver/fields/a.h:2: includes solver/step, which stands above solver/fields"])
        self.assertEqual(self.faults("solver/step/a.h", '#include "solver/fields/own_rows.h"\n#include "solver/grid.h"\n'), [])
        self.assertEqual(len(self.faults("solver/attic/a.h", "")), 1)


class Comparisons(unittest.TestCase):
    def faults(self, path, text):
        return found_in({path: text}, lambda: list(CHECK.loose_comparisons([path])))

    def test_only_the_tests_own_comparisons_are_used(self):
        bare = "// SPDX\nCHECK(1e-3 == doctest::Approx(1e-4));\n"
        self.assertRegex(self.faults("tests/io/test_a.cpp", bare)[0], "^tests/io/test_a.cpp:2: .*tests/support/near.h$")
        self.assertEqual(len(self.faults("tests/gpu/cards/a.h", bare)), 1)
        self.assertEqual(self.faults("tests/support/near.h", bare), [])
        self.assertEqual(self.faults("tests/io/test_a.cpp", "CHECK(a == test::near(b, 1e-3));  // not Approx\n"), [])


class Walk(unittest.TestCase):
    def test_the_places_of_an_addition_hold_the_one_that_is_to_be_followed(self):
        with open(os.path.join(ROOT, "CONTRIBUTING.md"), encoding="utf-8") as file:
            section = file.read().split("## Where to add")[1].split("\n## ")[0]
        bullets = {text.split("**")[0]: text for text in section.split("\n- **")[1:]}
        for name, word, least in (("A friction law", "exponential", 8), ("A geometry", "EllipsoidShape", 5),
                                  ("A field or number of a result", "displacement_x", 2)):
            self.assertIn(f"{word}", section.split("\n- **")[0])
            paths = re.findall(r"`([\w/]+\.(?:h|cpp|py|md))`", bullets[name])
            paths = [path for path in paths if path != "io/CASE.md" or name == "A friction law"]
            self.assertGreaterEqual(len(paths), least, name)
            for path in paths:
                with open(os.path.join(ROOT, path), encoding="utf-8") as file:
                    self.assertRegex(file.read(), rf"\b{word}\b", path)


if __name__ == "__main__":
    machine.run_tests()
