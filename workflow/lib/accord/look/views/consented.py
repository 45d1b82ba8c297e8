"""Whether a picture may be shown now: asked of the ledger at each view, as the next run would ask it.

A withdrawal counts from the moment that it is recorded, or lies in the watched folder. What was decided is kept for as
long as the ledger, the folder, the day and the shard's tables stay as they are.
"""

import hashlib
import threading
from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

import pyarrow.parquet as pq

from accord.abuse import quarantine
from accord.consent import apply
from accord.consent.apply import Delivered, Held
from accord.consent.deciding import grants
from accord.consent.deciding.eligible import Terms
from accord.consent.ledger import chain, ledger
from accord.consent.ledger.records import COMMAND, ConsentEvent, IprForm
from accord.consent.requests import imports
from accord.consent.tables import Annotators, Images
from accord.engine import table
from accord.errors import AccordError, Problem
from accord.intake.tables import Forms, People, Refused
from accord.text import days

TABLES = {"images": Images, "people": People, "forms": Forms, "annotators": Annotators, "refused": Refused}


class Settings(NamedTuple):
    """What of `consent` in the configuration says who may be shown."""

    as_of: str
    min_age: int
    inbox: Path | None
    proof_required: bool

    @classmethod
    def of(cls, consent: dict) -> "Settings":
        """Of the section of a configuration. Raises AccordError where the day or the age is not stated."""
        missing = [name for name in ("as_of", "min_age") if consent.get(name) is None]
        if missing:
            hint = "give --config with all configuration files of the run"
            raise AccordError([Problem(f"consent.{name}", "is not configured", hint) for name in missing])
        inbox = Path(consent["inbox"]) if consent.get("inbox") else None
        return cls(str(consent["as_of"]), int(consent["min_age"]), inbox, bool(consent.get("proof_required", False)))


class Passing(NamedTuple):
    """Image -> sha256 of its delivered file, of those of a shard that may pass; when its tables were written, ns."""

    stamp: tuple[int, ...]
    files: dict[str, str]


class Consented:
    """Who may be shown, of a vault and a run's results."""

    def __init__(self, vault: Path, results: Path, settings: Settings):
        self._vault, self._results, self._settings = vault, results, settings
        self._state: tuple = ()
        self._passing: dict[Path, Passing] = {}
        self._lock = threading.Lock()

    def allowed(self, images: Collection[str]) -> dict[str, str]:
        """Image -> its shard, of those in which everyone consents now, and that match no list of known abuse material.

        Raises AccordError where the ledger or the watched folder can't be read, or was tampered with.
        """
        with self._lock:
            state, barred = self._now(), quarantine.barred(self._vault)
            if state != self._state:
                self._state, self._passing = state, {}
            found = {}
            for folder in sorted(path.parent for path in self._results.glob("intake/*/images.parquet")):
                files = self._of(folder, frozenset(images)).files
                found |= {image: folder.name for image in files.keys() & set(images) if files[image] not in barred}
            return found

    def _of(self, folder: Path, images: frozenset[str]) -> Passing:
        """What of a shard may pass; judged anew where its tables are others, and only if it has one of the images."""
        try:
            stamp = tuple((folder / f"{name}.parquet").stat().st_mtime_ns for name in TABLES)
        except OSError:
            return Passing((), {})  # it is being made anew, or was erased: nothing of it is shown
        known = self._passing.get(folder)
        if known is None or known.stamp != stamp:
            there = pq.read_table(folder / "images.parquet", columns=["image"], partitioning=None)["image"]
            files = self._judged(folder) if images.intersection(there.to_pylist()) else {}
            known = self._passing[folder] = Passing(stamp, files)
        return known

    def _now(self) -> tuple:
        """The head of the ledger, what lies in the watched folder, and the day."""
        with ledger.reading(self._vault, verified=False) as opened:
            head = chain.head(opened)
        files = imports.inbox(self._settings.inbox) if self._settings.inbox else []
        return head, tuple(hashlib.sha256(file.data or b"").digest() for file in files), days.today()

    def _judged(self, folder: Path) -> dict[str, str]:
        """Image -> sha256 of its delivered file, of those of a shard that may pass."""
        rows = {name: table.read(folder / f"{name}.parquet", kind) for name, kind in TABLES.items()}
        files = imports.inbox(self._settings.inbox) if self._settings.inbox else []
        with ledger.reading(self._vault) as opened:
            proofs = self._settings.proof_required
            pending = imports.pending(opened, self._vault, files, proof_required=proofs) if files else []
            events = [event for _, _, event in ledger.heard(opened, pending)]
            held = Held(events, ledger.read(opened, IprForm), ledger.book(self._vault, opened, pending))
        passed = apply.judge(Delivered(**rows), held, self._terms(rows, events))
        return dict(zip(passed.images["image"], passed.images["sha256"], strict=True))

    def _terms(self, rows: dict, events: list[ConsentEvent]) -> Terms:
        as_of = self._settings.as_of
        people = set(rows["people"]["subject"])
        ends = {event.expires_on for event in events if event.source == COMMAND and event.subject in people}
        ends = (ends | set(rows["forms"]["expires_on"])) - {""}
        return Terms(as_of, self._settings.min_age, grants.held_on(ends, as_of, days.today()))
