# SPDX-License-Identifier: Apache-2.0
"""The installed library: a program outside the repository finds, compiles, links and runs it, with the compiler and
the generator that built the library.

It takes 7 s: five times CMake, two compilations. Skipped where the library holds the sanitizers' or the counters' code,
which such a program lacks.
"""
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

import machine
from program import PROGRAM, build_cache, instrumented

BUILD = os.path.dirname(PROGRAM)
SOURCES = os.path.join(os.path.dirname(os.path.abspath(sys.argv[2])), "tests", "install")
CACHE = build_cache()
COMPILER = CACHE.get("CMAKE_CXX_COMPILER")
CMAKE = CACHE.get("CMAKE_COMMAND", "cmake")
# The user's flags and generator are for the user's projects.
ENVIRONMENT = {name: value for name, value in os.environ.items()
               if name not in ("CFLAGS", "CXXFLAGS", "CPPFLAGS", "LDFLAGS", "CMAKE_GENERATOR", "DESTDIR")}


def call(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False,
                          **{"env": ENVIRONMENT, **options})


def configure(source, folder, *options):
    """CMake with the tools of the library's build; machines need not have those that it takes by itself."""
    tools = [f"-D{name}={CACHE[name]}" for name in ("CMAKE_C_COMPILER", "CMAKE_CXX_COMPILER", "CMAKE_MAKE_PROGRAM")
             if name in CACHE]
    return call(CMAKE, "-S", source, "-B", folder, "-G", CACHE["CMAKE_GENERATOR"], *tools, *options)


def why_not_installed():
    """CMake writes a list of what it installed into the build folder."""
    lists = [name for name in os.listdir(BUILD) if name.startswith("install_manifest")]
    if not machine.may_write_in(BUILD) or not all(os.access(os.path.join(BUILD, name), os.W_OK) for name in lists):
        return f"{BUILD} may not be written to, where cmake --install writes"
    return ""


def found_below(root, ending):
    return [os.path.join(folder, name) for folder, _, names in os.walk(root) for name in names
            if os.path.join(folder, name).endswith(ending)]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        first = os.path.join(cls.folder.name, "first")
        done = call(CMAKE, "--install", BUILD, "--prefix", first, "--component", "development")
        if done.returncode != 0:
            sys.exit(done.stdout + done.stderr)
        cls.root = os.path.join(cls.folder.name, "moved")  # nothing knows where it was installed
        os.rename(first, cls.root)
        runtime = call(CMAKE, "--install", BUILD, "--prefix", cls.root, "--component", "runtime")
        if runtime.returncode != 0:
            sys.exit(runtime.stdout + runtime.stderr)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def needs_what_the_build_links(self):
        """CUDA's toolkit may have gone since the build: another machine, or another root."""
        toolkit = CACHE.get("CUDAToolkit_NVCC_EXECUTABLE") or CACHE.get("CMAKE_CUDA_COMPILER", "")
        with open(os.path.join(BUILD, "CPackConfig.cmake"), encoding="utf-8") as file:
            has_cuda = 'set(CPACK_SLIPFIELD_CUDA "OFF")' not in file.read()
        if has_cuda and not os.path.exists(toolkit):
            self.skipTest("this build has CUDA, whose toolkit is not here")

    def configured(self, wanted, folder):
        return configure(
            SOURCES, folder, f"-DCMAKE_PREFIX_PATH={self.root};{CACHE.get('CMAKE_PREFIX_PATH', '')}",
            "-DCMAKE_BUILD_TYPE=Release", f"-DSLIPFIELD_WANTED={wanted}")

    def solves_hertz(self, program, library_path=""):
        paths = [path for path in (library_path, os.environ.get("LD_LIBRARY_PATH")) if path]
        done = call(program, env={**ENVIRONMENT, "OMP_NUM_THREADS": "1",
                                  "LD_LIBRARY_PATH": ":".join(paths)})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("p_max", done.stdout)

    def test_find_package_gives_a_program_that_solves_hertz_with_its_own_flags(self):
        self.needs_what_the_build_links()
        folder = tempfile.mkdtemp(dir=self.folder.name)
        done = self.configured(CACHE["CMAKE_PROJECT_VERSION"], folder)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        done = call(CMAKE, "--build", folder)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.solves_hertz(os.path.join(folder, "consumer"))
        command = json.loads(read(os.path.join(folder, "compile_commands.json")))[0]["command"]
        self.assertIn("-std=gnu++20", command)
        for flag in (" -W", " -march", "-fno-", "Eigen", "eigen3"):
            self.assertNotIn(flag, command)

    def test_another_minor_version_and_missing_components_are_refused_with_one_sentence(self):
        major, minor, _ = CACHE["CMAKE_PROJECT_VERSION"].split(".")
        self.refused(f"{major}.{int(minor) + 1}", "is compatible with requested version")
        self.refused("COMPONENTS;solver;gpu",
                     "Slipfield has no component 'gpu'; it has solver, cuda, c")
        with open(os.path.join(BUILD, "CPackConfig.cmake"), encoding="utf-8") as file:
            if 'set(CPACK_SLIPFIELD_CUDA "OFF")' not in file.read():
                self.skipTest("this build has CUDA")
        self.refused("COMPONENTS;cuda",
                     "component cuda: the Slipfield in .* was built without the CUDA toolkit")

    def refused(self, wanted, why):
        # In one folder, in which CMake tries the compiler once.
        done = self.configured(wanted, os.path.join(self.folder.name, "refused"))
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(" ".join(done.stderr.split()), why)

    @machine.needs("pkg-config")
    def test_pkg_config_gives_the_flags_of_a_program_that_solves_hertz(self):
        self.needs_what_the_build_links()
        folders = {os.path.dirname(path) for path in found_below(self.root, ".pc")}
        others = [os.environ["PKG_CONFIG_PATH"]] if os.environ.get("PKG_CONFIG_PATH") else []
        environment = {**ENVIRONMENT, "PKG_CONFIG_PATH": ":".join([*folders, *others])}
        flags = call("pkg-config", "--cflags", "--libs", "slipfield-cuda", env=environment)
        self.assertEqual(flags.returncode, 0, flags.stderr)
        program = os.path.join(self.folder.name, "by_pkg_config")
        done = call(COMPILER, "-std=c++20", os.path.join(SOURCES, "consumer.cpp"), "-o", program,
                    *shlex.split(flags.stdout))
        self.assertEqual(done.returncode, 0, done.stderr)
        # MKL may lie where the loader does not look
        self.solves_hertz(program, ":".join(re.findall(r"(/\S*)/[^/\s]*\.so\b", flags.stdout)))

    def test_a_wrong_choice_of_ffts_is_refused_with_what_is_accepted(self):
        repository = os.path.dirname(os.path.dirname(SOURCES))
        done = configure(repository, tempfile.mkdtemp(dir=self.folder.name),
                         "-DSLIPFIELD_FFT=fftpack", "-DSLIPFIELD_CUDA=OFF")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("SLIPFIELD_FFT is 'fftpack'; accepted: fftw, mkl", done.stderr)

    def test_headers_include_installed_ones_and_no_library(self):
        headers = found_below(os.path.join(self.root, "include"), ".h")
        self.assertTrue(any(path.endswith("solver/contact_solver.h") for path in headers))
        if found_below(self.root, "/slipfield.pc"):
            self.assertTrue(os.path.exists(os.path.join(self.root, "include", "slipfield.h")))
        roots = [os.path.join(self.root, "include"), os.path.join(self.root, "include/slipfield")]
        for header in headers:
            for name in re.findall(r'#\s*include "([^"]+)"', read(header)):
                self.assertTrue(any(os.path.exists(os.path.join(root, name)) for root in roots),
                                f"{header} includes {name}")
            self.assertNotRegex(read(header), r"<(Eigen|fftw|omp|cuda|hdf5|yaml)", header)

    def test_the_libraries_hold_no_function_of_the_name_of_eigens(self):
        library = found_below(self.root, "libslipfield_solver.a")[0]
        names = call(CACHE.get("CMAKE_NM", "nm"), library).stdout
        self.assertIn("slipfield_eigen", names)
        self.assertNotIn("N5Eigen", names)

    @machine.needs("figures")
    def test_the_installed_program_draws_wherever_it_is(self):
        first = os.path.join(self.folder.name, "program")
        for component in ("program", "python"):
            done = call(CMAKE, "--install", BUILD, "--prefix", first, "--component", component)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        root = os.path.join(self.folder.name, "elsewhere")
        os.rename(first, root)
        for name in ("__main__.py", "report.html.j2", os.path.join("styles", "column.mplstyle")):
            self.assertTrue(os.path.exists(os.path.join(root, "lib/python3/dist-packages/slipfield/figures", name)), name)
        program = os.path.join(root, "bin", "slipfield")
        result, figure = os.path.join(root, "out.h5"), os.path.join(root, "out.png")
        case = os.path.join(root, "share/slipfield/cases/hertz_sphere.yaml")
        for arguments in (("run", case, "-o", result, "--backend", "cpu"), ("plot", result, "-o", figure, "--style", "column"),
                          ("report", result, "-o", os.path.join(root, "out.html"))):
            done = call(program, *arguments)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertTrue(os.path.exists(figure))


if __name__ == "__main__":
    if not COMPILER or instrumented(CACHE):
        machine.skip("no build folder, or one whose libraries need a sanitizer or counters")
    tools = [machine.tried([tool, "--version"], f"{tool} does not run")
             for tool in (CMAKE, COMPILER, CACHE["CMAKE_MAKE_PROGRAM"])]
    for reason in (why_not_installed(), machine.why_not("own programs"), *tools):
        if reason:
            machine.skip(reason)
    machine.run_tests()
