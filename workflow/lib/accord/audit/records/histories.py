"""The history of releases: each version's line, held against what the release itself and its neighbours say."""

import json
from pathlib import Path
from typing import Any

from accord.audit.telling.checks import About, Check
from accord.errors import Problem
from accord.release.seal import versions

HISTORY = About("history")
EDITED = "the history in the vault was edited: keep it as evidence and restore the vault from its newest backup"
FORM = ("version", "path", "fingerprint", "root", "manifest_sha256", "sealed")


def read(vault: Path) -> tuple[list[dict[str, Any]], list[Check]]:
    """The history, oldest first, and what is wrong with its form."""
    try:
        found = versions.history(vault)
    except (ValueError, UnicodeDecodeError):
        return [], [HISTORY.failed("form", "can't be read", versions.HISTORY, EDITED)]
    whole = all(isinstance(entry, dict) and all(name in entry for name in FORM) for entry in found)
    if not whole:
        return [], [HISTORY.failed("form", "has a line that is not a valid entry", versions.HISTORY, EDITED)]
    names = [entry["version"] for entry in found]
    if twice := [name for number, name in enumerate(names) if name in names[:number]]:
        return [], [HISTORY.failed("form", f"lists version {twice[0]} twice", versions.HISTORY, EDITED)]
    return found, [HISTORY.passed("form", f"{len(found)} version(s)", versions.HISTORY)]


def against_statement(entry: dict[str, Any], statement: dict[str, Any], key: str) -> list[Check]:
    """A version's line against what was signed: dataset, version, root, leaves, manifest, and the key."""
    told = ("dataset", "version", "root", "leaves", "manifest_sha256")
    wrong = [name for name in told if name in entry and entry[name] != statement[name]]
    wrong += ["key"] if entry.get("key", key) != key else []
    before = (statement["previous"] or {}).get("version", "")
    wrong += ["previous"] if entry.get("previous", before) != before else []
    where = f"version {entry['version']}"
    problems = [Problem(where, f"its {name} in the history differs from the signed one", EDITED) for name in wrong]
    return HISTORY.held(
        "signed facts",
        problems,
        "its entry matches what was signed",
    )


def against_counts(entry: dict[str, Any], counted: dict[str, int]) -> list[Check]:
    """The counts of a version's line against what was counted in the release."""
    where = f"version {entry['version']}"
    wrong = [name for name, count in counted.items() if name in entry and entry[name] != count]
    problems = [
        Problem(where, f"has {counted[name]} {name.replace('_', ' ')}, the history {entry[name]}", EDITED)
        for name in wrong
    ]
    return HISTORY.held(
        "counts", problems, f"{len(counted.keys() & entry.keys()) - len(wrong)} counts match the release"
    )


def previous(statement: dict[str, Any], history: list[dict[str, Any]], entry: dict[str, Any]) -> list[Check]:
    """The chain of roots: the version that the statement names as the one before must be that one, with its root."""
    before = history[: history.index(entry)]
    last = {"version": before[-1]["version"], "root": before[-1]["root"]} if before else None
    if statement["previous"] == last:
        what = f"follows version {last['version']}, whose root it names" if last else "is the first version"
        return [HISTORY.passed("previous root", what)]
    hint = "a version in between was removed or inserted: compare with the receipt log"
    return [HISTORY.failed("previous root", "its signed predecessor differs from the one in the history", "", hint)]


def against_record(entry: dict[str, Any], record: Path) -> list[Check]:
    """The record in the results of the version that was published last, against the history."""
    try:
        told = json.loads(record.read_text())
        told.pop("provenance", None)
    except (OSError, ValueError, AttributeError):
        return [HISTORY.failed("record", "can't be read", str(record), "rerun the workflow")]
    if told == entry:
        return [HISTORY.passed("record", "is the history's last version", record.as_posix())]
    names = sorted(name for name in entry.keys() | told.keys() if entry.get(name) != told.get(name))
    return [HISTORY.failed("record", f"differs from the history in {', '.join(names)}", record.as_posix(), EDITED)]
