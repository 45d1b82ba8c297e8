"""Nothing that Accord imports tells anybody outside what runs here, or keeps a number to know the machine by."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import accord

ROOT = Path(__file__).parents[2]
PRODUCT = """
import numpy as np
from accord.checks.matching.byte_products import byte_products
print(byte_products(np.ones((1, 2), np.uint8), np.ones((1, 2), np.uint8)).tolist())
"""


def test_onnxruntime_keeps_and_sends_nothing(tmp_path):
    # onnxruntime says nothing where it takes a run for one of a CI. What it would send waits in a file at home.
    said = {name: value for name, value in os.environ.items() if name not in accord.SILENT and name != "CI"}
    folders = {name: str(tmp_path) for name in ("HOME", "TMPDIR", "XDG_CACHE_HOME")}
    made = subprocess.run(
        [sys.executable, "-c", PRODUCT], env={**said, **folders}, capture_output=True, text=True, check=True
    )
    assert made.stdout == "[[2]]\n"
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_huggingface_hub_tells_nothing_of_what_is_fetched():
    constants = pytest.importorskip("huggingface_hub.constants")
    assert constants.HF_HUB_DISABLE_TELEMETRY


def test_exports_say_so_before_code_of_others_is_imported():
    told = "import os, sys; sys.path.insert(0, 'workflow'); import export; print(*map(os.environ.get, sys.argv[1:]))"
    given = dict.fromkeys(accord.SILENT, "0")
    made = subprocess.run(
        [sys.executable, "-c", told, *accord.SILENT],
        cwd=ROOT,
        env=os.environ | given,
        capture_output=True,
        text=True,
        check=True,
    )
    assert made.stdout.split() == list(accord.SILENT.values())
