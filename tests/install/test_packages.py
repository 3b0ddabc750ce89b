# SPDX-License-Identifier: Apache-2.0
"""Debian packages of this build by cpack: what is in them, on what they depend, and that they run.

Skipped where the tools are missing, and for builds that are not packed: with CUDA or MKL, sanitizers
or counters.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from program import CASE, PROGRAM, SKIPPED, build_cache, instrumented

BUILD = os.path.dirname(PROGRAM)
CONFIG = os.path.join(BUILD, "CPackConfig.cmake")


def call(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False,
                          **options)


def cpack(folder, *options):
    return call("cpack", "--config", CONFIG, "-G", "DEB", "-B", folder, *options)


def can_be_packed():
    if not os.path.exists(CONFIG) or instrumented(build_cache()):
        return False
    with open(CONFIG, encoding="utf-8") as file:
        text = file.read()
    return ('set(CPACK_SLIPFIELD_CUDA "OFF")' in text and 'set(CPACK_SLIPFIELD_FFT "fftw")' in text)


def output(*command, **options):
    done = call(*command, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command}\n{done.stdout}{done.stderr}")
    return done.stdout


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        # a build for this machine's processor is as good for looking at
        done = cpack(cls.folder.name, "-D", "CPACK_SLIPFIELD_NATIVE=OFF")
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
        for library in ("libc6 (>= ", "libfftw3-double3", "libhdf5-", "libyaml-cpp", "libgomp1"):
            self.assertIn(library, depends)
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
        self.assertEqual("libslipfield0 (= " in depends, "libslipfield0" in self.packages)

    def test_each_command_has_its_manual_page_with_every_option(self):
        pages = {os.path.basename(name) for name in self.files("slipfield")
                 if name.startswith("usr/share/man/man1/s")}
        listed = re.findall(r"^  (\w+) ", output(PROGRAM, "--help").split("ubcommands:")[1], re.M)
        self.assertIn("run", listed)
        self.assertEqual(pages, {"slipfield.1.gz"} | {f"slipfield-{name}.1.gz" for name in listed})
        for command in listed:
            page = output(PROGRAM, "manual", command).replace("\\-", "-")
            self.assertTrue(page.startswith(f".TH SLIPFIELD-{command.upper()} 1 "), command)
            self.assertIn(".SH EXIT STATUS\n0 ", page)
            for option in re.findall(r"^  .*?(--[\w-]+)", output(PROGRAM, command, "--help"), re.M):
                if not option.startswith("--help-"):
                    self.assertIn(option, page, command)
        if shutil.which("man") and shutil.which("groff"):
            for command in ["", *listed]:
                page = output(PROGRAM, "manual", *command.split())
                done = call("man", "--warnings=w", "-E", "UTF-8", "-l", "-", input=page)
                self.assertEqual((done.returncode, done.stderr), (0, ""), command)

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
    tools = [tool for tool in ("cpack", "dpkg-deb", "dpkg-shlibdeps") if not shutil.which(tool)]
    if tools or not can_be_packed():
        print(f"skipped: missing {tools}" if tools else "skipped: not a build to be packed")
        sys.exit(SKIPPED)
    unittest.main(argv=sys.argv[:1])
