# SPDX-License-Identifier: Apache-2.0
"""An example of the Python package as a test: run_example.py EXAMPLE. Skipped without the packages that it imports."""
import os
import re
import runpy
import subprocess
import sys

from python_support import machine

EXAMPLE = os.path.abspath(sys.argv[1])
ARGUMENTS = {"many_contacts.py": ["200"], "hunting.py": ["60"], "creep_curve_uncertainty.py": ["100"],  # half of theirs or less
             "tread_of_less_wear.py": ["2"]}
USED = {"matplotlib": "matplotlib.pyplot", "scipy": "scipy.integrate"}

with open(EXAMPLE, encoding="utf-8") as file:
    TEXT = file.read()
for package in sorted(set(re.findall(r"^ *(?:from|import) (\w+)", TEXT, re.M))):
    why = machine.why_not(USED.get(package, package))
    if why:
        machine.skip(why)
if "multiprocessing" in TEXT:
    machine.script_needs("processes that share semaphores")
arguments = ARGUMENTS.get(os.path.basename(EXAMPLE), [])
if "PROFILES" in TEXT:
    arguments = [os.path.join(os.path.dirname(EXAMPLE), *[os.pardir] * 3, "cases", "profiles"), *arguments]
if "multiprocessing" in TEXT:  # its processes load the example by itself
    sys.exit(subprocess.run([sys.executable, "-B", EXAMPLE, *arguments], check=False).returncode)
# In this process, which has loaded the packages.
sys.argv = [EXAMPLE, *arguments]
sys.path[0] = os.path.dirname(EXAMPLE)
runpy.run_path(EXAMPLE, run_name="__main__")
