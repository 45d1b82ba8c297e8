"""A case: one person's erasure, in a folder of the vault; what was done is a journal that only grows.

vault/erasures/<case>/   case.json      facts that name nobody: times, counts, receipts
                         journal.jsonl  the steps that were done, with their times; what it holds counts as done
                         person.json, plan.json, dossier.npz   who it is; shredded when the case closes
                         revocations/<version>.json            signed envelopes, hashes alone
                         receipt.dsse.json                     the signed receipt
"""

import fcntl
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from accord.errors import AccordError, Problem
from accord.files import PRIVATE_FILE, PRIVATE_FOLDER, keep_private, make_private

STAGES = RECEIVED, PLANNED, EXECUTED, REBUILT, SCANNED, RECEIPT, NOTIFIED, CLOSED = (
    *("received", "planned", "executed", "rebuilt", "scanned", "receipt", "notified", "closed"),
)
FACTS, JOURNAL, ENVELOPE = "case.json", "journal.jsonl", "receipt.dsse.json"
PERSON, PLAN, DOSSIER = PERSONAL = ("person.json", "plan.json", "dossier.npz")
NEW, LOCK = ".new-", "lock"


class Case(NamedTuple):
    """A case, by its folder."""

    folder: Path

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def stage(self) -> str:
        """The last stage that was reached."""
        reached = {line["step"] for line in self.journal()}
        return next(stage for stage in reversed(STAGES) if stage in reached)

    def has(self, step: str) -> bool:
        """Whether a stage or step was done."""
        return any(line["step"] == step for line in self.journal())

    def journal(self) -> list[dict[str, Any]]:
        """What was done, oldest first. A last line that a crash cut short was not done."""
        lines = (self.folder / JOURNAL).read_text().split("\n")[:-1]
        return [json.loads(line) for line in lines]

    def note(self, step: str, at: str) -> None:
        """Write down that a step was done; it is on the disk then."""
        with os.fdopen(os.open(self.folder / JOURNAL, os.O_RDWR | os.O_CREAT, PRIVATE_FILE), "rb+") as file:
            whole = file.read().rfind(b"\n") + 1
            file.truncate(whole)
            file.seek(whole)
            file.write(json.dumps({"at": at, "step": step}).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())

    def read(self, name: str) -> dict[str, Any]:
        """A document of the case; empty where there is none."""
        path = self.folder / name
        return json.loads(path.read_text()) if path.is_file() else {}

    def keep(self, name: str, document: dict[str, Any]) -> None:
        """Write a document of the case, whole or not at all."""
        keep_private(self.folder / name, json.dumps(document, sort_keys=True, indent=1).encode() + b"\n")

    def learn(self, **facts: Any) -> None:
        """Add facts that name nobody."""
        self.keep(FACTS, self.read(FACTS) | facts)

    def shred(self) -> None:
        """Overwrite and delete all that says who it is."""
        for path in (self.folder / name for name in PERSONAL):
            if path.is_file():
                with path.open("rb+") as file:
                    file.write(bytes(path.stat().st_size))
                    file.flush()
                    os.fsync(file.fileno())
                path.unlink()


def every(folder: Path) -> list[Case]:
    """All cases in the folder of cases, those that were received first first."""
    found = [Case(path) for path in folder.glob("*/") if not path.name.startswith(NEW)] if folder.is_dir() else []
    return sorted(found, key=lambda case: (case.read(FACTS)["received"], case.name))


def named(folder: Path, name: str | None) -> list[Case]:
    """The case of that name, or all of them. Raises AccordError where there is none of that name."""
    found = every(folder)
    chosen = [case for case in found if name in (None, case.name)]
    if name is not None and not chosen:
        raise AccordError(Problem(f"case {name}", "is not in the vault", "`accord erase status` lists the cases"))
    return chosen


def begin(folder: Path, name: str, subject: str, received: str, now: str) -> Case:
    """Make the case of a person (an opaque id): whole or not at all."""
    make_private(folder)
    partial = Case(folder / f"{NEW}{name}")
    partial.folder.mkdir(mode=PRIVATE_FOLDER)
    partial.keep(PERSON, {"subject": subject})
    partial.keep(FACTS, {"case": name, "received": received})
    partial.note(RECEIVED, now)
    partial.folder.rename(folder / name)
    return Case(folder / name)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Nobody else works on cases meanwhile. Raises AccordError where somebody does."""
    make_private(folder)
    with os.fdopen(os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, PRIVATE_FILE)) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            hint = "wait until it has finished"
            raise AccordError(Problem("erasure", "another `accord erase` is running on this vault", hint)) from None
        for left in folder.glob(f"{NEW}*/"):
            shutil.rmtree(left)
        yield
