"""The audit of everything: all results, all releases, the ledger, the logs, the vault."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from accord.audit.evidence import compiled, configuration, delivered, erasures, learnt, membership, weights
from accord.audit.evidence.lineage import BROKEN, UNKNOWN, Node, trace
from accord.audit.records import attest, keys, paid_answers, reproduce, rows_of_images, stray_files, stray_records
from accord.audit.records.reproduce import Tell, silent
from accord.audit.targets import figure, file, release
from accord.audit.targets.places import Places
from accord.audit.telling import reading
from accord.audit.telling.checks import FAIL, About, Check, Found, Section
from accord.errors import AccordError, Problem
from accord.release.searching import guards
from accord.text.nouns import counted

LINEAGE, RELEASE = About("lineage"), About("release")
GONE = "run the workflow (it reproduces the last version byte for byte), or restore it from a backup"
KEPT = (
    "of people who consented to nothing is there, though it must be gone once it was used",
    "let the run end, or erase it: accord search end --config FILE, its settings",
)
ELSEWHERE = "change to the project's folder, or give its folders: --config, or --results, --releases and --vault"


def audit(places: Places, tell: Tell = silent) -> tuple[None, Found]:
    """All checks of a project.

    `tell` takes lines, at once: how far it is, and each check that fails. Raises AccordError where there is nothing to
    audit.
    """
    if places.are_empty:
        looked = ", ".join(folder.as_posix() for folder in (places.results, places.releases, places.vault))
        raise AccordError(Problem(looked, "nothing to audit: these folders are empty or do not exist", ELSEWHERE))
    outputs = stray_files.files(places.results)
    tell(f"reading {counted(len(outputs), 'output')}")
    reading.ahead(outputs)
    nodes = list(_nodes(outputs))
    records = _each(file.records(nodes))
    tell(f"{counted(len(nodes), 'file')} traced; reading the vault")
    vault = release.of_vault(places)
    versions = [entry["version"] for entry in vault.history]
    tell(f"verifying {counted(len(versions), 'version')}")
    told, sections = _releases(places, vault)
    paid = paid_answers.checks(places, records, outputs)
    parts: dict[str, Callable[[], Iterable[Check]]] = {
        "results": lambda: _results(outputs, nodes),
        "code and parameters": lambda: file.of_records(records, places),
        "reports, drawn again": lambda: _redrawn(outputs, places),
        "configuration": lambda: configuration.checks(places.config),
        "weights": lambda: weights.edits(_painted(outputs), records),
        "deliveries": lambda: delivered.checks(places),
        "membership": lambda: membership.checks(places),
        "models that were trained": lambda: learnt.checks(places),
        "paid answers": lambda: paid.checks,
        "releases": lambda: told,
        "vault": lambda: vault.checks,
        "attestations": lambda: attest.checks(places, vault.log),
        "erasures": lambda: _cases(places, vault),
        "records": lambda: stray_records.checks(outputs, places.results),
        "keys": lambda: keys.checks(places),
        "files": lambda: stray_files.checks(places, versions),
        "bytecode": compiled.checks,
        "steps, done again": lambda: reproduce.checks(nodes, places, tell) if places.again else [],
    }
    checks: list[Check] = []
    for number, (name, check) in enumerate(parts.items(), 1):
        tell(f"{number} of {len(parts)}: {name}")
        found = list(check())
        for failed in (one for one in found if one.verdict == FAIL):
            tell(f"FAIL: {failed.name}: {failed.where} {failed.what}")
        checks += found
    facts = [("outputs", len(outputs)), ("files traced", len(nodes)), ("versions", len(versions))]
    return None, Found(checks, [Section("What was checked", ("what", "how many"), facts), *paid.sections, *sections])


def _redrawn(outputs: list[Path], places: Places) -> Iterator[Check]:
    for path in outputs:
        if _is_report(path):
            yield from figure.redrawn(path, places)


def _nodes(outputs: Iterable[Path]) -> Iterable[Node]:
    """Every output and all that it was made from, each once for each state in which it was found."""
    seen: set[tuple[str, str]] = set()
    stack = [trace(path) for path in outputs]
    while stack:
        node = stack.pop()
        if (node.path, node.status) not in seen:
            seen.add((node.path, node.status))
            yield node
            stack += node.inputs


def _results(outputs: list[Path], nodes: list[Node]) -> list[Check]:
    """Every output must be what its consumers read, and be made from what is there: else it is stale."""
    problems = sorted({Problem(node.path, *file.WRONG[node.status]) for node in nodes if node.status in BROKEN})
    misplaced = [
        Problem(path.as_posix(), f"names {told['step']} as its step, which writes elsewhere", file.WRONG[UNKNOWN][1])
        for path in outputs
        if (told := reading.record(path)) and told["step"].split(".")[0] not in path.parts
    ]
    left = [Problem(path.as_posix(), *KEPT) for path in outputs if guards.is_fleeting(path)]
    fine = f"{len(outputs)} outputs: each is what its consumers read, and its inputs are unchanged"
    return LINEAGE.held("results", [*problems, *misplaced, *left], fine)


def _each(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Provenance records, each kind once: tables of one step share theirs but for inputs."""
    return list({repr((s["step"], s["code"], s["params"])): s for s in records}.values())


def _is_report(path: Path) -> bool:
    told = reading.record(path)
    return bool(told) and told["step"] in figure.STEPS


def _painted(outputs: list[Path]) -> set[str]:
    """The sha256 of all inpainting models that tables of edits name."""
    tables = [path for path in outputs if "model_sha256" in rows_of_images.names(path)]
    return {row["model_sha256"] for path in tables for row in rows_of_images.rows(path, {}, ("model_sha256",))}


def _releases(places: Places, vault: release.Vault) -> tuple[list[Check], list[Section]]:
    checks, sections = [], []
    for entry in vault.history:
        folder = places.releases / str(entry["version"])
        if not folder.is_dir():
            checks.append(RELEASE.failed("seal", "is missing", folder.as_posix(), GONE))
            continue
        _, found = release.checks(folder, places, vault)
        checks += [check._replace(where=check.where or folder.as_posix()) for check in found.checks]
        sections += [section._replace(title=f"{section.title}: {folder.name}") for section in found.sections]
    return checks, sections


def _cases(places: Places, vault: release.Vault) -> list[Check]:
    """Cases of erasures, and holders of releases who were told to erase and did not answer."""
    return [
        *erasures.overdue(places.vault, places.today),
        *erasures.unanswered(places.vault, places.today),
        *erasures.unmatched_lines(places.results),
        *erasures.inbox(places),
        *erasures.logged(places.vault, vault.log),
        *erasures.holders(places.vault, places.today),
    ]
