# SPDX-License-Identifier: Apache-2.0
"""The package under the newest NumPy: its tests again, in an environment of its own (python -m venv, pip)."""
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "program"))
import machine  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
# The package's tests that need no other package than NumPy.
SCRIPTS = ("test_python_arrays.py", "test_python.py", "test_python_table.py", "test_python_notebook.py")


# One process, in which NumPy is loaded once.
TOGETHER = """import runpy, sys
failed = []
for script in sys.argv.pop(1).split(","):
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit as end:
        if end.code:
            failed.append(f"{script}: {end.code}")
sys.exit("; ".join(failed) or None)
"""


def environment(folder):
    """Python of an environment with the newest NumPy; skips the test where there is none to be had."""
    python = os.path.join(folder, "bin", "python")
    # This Python's pip installs into it: one of its own would take longer to install than NumPy.
    for command in ([sys.executable, "-m", "venv", "--without-pip", folder],
                    [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--disable-pip-version-check", "--no-compile",
                     "--timeout", "10", "--retries", "0", "--only-binary", ":all:", "numpy>=2"]):
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=240)
        except subprocess.TimeoutExpired:
            raise unittest.SkipTest(f"`{' '.join(command[1:4])}` takes too long") from None
        if done.returncode != 0:
            reason = (done.stderr or done.stdout).strip().splitlines()
            raise unittest.SkipTest(f"`{' '.join(command[1:4])}` failed: {reason[-1] if reason else ''}")
    return python


class NewestNumpy(unittest.TestCase):
    def test_the_tests_of_the_package_pass(self):
        with tempfile.TemporaryDirectory() as folder:
            python = environment(folder)
            version = subprocess.run([python, "-c", "import numpy; print(numpy.__version__)"], capture_output=True,
                                     text=True, check=True).stdout.strip()
            self.assertGreaterEqual(int(version.split(".")[0]), 2)
            print(f"NumPy {version}")
            scripts = ",".join(os.path.join(HERE, script) for script in SCRIPTS)
            done = subprocess.run([python, "-c", TOGETHER, scripts, *sys.argv[1:]], capture_output=True, text=True, timeout=1200,
                                  env={**os.environ, "PYTHONPATH": os.pathsep.join([HERE, os.environ.get("PYTHONPATH", "")])})
            self.assertEqual(done.returncode, 0, done.stderr[-3000:] + done.stdout[-1000:])


if __name__ == "__main__":
    machine.run_tests()
