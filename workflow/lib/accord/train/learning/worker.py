"""`python -m accord.train.learning.worker FILE`: one of the processes of a training, as `launching` starts it."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from pathlib import Path

from accord.__main__ import run
from accord.models.adapters.nets import torch_nets
from accord.train.learning import launching, training

GRACE = 20.0
"""Seconds from the end of whoever started this to its own, at most: to end a step and write a checkpoint."""


def main(argv: list[str]) -> int:
    """Train, by the file that the command line names."""
    import torch
    from torch import distributed

    threading.Thread(target=_end_with_starter, daemon=True).start()
    gpus = torch_nets.device() == "cuda"
    if gpus:
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    distributed.init_process_group("nccl" if gpus else "gloo")
    try:
        training.in_process(**launching.read(Path(argv[0])))
    finally:
        distributed.destroy_process_group()
    return 0


def _end_with_starter() -> None:
    while os.read(sys.stdin.fileno(), 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE)
    os._exit(1)


if __name__ == "__main__":
    run(main)
