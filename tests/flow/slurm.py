"""A real Slurm on one machine, for tests: three nodes, one with two pretended GPUs, in namespaces of its own.

The cluster has its own mounts, processes and loopback device: it sees an /etc/slurm and a /run of its own, so it
doesn't meet a Slurm that the machine may have, and leaves no file behind; when it is stopped, or whoever started it is
killed, the kernel ends all that runs in it. Needs root, and Debian's slurmctld, slurmd, slurm-client and munge.

    python tests/flow/slurm.py FOLDER COMMAND...    run a command on a cluster of its own; FOLDER: its logs
"""

import importlib.util
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

PACKAGES = "slurmctld slurmd slurm-client munge"
PLUGIN = "snakemake_executor_plugin_slurm"
PROGRAMS = ("slurmctld", "slurmd", "srun", "munged", "unshare", "nsenter", "mount")
NODES = ("node1", "node2", "node3")
UNSHARE = ("unshare", "--mount", "--net", "--uts", "--pid", "--fork", "--kill-child", "--mount-proc")
PATIENCE = 600


def why_not() -> str:
    """Why no cluster can be started here; "" where one can."""
    if os.geteuid() != 0:
        return "a Slurm of one's own needs root"
    lacking = [name for name in PROGRAMS if not shutil.which(name)]
    if lacking:
        return f"{', '.join(lacking)} not installed: apt-get install --no-install-recommends {PACKAGES}"
    if not importlib.util.find_spec(PLUGIN):
        return f"{PLUGIN} not installed: pip install -c constraints.txt -e '.[slurm]'"
    tried = subprocess.run([*UNSHARE, "true"], capture_output=True, text=True)
    return f"namespaces can't be made here: {tried.stderr.strip()}" if tried.returncode else ""


class Job(NamedTuple):
    """A job as Slurm tells it. comment: the plugin's, `rule_<rule or group>_...`; memory: asked for, as `4000M`."""

    number: str
    state: str
    node: str
    comment: str
    processors: str
    memory: str


class Cluster:
    """A cluster that runs until `stop`, or until the process that made it ends.

    `folder`: where its logs are. `disks`: folders that become file systems of their own, of some MB. Raises
    RuntimeError, with the ends of the logs, when it doesn't come up.
    """

    def __init__(self, folder: Path, disks: dict[Path, int] | None = None):
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        arguments = [str(folder), *(f"{path}={size}" for path, size in (disks or {}).items())]
        self._outer = subprocess.Popen(
            [*UNSHARE, sys.executable, str(Path(__file__).with_name("slurm_init.py")), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._outer.stdout.readline()
        self._wait("all nodes idle", lambda: self._idle() == set(NODES))

    def stop(self) -> None:
        self._outer.stdin.close()
        self._outer.wait(PATIENCE)
        self._outer.stdout.close()

    def command(self, *command: str, folder: Path | str = "/") -> list[str]:
        """The command line, for the machine's own shell, of a command that runs in the cluster."""
        enter = ["nsenter", "--target", self._first(), "--mount", "--net", "--uts", "--pid"]
        return [*enter, "env", f"--chdir={folder}", *command]

    def seen(self, path: Path) -> Path:
        """A path, for the machine's own processes, of what the cluster sees at `path`."""
        return Path(f"/proc/{self._first()}/root{path}")

    def run(self, *command: str) -> str:
        """What a command prints that runs in the cluster; raises where it fails."""
        return subprocess.run(self.command(*command), capture_output=True, text=True, check=True).stdout

    def kill(self, node: str) -> None:
        """A power cut: all that runs on the node ends at once; returns when Slurm has seen it."""
        self._outer.stdin.write(node + "\n")
        self._outer.stdin.flush()
        self._wait(f"{node} down", lambda: "down" in self.run("sinfo", "-hN", "-n", node, "-o", "%T"))

    def jobs(self, *states: str) -> list[Job]:
        """The jobs in some of the states (default: those that wait, run or end)."""
        chosen = ",".join(states or ("PENDING", "RUNNING", "COMPLETING"))
        told = self.run("squeue", "-hr", "-t", chosen, "-o", "%i|%T|%N|%k|%C|%m").splitlines()
        return [Job(*line.split("|")) for line in told]

    def resize(self, disk: Path, size: int) -> None:
        """Give a disk of the cluster another size, in MB."""
        self.run("mount", "-o", f"remount,size={size}m", str(disk))

    def _first(self) -> str:
        return Path(f"/proc/{self._outer.pid}/task/{self._outer.pid}/children").read_text().split()[0]

    def _idle(self) -> set[str]:
        done = subprocess.run(
            self.command("sinfo", "-hN", "-t", "idle,mixed,allocated", "-o", "%N"), capture_output=True, text=True
        )
        return set(done.stdout.split())

    def _wait(self, what: str, reached: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and self._outer.poll() is None:
            if reached():
                return
            time.sleep(0.3)
        self.stop()
        logs = "\n".join(f"{log.name}:\n{log.read_text()[-1500:]}" for log in sorted(self._folder.glob("*.log")))
        raise RuntimeError(f"the test Slurm: no {what} after {PATIENCE} s\n{logs}")


def main() -> int:
    """Run the command line's command on a cluster of its own."""
    if reason := why_not():
        print(f"no Slurm here: {reason}", file=sys.stderr)
        return 2
    cluster = Cluster(Path(sys.argv[1]).resolve())
    try:
        return subprocess.run(cluster.command(*sys.argv[2:], folder=Path.cwd())).returncode
    finally:
        cluster.stop()


if __name__ == "__main__":
    sys.exit(main())
