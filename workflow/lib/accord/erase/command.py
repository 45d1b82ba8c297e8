"""`accord erase status|plan|run|receipt|answers|archive`: erase whoever withdrew, in the time that the law gives."""

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from accord.consent.ledger.records import WITHDRAWN
from accord.consent.requests import unmatched, unread
from accord.erase.cases import case as cases
from accord.erase.cases import clock, machine, places, receipts
from accord.erase.cases.flags import named_first, parser
from accord.erase.cases.machine import Options
from accord.erase.cases.places import Places
from accord.erase.executing import rebuild
from accord.erase.executing.effects import Effects
from accord.erase.planning import plan
from accord.errors import AccordError, Problem
from accord.evaluate.asking import answer_vault
from accord.text.nouns import counted


def main(argv: list[str]) -> int:
    """Run the command; returns the exit code."""
    flags = parser().parse_args(named_first(argv))
    do = {
        "status": _status,
        "plan": _plan,
        "run": _run,
        "receipt": receipts.tell,
        "answers": _answers,
        "archive": _archive,
    }[flags.do]
    return do(flags, Effects())


def _status(flags: argparse.Namespace, effects: Effects) -> int:
    given = places.read(flags.config)
    with _open_cases(given, effects):
        pass
    now, waiting = effects.now(), unmatched.of_vault(given.vault)
    found = [clock.status(case, now) for case in cases.every(given.cases)]
    print(json.dumps([one._asdict() for one in found], indent=1) if flags.json else clock.text(found))
    if waiting:
        print(unmatched.text(waiting), file=sys.stderr if flags.json else sys.stdout)
    if refused := unread.refused(given.vault, given.inbox, proof_required=given.proof_required):
        print(unread.text(refused), file=sys.stderr if flags.json else sys.stdout)
    late = any(clock.is_overdue(one.recorded_at, now) for one in waiting if one.event.state == WITHDRAWN)
    return 1 if late or any(one.overdue for one in found) else 0


@contextmanager
def _open_cases(given: Places, effects: Effects) -> Iterator[None]:
    """Open the cases that are due; in the block, nobody else works on cases. Makes nothing where nobody withdrew."""
    if not machine.has_wishes(given):
        yield
        return
    with cases.locked(given.cases):
        machine.open_new(given, effects)
        yield


def _plan(flags: argparse.Namespace, effects: Effects) -> int:
    given = places.read(flags.config)
    with _open_cases(given, effects):
        found = machine.planned(cases.named(given.cases, flags.case), given, effects)
        told = [plan.document(case) for case in found]
    print(json.dumps(told, indent=1) if flags.json else "\n\n".join(map(plan.text, told)) or "no cases")
    return 0


def _run(flags: argparse.Namespace, effects: Effects) -> int:
    given = places.read(flags.config)
    _check_also(flags)
    if flags.judged and not flags.case:
        raise AccordError(Problem("--judged", "applies to one case", "give it with --case"))
    words = None if flags.no_rebuild else rebuild.command(given, flags.rebuild_command)
    with _open_cases(given, effects):
        chosen = cases.named(given.cases, flags.case)
        stops = machine.carry_on(chosen, given, effects, Options(words, tuple(flags.also), flags.judged))
    for case in chosen:
        print(f"case {case.name}: {case.stage}")
    for stop in stops:
        print(f"case {stop.case} stopped after {stop.stage}: {stop.why}")
    return 1 if stops else 0


def _check_also(flags: argparse.Namespace) -> None:
    missing = [number for number, folder in enumerate(flags.also, 1) if not folder.exists()]
    if missing:
        raise AccordError([Problem("--also", f"folder {number} does not exist") for number in missing])


def _archive(flags: argparse.Namespace, effects: Effects) -> int:
    """What is counted is told before anything is touched: then nobody knows it any more."""
    from accord.erase.archives import erasure

    _check_also(flags)
    given = places.read(flags.config)
    found = erasure.plan(given, flags.subjects)
    print("\n".join(f"{count:7} {what}" for what, count in erasure.counts(found).items()))
    unopened = erasure.unopened(found, tuple(flags.also))
    videos = f"{counted(unopened, 'video')} of the archive"
    if unopened:
        print(f"{videos} not looked into for copies: --also FOLDER looks into those in a folder")
    if flags.plan:
        return 0
    left = erasure.run(found, given, tuple(flags.also), flags.judged)
    for row in left:
        print(f"  {row['place']} {row['inside']}: {row['kind']} ({row['how']}), {row['count']}")
    traces, judged = counted(len(left), "trace"), counted(flags.judged, "trace")
    found_none = f"and {judged} judged" if flags.judged else "and nothing found"
    hint = f"delete them, or, if all are somebody else's, give --judged {len(left)}; then run this again"
    if unopened:
        found_none += f"; {videos} {'was' if unopened == 1 else 'were'} not looked into"
    print(f"{traces} left: {hint}" if left else f"erased, {found_none}; now run the workflow")
    return 1 if left else 0


def _answers(flags: argparse.Namespace, effects: Effects) -> int:
    """People of an archive have no ledger, hence no case: their images are named instead."""
    vault, images = places.read(flags.config).vault, list(dict.fromkeys(flags.images))
    if (vault / answer_vault.NAME).is_file() and answer_vault.is_busy(vault):
        print("another process writes to the answers: waiting for it, up to a minute", file=sys.stderr, flush=True)
    found = answer_vault.about(vault, images)
    erased, unknown = answer_vault.forget(vault, images), [image for image, count in found.items() if not count]
    print(f"{counted(erased, 'paid answer')} about {counted(len(images) - len(unknown), 'image')} erased")
    for image in unknown:
        print(f"image {image}: no paid answer is about it; check its id", file=sys.stderr)
    return 1 if unknown else 0
