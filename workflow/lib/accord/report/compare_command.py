"""`accord report compare OLD NEW`: what changed between two runs, and whether because of the data or the model."""

import argparse
from pathlib import Path

import pandas as pd

from accord import command_line, commands
from accord.analyse.compared_command import margin
from accord.files import replace
from accord.report.drawing import page
from accord.report.drawing.blocks import Section, Words
from accord.report.reading import changes, releases
from accord.report.sections import changes as section
from accord.report.telling.words import claim
from accord.text.nouns import counted

HELP = {"compare": "compare the results of two runs: releases, scores, differences between groups"}
KEYS = ["task", "model_after", "metric"]
NEW_CLAIM, OLD_CLAIM = "is confirmed now, but was not before", "was confirmed before, but no longer is"


def main(argv: list[str]) -> int:
    """Print what changed, a line for each; write a page where `--out` says."""
    flags = parser().parse_args(argv)
    before, after = releases.read(flags.old), releases.read(flags.new)
    found, other = releases.compared(before, after, flags.margin, flags.seed), releases.others(before, after)
    sections = sections_of(before, after, found, other)
    command_line.say(document(before, after, found, other), "\n".join(map(_text, sections)), flags)
    if flags.out:
        html = page.render(
            page.COMPARED, title="What changed", release=after.release, before=before.release, sections=sections
        )
        with command_line.writing(flags.out):
            replace(flags.out, html.encode())
    return 0


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = commands.begun("report")
    action = command_line.actions(made, HELP)["compare"]
    action.add_argument("old", type=Path, help="results folder of the earlier run")
    action.add_argument("new", type=Path, help="results folder of the later run")
    action.add_argument("--margin", type=margin, default=0.05, help="equivalence margin (default: 0.05)")
    action.add_argument("--seed", type=int, default=1)
    action.add_argument("--out", type=Path, help="also write a self-contained HTML page")
    command_line.json_flag(action)
    return made


def document(before: releases.Run, after: releases.Run, found: pd.DataFrame, other: dict[str, bool]) -> dict:
    """The comparison for machines: releases, models with other code, weights or options, scores, claims that came and
    claims that went."""
    gained, lost = releases.held(before, after)
    return {
        "before": before.release,
        "after": after.release,
        "models_changed": [m for m, is_other in other.items() if is_other] if other else None,
        "scores": found,
        "claims_gained": gained,
        "claims_lost": lost,
    }


def _text(part: Section) -> str:
    return "\n".join([part.title, *(f"  {line}" for block in part.blocks[:1] for line in block.paragraphs), ""])


def sections_of(
    before: releases.Run, after: releases.Run, found: pd.DataFrame, other: dict[str, bool]
) -> list[Section]:
    """The sections of the comparison: releases, scores, disparities. The first block of each are sentences."""
    said = changes.sentences([rows for _, rows in found.groupby(KEYS, sort=True)], other)
    scores = [Words(said or ["The two runs have no model and metric in common."]), section.table(found)]
    gained, lost = releases.held(before, after)
    claims = [f"{claim(row)} It {NEW_CLAIM}." for row in gained.itertuples()]
    claims += [f"{claim(row)} It {OLD_CLAIM}." for row in lost.itertuples()]
    same = "The same differences are confirmed as before."
    return [
        Section("releases", "The two releases", "", [Words(_releases(before, after, other))]),
        Section("changes", "Scores: what changed, and why", section.INTRO, scores),
        Section("held", "Differences between groups", "", [Words(claims or [same])]),
    ]


def _releases(before: releases.Run, after: releases.Run, other: dict[str, bool]) -> list[str]:
    lines = [
        f"{when}: release {run.release['version']}, {counted(run.release['images'], 'image')}, "
        f"{counted(run.release['subjects'], 'person')}."
        for when, run in (("Before", before), ("Now", after))
    ]
    changed = ", ".join(name for name, is_other in other.items() if is_other)
    if not other:
        return [*lines, "Whether models have different code or weights is unknown: the runs don't record it."]
    return [*lines, f"Models with different code, weights or options: {changed or 'none'}."]
