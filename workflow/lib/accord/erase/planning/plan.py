"""The plan of an erasure: every artefact that falls, found before anything is touched."""

from dataclasses import replace
from typing import Any

from accord.consent.ledger import chain, ledger, records
from accord.erase.cases import person
from accord.erase.cases.case import FACTS, PERSON, PLAN, PLANNED, RECEIVED, Case
from accord.erase.cases.person import Person
from accord.erase.cases.places import Places
from accord.erase.executing import kept_rows, withdrawal_requests
from accord.erase.executing.effects import Effects, counts
from accord.erase.planning import closure, revoked_leaves
from accord.errors import Problem
from accord.release.seal import versions
from accord.review.database import erasing

STARTED = "execution began"


def make(case: Case, places: Places, effects: Effects) -> dict[str, Any]:
    """Find what falls now, and keep it in the case. Reads alone: nothing but the case is written."""
    known = person.with_copies(places, person.find(places, person.of(case.read(PERSON))))
    who = person.find(places, known)  # again, for the forms of copies
    falling = closure.find(places, who.ids)
    releases = {version: found._asdict() for version, found in revoked_leaves.of_all(places, who).items()}
    document = {
        **falling._asdict(),
        "pruned": [path for folder in kept_rows.staying(falling.results, who.ids) for path in folder.paths],
        "releases": releases,
        "ledger": len(entries(places, who)),
        "reviews": erasing.planned(places.vault, who.images, {who.subject}),
        "index": sum(len(who.images & versions.index(places.vault, v).keys()) for v in _held(places)),
        "deliveries": {
            str(root): counts(effects.would_redact(root, who.subject, who.images)) for root in places.deliveries
        },
        "obstacles": [str(problem) for problem in obstacles(places, who, effects)],
        "inbox": withdrawal_requests.rows_of(places.inbox, who.subject) if places.inbox else 0,
        "images": len(who.images),
        "replacements": len(replacements(places, who, effects)),
    }
    case.keep(PERSON, who.document())
    case.keep(PLAN, document)
    if case.stage == RECEIVED:
        case.note(PLANNED, effects.now())
    return document


def obstacles(places: Places, who: Person, effects: Effects) -> list[Problem]:
    """What keeps deliveries from being redacted; each names its delivery by number."""
    return [
        replace(problem, where=f"delivery {number}, {problem.where}")
        for number, root in enumerate(places.deliveries, 1)
        for problem in effects.obstacles(root, who.subject, who.images)
    ]


def entries(places: Places, who: Person) -> dict[str, str]:
    """Number -> commitment of the ledger's entries that name the person or one of the images."""
    if not ledger.exists(places.vault):
        return {}
    with ledger.reading(places.vault) as opened:
        naming = {
            seq
            for kind in records.OF_PEOPLE
            for seq, _, record in ledger.recorded(opened, kind)
            if record.subject == who.subject or getattr(record, "image", "") in who.images
        }
        return {str(seq): committed for seq, _, committed, _ in chain.entries(opened) if seq in naming}


def replacements(places: Places, who: Person, effects: Effects) -> list[str]:
    """The images of the reserve that take the place of the latest version's images that fall; [] where it had none."""
    held = _held(places)
    gone = frozenset(who.images & versions.index(places.vault, held[-1]).keys()) if held else frozenset()
    chosen = effects.replacements(places.vault, gone) if gone else []
    return [image for image in chosen if image not in who.images]


def _held(places: Places) -> list[str]:
    return [entry["version"] for entry in versions.history(places.vault)]


def document(case: Case) -> dict[str, Any]:
    """A plan as JSON: what falls, without saying whom it is about."""
    plan = case.read(PLAN)
    if not plan:
        return {"case": case.name, "stage": case.stage, "facts": case.read(FACTS)}
    told = {
        v: {"copy": r["there"], "leaves": len(r["leaves"]), "files": r["files"]} for v, r in plan["releases"].items()
    }
    shown = {name: plan[name] for name in ("results", "records", "logs", "ledger", "index", "inbox", "images")}
    # A plan of an earlier version has none of these.
    shown |= {"reviews": plan.get("reviews", 0), "pruned": plan.get("pruned", []), "backups": plan.get("backups", [])}
    shown["obstacles"] = plan.get("obstacles", [])
    chosen = plan["replacements"] if isinstance(plan["replacements"], int) else len(plan["replacements"])
    deliveries = list(plan["deliveries"].values())
    return {"case": case.name, "stage": case.stage, **shown, "releases": told, "deliveries": deliveries,
            "replacements": chosen}  # fmt: skip


def text(told: dict[str, Any]) -> str:
    """A plan in words: counts, then each file of the results."""
    if "results" not in told:
        return f"case {told['case']}: {told['stage']}; its plan was destroyed; see `accord erase receipt`"
    naming = {path: rows for path, rows in told["results"].items() if rows}
    lines = [
        f"case {told['case']} ({told['stage']}): to be erased",
        f"  images      {told['images']}, of which {told['replacements']} can be replaced from the reserve",
        f"  results     {len(told['results'])} files: {len(naming)} contain their data ({sum(naming.values())} rows), "
        f"{len(told['results']) - len(naming)} are derived from these; all can be recomputed",
        f"              {len(told['pruned'])} of them are kept, without the rows and files of these images",
        f"  jobs        {len(told['records'])} Snakemake records, {len(told['logs'])} logs, "
        f"{len(told['backups'])} backup copies of outputs",
    ]
    for version, found in sorted(told["releases"].items()):
        what = f"{found['leaves']} leaves, of which {found['files']} are files"
        copy = what if found["copy"] else "no copy here: holders can't be told which leaves to erase"
        lines.append(f"  release     {version}: {copy}")
    lines.append(f"  vault       {told['ledger']} ledger entries, {told['index']} entries of the release index,")
    lines.append(f"              {told['reviews']} review items with their answers,")
    lines.append("              their data in the reserve, the key of their backups if there is one")
    for number, found in enumerate(told["deliveries"], 1):
        what = ", ".join(f"{count} {kind}" for kind, count in found.items() if count) or "nothing"
        lines.append(f"  delivery    {number}: {what}")
    if told["obstacles"]:
        lines += ["  IN THE WAY  `accord erase run` stops before it touches anything:"]
        lines += [f"    {problem}" for problem in told["obstacles"]]
    lines.append(f"  inbox       {told['inbox']} rows")
    files = [
        f"    {path}{f'  ({rows} rows with their data)' if rows else ''}" for path, rows in told["results"].items()
    ]
    return "\n".join([*lines, "  result files:", *(files or ["    none"])])
