# SPDX-License-Identifier: Apache-2.0
"""What the tests need of the machine that they run on, and how they skip what it does not have.

Nothing is guessed from a name or a version: each thing is tried, and where it does not work the test is skipped with
a sentence that says why.

    h5py, np = machine.modules("h5py", "numpy")      the script is skipped without them
    @machine.needs("figures")                        a test, or a class of tests
    machine.require(self, "a C compiler")            the rest of a test
    machine.run_tests()                              instead of unittest.main(): prints what was skipped

Things are Python packages by the name that they are imported by, and those of PROBES.
"""
import atexit
import functools
import importlib
import locale
import multiprocessing
import os
import pty
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

SKIPPED = 77  # the exit code; ctest knows it
ANOTHER_USER = 65534  # nobody: no files of the tests are this user's


def speak_utf8():
    """Begins the script again where Python would take another encoding from the user's locale: the program's texts and
    those of the tests are UTF-8 everywhere."""
    if not sys.flags.utf8_mode and locale.getpreferredencoding(False).upper() not in ("UTF-8", "UTF8"):
        os.environ["PYTHONUTF8"] = "1"  # for the Python programs that the tests run
        arguments = getattr(sys, "orig_argv", [sys.executable, "-B", *sys.argv])
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *arguments[1:]])
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def take_default_signals():
    """nohup ignores SIGHUP, a shell's `&` SIGINT, and the programs that a test starts would ignore them as well."""
    for each in signal.valid_signals() - {signal.SIGPIPE, signal.SIGXFSZ}:  # which Python ignores for itself
        if signal.getsignal(each) == signal.SIG_IGN:
            signal.signal(each, signal.default_int_handler if each == signal.SIGINT else signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, signal.valid_signals())


def forget_settings():
    """The user's settings that change what programs print or draw; and a home for who has none to write in."""
    for name in ("BASH_ENV", "COLUMNS", "ENV", "LINES", "NO_COLOR", "PYTHONWARNINGS"):
        os.environ.pop(name, None)
    os.environ["MATPLOTLIBRC"] = os.devnull
    if not os.access(os.path.expanduser("~"), os.W_OK):
        home = tempfile.TemporaryDirectory()
        atexit.register(home.cleanup)
        os.environ["HOME"] = home.name


speak_utf8()
take_default_signals()
forget_settings()


@functools.lru_cache(maxsize=None)
def imported(name):
    """A module and "", or None and why it cannot be used."""
    package = name.split(".", maxsplit=1)[0]
    try:
        return importlib.import_module(name), ""
    except ModuleNotFoundError as error:
        if error.name in (name, package):
            return None, f"the Python package {package} is not installed"
        return None, f"the Python package {package} cannot be imported: {error}"
    except Exception as error:  # pylint: disable=broad-except
        # installed, but not for this Python, or not for the other packages that are here
        return None, f"the Python package {package} cannot be imported: {type(error).__name__}: {first_line(error)}"


def first_line(text):
    lines = str(text).strip().splitlines()
    return lines[0] if lines else "no reason given"


def last_line(text):
    lines = str(text).strip().splitlines()
    return lines[-1].strip() if lines else "no reason given"


def tried(command, what, reason=last_line, **options):
    """"" where the command runs and ends with 0, else why not, by the line of its messages that says so."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=60, check=False,
                              **options)
    except FileNotFoundError:
        return f"{command[0]} is not installed"
    except (OSError, subprocess.SubprocessError) as error:
        return f"{what}: {first_line(error)}"
    return "" if done.returncode == 0 else f"{what}: {reason(done.stderr or done.stdout)}"


def figures():
    """Whether some Python that the program looks for has what draws figures and reports."""
    pythons = [os.path.realpath(found) for found in (shutil.which("python3"), "/usr/bin/python3") if found]
    if os.path.realpath(sys.executable) in pythons and not why_not("h5py", "jinja2", "matplotlib"):
        return ""
    reason = "python3 is not installed"
    for python in pythons:
        reason = tried([python, "-c", "import h5py, jinja2, matplotlib"], "figures cannot be drawn")
        if not reason:
            break
    return reason


def terminal():
    try:
        ends = pty.openpty()
    except OSError as error:
        return f"the machine has no pseudo-terminals ({error.strerror or error})"
    for end in ends:
        os.close(end)
    return ""


def own_programs():
    """Whether what a test writes or compiles may be run."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "program")
        write_program(path, "exit 0")
        return tried([path], f"programs cannot be run in {tempfile.gettempdir()}, the folder for temporary files "
                             "(TMPDIR chooses another)")


def c_compiler():
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "a.c")
        with open(source, "w", encoding="utf-8") as file:
            file.write("#include <math.h>\n#include <stdio.h>\n"
                       "int main(int n, char** a) { (void)a; printf(\"%g\", sin(n)); return 0; }\n")
        return why_not("own programs") or tried(
            ["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", source, "-o", os.path.join(folder, "a"), "-lm"],
            "cc compiles no program") or tried([os.path.join(folder, "a")], "a compiled program does not run")


def hard_links():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "file")
        with open(path, "w", encoding="utf-8"):
            pass
        try:
            os.link(path, path + "2")
            os.symlink(path, path + "3")
        except OSError as error:
            return f"{tempfile.gettempdir()} takes no links ({error.strerror})"
    return ""


def full_device():
    try:
        with open("/dev/full", "w", encoding="utf-8") as file:
            file.write("a")
            file.flush()
    except OSError as error:
        if error.errno == 28:  # no space left on device
            return ""
        return f"/dev/full cannot be used ({error.strerror})"
    return "/dev/full takes what is written to it"


def processes():
    return "" if os.path.exists("/proc/self/exe") else "/proc is not mounted"


def semaphores():
    try:
        multiprocessing.get_context("spawn").Lock()
    except (ImportError, OSError) as error:
        return f"processes cannot share semaphores here: {error}"
    return ""


PROBES = {
    "figures": figures,
    "a terminal": terminal,
    "own programs": own_programs,
    "a C compiler": c_compiler,
    "links": hard_links,
    "/dev/full": full_device,
    "/proc": processes,
    "processes that share semaphores": semaphores,
    "pkg-config": lambda: tried(["pkg-config", "--version"], "pkg-config does not run"),
    "bash": lambda: tried(["bash", "--norc", "-c", "compopt 2>/dev/null; test ${BASH_VERSINFO[0]} -ge 4"],
                          "bash is too old for its completion"),
    "zsh": lambda: tried(["zsh", "-f", "-c", "true"], "zsh does not run"),
    "fish": lambda: tried(["fish", "--no-config", "-c", "true"], "fish does not run"),
}


@functools.lru_cache(maxsize=None)
def why_not(*things):
    """Why a test that needs these is skipped; "" where all of them are there."""
    reasons = [PROBES[thing]() if thing in PROBES else imported(thing)[1] for thing in things]
    return "; ".join(dict.fromkeys(reason for reason in reasons if reason))


def needs(*things):
    """Skips a test, or a class of tests, where one of these is missing."""
    why = why_not(*things)
    return unittest.skipIf(bool(why), why)


def require(test, *things):
    """Skips the rest of a test where one of these is missing."""
    if why_not(*things):
        test.skipTest(why_not(*things))


def skip(why):
    """Ends the script as skipped."""
    print(f"skipped: {why}", flush=True)
    sys.exit(SKIPPED)


def script_needs(*things):
    """Ends the script as skipped where one of these is missing."""
    if why_not(*things):
        skip(why_not(*things))


def modules(*names):
    """Python packages without which the script is skipped."""
    script_needs(*names)
    found = [imported(name)[0] for name in names]
    return found[0] if len(found) == 1 else found


def module(name):
    """A Python package, or None."""
    return imported(name)[0]


def write_program(path, text):
    """A program for /bin/sh."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\n{text}\n")
    os.chmod(path, 0o755)


def may_write_in(folder):
    """Root may write everywhere, but not where root is one of a container without that right."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def copy_to_write(source, target):
    """A copy of a folder that may be written in, also where the checkout may not."""
    shutil.copytree(source, target, copy_function=shutil.copyfile)
    for folder, _, _ in os.walk(target):
        os.chmod(folder, 0o755)
    return target


def run_tests(*names, verbosity=1):
    """The script's tests, or those named. Prints what was skipped, and why; the end is that of a skipped script where
    nothing else is left."""
    result = unittest.main(module="__main__", argv=[sys.argv[0], *names], verbosity=verbosity, exit=False).result
    sys.stderr.flush()
    whole = 0
    for test, why in result.skipped:
        name = test.id().replace("__main__.", "", 1)
        print(f"skipped: {name}: {why}")
        whole += isinstance(test, unittest.TestCase) and not hasattr(test, "test_case")  # not a part of a test
    sys.stdout.flush()
    if not result.wasSuccessful():
        sys.exit(1)
    sys.exit(SKIPPED if result.skipped and whole >= result.testsRun else 0)
