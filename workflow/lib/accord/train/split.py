"""Which pictures a model is shown in its training, of those whose terms and people allow it."""

from typing import NamedTuple

import pandas as pd
from pandera.typing import DataFrame

from accord.consent.deciding.grants import TRAIN
from accord.engine import table
from accord.errors import AccordError, Problem
from accord.release.making.terms import permitted
from accord.release.source_tables import Sources
from accord.release.sources.splits import NONE, TEST, VALIDATION
from accord.release.sources.splits import TRAIN as TRAINING
from accord.release.tables import Attributes, People, Terms
from accord.text.nouns import listed
from accord.train.permission.gate import keep_apart
from accord.train.pictures import drawn
from accord.train.tables import Learnt, LeftOut

UNKNOWN = "unknown"
UNLABELLED = "has no value of the attribute"
JOINT = " x "
NOT_SHOWN = {TEST: "is kept for the test", NONE: "shows people of different splits"}


class Split(NamedTuple):
    """The pictures that the model is shown, and all others with the reason."""

    pictures: DataFrame[Learnt]
    left_out: DataFrame[LeftOut]


def run(
    sources: DataFrame[Sources],
    people: DataFrame[People],
    attributes: DataFrame[Attributes],
    terms: DataFrame[Terms],
    *,
    model: str,
    data: dict,
    groups: list[str],
    seed: int = 0,
) -> Split:
    """The pictures of the splits `train` and `validation` that a model may be shown, drawn as `data` says.

    model: whose pictures they are: models of the same settings have tables of their own, with records of their own.
    data: `without` and `only` (subsets), `real` (no fakes), `share` (of each subset), `ratio` and `among` (real to
    fake), see `pictures.drawn`; `labelled`: the attribute whose values are the groups, and which pictures must have.
    groups: names of attributes, elsewhere. Raises AccordError where a person or picture is both in the training and in
    the test, where no picture is left to learn from, where a detector would see real pictures alone, or fakes alone,
    and where no picture has the groups, or no second group where it must be labelled.
    """
    names = [data["labelled"]] if "labelled" in data else groups
    shown = _with_people(sources, people)
    keep_apart(shown[shown["split"] == TRAINING], shown[shown["split"].isin((VALIDATION, TEST))])
    found = permitted(sources[sources["split"].isin((TRAINING, VALIDATION))], terms, TRAIN)
    some = drawn.draw(found.allowed, data, seed)
    if not (some["split"] == TRAINING).any():
        hint = "look at their terms, and at `data` of the model"
        raise AccordError(Problem(f"training pictures of {model}", "there are none", hint))
    rows = shown[shown["image"].isin(some["image"])].merge(_groups(attributes, names), how="left", on="image")
    if "labelled" in data:
        rows = _labelled(rows, model)
    else:
        _check_both(some, model)
        _check_grouped(rows, names)
    rows["group"] = rows["group"].fillna(UNKNOWN)
    learnt = table.check(rows, Learnt, "training pictures").sort_values(["image", "subject"], ignore_index=True)
    return Split(learnt, _left_out(sources, found.refused, some, set(learnt["image"])))


def _with_people(sources: pd.DataFrame, people: pd.DataFrame) -> pd.DataFrame:
    """A row for each person in each picture; `subject` is "" where nobody is known."""
    who = sources.merge(people[["image", "subject"]], how="left", on="image")
    return who.assign(subject=who["subject"].fillna(""))


def _groups(attributes: pd.DataFrame, names: list[str]) -> pd.DataFrame:
    """image, group: the values of some attributes of each picture that has them all; what people said comes first."""
    of = attributes[attributes["attribute"].isin(names)].sort_values(["image", "annotator", "value"])
    first = of.drop_duplicates(["image", "attribute"]).set_index(["image", "attribute"])["value"].unstack()
    complete = first.reindex(columns=names).dropna() if names else first.head(0)
    joined = [JOINT.join(values) for values in complete.itertuples(index=False)]
    return pd.DataFrame({"image": complete.index.astype(str), "group": pd.Series(joined, dtype=str).to_numpy()})


def _labelled(rows: pd.DataFrame, model: str) -> pd.DataFrame:
    known = rows[rows["group"].notna()].copy()
    if known.loc[known["split"] == TRAINING, "group"].nunique() < 2:
        what, hint = "have fewer than two values of its attribute", "look at the attribute's name, and at subsets"
        raise AccordError(Problem(f"training pictures of {model}", what, hint))
    return known


def _check_both(some: pd.DataFrame, model: str) -> None:
    labels = set(some.loc[some["split"] == TRAINING, "label"])
    if len(labels) < 2:
        what = f"are all {'fake' if labels == {drawn.FAKE} else 'real'}, so nothing can be told apart"
        hint = "look at the terms of the sources, and at the subsets that are left out"
        raise AccordError(Problem(f"training pictures of {model}", what, hint))


def _check_grouped(rows: pd.DataFrame, names: list[str]) -> None:
    if names and rows["group"].isna().all():
        what = f"no picture has a value of {listed(names)}"
        raise AccordError(Problem("train.groups", what, "name attributes that the archive's table has"))


def _left_out(sources: pd.DataFrame, refused: pd.DataFrame, some: pd.DataFrame, shown: set[str]) -> DataFrame[LeftOut]:
    why = dict(zip(refused["image"], refused["reason"], strict=True))
    why |= dict.fromkeys(set(some["image"]) - shown, UNLABELLED)
    rest = sources[~sources["image"].isin(shown)].sort_values("image")
    reasons = [NOT_SHOWN.get(row.split) or why.get(row.image, "was not drawn") for row in rest.itertuples(index=False)]
    return table.rows(list(zip(rest["image"], reasons, strict=True)), LeftOut)
