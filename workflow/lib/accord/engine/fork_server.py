"""A fork server: one process that has imported pandas, pandera and scipy, off which the jobs of a run are forked.

Most of what a small step costs are these imports; steps that run networks import torch, too. Snakemake starts the
server (`start`) when a run on this machine begins, and each `python -m accord ...` of the run hands its command line,
folder, environment and open files to it (`hand_over`). The server imports nothing of accord, so that each job reads the
code as it then is. A command runs in its own process where no server of the same Python and number of threads answers:
in other environments, on clusters.

This file is also the server's program; it must not import accord.
"""

import contextlib
import hashlib
import json
import os
import signal
import socket
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

SERVER = "ACCORD_FORK_SERVER"
"""The environment variable with the folder of a server's socket; set to nothing, no server is started."""

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""What libraries read as they are imported; Snakemake sets them to the threads of a rule."""

PACKAGES = (
    "pandas", "pandera.pandas", "pandera.typing", "pandera.backends.pandas.register",
    "pandera.backends.pandas.builtin_checks", "pyarrow.parquet", "pyarrow.compute", "pyarrow.dataset",
    "pyarrow.pandas_compat", "scipy.sparse", "scipy.special", "scipy.stats", "PIL.Image",
)  # fmt: skip
"""What most steps import."""

MORE = dict.fromkeys(("checks.look", "evaluate.small", "privacy.paint"), ("torch",))
"""Step -> what it imports besides where it has no former outputs; where it has, it may run no network at all."""

TAKEN = b"t"
"""What tells a command that a process is at it."""
BYTES = 8
"""How many of them tell the length of what is asked."""
WAITING = 64


def start() -> None:
    """Start a server that ends with this process, and name it to the processes that this one starts; Linux only.

    Elsewhere, packages may not survive a fork.
    """
    if sys.platform != "linux" or SERVER in os.environ:
        return
    import tempfile

    folder = tempfile.mkdtemp(prefix="accord-")
    command = [sys.executable, "-P", str(Path(__file__).resolve()), folder]
    # Packages of models may look for files in the network; no job does (it has an environment of its own).
    one_thread = {**os.environ, **dict.fromkeys(THREADS, "1"), "HF_HUB_OFFLINE": "1"}
    # This process holds the other end of the server's input until it ends, however it ends.
    read, _ = os.pipe()
    os.posix_spawn(sys.executable, command, one_thread, file_actions=[(os.POSIX_SPAWN_DUP2, read, 0)])
    os.close(read)
    os.environ[SERVER] = folder


def hand_over(arguments: Sequence[str]) -> int | None:
    """The exit code of `accord ARGUMENTS`, run by this run's server; None where it has to be run here."""
    folder = os.environ.get(SERVER)
    if not folder:
        return None
    asked = json.dumps([list(arguments), str(Path.cwd()), dict(os.environ)]).encode()
    with socket.socket(socket.AF_UNIX) as server:
        try:
            server.connect(str(Path(folder, _identity(_kind(arguments)))))
            socket.send_fds(server, [len(asked).to_bytes(BYTES, "big")], [0, 1, 2])
            server.sendall(asked)
            if server.recv(1) != TAKEN:
                return None
        except OSError:
            return None
        told = server.recv(1)
    if not told:
        print("accord: the process of this job was killed", file=sys.stderr)
    return told[0] if told else 128 + signal.SIGKILL


def _serve(folder: Path) -> socket.socket | None:
    """Fork a process for each command that comes, until the process that started this one ends.

    Returns to each of the forked what connects it with its command, and None to the server.
    """
    import select

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with contextlib.ExitStack() as opened:
        # A socket of each kind: what to import is known before there is a process to read the command.
        servers = {opened.enter_context(socket.socket(socket.AF_UNIX)): kind for kind in ("", *MORE)}
        for server, kind in servers.items():
            server.bind(str(folder / _identity(kind)))
            server.listen(WAITING)
        while sys.stdin not in (ready := select.select([*servers, sys.stdin], [], [])[0]):
            for server, kind in [(server, kind) for server, kind in servers.items() if server in ready]:
                asked, _ = server.accept()
                _import_packages(kind)
                with contextlib.suppress(OSError):  # without memory for a process, the command runs in its own
                    if not os.fork():
                        return asked
                asked.close()
    return None


def _kind(arguments: Sequence[str]) -> str:
    """The key of `MORE` by which a command is served, "" for none."""
    made = [place for flag, place in pairwise(arguments) if flag.startswith("--out")]
    return arguments[0] if MORE.keys() & arguments[:1] and not any(map(os.path.exists, made)) else ""


def _identity(kind: str) -> str:
    """A name of this Python, its packages and its threads, and of a kind of commands: that of the socket."""
    python = Path(sys.executable).stat()
    told = [kind, sys.version, sys.prefix, python.st_dev, python.st_ino, *map(os.environ.get, THREADS)]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]


def _import_packages(kind: str) -> None:
    """Import the packages, once, and let no job look through them for garbage."""
    import gc
    import importlib

    missing = [name for name in (*PACKAGES, *MORE.get(kind, ())) if name not in sys.modules]
    for name in missing:
        with contextlib.suppress(ImportError):  # the step says what it lacks
            importlib.import_module(name)
    if missing:
        gc.collect()
        gc.freeze()


def _become(asked: socket.socket) -> None:
    """Be the process of a command: in its folder, with its environment and files; tell how it ends, and exit."""
    import threading

    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    length, files, *_ = socket.recv_fds(asked, BYTES, 3)
    with asked.makefile("rb") as stream:
        arguments, place, environment = json.loads(stream.read(int.from_bytes(length, "big")))
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.chdir(place)
    os.environ.clear()
    os.environ.update({name: value for name, value in environment.items() if name != SERVER})
    sys.path.insert(0, place)
    sys.argv = ["accord", *arguments]
    asked.sendall(TAKEN)
    ended = threading.Event()

    def end_too() -> None:
        """End where the process that asked has ended before: it was killed."""
        if not asked.recv(1) and not ended.is_set():
            os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=end_too, daemon=True).start()
    code = _exit_code()
    _finish()
    ended.set()
    asked.sendall(bytes([code]))
    # Freeing one by one what was imported would copy the memory that is shared with the server.
    os._exit(code)


def _exit_code() -> int:
    """Run the command; how a process of its own would exit."""
    import runpy
    import traceback

    try:
        runpy.run_module("accord", run_name="__main__", alter_sys=True)
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:
        traceback.print_exc()
        code = 1
    else:
        code = 0
    return code


def _finish() -> None:
    """Wait for threads, do what was asked for at the end, and write what is left, as Python does when it ends."""
    import atexit
    import threading

    getattr(threading, "_shutdown")()  # noqa: B009 - as multiprocessing ends what it forks
    getattr(atexit, "_run_exitfuncs")()  # noqa: B009
    sys.stdout.flush()
    sys.stderr.flush()


if __name__ == "__main__":
    connection = _serve(Path(sys.argv[1]))
    if connection:
        _become(connection)
    import shutil

    shutil.rmtree(sys.argv[1])
