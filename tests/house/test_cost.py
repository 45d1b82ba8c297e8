"""What tests cost is told of all that they start, and the telling holds nothing up."""

import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARK = Path(__file__).parents[2] / "benchmarks/tests.py"

# A process that leaves an orphan, and waits until nothing is left of it: a name space of processes waits so, too.
LEAVES_AN_ORPHAN = """
import os, subprocess, sys, time
found, told = os.pipe()
if not os.fork():
    if not os.fork():
        os.write(told, b"%d" % os.getpid())
        sum(range(10_000_000))
    os._exit(0)
os.wait()
orphan = f"/proc/{os.read(found, 20).decode()}"
end = time.monotonic() + 20
while os.path.exists(orphan) and time.monotonic() < end:
    time.sleep(0.05)
sys.exit(3 if os.path.exists(orphan) else 0)
"""


def test_orphans_are_buried_while_the_tests_run_and_counted():
    # In a process of its own: whoever runs tests so adopts all orphans from then on.
    code = f"""
import runpy, sys
sys.path.insert(0, {str(BENCHMARK.parent)!r})
code, seconds = runpy.run_path({str(BENCHMARK)!r})["run"]([sys.executable, "-c", {LEAVES_AN_ORPHAN!r}], None)
print(code, seconds > 0.05)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0", "True"]


# A process that nobody waits for: whoever ignores the deaths of its children is not told of their time.
WORKS_UNSEEN = """
import os, signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
if not os.fork():
    while time.process_time() < 0.4:
        sum(range(100_000))
    os._exit(0)
try:
    os.wait()
except ChildProcessError:
    pass
"""


def test_what_nobody_waits_for_is_counted_too():
    code = f"""
import runpy, sys
sys.path.insert(0, {str(BENCHMARK.parent)!r})
from metered import meter
counted = meter()
if counted is None:
    print("no meter")
else:
    counted.leave()
    print(runpy.run_path({str(BENCHMARK)!r})["run"]([sys.executable, "-c", {WORKS_UNSEEN!r}], None)[1])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    if done.stdout.strip() == "no meter":
        pytest.skip("no control group can be made here")
    assert float(done.stdout) > 0.2
