"""What a painter is asked: a crop, its unknown part and a request; what a painter is, and the digest of its files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np

from accord.engine import provenance


@dataclass(frozen=True)
class Request:
    """What a model is asked for. `guidance`: weight of the prompt against the negative one; `seed`: 63 bits."""

    prompt: str
    negative: str
    guidance: float
    seed: int
    steps: int


def requested(key: str, words: tuple[str, str], guidance: tuple[float, float], steps: int, *, guided: bool) -> Request:
    """What is asked for: the seed is a digest of `key`, the guidance drawn from U(*guidance) by that seed.

    words: the prompt and the negative one. A model that is not `guided` is asked for nothing in particular.
    """
    seed = int.from_bytes(hashlib.blake2b(key.encode(), digest_size=8).digest(), "big") >> 1
    if not guided:
        return Request("", "", 0.0, seed, steps)
    return Request(*words, float(np.random.default_rng(seed).uniform(*guidance)), seed, steps)


class Job(NamedTuple):
    """A crop, uint8 (H, W, 3), its unknown part, bool (H, W), what is asked for, and, where that is more than the
    unknown part, what the model may not see or copy: people, by their boxes too."""

    crop: np.ndarray
    unknown: np.ndarray
    request: Request
    barred: np.ndarray | None = None

    @property
    def hidden(self) -> np.ndarray:
        """All that the model may not see."""
        return self.unknown if self.barred is None else self.unknown | self.barred


class Painter(Protocol):
    """A model that continues crops into their unknown parts.

    side: px of the smallest crop that it is shown. method: what `edits` call its fills. guided: whether words,
    guidance, seed and steps decide what it paints; where not, it paints a crop in one way only. batch: crops in one
    call of the model; what has 1 is painted once, and kept while nothing of it changes (see `is_alone`).
    """

    @property
    def sha256(self) -> str: ...
    @property
    def side(self) -> int: ...
    @property
    def method(self) -> str: ...
    @property
    def guided(self) -> bool: ...
    @property
    def batch(self) -> int: ...

    def paint_all(self, jobs: Sequence[Job]) -> list[np.ndarray]:
        """The crops, uint8 (H, W, 3), with their unknown parts painted; the same jobs, the same bytes.

        Jobs share model calls. Only the unknown part of a result is of use.
        """
        ...


def is_alone(painter: Painter) -> bool:
    """Whether each crop has a call of its own. Where several share one, the last bits of each depend on the others."""
    return getattr(painter, "batch", None) == 1


def digest(folder: Path) -> str:
    """sha256 over the names and sha256 of all of a model's files, in the order of their names."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return _digest((path.relative_to(folder).as_posix(), provenance.sha256(path)) for path in files)


def stated(files: dict[str, dict]) -> str:
    """As `digest`, of the files of an entry of models.yaml, by the sums that are stated of them."""
    return _digest(sorted((file["path"], file["sha256"]) for file in files.values()))


def _digest(files: Iterable[tuple[str, str]]) -> str:
    return hashlib.sha256("".join(f"{sha256}  {name}\n" for name, sha256 in files).encode()).hexdigest()
