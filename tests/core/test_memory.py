"""Memory that is kept: no page of a second array of the same size is cleared anew."""

import subprocess
import sys

import pytest

from accord.engine import memory

SEEN = """
import resource
import numpy as np
from accord.engine import memory

def faults():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(4):
        np.ones(5_000_000)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

memory.keep_freed()
faults()
print(faults())
"""


@pytest.mark.skipif(sys.platform != "linux" or not memory.keep_freed(), reason="needs glibc")
def test_arrays_come_from_memory_that_was_freed():
    told = subprocess.run([sys.executable, "-c", SEEN], capture_output=True, text=True, check=True).stdout
    assert (
        int(told) < 100
    )  # without, each of the four has its 9766 pages of 4 KiB cleared: over 500 in all where half are of 2 MiB


def test_other_allocators_go_without(monkeypatch):
    monkeypatch.setattr(memory.ctypes, "CDLL", lambda name: object())
    assert memory.keep_freed() is False
