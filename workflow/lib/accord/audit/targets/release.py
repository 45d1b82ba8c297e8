"""The audit of a release by its publisher: all that `accord release verify` checks, and what only the vault tells."""

import json
from pathlib import Path
from typing import Any, NamedTuple

from accord.audit.evidence import coverage, erasures
from accord.audit.evidence.lineage import Node
from accord.audit.records import gates, histories, index, ledgers, receipts
from accord.audit.records.receipts import Log
from accord.audit.targets import file
from accord.audit.targets.places import Places
from accord.audit.telling.checks import About, Check, Found, Section
from accord.errors import Problem
from accord.release.seal.verification import Verdict, verify
from accord.release.tree import tree
from accord.sealing import signing

RELEASE = About("release")
NAME = "the folder must be named after its version: rename it, unless another version was put in its place"


class Vault(NamedTuple):
    """What the vault says of all releases: the receipt log, the history, and the checks of both."""

    log: Log
    history: list[dict[str, Any]]
    checks: list[Check]


def _unneeded(places: Places) -> str:
    if places.vault.is_dir():
        return "nothing was published or signed: this run has no deliveries"
    return "nothing was published yet, and there is no vault"


def of_vault(places: Places) -> Vault:
    """Receipt log, history and ledger of a vault, each whole and in agreement with the others."""
    if not places.need_vault:
        return Vault(Log([], None, []), [], [RELEASE.none("vault", _unneeded(places))])
    log = receipts.read(places.vault)
    history, told = histories.read(places.vault)
    checks = [*log.checks, *told, *ledgers.checks(places.vault, log.entries, places.noted)]
    if log.key:
        checks += receipts.against_history(log.entries, history)
    found = [receipts.noted(one, log.entries) for one in places.noted]
    checks += [check for check in found if check]
    named = {check.where for check in checks if check.name == "noted"}
    lost = [
        Problem(one[:16], "is in neither the ledger nor the receipt log: one of them was rolled back")
        for one in places.noted
    ]
    lost = [problem for problem in lost if problem.where not in named]
    return Vault(log, history, checks + (RELEASE.held("noted", lost, "") if lost else []))


def audit(folder: Path, places: Places) -> tuple[Node | None, Found]:
    """All checks of a release, the vault's among them."""
    vault = of_vault(places)
    root, found = checks(folder, places, vault)
    return root, Found([*found.checks, *vault.checks], found.sections)


def checks(folder: Path, places: Places, vault: Vault) -> tuple[Node | None, Found]:
    """The checks of one release; the lineage of its record where it is the one that was published last."""
    verdict = verify(folder)
    told = _sealed(verdict, vault)
    told += _named(folder, verdict)
    if verdict.statement is None:
        return None, Found(told)
    version = verdict.statement["version"]
    entry = next((one for one in vault.history if one["version"] == version), None)
    held, agreed = index.read(folder, places.vault, version)
    told += agreed
    told += _against_history(folder, verdict, verdict.statement, entry, held, vault)
    told += erasures.checks(folder, verdict, vault.log, places.vault)
    told += gates.aggregates(folder)
    current = bool(vault.history) and entry is vault.history[-1]
    covered, section = coverage.of_release(held, version, current, places, vault.log)
    told += covered
    root, made = _current(entry, places) if current else (None, [])
    facts = Section("Release", ("what", "value"), _facts(verdict, verdict.statement, current))
    return root, Found([*told, *made], [facts, *section])


def _sealed(verdict: Verdict, vault: Vault) -> list[Check]:
    fine = f"{verdict.files} files, {verdict.leaves} leaves ({verdict.erased} erased): as signed, none missing or added"
    told = RELEASE.held("seal", verdict.problems, fine)
    if vault.log.key is None:
        return told
    own = signing.fingerprint(vault.log.key)
    if verdict.key != own:
        hint = "somebody else signed this release, or the vault's key was replaced"
        return [
            *told,
            RELEASE.failed("key", f"was signed with key {verdict.key[:16]}; the vault's key is {own[:16]}", "", hint),
        ]
    return [*told, RELEASE.passed("key", f"was signed with the vault's key {own[:16]}")]


def _named(folder: Path, verdict: Verdict) -> list[Check]:
    if verdict.statement is None or verdict.statement["version"] == folder.resolve().name:
        return []
    return [RELEASE.failed("name", f"contains version {verdict.statement['version']}", folder.as_posix(), NAME)]


def _against_history(
    folder: Path, verdict: Verdict, statement: dict, entry: dict | None, held: index.Held | None, vault: Vault
) -> list[Check]:
    """The version's line in the history, its entry in the log, the root before."""
    if entry is None:
        hint = "this vault never published it, or its history was edited"
        return [RELEASE.failed("published", f"version {statement['version']} is not in the vault's history", "", hint)]
    told = histories.against_statement(entry, statement, verdict.key)
    told += histories.previous(statement, vault.history, entry)
    if held and not held.erased:
        things = {"images": len(held.images - held.videos), "videos": len(held.videos)}
        told += histories.against_counts(entry, {**things, **_listed(folder)})
    return told


def _listed(folder: Path) -> dict[str, int]:
    """How many files the manifest lists, and their bytes."""
    try:
        sizes = [int(json.loads(line)["size"]) for line in (folder / tree.MANIFEST).read_text().splitlines()]
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return {"files": len(sizes), "bytes": sum(sizes)}


def _current(entry: dict, places: Places) -> tuple[Node | None, list[Check]]:
    """What the last version was made from, and by which gates it went."""
    record = places.results / "release" / "release.json"
    if not record.is_file():
        return None, [RELEASE.none("made from", "the results it was made from are missing")]
    root, told = file.checks(record, places)
    return root, [*told, *histories.against_record(entry, record), *gates.checks(places.results)]


def _facts(verdict: Verdict, statement: dict, current: bool) -> list[tuple]:
    previous = statement["previous"] or {}
    return [
        ("dataset", statement["dataset"]),
        ("version", f"{statement['version']}{' (the last one)' if current else ''}"),
        ("root", statement["root"]),
        ("previous root", previous.get("root") or "none"),
        ("key", verdict.key),
        ("leaves", f"{verdict.leaves}, {verdict.erased} of them erased"),
        ("files", verdict.files),
    ]
