"""The whole comparison of groups for a plain table of scores and attributes: one call, without the workflow."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.analyse import disparities, extremes, groups
from accord.analyse.comparing.intersections import intersections
from accord.analyse.plain import columns, group_names, held, roles
from accord.analyse.plain.analysis import Analysis
from accord.analyse.plain.columns import Columns
from accord.analyse.plain.found import ROW
from accord.analyse.plain.kinds import with_missing
from accord.analyse.plain.options import check_kinds, check_options, check_present, check_refused, names_of
from accord.analyse.plain.outcomes import arrays, group_metrics, predictions
from accord.analyse.plain.outcomes.predictions import Scored
from accord.analyse.plain.roles import Roles
from accord.analyse.plain.scale import hardly_varying
from accord.analyse.plain.undefined import with_undefined
from accord.analyse.tables.scores import Members, Scores, Verification
from accord.engine.table import Table, check, empty
from accord.errors import all_problems
from accord.statistics.cohort import KEY, PERSON, TEST, numbered, sharing, unit_count

ALONE = (
    "No column of people is known, so each row counts as a person of its own. If people have several rows, name their "
    "column: else differences look surer than they are."
)


def analyse(
    table: pd.DataFrame | Path | str | None = None,
    *,
    score: str | Sequence[str] = (),
    subject: Any = "",
    attributes: Sequence[str] = (),
    image: Any = "",
    task: str = "",
    model: str = "",
    metric: str = "",
    y_true: Any = None,
    y_pred: Any = None,
    y_score: Any = None,
    metrics: Any = None,
    sensitive_features: Any = None,
    sample_params: Any = None,
    control_features: Any = None,
    pos_label: Any = 1,
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
    one row per image, subject and metric; or with truths and predictions (`y_true`, `y_pred`, `y_score`: columns, or
    arrays without a table) and `metrics`, by name or as functions of scikit-learn (`pos_label`: the positive label).
    subject: whose image it is; image: which one. attributes, or sensitive_features: columns (or arrays) of groups, a
    value each or a list of values, also as text (`["a", "b"]`, or parted by `separator`). What isn't named is told by
    usual names, and `remarks` say so. crossed: those that intersections of up to `most` combine; none for all.
    lower_is_better: metrics that are so. sample_params and control_features, which MetricFrame takes, are refused with
    what is done here. Raises AccordError with all problems at once.
    """
    check_refused({"sample_params": sample_params, "control_features": control_features})
    given = {"y_true": y_true, "y_pred": y_pred, "y_score": y_score, "subject": subject, "image": image}
    scored = (score,) if isinstance(score, str) else tuple(score)
    gathered = arrays.gather(table, given, sensitive_features, attributes, (*scored, task, model, metric, *crossed))
    said = Columns(scored, gathered.named["subject"], gathered.named["image"], task, model, metric, gathered.attributes)
    found = roles.assign(gathered.table, said, gathered.named, separator)
    named = [name for name in (found.columns.subject, *found.columns.attributes) if name in found.table]
    known, missing = with_missing(found.table, named)
    found = found._replace(table=known, remarks=(*gathered.remarks, *found.remarks, *missing))
    with all_problems() as problems:
        options = (crossed, most, correction, min_subjects, bootstraps, seed)
        if len(found.table):  # else nothing tells what its columns are
            check_options(found.columns, found.outcomes, metrics, found.remarks, *options, problems)
        check_present(found.table, found.columns, found.outcomes, problems)
        check_kinds(found.table, found.columns, found.outcomes, problems)
    made = Scored(found.table, found.columns.scores, (), {})
    if found.outcomes:
        with all_problems() as problems:
            made = predictions.scored(found.table, found.outcomes, metrics or "accuracy", pos_label, problems)
    how = {"min_subjects": min_subjects, "bootstraps": bootstraps, "seed": seed}
    lower = tuple(dict.fromkeys([*lower_is_better, *found.lower, *made.lower]))
    return _compared(found, made, separator, list(crossed), most, lower, how, correction)


def _compared(
    said: Roles,
    made: Scored,
    separator: str,
    crossed: list[str],
    most: int,
    lower: tuple[str, ...],
    how: dict,
    correction: str,
) -> Analysis:
    known = made.table
    columns_ = said.columns._replace(scores=made.scores)
    alone = () if columns_.subject else (ALONE,)
    if not columns_.subject:
        columns_, known = columns_._replace(subject=roles.ROW), known.assign(**{roles.ROW: range(len(known))})
    computed = bool(said.outcomes)
    scores, single, key = _checked(known, columns_, separator, lower, made, computed)
    crossings = intersections([single[name] for name in crossed or columns_.attributes], most) if most > 1 else []
    made_of = pd.concat([*single.values(), *crossings] or numbered(empty(Members)), ignore_index=True)
    if crossings:
        scores, made_of = numbered(*(some.drop(columns=PERSON) for some in (scores, made_of)))
    members = _valid(made_of, Members, "attributes")
    told = groups.run(scores, members, empty(Verification), min_subjects=how["min_subjects"])
    turned = {"lower_is_better": list(lower), "correction": correction}
    gaps = disparities.run(scores, members, **how, **turned)
    fixed = held.held_fixed(
        scores, members, gaps, held.features(single, held.measured(key, said.numbers)), lower, **how
    )
    told = with_undefined(told, members, key, how["min_subjects"]) if computed else told
    whole = pd.concat([told, group_metrics.figures(made.of_groups, key, members, **how)], ignore_index=True)
    ends = extremes.run(scores, members, crossed=crossed or list(columns_.attributes), most=most, **how, **turned)
    odd = (
        *group_names.near_people(key, said.columns.subject),
        *group_names.one_group(known, columns_.attributes, separator),
        *group_names.alike(single),
        *group_names.single(single),
        *group_names.without(single, key[PERSON].nunique()),
    )
    remarks = (*said.remarks, *made.remarks, *odd, *hardly_varying(scores), *alone)
    remarks = (*remarks, *_sharing(key, columns_.image, how["min_subjects"]))
    counted = ("image" if columns_.image else ROW, ROW if alone else "subject")
    return Analysis(whole, gaps, *ends, fixed, lower, remarks, counted)


def _checked(
    known: pd.DataFrame, said: Columns, separator: str, lower: Sequence[str], made: Scored, computed: bool
) -> tuple[DataFrame[Scores], dict[str, pd.DataFrame], pd.DataFrame]:
    """Scores, the groups of each attribute, and task, model, image, subject of each row."""
    with all_problems() as problems:
        subject = known[said.subject]
        if len(nobody := np.flatnonzero(subject.isna() | (subject.astype(str) == ""))):
            what = f"{len(nobody)} row(s) have no subject, first in rows {columns.row_numbers(nobody)}"
            hint = "every row needs a subject; check that rows (counted below the header) are complete"
            problems.add(f"column {said.subject!r}", what, hint)
        columns.one_spelling(subject, "people", problems)
        if said.image:
            columns.one_spelling(known[said.image], "images", problems)
        texts = {"image": _images(known, said.image), "subject": _texts(subject).reset_index(drop=True)}
        # Each text once, from here on: a million rows are compared by numbers.
        (key,) = numbered(pd.DataFrame({name: column.astype("category") for name, column in texts.items()}))
        scores = columns.scores(known, key, said, problems, computed=computed)
        metrics = [*scores["metric"].unique(), *made.of_groups]
        known_as = f"the values of column {said.metric!r}" if said.metric else names_of(metrics)
        for name in sorted(set(lower) - set(metrics)):
            problems.add("lower_is_better", f"{name!r} is not a metric", f"the metrics are {known_as}")
        single = {name: columns.groups(known, key, name, separator, problems) for name in said.attributes}
    return _valid(scores, Scores, "scores"), single, columns.told(known, said, ("task", "model")).join(key)


def _sharing(key: pd.DataFrame, image: str, least: int) -> list[str]:
    """That people share images, and whether too few clusters of them are left to compare groups."""
    if not (told := sharing(key)):
        return []
    few = " These are too few to compare groups." if unit_count(key) < 2 * least else ""
    return [f"{told} ({image!r}).{few} If that column doesn't tell images, name the one that does."]


def _images(table: pd.DataFrame, name: str) -> pd.Series:
    """The image of each row; of a row that names none, where others do, one of its own."""
    numbers = pd.Series(range(len(table))).map("{:09d}".format)
    if not name:
        return numbers
    texts = _texts(table[name]).reset_index(drop=True)
    return texts if (texts == "").all() else texts.where(texts != "", "row " + numbers)


def _texts(column: pd.Series) -> pd.Series:
    """Each cell as text, "" where it is missing."""
    return column.astype(str).where(column.notna(), "")


def _valid(made: pd.DataFrame, model: type[Table], where: str) -> pd.DataFrame:
    """The table, texts each once, with the number of each person. Raises AccordError as `check`."""
    plain = check(made.drop(columns=PERSON), model, where)
    few = {name: plain[name].astype("category") for name in ("group", "attribute", *TEST) if name in plain}
    few |= {name: made[name].astype("category").reset_index(drop=True) for name in KEY}
    return plain.assign(**few, **{PERSON: made[PERSON].to_numpy()})
