# SPDX-License-Identifier: Apache-2.0
"""A python3 that has loaded matplotlib and h5py already, for tests that draw many figures by the program: loading them
takes longer than drawing a small figure.

    call("plot", ..., env=warm_python.environment())      its SLIPFIELD_PYTHON leads to it; it ends with the test

SLIPFIELD_PYTHON leads to a small program that asks a server for `-m MODULE ARGUMENTS`. The server forks for each call, one after the
other, so that none finds what another one left. Streams, folder, environment, limits and the exit code are those of the caller. Calls
with another environment than the test's own should take a python3 of their own: what matplotlib reads of it is read
when it is loaded.
"""
import atexit
import contextlib
import functools
import os
import socket
import subprocess
import sys
import tempfile

# It starts with each call, so it loads nothing but modules in C, which take a third of the time.
CLIENT = """#!{python} -ISB
import _signal, _socket, array, marshal, os, resource, sys
server = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
server.connect({address!r})
limits = {{each: resource.getrlimit(each) for each in (resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE, resource.RLIMIT_AS)}}
call = marshal.dumps((sys.argv, dict(os.environ), os.getcwd(), limits, os.umask(0)))
streams = array.array("i", [0, 1, 2])
server.sendmsg([len(call).to_bytes(8, "big")], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, streams)])
server.sendall(call)
status = server.recv(64)
if not status:
    os._exit(70)
status = int(status)
if os.WIFSIGNALED(status):
    _signal.signal(os.WTERMSIG(status), _signal.SIG_DFL)
    os.kill(os.getpid(), os.WTERMSIG(status))
os._exit(os.WEXITSTATUS(status))
"""


@functools.lru_cache(maxsize=None)
def environment():
    """The test's own with the warm python3; None, the test's own, where figures cannot be drawn."""
    import machine  # pylint: disable=import-outside-toplevel
    from program import PROGRAM  # pylint: disable=import-outside-toplevel
    if machine.why_not("h5py", "matplotlib", "jinja2"):
        return None
    return {**os.environ, "SLIPFIELD_PYTHON": start(os.path.join(os.path.dirname(PROGRAM), "python"))}


def start(package):
    folder = tempfile.TemporaryDirectory()
    address = os.path.join(folder.name, "server")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(address)
    listener.listen()
    server = subprocess.Popen([sys.executable, "-X", "utf8", "-B", os.path.abspath(__file__), str(listener.fileno()), package],
                              pass_fds=[listener.fileno()])
    listener.close()

    def end():
        server.kill()
        server.wait()
        folder.cleanup()
    atexit.register(end)
    client = os.path.join(folder.name, "python3")
    with open(client, "w", encoding="utf-8") as file:
        file.write(CLIENT.format(python=sys.executable, address=address))
    os.chmod(client, 0o755)
    return client


def answer(connection):
    """Runs the call in a child, as python3 would. Returns the status of waitpid(), None where nobody called."""
    import marshal  # pylint: disable=import-outside-toplevel
    head, streams, _, _ = socket.recv_fds(connection, 8, 3)
    if not head:
        return None
    missing = int.from_bytes(head, "big")
    call = b""
    while len(call) < missing:
        part = connection.recv(missing - len(call))
        if not part:
            return None
        call += part
    child = os.fork()
    if child == 0:
        try:
            run(marshal.loads(call), streams)
        finally:
            os._exit(70)
    for stream in streams:
        os.close(stream)
    return os.waitpid(child, 0)[1]


def run(call, streams):
    import resource  # pylint: disable=import-outside-toplevel
    import runpy  # pylint: disable=import-outside-toplevel
    import traceback  # pylint: disable=import-outside-toplevel
    arguments, environment, folder, limits, mask = call
    for place, stream in enumerate(streams):
        os.dup2(stream, place)
    os.chdir(folder)
    os.umask(mask)
    os.environ.clear()
    os.environ.update(environment)
    for each, limit in limits.items():
        resource.setrlimit(each, limit)
    module = arguments.index("-m")
    sys.argv = arguments[module + 1:]
    sys.path[0:1] = [folder, *filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))]
    code = 0
    try:
        runpy.run_module(arguments[module + 1], run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # as the interpreter does  pylint: disable=broad-except
        traceback.print_exc()
        code = 1
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


def serve(listener, package):
    import gc  # pylint: disable=import-outside-toplevel
    import io  # pylint: disable=import-outside-toplevel
    sys.path.insert(0, package)
    with contextlib.suppress(ImportError):  # of an installed program it lies elsewhere
        from slipfield.command_line import load_matplotlib  # pylint: disable=import-outside-toplevel
        load_matplotlib()
        from slipfield.figures import axis_numbers, report  # noqa: F401  pylint: disable=import-outside-toplevel,unused-import
    # What figures load: h5py, the writers of each format, the parser of formulas and the fonts.
    import h5py  # noqa: F401  pylint: disable=import-outside-toplevel,unused-import
    import jinja2  # noqa: F401  pylint: disable=import-outside-toplevel,unused-import
    from matplotlib.backends import backend_agg, backend_pdf, backend_svg  # noqa: F401  pylint: disable=import-outside-toplevel,unused-import
    from matplotlib.figure import Figure  # pylint: disable=import-outside-toplevel
    figure = Figure()
    figure.text(0.0, 0.0, "$x_n$")
    figure.savefig(io.BytesIO())
    gc.freeze()
    gc.disable()  # a child ends soon, and a collection in it copies every page
    while True:  # one call after the other, as the tests make them
        connection, _ = listener.accept()
        with connection, contextlib.suppress(OSError):
            status = answer(connection)
            if status is not None:
                connection.sendall(str(status).encode())


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])), sys.argv[2])
