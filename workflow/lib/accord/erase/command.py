"""`accord erase status|plan|run|receipt|answers|archive`: erase whoever withdrew, in the time that the law gives."""

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from accord import command_line, commands
from accord.consent.ledger.records import WITHDRAWN
from accord.consent.requests import unmatched, unread
from accord.erase.cases import case as cases
from accord.erase.cases import clock, machine, places, receipt
from accord.erase.cases.case import ENVELOPE
from accord.erase.cases.machine import Options
from accord.erase.cases.places import Places
from accord.erase.executing import rebuild
from accord.erase.executing.effects import Effects
from accord.erase.planning import plan
from accord.errors import AccordError, Problem
from accord.evaluate.asking import answer_vault
from accord.sealing import signing
from accord.text.nouns import counted

HELP = {
    "status": "open new cases, list all with due dates, and unmatched requests; exit code 1 if one is overdue",
    "plan": "list everything that would be erased; changes nothing",
    "run": "advance all cases as far as possible; exit code 1 if one is blocked",
    "receipt": "write the signed receipt of an erasure, or verify one",
    "answers": "erase paid answers about images that an archive's owners took back; exit code 1 if one has none",
    "archive": "erase people of an archive of videos, or of sources; exit code 1 if something of them is left",
}


def main(argv: list[str]) -> int:
    """Run the command; returns the exit code."""
    flags = parser().parse_args(_named_first(argv))
    do = {"status": _status, "plan": _plan, "run": _run, "receipt": _receipt, "answers": _answers, "archive": _archive}[
        flags.do
    ]
    return do(flags, Effects())


def _named_first(argv: list[str]) -> list[str]:
    """The words of `answers` and `archive` with images or people before the flags: after `--config FILE` they would be
    taken for files of settings too."""
    if argv[:1] not in (["answers"], ["archive"]) or "--config" not in argv:
        return argv
    first = argv.index("--config") + 2
    end = next((n for n, word in enumerate(argv) if n >= first and word.startswith("-")), len(argv))
    named = next((n for n in range(first, end) if Path(argv[n]).suffix not in (".yaml", ".yml", ".json")), end)
    return [argv[0], *argv[named:end], *argv[1:named], *argv[end:]]


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = commands.begun("erase")
    of = command_line.actions(parser, HELP)
    for name, action in of.items():
        command_line.config_flag(action)
        if name not in ("status", "answers", "archive"):
            action.add_argument(
                "--case", help="a case (default: all)" if name != "receipt" else "the case of the receipt"
            )
        if name not in ("run", "answers", "archive"):
            command_line.json_flag(action)
    rebuilding = of["run"].add_mutually_exclusive_group()
    rebuilding.add_argument("--no-rebuild", action="store_true", help="don't run the workflow: you run it yourself")
    rebuilding.add_argument(
        "--rebuild-command", metavar="WORDS", help="the command that runs the workflow (default: snakemake)"
    )
    for name in ("run", "archive"):
        of[name].add_argument(
            "--also", type=Path, nargs="+", default=[], metavar="FOLDER", help="also scan these folders"
        )
    of["run"].add_argument(
        "--judged",
        type=int,
        default=0,
        metavar="N",
        help="with --case: confirm that all N traces found belong to somebody else",
    )
    of["answers"].add_argument("images", nargs="+", metavar="IMAGE", help="an image's id, as the archive names it")
    of["archive"].add_argument(
        "subjects",
        nargs="+",
        metavar="SUBJECT",
        help="a person's id, or the path of a picture, a video or a source's folder, as the archive has it",
    )
    of["archive"].add_argument("--plan", action="store_true", help="tell what would be erased; change nothing")
    of["receipt"].add_argument("--out", type=Path, help="file for the receipt")
    of["receipt"].add_argument("--verify", type=Path, metavar="FILE", help="a receipt to verify")
    of["receipt"].add_argument("--key", type=Path, help="the publisher's public key (PEM; default: the vault's)")
    return parser


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
    if flags.plan:
        return 0
    left = erasure.run(found, given, tuple(flags.also))
    for row in left:
        print(f"  {row['place']} {row['inside']}: {row['kind']} ({row['how']}), {row['count']}")
    print(
        "traces are left: delete them and run this again" if left else "erased, and nothing found; now run the workflow"
    )
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


def _receipt(flags: argparse.Namespace, effects: Effects) -> int:
    given = places.read(flags.config)
    if flags.verify:
        kept = _checked(_bytes(flags.verify, "--verify"), flags.key, given)
        command_line.say(kept, f"{receipt.text(kept)}\nthe receipt is authentic", flags)
        return 0
    if not flags.case or not flags.out:
        hint = "--case C --out FILE writes a receipt, --verify FILE verifies one"
        raise AccordError(Problem("accord erase receipt", "needs --case and --out, or --verify", hint))
    path = cases.named(given.cases, flags.case)[0].folder / ENVELOPE
    if not path.is_file():
        raise AccordError(Problem(f"case {flags.case}", "has no receipt yet", "continue it with `accord erase run`"))
    with command_line.writing(flags.out):
        flags.out.write_bytes(path.read_bytes())
    made = _checked(path.read_bytes(), None, given)
    command_line.say(made, receipt.text(made), flags)
    return 0


def _checked(envelope: bytes, key: Path | None, given: Places) -> dict:
    """What a receipt says, checked with a public key, or with that of the vault."""
    try:
        public = signing.read_public(_bytes(key, "--key")) if key else _own(given)
        return receipt.check(envelope, public)
    except ValueError as error:
        hint = "the file was changed, or the key belongs to another publisher"
        raise AccordError(Problem("receipt", str(error), hint)) from None


def _own(given: Places) -> Ed25519PublicKey:
    """The vault's own public key; none is made here."""
    if not (given.vault / signing.FOLDER / signing.NAME).is_file():
        hint = "give the publisher's public key: the release.pub of a release that you trust"
        raise AccordError(Problem("--key", "is required, since there is no vault here", hint))
    return signing.signing_key(given.vault).public_key()


def _bytes(file: Path, flag: str) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise AccordError(Problem(flag, f"can't be read ({error.strerror})", "give an existing file")) from None
