# SPDX-License-Identifier: Apache-2.0
"""bootstrap.sh with stand-ins for the package manager and the compiler: what it says meanwhile."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "program"))
import machine  # noqa: E402

machine.script_needs("own programs")
SCRIPT = os.path.join(os.path.dirname(os.path.abspath(sys.argv[2])), "bootstrap.sh")

CMAKE = """\
#!/bin/sh
if [ "$1" = --preset ]; then echo '-- Slipfield 0.1.0: Release'; exit 0; fi
for i in 1 2 3 4 5 6 7 8; do echo "[$i/8] Building CXX object $i.o"; done
if [ -n "$BROKEN" ]; then echo 'a.cpp:1: error: no such thing'; exit 1; fi
printf '#!/bin/sh\\necho "ran $*"\\nexit $CODE\\n' >build/slipfield
chmod +x build/slipfield
"""
NINJA = """\
#!/bin/sh
case "$*" in *-n*) for i in 1 2 3 4 5 6 7 8; do echo "[$i/8] Building CXX object $i.o"; done ;; esac
"""
STANDS_IN = {"cmake": CMAKE, "ninja": NINJA, "dpkg-query": "#!/bin/sh\necho 'ii '\n",
             "apt-get": "#!/bin/sh\nexit 1\n"}


def bootstrap(*arguments, **environment):
    """The script in a folder of its own; its end, and its build.log."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copyfile(SCRIPT, os.path.join(folder, "bootstrap.sh"))
        os.mkdir(os.path.join(folder, "bin"))
        for name, text in STANDS_IN.items():
            path = os.path.join(folder, "bin", name)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            os.chmod(path, 0o755)
        with open(os.path.join(folder, "case.yaml"), "w", encoding="utf-8") as file:
            file.write("schema: 1\n")
        path = os.path.join(folder, "bin") + os.pathsep + os.environ["PATH"]
        done = subprocess.run(["sh", "bootstrap.sh", *arguments], cwd=folder, capture_output=True,
                              text=True, timeout=60, check=False,
                              env={**os.environ, "CODE": "0", **environment, "PATH": path})
        with open(os.path.join(folder, "build", "build.log"), encoding="utf-8") as file:
            return done, file.read()


class Bootstrap(unittest.TestCase):
    def test_a_build_is_quiet_tells_its_progress_and_what_to_try_next(self):
        done, log = bootstrap("build")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"building on \d+ cores: about [1-9]\d* min, log in build/build.log")
        self.assertNotIn("Building CXX", done.stdout)  # which are in the log
        self.assertEqual(log.count("Building CXX"), 8)
        shares = [line.split()[1] for line in done.stdout.splitlines() if line.endswith("% built")]
        self.assertEqual(shares, ["12", "25", "37", "50", "62", "75", "87", "100"])
        self.assertIn("build/slipfield; try next:", done.stdout)

    def test_a_build_that_fails_ends_with_the_compilers_messages(self):
        done, log = bootstrap("build", BROKEN="1")
        self.assertEqual(done.returncode, 3)
        self.assertIn("a.cpp:1: error: no such thing", done.stderr)
        self.assertIn("all of them in build/build.log", done.stderr)
        self.assertIn("error: no such thing", log)

    def test_run_ends_with_the_programs_exit_code(self):
        done, _ = bootstrap("run", "case.yaml")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("ran run ", done.stdout)
        done, _ = bootstrap("run", "case.yaml", CODE="1")
        self.assertEqual(done.returncode, 1)


if __name__ == "__main__":
    machine.run_tests()
