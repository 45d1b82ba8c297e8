"""The command line of `accord erase`."""

import argparse
from pathlib import Path

from accord import command_line, commands

HELP = {
    "status": "open new cases, list all with due dates, and unmatched requests; exit code 1 if one is overdue",
    "plan": "list everything that would be erased; changes nothing",
    "run": "advance all cases as far as possible; exit code 1 if one is blocked",
    "receipt": "write the signed receipt of an erasure, or verify one",
    "answers": "erase paid answers about images that an archive's owners took back; exit code 1 if one has none",
    "archive": "erase people of an archive of videos, or of sources; exit code 1 if something of them is left",
}


def named_first(argv: list[str]) -> list[str]:
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
    for name, with_case in (("run", "with --case: "), ("archive", "")):
        told = f"{with_case}confirm that all N traces found belong to somebody else"
        of[name].add_argument("--judged", type=int, default=0, metavar="N", help=told)
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
