"""A section for a model card: how a model does for whom, in Markdown."""

from accord.protocol import WORDS
from accord.report import answers, names, page
from accord.report.blocks import cell
from accord.report.told import Told, single
from accord.report.words import claim

COLUMNS = ["attribute", "group", "metric", "images", "people", "mean", "95% interval"]


def card(name: str, told: Told) -> str:
    """The section for a model; `told`: of the model alone."""
    held = told.disparities[told.disparities["claimed"]]
    known = told.groups[told.groups["mean"].notna()]
    shown = known[known["attribute"] == "all"], single(known)
    return page.text(
        "card.md.j2",
        name=name,
        task=names.task(told.models[name]["task"]),
        licence=told.models[name].get("licence", "not stated"),
        release=told.release,
        title=told.title,
        caution=told.caution,
        protocol=WORDS[told.protocol],
        answers=answers.answers(told, 1).answers,
        claims=[claim(row) for row in held.itertuples()],
        columns=COLUMNS,
        rows=[_row(row) for part in shown for row in part.itertuples()],
    )


def _row(row) -> list[str]:
    group = "Everyone" if row.group == "all" else names.group(row.group)
    return [
        names.attribute(row.attribute), group, names.metric(row.metric), f"{row.images}", f"{row.subjects}",
        cell(row.mean), f"{cell(row.low)} to {cell(row.high)}",
    ]  # fmt: skip
