"""What holds for all tests: how they are dealt out to processes, and how long an example may take."""

import gc
import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent))

from accord import SILENT
from accounting import FILE, ONE_THREAD, SELDOM, Accounts
from progress import Progress

# Tests may import packages of models before anything of Accord.
os.environ.update(ONE_THREAD | SILENT)
# Importing and collecting leave no garbage to speak of (see pytest_collection_finish).
gc.disable()
# How long an example takes says how busy the machine is, nothing more; others are tried in each run, so few will do.
settings.register_profile("accord", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("accord")

ROOT = Path(__file__).parents[1]
FLOW = "tests/flow/test_{}.py"
DEMO = [FLOW.format(name) for name in ("demo", "causes", "robustness", "review_page")]
"""What starts from the demo: one process runs it."""
LONG = [
    FLOW.format(name)
    for name in ["slurm", "tampering", "hostile", "review", "erasure", "withdrawal", "kill", "rerun", "notebooks"]
]
"""Whole runs of the flow."""


@pytest.hookimpl(trylast=True)
def pytest_configure(config) -> None:
    config.addinivalue_line(
        "markers",
        "slow: needs a program besides Python's packages (Chromium, ExifTool, OpenSSL, Slurm), or takes long"
        " (kills, tampering, large simulations); not in `make test`",
    )
    if file := os.environ.get(FILE):
        config.pluginmanager.register(Accounts(file))
    if config.getoption("numprocesses", None) and config.get_verbosity() <= 0:
        config.pluginmanager.register(Progress(config.get_terminal_writer()))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Deal out whole files, those of the demo together, in the order of the items."""
    from xdist.scheduler import LoadScopeScheduling

    class ByHouse(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            return DEMO[0] if file in DEMO else file

    return ByHouse(config, log)


def pytest_collection_modifyitems(items) -> None:
    """Quick tests first, then whole runs: the longest begins first, so that no process is left alone with it."""
    order = {file: number for number, file in enumerate([*DEMO, *LONG], start=1)}
    items.sort(key=lambda item: order.get(_file(item), 0))


def pytest_collection_finish() -> None:
    """What was imported and collected stays: looking through it for garbage takes a quarter of a second each time."""
    gc.freeze()
    gc.set_threshold(*SELDOM)
    gc.enable()


def pytest_itemcollected(item) -> None:
    is_flow = _file(item).startswith("tests/flow/")
    assert not (is_flow and "demo" in item.fixturenames) or _file(item) in DEMO, f"{_file(item)} belongs into DEMO"


def _file(item) -> str:
    return item.path.relative_to(ROOT).as_posix()
