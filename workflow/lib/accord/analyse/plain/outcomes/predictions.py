"""Metrics of truths and predictions, by name or as functions: values of rows where they are means over rows."""

import inspect
from collections.abc import Mapping
from functools import partial
from importlib import import_module
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from accord import command_line
from accord.analyse.plain.outcomes import labels, row_metrics
from accord.analyse.plain.outcomes.functions import Function, of_rows, refusal, with_positive
from accord.analyse.plain.outcomes.row_metrics import METRICS, Outcomes
from accord.analyse.plain.outcomes.weighed_metrics import GroupMetric, drawn, is_constant, recognised
from accord.errors import Collector
from accord.text.nouns import counted

SCORED = ("roc_auc_score", "average_precision_score", "brier_score_loss", "log_loss")
"""Functions that take scores, not labels: given y_score, where there is one."""
LIBRARIES = ("sklearn", "fairlearn")
PARITY = "give metrics=['selection_rate']: `extremes` has the {} of each attribute{}"
ODDS = "give metrics=['true_positive_rate', 'false_positive_rate']: it is the {} of their {}s in `extremes`{}"
RECALLS = "give metrics=['true_positive_rate']: `extremes` has the {} of each attribute"
WITH_INTERVAL = ", the difference with its interval"
DERIVED = {
    "demographic_parity_difference": PARITY.format("difference", " with its interval"),
    "demographic_parity_ratio": PARITY.format("ratio", WITH_INTERVAL),
    "equalized_odds_difference": ODDS.format("larger", "difference", ", each with its interval"),
    "equalized_odds_ratio": ODDS.format("smaller", "ratio", WITH_INTERVAL),
    "equal_opportunity_difference": RECALLS.format("difference with its interval"),
    "equal_opportunity_ratio": RECALLS.format("ratio"),
}
"""Metrics of fairlearn that compare groups -> how the same is had here."""


class Scored(NamedTuple):
    """The table with a column for each metric that is a mean over rows; which these are; those of which lower is
    better; functions of whole groups, of numbers of rows; why metrics have no figure, where others have."""

    table: pd.DataFrame
    scores: tuple[str, ...]
    lower: tuple[str, ...]
    of_groups: dict[str, GroupMetric]
    remarks: tuple[str, ...] = ()


def by_name(metrics: Any) -> dict[str, Any]:
    """Name -> metric, a name or a function. metrics: one of these, several, or a map, as MetricFrame takes it."""
    if isinstance(metrics, Mapping):
        return {str(name): metric for name, metric in metrics.items()}
    several = list(metrics) if isinstance(metrics, list | tuple | set) else [metrics]
    return {_called(one): one for one in several}


def scored(table: pd.DataFrame, said: Mapping[str, str], metrics: Any, positive: Any, problems: Collector) -> Scored:
    """Each metric's values of rows, or its function of groups. said: y_true, y_pred, y_score -> column, "" for none."""
    outcomes = _outcomes(table, said, positive)
    named = by_name(metrics)
    compared = outcomes.predicted if any(map(_of_labels, named.values())) else None
    if compared is not None and (wrong := labels.strangers(outcomes.true, compared)):
        problems.add("y_pred", *wrong)
    values: dict[str, np.ndarray] = {}
    lower, of_groups, undefined = [], {}, {}
    for name, metric in named.items():
        if not (isinstance(metric, str) or callable(metric)):
            problems.add(f"metric {name!r}", "is neither a name nor a function", "as in metrics=['accuracy', f1_score]")
        elif name in table.columns:
            problems.add(f"metric {name!r}", "is also a column", "name it otherwise: metrics={'my name': ...}")
        elif derived := DERIVED.get(_called(metric)):
            problems.add(f"metric {name!r}", "compares groups, as all metrics are here", derived)
        elif usual := _usual(metric):
            values[name] = _values(usual, outcomes, undefined.setdefault(name, Collector()))
            lower += [name] if METRICS[usual].lower else []
        elif function := _function(metric, problems):
            told = undefined.setdefault(name, Collector())
            each, of_group = _tried(name, with_positive(function, outcomes.positive), outcomes, told)
            values |= {} if each is None else {name: each}
            of_groups |= {name: of_group} if of_group else {}
    if all(undefined.values()):
        problems += chain(*undefined.values())
    remarks = tuple(f"{one.where}: {one.what}. It has no figure; {one.hint}." for one in chain(*undefined.values()))
    return Scored(table.assign(**values), tuple(values), tuple(lower), of_groups, remarks)


def _outcomes(table: pd.DataFrame, said: Mapping[str, str], positive: Any) -> Outcomes:
    true, predicted, score = (
        labels.plain(table[said[name]]) if said[name] else None for name in ("y_true", "y_pred", "y_score")
    )
    assert true is not None  # the caller has seen to it
    return Outcomes(true, predicted, score, labels.plain([positive])[0])


def _called(metric: Any) -> str:
    name = metric if isinstance(metric, str) else _unwrapped(metric)
    return row_metrics.known(name) or name


def _unwrapped(metric: Any) -> str:
    return (
        _unwrapped(metric.func) if isinstance(metric, partial) else getattr(metric, "__name__", type(metric).__name__)
    )


def _usual(metric: Any) -> str:
    """The name in METRICS of a name, or of a function of LIBRARIES that is called so; "" for none."""
    if isinstance(metric, str):
        return row_metrics.known(metric)
    known = getattr(metric, "__module__", "").partition(".")[0] in LIBRARIES
    return row_metrics.known(_unwrapped(metric)) if known else ""


def _of_labels(metric: Any) -> bool:
    """Whether a metric of METRICS asks if labels are the same."""
    known = METRICS.get(_usual(metric))
    return known is not None and known.needs == "predicted" and not known.apart


def _function(metric: Any, problems: Collector) -> Function | None:
    """The function that a name means; None with a problem where there is none."""
    if not isinstance(metric, str):
        return metric
    try:
        module: Any = import_module("sklearn.metrics")
    except ImportError:
        hint = f"pip install scikit-learn, or use one of {', '.join(METRICS)}"
        problems.add("metrics", f"{metric!r} needs scikit-learn", hint)
        return None
    found = getattr(module, f"{metric}_score", None) or getattr(module, metric, None)
    if not inspect.isfunction(found):
        like = command_line.meant(metric, [*METRICS, "f1", "roc_auc", "balanced_accuracy"])
        hint = f"one of {', '.join(METRICS)}, a function of sklearn.metrics, or one of your own"
        problems.add("metrics", f"{metric!r} is not a metric{like}", hint)
        return None
    return found


def _values(usual: str, outcomes: Outcomes, problems: Collector) -> np.ndarray:
    """The values of rows, NaN where truth or prediction is unknown, or the metric leaves the row out."""
    metric, where, nothing = METRICS[usual], f"metric {usual!r}", np.full(len(outcomes.true), np.nan)
    outcomes = _as_given_to_sklearn(outcomes) if metric.needs == "score" else outcomes
    if getattr(outcomes, metric.needs) is None:
        problems.add(where, f"needs {metric.of}", f"give {metric.of}")
        return nothing
    known = _known(outcomes, metric.needs)
    some = _only(outcomes, known)
    found = list(dict.fromkeys(some.true.tolist()))
    if metric.binary and (len(found) > 2 or (found and not _has_positive(found, some))):
        told = f"{len(found):,}, that among them" if outcomes.positive in found else counted(len(found), "other")
        what = f"needs two labels in y_true, one of them {outcomes.positive!r}, but it has {told}"
        problems.add(where, what, "say which is the positive one with pos_label, or use accuracy")
        return nothing
    given = some.score if metric.needs == "score" else None
    if given is not None and (strange := labels.no_probabilities(given)):
        what = f"needs probabilities from 0 to 1, but {strange:,} of {len(some.true):,} values are none"
        problems.add(where, what, "give the probability of the positive label, not a logit or a percentage")
        return nothing
    try:
        nothing[known] = metric.values(some)
    except (TypeError, ValueError):
        problems.add(where, f"needs numbers in y_true and {metric.of}", "use accuracy for labels")
    return nothing


def _has_positive(found: list, some: Outcomes) -> bool:
    """Whether the positive label is a label of the truth: or would be, since there is no other than its opposite."""
    said = [] if some.predicted is None else some.predicted.tolist()
    return some.positive in {*found, *(said if len(found) == 1 else ())} or {*found, some.positive} <= {0, 1}


def _as_given_to_sklearn(outcomes: Outcomes) -> Outcomes:
    """With y_pred as scores where there are none and it has decimals: so scikit-learn's log_loss gets probabilities."""
    said = outcomes.predicted
    if outcomes.score is not None or said is None or not any(isinstance(one, float) for one in said):
        return outcomes
    return outcomes._replace(score=said)


def _tried(
    name: str, function: Function, outcomes: Outcomes, problems: Collector
) -> tuple[np.ndarray | None, GroupMetric | None]:
    """The values of rows, if the function is a mean over them; else the function of groups."""
    by_score = outcomes.score is not None and (outcomes.predicted is None or _unwrapped(function) in SCORED)
    needs = "score" if by_score else "predicted"
    known = _known(outcomes, needs)
    some = _only(outcomes, known)
    true, other = (np.array(getattr(some, name).tolist()) for name in ("true", needs))
    if by_score and "pos_label" not in getattr(function, "keywords", {}):
        true = _of_two(true, outcomes.positive)
    each, values = of_rows(function, true, other), np.full(len(known), np.nan)
    if each is not None and is_constant(true, other):  # then F1 is a mean over rows, too
        sample = drawn(true, other, outcomes.positive)
        each = None if of_rows(function, *sample) is None else each
    if each is not None:
        values[known] = each
    elif why := refusal(function, true, other):
        problems.add(
            f"metric {name!r}", f"can't be computed of all rows ({why})", "try the function on y_true and y_pred alone"
        )
    if each is not None:
        return values, None
    form = recognised(function, true, other, outcomes.positive)
    return None, GroupMetric(function, true, other, np.where(known, np.cumsum(known) - 1, -1), form)


def _of_two(true: np.ndarray, positive: Any) -> np.ndarray:
    """1 for the positive one of two labels and 0 for the other: scikit-learn's roc_auc_score, which is told no positive
    label, takes the one that is sorted last."""
    seen = set(true.tolist())
    return (true == positive).astype(int) if len(seen) == 2 and positive in seen else true


def _known(outcomes: Outcomes, needs: str) -> np.ndarray:
    return ~(labels.missing(outcomes.true) | labels.missing(getattr(outcomes, needs)))


def _only(outcomes: Outcomes, rows: np.ndarray) -> Outcomes:
    true, predicted, score = (None if one is None else one[rows] for one in outcomes[:3])
    return Outcomes(np.empty(0) if true is None else true, predicted, score, outcomes.positive)
