"""A command that the server of a run forks off is one like any other: folder, environment, files, exit code, end."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import accounting
from accord.engine.fork_server import SERVER

LIB = Path(__file__).parents[2] / "workflow/lib"
STARTED = f"""
import os, sys
from accord.engine import fork_server
fork_server.start()
print(os.environ["{SERVER}"], flush=True)
sys.stdin.read()
"""
HANDED = "import sys; from accord.engine import fork_server; sys.exit(fork_server.hand_over(sys.argv[1:]) or 99)"
COMMAND = f"""
import os, signal, sys, time
imported, word = "pandas" in sys.modules, sys.argv[1]
if word == "checks.look":
    print("torch" in sys.modules)
    sys.exit(3)
if word == "tell":
    print(imported, os.getcwd(), os.environ["TOLD"], "{SERVER}" in os.environ, sys.stdin.read())
    print("refused", file=sys.stderr)
    sys.exit(3)
if word == "leave":
    import atexit, threading
    atexit.register(lambda: print("left", flush=False))
    threading.Thread(target=lambda: (time.sleep(0.3), print("waited", flush=False))).start()
    sys.exit(4)
if word == "fail":
    raise ValueError("no such thing")
print(os.getpid(), flush=True)
if word == "die":
    os.kill(os.getpid(), signal.SIGKILL)
time.sleep(60)
"""
"""In place of accord: the server must not have imported that."""


class Run:
    """A process that has started a server, and commands beside a package of the name accord that the test wrote."""

    def __init__(self, place: Path):
        self.place = place
        (place / "accord").mkdir()
        (place / "accord/__init__.py").touch()
        (place / "accord/__main__.py").write_text(COMMAND)
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self.process = subprocess.Popen([sys.executable, "-P", "-c", STARTED], env=environment(), **pipes)
        self.folder = self.process.stdout.readline().strip()
        # Whoever comes before the server listens runs in its own process.
        assert waited(lambda: any(Path(self.folder).iterdir()))

    def command(self, *words: str, **variables: str) -> subprocess.Popen:
        """A command that is handed over."""
        env = environment() | {SERVER: self.folder} | accounting.ONE_THREAD | variables
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        return subprocess.Popen(
            [sys.executable, "-P", "-c", HANDED, *words], cwd=self.place, env=env, text=True, **pipes
        )

    def end(self) -> None:
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != SERVER} | {"PYTHONPATH": str(LIB)}


def ended(command: subprocess.Popen) -> int:
    command.communicate()
    return command.returncode


def waited(until: Callable[[], bool]) -> bool:
    """Whether something came true within a minute."""
    end = time.monotonic() + 60
    while not until() and time.monotonic() < end:
        time.sleep(0.05)
    return until()


@pytest.mark.skipif(sys.platform != "linux", reason="the server is started on Linux only")
def test_commands_run_in_the_server_as_they_would_alone(tmp_path):
    run = Run(tmp_path)
    try:
        told = run.command("tell", TOLD="so", OMP_NUM_THREADS="1")
        assert told.communicate("typed") == (f"True {tmp_path} so False typed\n", "refused\n")
        assert told.returncode == 3
        failed = run.command("fail")
        assert "ValueError: no such thing" in failed.communicate()[1]
        assert failed.returncode == 1
        # What is left to do when a command ends is done, and written.
        left = run.command("leave")
        assert left.communicate()[0] == "waited\nleft\n" and left.returncode == 4
        died = run.command("die")
        assert died.communicate()[1] == "accord: the process of this job was killed\n"
        assert died.returncode == 128 + signal.SIGKILL
        # Libraries were told of one thread; and a command that is killed takes its process with it.
        assert ended(run.command("tell", OMP_NUM_THREADS="2")) == 99
        killed = run.command("sleep")
        pid = killed.stdout.readline().strip()
        killed.kill()
        killed.communicate()
        assert waited(lambda: not Path("/proc", pid).exists())
    finally:
        run.end()
    assert waited(lambda: not Path(run.folder).exists())
    assert ended(run.command("tell")) == 99


@pytest.mark.skipif(sys.platform != "linux", reason="the server is started on Linux only")
def test_torch_is_there_for_a_step_that_makes_all_anew(tmp_path):
    """And for one that has former outputs only where another has had it imported."""
    run = Run(tmp_path)
    try:
        (tmp_path / "made").touch()

        def told(place: str) -> tuple[str, int]:
            command = run.command("checks.look", "--images", "made", "--out-looks", place)
            return command.communicate()[0].strip(), command.returncode

        assert [told("made"), told("new"), told("made")] == [("False", 3), ("True", 3), ("True", 3)]
    finally:
        run.end()
