"""`accord release verify|diff|view|export`: check that a release is what its publisher signed; compare two versions;
make a view of one that the FHIBE Evaluation API can read; export one to the formats of other tools."""

import argparse
import json
import re
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from accord import command_line, commands
from accord.errors import AccordError, Problem
from accord.release.exporting import export_command
from accord.release.seal.verification import Verdict, verify
from accord.release.tree import modes

HELP = {
    "verify": "verify every file, leaf and signature of a release",
    "diff": "count what was added, removed and changed between releases",
    "view": "create a folder that the FHIBE Evaluation API can read",
    "export": "export to COCO, FiftyOne, Hugging Face, WebDataset, or Croissant",
}
VERSION = re.compile(r"\d+\.\d+\.\d+")
NARROW = 14
"""Letters of the first column of a difference, at least."""
UNPROVEN = (
    "warning: no --key was given, so the key inside the release was used. This shows that the release is complete\n"
    "and unchanged, but not who made it. Get the publisher's key from a separate source, and give it with --key."
)


def main(argv: list[str]) -> int:
    """Run the command; the exit code is the verdict: 0 where all is well, else 1."""
    flags = parser().parse_args(argv)
    return {"verify": _verify, "diff": _diff, "view": _view, "export": _export}[flags.action](flags)


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = commands.begun("release")
    check, compare, view, export = command_line.actions(made, HELP, dest="action").values()
    check.add_argument("release", type=Path, help="a release's folder")
    check.add_argument("--key", type=Path, help="the publisher's public key (PEM), from a separate source")
    compare.add_argument("before", type=Path, help="the earlier release's folder")
    compare.add_argument("after", type=Path, help="the later release's folder")
    compare.add_argument("--vault", type=Path, help="the publisher's vault, to match images by internal ids")
    for action in (check, compare):
        command_line.json_flag(action)
    view.add_argument("release", type=Path, help="a release's folder, or an FHIBE archive")
    view.add_argument("--out", type=Path, required=True, help="folder to create; must not exist yet")
    view.add_argument(
        "--needs",
        nargs="*",
        default=[],
        metavar="COLUMN",
        help="also leave out people without a value in these columns",
    )
    export_command.flags(export)
    return made


def _verify(flags: argparse.Namespace) -> int:
    verdict = verify(flags.release, flags.key)
    verdict.problems.extend(_misnamed(flags.release, verdict))
    found = modes.remarks(flags.release)
    print(json.dumps(document(verdict, found), indent=1) if flags.json else text(verdict, found))
    return 1 if verdict.problems else 0


def _misnamed(folder: Path, verdict: Verdict) -> Iterator[Problem]:
    """The problem that a folder which is named like a version holds another one."""
    name, version = folder.resolve().name, (verdict.statement or {}).get("version")
    if version and VERSION.fullmatch(name) and name != version:
        hint = "an older version may have been put in its place; else name the folder after its version"
        yield Problem(name, f"holds version {version}", hint)


def document(verdict: Verdict, remarks: list[Problem] | None = None) -> dict:
    """The verdict as JSON: the statement's facts, figures, every problem, and remarks on modes."""
    return {
        "verdict": "broken" if verdict.problems else "valid",
        "origin": "proven" if verdict.proven and not verdict.problems else "not proven",
        "key": verdict.key,
        "statement": verdict.statement,
        "leaves": verdict.leaves,
        "erased": verdict.erased,
        "files": verdict.files,
        "problems": [asdict(problem) for problem in verdict.problems],
        "remarks": [asdict(remark) for remark in remarks or []],
    }


def text(verdict: Verdict, remarks: list[Problem] | None = None) -> str:
    """The verdict in words; characters that a terminal would obey are escaped."""
    told = verdict.statement or {}
    lines = [
        f"{name:9} {value}" for name, value in (("dataset", told.get("dataset")), ("version", told.get("version")))
    ]
    lines += [f"root      {told.get('root')}", f"key       {verdict.key or None}"]
    lines += [f"checked   {verdict.files} files, {verdict.leaves} leaves, {verdict.erased} of them erased", ""]
    if verdict.problems:
        lines += ["BROKEN", str(AccordError(verdict.problems))]
    else:
        lines += ["valid: every file is as signed, none is missing or added"]
        lines += [] if verdict.proven else [UNPROVEN]
    lines += [f"warning: {remark}" for remark in remarks or []]
    return printable("\n".join(lines))


def printable(text: str) -> str:
    """A text without characters that a terminal would obey."""
    return "".join(c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in text)


def _diff(flags: argparse.Namespace) -> int:
    from accord.release.comparing.diff import diff  # it loads pandas, which `verify` doesn't need

    found = diff(flags.before, flags.after, flags.vault)
    if flags.json:
        print(json.dumps(found, indent=1))
        return 0
    columns = ("before", "after", "kept", "removed", "added", "changed")
    wide = max(NARROW, *(len(kind) + 1 for kind in found["counts"]))
    print(f"{'':{wide}}" + "".join(f"{name:>9}" for name in columns))
    for kind, counts in found["counts"].items():
        print(f"{kind:{wide}}" + "".join(f"{'-' if counts.get(c) is None else counts[c]:>9}" for c in columns))
    return 0


def _view(flags: argparse.Namespace) -> int:
    from accord.release.comparing.api_view import view

    for name, told in view(flags.release, flags.out, tuple(flags.needs)).items():
        lacking = ", ".join(f"{count} without {column}" for column, count in told.left_out.items())
        print(f"{flags.out / name}: {told.rows} rows; left out: {lacking or 'none'}")
    print(f"data_rootdir: {flags.out.absolute()}")
    return 0


def _export(flags: argparse.Namespace) -> int:
    return export_command.run(flags)
