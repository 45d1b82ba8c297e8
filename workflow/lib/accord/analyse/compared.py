"""What changed between two versions, and how models differ: paired where the images are the same, with a margin."""

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.comparing.matched_ids import mismatch
from accord.analyse.comparing.unpaired import exchanged, overall
from accord.analyse.scoring.metrics import METRICS, OWN_SCALE, direction, is_neutral
from accord.analyse.tables.compared import ALL, MODELS, REPLACED, SAME, VERSIONS, Compared
from accord.analyse.tables.scores import Scores
from accord.engine.parameter_types import Count, Seed
from accord.engine.table import rows
from accord.statistics.cohort import KEY, numbered_people, sharing, tests, unit_count
from accord.statistics.resampling import bootstrap
from accord.statistics.seeds import generator
from accord.statistics.testing.correction import ALPHA
from accord.statistics.testing.equivalence import paired
from accord.statistics.testing.holm import holm

NONE_SHARED = "no image and subject are in both"
UNTESTED = dict.fromkeys(("p_changed", "p_ranks", "p_same"), float("nan"))


class Case(NamedTuple):
    """Two tables of defined scores (image, subject, value) of one task and metric, and whose they are."""

    kind: str
    task: str
    metric: str
    models: tuple[str, str]
    before: pd.DataFrame
    after: pd.DataFrame


def run(
    before: DataFrame[Scores],
    after: DataFrame[Scores],
    *,
    margin: float = 0.05,
    bootstraps: Count = 1000,
    seed: Seed = 1,
) -> DataFrame[Compared]:
    """Each (task, model, metric) that both tables have, before against after; and each two models of `after`.

    margin: what counts as no change: of metrics in [0, 1] itself, of others as a share of the mean before. Models are
    compared on the same images alone, and not by cosines of their own scale. docs/statistics.md tells of the tests.
    """
    return comparisons([*versions(before, after), *models(after)], margin, bootstraps, seed)


def versions(before: pd.DataFrame, after: pd.DataFrame) -> Iterator[Case]:
    """The tests that both tables have."""
    found = dict(tests(before))
    for (task, model, metric), some in tests(after):
        if (task, model, metric) in found:
            yield Case(VERSIONS, task, metric, (model, model), found[task, model, metric], some)


def models(scores: pd.DataFrame) -> Iterator[Case]:
    """Each two models of the same task and metric, by name."""
    for (one, some), (other, more) in combinations(tests(scores), 2):
        if (one[0], one[2]) == (other[0], other[2]) and one[2] not in OWN_SCALE:
            yield Case(MODELS, one[0], one[2], (one[1], other[1]), some, more)


def comparisons(cases: list[Case], margin: float, bootstraps: int = 1000, seed: int = 1) -> DataFrame[Compared]:
    """All rows of some cases, their p-values corrected over all of them."""
    found = [row for case in cases for row in _of_case(case, margin, bootstraps, seed)]
    made = pd.DataFrame(found)
    for column in ("p_changed", "p_ranks", "p_same") if found else ():
        known = made[column].notna().to_numpy()
        made.loc[known, column] = holm(made.loc[known, column].to_numpy())
    return rows([row | _verdict(row) for row in made.to_dict("records")], Compared)


def _of_case(case: Case, margin: float, bootstraps: int, seed: int) -> list[dict]:
    scale = 1.0 if case.metric not in METRICS or METRICS[case.metric].bounded else abs(case.before["value"].mean())
    key = {"kind": case.kind, "task": case.task, "metric": case.metric, "margin": margin * scale}
    key |= dict(zip(("model_before", "model_after"), case.models, strict=True))
    both = case.before[[*KEY, "value"]].merge(case.after[[*KEY, "value"]], on=KEY, suffixes=("_before", "_after"))
    made = [_same(both, margin * scale, seed)]
    gone, come = (_without(side, both) for side in (case.before, case.after))
    doubt = mismatch(case.before, case.after) if len(gone) and len(come) else ""
    if case.kind == VERSIONS and len(gone) + len(come):
        rng = generator(seed, "compared", case.task, case.metric, *case.models)
        rows_ = [_replaced(gone, come, margin * scale, rng), _all(case, margin * scale, bootstraps, rng)]
        made += [row | UNTESTED | {"note": doubt} for row in rows_] if doubt else rows_
    elif len(gone) + len(come):
        made[0]["note"] = doubt or f"{len(gone) + len(come)} more are scored on one side only"
    return [key | row for row in made]


def _same(both: pd.DataFrame, margin: float, seed: int) -> dict:
    before, after = (both[f"value_{side}"].to_numpy(float) for side in ("before", "after"))
    found = paired(before, after, numbered_people(both)[1], margin, seed)
    told = {"change": found.mean, **{name: getattr(found, name) for name in ("low", "high", "p_changed", "p_ranks")}}
    images = both["image"].nunique()
    row = _row(SAME, (images, images), both["subject"].nunique(), before, after, told | {"p_same": found.p_same})
    return row | {"note": (row["note"] or sharing(both)) if images else NONE_SHARED}


def _replaced(gone: pd.DataFrame, come: pd.DataFrame, margin: float, rng: np.random.Generator) -> dict:
    old, new = ((some["value"].to_numpy(float), numbered_people(some)[1]) for some in (gone, come))
    found, silent = exchanged(old, new, margin, rng)
    note = _silent(silent, sum(map(unit_count, (gone, come))))
    row = _compared(REPLACED, gone, come, found._asdict())
    if not len(gone) or not len(come):
        note = f"no image was {'added' if len(gone) else 'removed'}"
    return row | {"note": note or row["note"] or sharing(pd.concat([gone, come]))}


def _silent(silent: int, subjects: int) -> str:
    """Whom the p-values leave out: before and after are only compared among subjects with equally many images."""
    if not silent:
        return ""
    if silent == subjects:
        return "not tested: no two subjects, before and after, have equally many images"
    return f"without {silent} of {subjects} subjects, who have no counterpart with equally many images"


def _all(case: Case, margin: float, bootstraps: int, rng: np.random.Generator) -> dict:
    both = pd.concat([case.before, case.after])
    codes = numbered_people(both)[1]
    of, cut = (case.before, case.after), len(case.before)
    old, new = (case.before["value"].to_numpy(float), codes[:cut]), (case.after["value"].to_numpy(float), codes[cut:])
    drawn = bootstrap.resampled(int(codes.max(initial=-1)) + 1, bootstraps, rng)
    row = _compared(ALL, *of, overall(old, new, margin, drawn)._asdict())
    return row | {"note": row["note"] or sharing(both)}


def _compared(images: str, before: pd.DataFrame, after: pd.DataFrame, told: dict) -> dict:
    counts = (before["image"].nunique(), after["image"].nunique())
    subjects = pd.concat([before["subject"], after["subject"]]).nunique()
    told["change"] = told.pop("mean")
    return _row(images, counts, subjects, before["value"].to_numpy(float), after["value"].to_numpy(float), told)


def _row(
    images: str, counts: tuple[int, int], subjects: int, before: np.ndarray, after: np.ndarray, told: dict
) -> dict:
    row = {"images": images, "subjects": subjects, "p_ranks": np.nan, "note": ""}
    row |= dict(zip(("images_before", "images_after"), counts, strict=True))
    row |= {"before": before.mean() if len(before) else np.nan, "after": after.mean() if len(after) else np.nan}
    note = "fewer than two subjects" if np.isnan(told["change"]) else ""
    return row | told | {"note": note}


def _without(some: pd.DataFrame, both: pd.DataFrame) -> pd.DataFrame:
    """The rows of `some` that only one of the two tables has."""
    return some[~pd.MultiIndex.from_frame(some[KEY]).isin(pd.MultiIndex.from_frame(both[KEY]))]


def _verdict(row: dict) -> dict:
    changed, same = row["p_changed"] < ALPHA, row["p_same"] < ALPHA
    if not changed:
        return {"verdict": "same" if same else "open", "better": ""}
    verdict = "changed by less than the margin" if same else "changed"
    if is_neutral(row["metric"]):
        return {"verdict": verdict, "better": ""}
    return {"verdict": verdict, "better": "after" if row["change"] * direction(row["metric"]) > 0 else "before"}
