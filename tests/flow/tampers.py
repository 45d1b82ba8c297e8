"""Ways to tamper with a finished project, each at a random place: what an auditor must find.

The forger can change any file, and knows this program; they have no signing key of the publisher but where a class says
so. A tamper returns what must be told to the audit besides the configuration (`attested`: the attestation counts), or
None where the project has no place for it.
"""

import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import NamedTuple

import pandas as pd
import pyarrow.parquet as pq
import yaml
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from accord.consent.requests import imports
from accord.consent.requests.wishes import Wish
from accord.shards import opaque_id

CONFIG = ("config/config.yaml", "config/demo.yaml", "config/test.yaml")
AGAIN = {"again": True}
Told = dict | None
Tamper = Callable[[Random], Told]


class Class(NamedTuple):
    """A class of tampering: its name, and how to do it in the working folder."""

    name: str
    tamper: Tamper


CLASSES: list[Class] = []


def tampering(name: str) -> Callable[[Tamper], Tamper]:
    """Make a function a class of tampering."""

    def known(tamper: Tamper) -> Tamper:
        CLASSES.append(Class(name, tamper))
        return tamper

    return known


def again(path: Path) -> dict:
    """What is told to the audit of a file whose steps are to be done again."""
    return {**AGAIN, "target": path}


def published() -> dict:
    """What is told to the audit of the last release, with all that the vault says: an audit of everything does the same
    for each release, among others, which a class of each kind shows."""
    return {"target": release()}


def copy(project: Path, target: Path) -> None:
    """A copy to tamper with, without hard links, which an audit tells."""
    for name in ("config", "workflow/schemas", "vault", "delivery", "results", "releases"):
        if (project / name).exists():
            shutil.copytree(project / name, target / name, symlinks=True)
    if (project / "tests/data").exists():
        (target / "tests").mkdir()
        (target / "tests/data").symlink_to((project / "tests/data").resolve())


def write(path: Path, data: bytes) -> None:
    """Put other bytes in the place of a file, with its permissions."""
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
    path.unlink(missing_ok=True)
    path.write_bytes(data)
    path.chmod(mode)


def flip(path: Path, rng: Random) -> Told:
    """Flip a random bit."""
    data = bytearray(path.read_bytes())
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    write(path, bytes(data))
    return {}


def one(rng: Random, pattern: str) -> Path:
    return rng.choice([path for path in sorted(Path().glob(pattern)) if path.is_file() and path.stat().st_size])


def release() -> Path:
    return sorted(Path("releases").iterdir())[-1]


def lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


def picture(rng: Random) -> Path:
    return one(rng, f"{release().as_posix()}/data/raw/**/main_*.png")


def filled(pattern: str) -> list[Path]:
    return [path for path in sorted(Path().glob(pattern)) if pq.read_metadata(path).num_rows]


def other_key():
    return Ed25519PrivateKey.generate()


def withdraw(rng: Random) -> None:
    """A person who is in the release withdraws."""
    folder = next(path for path in (Path("delivery"), Path("tests/data/demo/delivery")) if path.is_dir())
    vendor = yaml.safe_load((folder / "delivery.yaml").read_text())["vendor"]
    shown = set(pd.concat(pd.read_parquet(path) for path in filled("results/release/0?/people.parquet"))["subject"])
    names = [name for name in pd.read_csv(folder / "subjects.csv")["subject"] if opaque_id(vendor, name) in shown]
    wish = Wish("withdraw", vendor, rng.choice(sorted(names)), on="2026-11-02")
    imports.record(Path("vault"), wish, proof_required=False, evidence="")
