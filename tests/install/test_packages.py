# SPDX-License-Identifier: Apache-2.0
"""Debian packages of this build by cpack: what is in them, on what they depend, and that they run.

Skipped where the tools are missing, and for builds that are not packed: with CUDA or MKL, sanitizers
or counters. It takes 11 s: cpack strips, packs and looks up the libraries of four packages.
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "program"))
import machine  # noqa: E402
from program import CASE, PROGRAM, build_cache, instrumented  # noqa: E402

BUILD = os.path.dirname(PROGRAM)
CONFIG = os.path.join(BUILD, "CPackConfig.cmake")
CACHE = build_cache()
CPACK = CACHE.get("CMAKE_CPACK_COMMAND", "cpack")
OPENMP = "libgomp1" if CACHE.get("OpenMP_CXX_LIB_NAMES", "gomp").startswith("gomp") else "libomp"


def call(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False,
                          **options)


def cpack(folder, *options):
    return call(CPACK, "--config", CONFIG, "-G", "DEB", "-B", folder, *options)


def can_be_packed():
    if not os.path.exists(CONFIG) or instrumented(CACHE):
        return False
    with open(CONFIG, encoding="utf-8") as file:
        text = file.read()
    return ('set(CPACK_SLIPFIELD_CUDA "OFF")' in text and 'set(CPACK_SLIPFIELD_FFT "fftw")' in text)


def without_tools():
    """What is missing of Debian's tools; or why they do not know the libraries that the program loads, where these come
    from elsewhere."""
    for tool in (CPACK, "dpkg-deb", "dpkg-shlibdeps", "file", "gzip"):
        if why := machine.tried([tool, "--version"], f"{tool} does not run"):
            return why
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "debian"))
        with open(os.path.join(folder, "debian", "control"), "w", encoding="utf-8"):
            pass
        return machine.tried(["dpkg-shlibdeps", "-O", "-e", PROGRAM], "dpkg-shlibdeps", cwd=folder)


def man(page):
    # What man says of the user's locale is none of the page's faults.
    return call("man", "--warnings=w", "-E", "UTF-8", "-l", "-", input=page,
                env={**os.environ, "LC_ALL": "C"})


def man_does_not_run():
    try:
        done = man(".TH A 1\n.SH NAME\na\n")
    except OSError:
        return "man is not installed"
    return "" if done.returncode == 0 and not done.stderr else "man does not run as the one of man-db and groff does"


def output(*command, **options):
    done = call(*command, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command}\n{done.stdout}{done.stderr}")
    return done.stdout


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        # A build for this machine's processor is as good for looking at, as are packages of any compression.
        done = cpack(cls.folder.name, "-D", "CPACK_SLIPFIELD_NATIVE=OFF", "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=none")
        if done.returncode != 0:
            sys.exit(done.stdout + done.stderr)
        cls.packages = {name.split("_")[0]: os.path.join(cls.folder.name, name)
                        for name in os.listdir(cls.folder.name) if name.endswith(".deb")}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def files(self, package):
        listed = output("dpkg-deb", "-c", self.packages[package])
        return [re.search(r" \./(\S*)", line)[1] for line in listed.splitlines()]

    def field(self, package, name):
        return output("dpkg-deb", "-f", self.packages[package], name).strip()

    def test_each_package_names_itself_and_has_its_copyright_and_changelog(self):
        self.assertLessEqual({"slipfield", "libslipfield-dev"}, set(self.packages))
        for package in self.packages:
            self.assertEqual(self.field(package, "Maintainer"),
                             "Slipfield developers <developers@slipfield.invalid>")
            self.assertIn("half-space theory\n Slipfield computes",
                          self.field(package, "Description"))
            for name in ("copyright", "changelog.gz"):
                self.assertIn(f"usr/share/doc/{package}/{name}", self.files(package))

    def test_the_program_depends_on_the_libraries_that_it_loads(self):
        depends = self.field("slipfield", "Depends")
        for library in ("libc6 (>= ", "libfftw3-double3", "libyaml-cpp", OPENMP):
            self.assertIn(library, depends)
        self.assertIn("libhdf5-", self.field("libslipfield1", "Depends"))  # a native program contains it
        self.assertEqual(self.field("slipfield", "Section"), "science")
        names = self.files("slipfield")
        for name in ("usr/bin/slipfield", "usr/share/slipfield/cases/hertz_sphere.yaml"):
            self.assertIn(name, names)
        self.assertFalse([name for name in names if name.endswith((".h", ".a", "LICENSE"))])

    def test_the_development_package_has_what_programs_are_compiled_with(self):
        names = self.files("libslipfield-dev")
        for ending in ("/solver/contact_solver.h", "/libslipfield_solver.a",
                       "/SlipfieldConfig.cmake", "/slipfield-solver.pc"):
            self.assertTrue(any(name.endswith(ending) for name in names), ending)
        depends = self.field("libslipfield-dev", "Depends")
        self.assertIn("libfftw3-dev", depends)
        self.assertEqual("libslipfield1 (= " in depends, "libslipfield1" in self.packages)

    def test_each_command_has_its_manual_page_with_every_option(self):
        pages = {os.path.basename(name) for name in self.files("slipfield")
                 if name.startswith("usr/share/man/man1/s")}
        listed = re.findall(r"^  (\w+) ", output(PROGRAM, "--help"), re.M)
        self.assertIn("run", listed)
        self.assertEqual(pages, {"slipfield.1.gz"} | {f"slipfield-{name}.1.gz" for name in listed})
        pages_of = {command: output(PROGRAM, "manual", command) for command in listed}
        for command in listed:
            page = pages_of[command].replace("\\-", "-")
            self.assertTrue(page.startswith(f".TH SLIPFIELD-{command.upper()} 1 "), command)
            self.assertIn(".SH EXIT STATUS\n0 ", page)
            for option in re.findall(r"^  .*?(--[\w-]+)", output(PROGRAM, command, "--help"), re.M):
                if not option.startswith("--help-"):
                    self.assertIn(option, page, command)
        if why := man_does_not_run():
            self.skipTest(why)
        # One page after the other, since man takes longer to start than to read them.
        done = man(output(PROGRAM, "manual") + "".join(pages_of[command] for command in listed))
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    @machine.needs("own programs")
    def test_an_unpacked_program_solves_a_case(self):
        root = os.path.join(self.folder.name, "root")
        output("dpkg-deb", "-x", self.packages["slipfield"], root)
        with open(os.path.join(root, "case.yaml"), "w", encoding="utf-8") as file:
            file.write(CASE)
        output(os.path.join(root, "usr/bin/slipfield"), "run", "case.yaml", "--backend", "cpu",
               cwd=root)
        self.assertTrue(os.path.exists(os.path.join(root, "case.h5")))

    def test_a_build_that_other_machines_cannot_run_is_refused(self):
        for change, why in (
                ("NATIVE=ON", "compiled for this machine's processor (SLIPFIELD_NATIVE=ON)"),
                ("CUDA=ON", "linked with CUDA's libraries (SLIPFIELD_CUDA)"),
                ("FFT=mkl", "linked with MKL (SLIPFIELD_FFT=mkl)")):
            done = cpack(os.path.join(self.folder.name, "refused"),
                         "-D", "CPACK_SLIPFIELD_NATIVE=OFF", "-D", f"CPACK_SLIPFIELD_{change}")
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(f"this build is {why}", " ".join(done.stderr.split()))


if __name__ == "__main__":
    if not can_be_packed():
        machine.skip("not a build to be packed")
    if missing := without_tools():
        machine.skip(missing)
    if not machine.may_write_in(BUILD):
        machine.skip(f"{BUILD} may not be written to, where cpack writes")
    machine.run_tests()
