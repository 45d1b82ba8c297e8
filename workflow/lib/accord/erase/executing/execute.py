"""Execution of an erasure: what falls is deleted, place after place. Each step can be done again after a crash.

The order: what is needed later is kept before anything of anybody is touched (the dossier); then replacements and
releases; then the sources (deliveries, backups' keys, inbox, ledger); then the results, so that no run in between
brings them back; the reviews and the record of views last, so that neither is filled from results in between.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from accord.consent.ledger import ledger
from accord.engine import run_lock
from accord.erase.cases import person
from accord.erase.cases.case import DOSSIER, EXECUTED, FACTS, PERSON, PLAN, Case
from accord.erase.cases.person import Person
from accord.erase.cases.places import Places
from accord.erase.dossiers import traces
from accord.erase.executing import results, withdrawal_requests
from accord.erase.executing.effects import Effects
from accord.erase.planning import closure, plan
from accord.erase.planning.closure import Falling
from accord.errors import AccordError
from accord.files import PARTIAL, keep_private
from accord.look.views import log
from accord.release.erasing.prune import prune
from accord.release.exporting import pruning as exports
from accord.release.exporting import register
from accord.release.seal import revocations
from accord.review.database import erasing
from accord.scan import dossier
from accord.sealing import signing

REVOCATIONS = "revocations"


class Work(NamedTuple):
    """A case that is carried out: where, by which effects, and of whom."""

    case: Case
    places: Places
    effects: Effects
    who: Person

    @property
    def plan(self) -> dict[str, Any]:
        return self.case.read(PLAN)


def prepare(case: Case, places: Places, effects: Effects) -> None:
    """Make the plan anew, and keep by what the person is known, added to what was kept of them before.

    Done for all cases before one is executed: the results that are deleted for one tell of others, too.
    """
    plan.make(case, places, effects)
    path = case.folder / DOSSIER
    known = [dossier.load(path)] if path.is_file() else []
    known.append(effects.dossier(places, person.of(case.read(PERSON))))
    dossier.save(traces.joined(known), path, places.vault)


def execute(case: Case, places: Places, effects: Effects) -> None:
    """Carry out all steps of a prepared case that were not done yet; from the first on, its plan is frozen.

    Raises AccordError where the workflow is running; where a delivery can't be redacted, before anything is touched; or
    where a step can't be done: it goes on there another time.
    """
    with run_lock.held(run_lock.ERASURE, places.snakemake):
        _carry_out(Work(case, places, effects, person.of(case.read(PERSON))))


def _carry_out(work: Work) -> None:
    case, effects = work.case, work.effects
    if not case.has(plan.STARTED):
        if found := plan.obstacles(work.places, work.who, effects):
            raise AccordError(found)
        case.note(plan.STARTED, effects.now())
    for name, step in STEPS.items():
        if not case.has(name):
            step(work)
            case.note(name, effects.now())
    if not case.has(EXECUTED):
        case.learn(executed=effects.now())
        case.note(EXECUTED, effects.now())


def _admit_replacements(work: Work) -> None:
    """The choice is kept before it is acted on: after a crash, the reserve may choose otherwise."""
    chosen = work.plan["replacements"]
    if isinstance(chosen, int):
        chosen = plan.replacements(work.places, work.who, work.effects)
        work.case.keep(PLAN, work.plan | {"replacements": chosen})
    work.effects.admit(work.places.vault, chosen)
    work.case.learn(replacements=len(chosen), images=len(work.who.images))


def _revoke(work: Work) -> None:
    """A signed revocation for each version, kept in the case; then the publisher's own copy is pruned by it."""
    key, told, without = signing.signing_key(work.places.vault), [], []
    for version, fallen in sorted(work.plan["releases"].items()):
        if not fallen["there"]:
            without.append(version)
            continue
        release = {"version": version, "root": fallen["root"]}
        envelope = revocations.revoke(release, map(bytes.fromhex, fallen["leaves"]), key)
        keep_private(envelope_of(work.case, version), envelope)
        prune(work.places.releases / version, envelope)
        for _ in exports.listed(work.places.vault / register.NAME, version, envelope):
            pass
        told.append({**release, "leaves": len(fallen["leaves"]), "revocation": revocations.receipt(envelope)})
    work.case.learn(releases=told, without_copy=without)


def envelope_of(case: Case, version: str) -> Path:
    """Where a case keeps its revocation of a version."""
    return case.folder / REVOCATIONS / f"{version}.json"


def _redact(work: Work) -> None:
    for delivery in work.places.deliveries:
        work.effects.redact(delivery, work.who.subject, work.who.images)
    work.case.learn(deliveries=[work.plan["deliveries"].get(str(root), {}) for root in work.places.deliveries])


def _destroy_key(work: Work) -> None:
    work.effects.destroy(work.places.vault, work.who.subject)


def _clear_inbox(work: Work) -> None:
    if work.places.inbox:
        withdrawal_requests.take_out(work.places.inbox, work.who.subject)


def _erase_from_ledger(work: Work) -> None:
    """The commitments of what goes are noted first: the person can hold them against receipts of their own."""
    known = work.case.read(FACTS).get("entries", {})
    work.case.learn(entries=known | plan.entries(work.places, work.who))
    if ledger.exists(work.places.vault):
        ledger.erase(work.places.vault, work.who.subject, work.who.images)


def _delete_results(work: Work) -> None:
    """Delete what falls by the plan, and what a run made since; first the files, last the records that tell of logs.

    Of tables of kept rows, and of their bundles, only what names the person goes.
    """
    found = closure.find(work.places, work.who.ids, work.plan["results"])
    fallen: dict = work.plan["results"] | found.results
    falls = {kind: sorted({*work.plan.get(kind, ()), *getattr(found, kind)}) for kind in ("logs", "records", "backups")}
    work.case.keep(PLAN, work.plan | {"results": fallen} | falls)
    stay = results.delete(work.places, Falling(fallen, **falls), work.who.ids)
    made = sum(PARTIAL not in Path(name).name for name in fallen)
    work.case.learn(results=made - len(stay), pruned=len(stay))


def _erase_reviews(work: Work) -> None:
    erased = erasing.forget(work.places.vault, work.who.images, frozenset({work.who.subject}))
    work.case.learn(reviews=max(erased, work.case.read(FACTS).get("reviews", 0)))


def _erase_views(work: Work) -> None:
    log.forget(work.places.vault, work.who.images)


STEPS: dict[str, Callable[[Work], None]] = {
    "replacements admitted": _admit_replacements,
    "releases revoked": _revoke,
    "deliveries redacted": _redact,
    "backups' key destroyed": _destroy_key,
    "inbox cleared": _clear_inbox,
    "ledger erased": _erase_from_ledger,
    "results deleted": _delete_results,
    "reviews erased": _erase_reviews,
    "views erased": _erase_views,
}
