"""The whole comparison of groups for a plain table of scores and attributes: one call, without the workflow."""

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import pandas as pd
from pandas.io.common import get_handle
from pandera.typing import DataFrame

from accord.analyse import disparities, extremes, groups
from accord.analyse.comparing.intersections import intersections
from accord.analyse.plain import columns
from accord.analyse.plain.columns import Columns
from accord.analyse.tables.benchmark import Extremes, Intersections
from accord.analyse.tables.scores import Disparities, Groups, Members, Scores, Verification
from accord.engine.table import check, empty
from accord.errors import AccordError, Collector, Problem, all_problems
from accord.grouping import BETWEEN
from accord.statistics.testing.correction import METHODS
from accord.text.cells import longest, separated_by
from accord.text.spreadsheets import as_written

MOST = 4
LONGEST_CELL = 8_000_000
"""Characters: a list of labels, at most."""


class Analysis(NamedTuple):
    """What `analyse` finds; docs/statistics.md tells what is in each table."""

    groups: DataFrame[Groups]
    disparities: DataFrame[Disparities]
    extremes: DataFrame[Extremes]
    intersections: DataFrame[Intersections]


def analyse(
    table: pd.DataFrame | Path | str,
    *,
    score: str | Sequence[str],
    subject: str,
    attributes: Sequence[str] = (),
    image: str = "",
    task: str = "",
    model: str = "",
    metric: str = "",
    separator: str = "",
    crossed: Sequence[str] = (),
    most: int = 1,
    correction: str = "bonferroni",
    lower_is_better: Sequence[str] = (),
    min_subjects: int = 10,
    bootstraps: int = 1000,
    seed: int = 1,
) -> Analysis:
    """Groups, disparities, extremes and intersections of a table (or a CSV or Parquet file) of scores and attributes.

    One row per image and subject, with one or more columns `score`; or, with columns `metric` (and `task`, `model`),
    one row per image, subject and metric. subject: whose image it is; image: which one (without it each row is an
    image of its own). attributes: columns of groups, a value each or a list of values, also as text (`["a", "b"]`, or
    parted by `separator`); without any, all columns that say nothing else. crossed: those that intersections of up to
    `most` combine; none for all. lower_is_better: metrics that are so. Raises AccordError with all problems at once.
    """
    known, scored = read(table).reset_index(drop=True), (score,) if isinstance(score, str) else tuple(score)
    said = Columns(scored, subject, image, task, model, metric, ())
    named = tuple(attributes) or tuple(str(name) for name in known.columns if name not in said.named())
    said = said._replace(attributes=named)
    with all_problems() as problems:
        _options(said, crossed, most, correction, min_subjects, bootstraps, problems)
        _present(known, said, problems)
    scores, single = _checked(known, said, separator, lower_is_better)
    how = {"min_subjects": min_subjects, "bootstraps": bootstraps, "seed": seed}
    turned = {"lower_is_better": list(lower_is_better), "correction": correction}
    return _found(scores, single, list(crossed or named), most, how, turned)


def _found(scores: pd.DataFrame, single: dict, chosen: list[str], most: int, how: dict, turned: dict) -> Analysis:
    crossings = intersections([single[name] for name in chosen], most)
    members = check(pd.concat([empty(Members), *single.values(), *crossings]), Members, "attributes")
    told = groups.run(scores, members, empty(Verification), **how)
    gaps = disparities.run(scores, members, **how, **turned)
    return Analysis(told, gaps, *extremes.run(scores, members, crossed=chosen, most=most, **how, **turned))


def read(table: pd.DataFrame | Path | str) -> pd.DataFrame:
    """The table as it is, or that of a file: CSV with every cell as text, or Parquet. Raises AccordError of others."""
    if isinstance(table, pd.DataFrame):
        return table
    path = Path(table)
    try:
        if path.suffix.lower() in (".parquet", ".pq"):
            return pd.read_parquet(path)
        _check_form(path)
        return as_written(pd.read_csv(path, dtype=str, keep_default_na=False, index_col=False))
    except FileNotFoundError:
        raise AccordError(Problem(str(path), "does not exist")) from None
    except (ValueError, OSError, csv.Error) as error:
        what = f"is not a readable table ({type(error).__name__})"
        raise AccordError(Problem(str(path), what, "use CSV in UTF-8 with a header line, or Parquet")) from None


def _check_form(path: Path) -> None:
    """Raise AccordError of rows that pandas would fill, cut or shift, and of columns that it would rename."""
    packed = get_handle(path, "r", encoding="utf-8-sig", compression="infer")
    with packed as opened, longest(LONGEST_CELL), all_problems() as problems:
        reader = csv.reader(opened.handle, strict=True)
        header = next(reader, [])
        if sign := separated_by(header):
            problems.add(str(path), f"looks separated by {sign}", "save it as CSV with commas")
            return
        for name in sorted({name for name in header if header.count(name) > 1}):
            problems.add(f"{path}, line 1", f"has column {name!r} more than once", "give each column a unique name")
        for cells in reader:
            if cells and len(cells) != len(header):
                hint = "put cells with a comma in quotes; check that the file is complete"
                problems.add(f"{path}, line {reader.line_num}", f"has {len(cells)} cells, not {len(header)}", hint)


def _checked(
    known: pd.DataFrame, said: Columns, separator: str, lower: Sequence[str]
) -> tuple[DataFrame[Scores], dict[str, pd.DataFrame]]:
    """Scores, and the groups of each attribute."""
    with all_problems() as problems:
        subject = known[said.subject]
        if nobody := int((subject.isna() | (subject.astype(str) == "")).sum()):
            problems.add(f"column {said.subject!r}", f"{nobody} row(s) have no subject", "every row needs a subject")
        columns.one_spelling(subject, problems)
        image = known[said.image].astype(str) if said.image else pd.Series(range(len(known))).map("{:09d}".format)
        key = pd.DataFrame({"image": image.to_numpy(), "subject": subject.astype(str).to_numpy()})
        scores = columns.scores(known, key, said, problems)
        for name in sorted(set(lower) - set(scores["metric"])):
            problems.add(
                "lower_is_better", f"{name!r} is not a metric", f"the metrics are {_listed(scores['metric'].unique())}"
            )
        single = {name: columns.groups(known, key, name, separator, problems) for name in said.attributes}
    return check(scores, Scores, "scores"), single


def _options(
    said: Columns, crossed: Sequence[str], most: int, correction: str, least: int, bootstraps: int, problems: Collector
) -> None:
    for name in sorted(set(crossed) - set(said.attributes)):
        problems.add(
            "crossed", f"{name!r} is not among the attributes", f"the attributes are {_listed(said.attributes)}"
        )
    for name in (name for name in said.attributes if BETWEEN in name):
        problems.add(
            f"column {name!r}",
            f"has {BETWEEN!r} in its name, which separates the attributes of intersections",
            "rename it",
        )
    if not said.scores:
        problems.add("score", "no column is given")
    if not said.attributes:
        problems.add("attributes", "no column is left for attributes")
    if said.metric and len(said.scores) != 1:
        problems.add("score", f"{len(said.scores)} columns, but a table with a column of metrics has only one")
    for name in sorted({name for name in said.named() if said.named().count(name) > 1}):
        problems.add(f"column {name!r}", "is given twice", "give each column one role")
    if not 1 <= most <= MOST:
        problems.add("most", f"{most} attributes can't be combined", f"1 (no intersections) to {MOST}")
    if correction not in METHODS:
        problems.add("correction", f"{correction!r} is not known", f"one of {_listed(METHODS)}")
    if least < 2:
        problems.add("min_subjects", f"{least} is too few", "2 or more; FHIBE takes 10")
    if bootstraps < 100:
        problems.add("bootstraps", f"{bootstraps} is too few", "100 or more")


def _present(known: pd.DataFrame, said: Columns, problems: Collector) -> None:
    for name in dict.fromkeys(said.named()):
        if name not in known.columns:
            problems.add(f"column {name!r}", "is not in the table", f"it has {_listed(known.columns)}")
    if not len(known):
        problems.add("table", "has no rows")


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(str, names))
