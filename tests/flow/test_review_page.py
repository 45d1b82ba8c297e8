"""A whole review of the demo: everything that is asked is decided by keyboard on the page, in a headless browser."""

import json
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections import Counter
from pathlib import Path

import pandas as pd
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "review"))

from page_reviewer import review_everything

pytestmark = pytest.mark.slow

NAMES, PASSWORD = ("first-reviewer", "second-reviewer", "third-reviewer"), "correct horse battery staple"
"""Three, since nobody draws the same person twice."""
CONFIG = ("--config", "config/config.yaml", "config/demo.yaml")
SECONDS_TO_START = 600


@pytest.fixture(scope="module")
def reviewed(demo, tmp_path_factory):
    """The house of the demo, a vault of its own with all decisions, and how many items of each queue were decided."""
    folder = tmp_path_factory.mktemp("reviewed")
    (folder / "password").write_text(PASSWORD + "\n")
    where = ("--vault", str(folder / "vault"), *CONFIG)
    for name in NAMES:
        said(demo, "review", "add", *where, "--name", name, "--password-file", str(folder / "password"))
    for queue in asked(demo):
        said(demo, "review", "assign", *where, "--queue", queue, "--reviewer", *NAMES)
    port = free_port()
    command = [sys.executable, "-m", "accord", "review", "serve", *where, "--port", str(port)]
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(command, cwd=demo.folder, env=demo.environment(), stdout=log, stderr=log)
    try:
        wait_for(f"http://127.0.0.1:{port}/", process)
        done = sum((review_everything(f"http://127.0.0.1:{port}/", name, PASSWORD) for name in NAMES), Counter())
    finally:
        process.terminate()
        process.wait(10)
    return demo, where, done, (folder / "log").read_text()


def said(house, *arguments: str) -> str:
    done = house.accord(*arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def asked(house) -> dict[str, int]:
    """Queue -> how many items the demo's results have."""
    folder = house.folder / "results"
    files = [folder / "checks/items.parquet", *sorted(folder.glob("privacy/*/items.parquet"))]
    return pd.concat(pd.read_parquet(file, columns=["queue"]) for file in files)["queue"].value_counts().to_dict()


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def wait_for(url: str, process: subprocess.Popen) -> None:
    end = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < end:
        assert process.poll() is None
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.2)
    raise AssertionError(f"nothing answers at {url}")


def test_everything_that_is_asked_is_decided(reviewed):
    house, where, done, _ = reviewed
    assert dict(done) == asked(house)
    print(f"decided on the page: {dict(done)}")
    status = json.loads(said(house, "review", "status", *where, "--json"))
    assert {one["queue"]: one["settled"] for one in status["queues"] if one["items"]} == asked(house)


def test_the_chain_of_decisions_holds(reviewed):
    house, where, done, _ = reviewed
    entries, _, told = said(house, "review", "verify", *where).partition(" entries, ")
    assert told.startswith("none changed")
    assert int(entries) >= sum(done.values())


def test_the_log_of_the_page_names_nobody(reviewed):
    house, _, _, log = reviewed
    images = pd.read_parquet(house.folder / "results/checks/items.parquet")["image"]
    assert [word for word in (*NAMES, PASSWORD) if word in log] == []
    assert [image for image in images if image in log] == []
