"""What starting a small step costs: in a process of its own, and forked off the server of a run.

Run: python benchmarks/forked.py [starts]. CPU seconds of all processes, the server's imports included; needs the right
to make a control group (root, mostly).
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from accord.engine import fork_server
from metered import meter

COMMAND = [sys.executable, "-m", "accord", "analyse.members", "--help"]


def main(starts: int = 20) -> None:
    """Print the table."""
    counted = meter()
    if counted is None:
        sys.exit("no control group can be made, so that nothing counts the server's processes")
    os.environ.update(dict.fromkeys(fork_server.THREADS, "1"))
    os.environ.pop(fork_server.SERVER, None)
    alone = list(seconds(counted, starts))
    fork_server.start()
    while not any(Path(os.environ[fork_server.SERVER]).iterdir()):
        time.sleep(0.05)
    forked = list(seconds(counted, starts))
    counted.leave()
    print(f"| {starts} starts, CPU s | of all | of each but the first |\n|---|---|---|")
    for name, of in (("each a process of its own", alone), ("forked off a server", forked)):
        print(f"| {name} | {sum(of):.1f} | {sum(of[1:]) / (starts - 1):.2f} |")


def seconds(counted, starts: int) -> Iterator[float]:
    for _ in range(starts):
        before = counted.seconds()
        subprocess.run(COMMAND, check=True, stdout=subprocess.DEVNULL)
        yield counted.seconds() - before


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
