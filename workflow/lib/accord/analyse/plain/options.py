"""What a call may ask for, and which columns it may name."""

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from accord.analyse.plain import kinds
from accord.analyse.plain.columns import Columns
from accord.analyse.plain.roles import NO_SCORES
from accord.errors import Collector, all_problems
from accord.grouping import BETWEEN, WHOLE
from accord.statistics.testing.correction import METHODS
from accord.text.identity import near

MOST = 4
INSTEAD = {
    "sample_params": "rows have no weights here: leave it out, and bind what is one value for all rows with "
    "functools.partial, as in metrics={'f2': partial(fbeta_score, beta=2)}",
    "control_features": "for figures in each level give the column as an attribute, with most=2; for differences "
    "within a level analyse its rows alone, as in analyse(table[table['income'] == 'low'], ...)",
}
MOST_BOOTSTRAPS = 100_000
SOME_BOOTSTRAPS = f"100 to {MOST_BOOTSTRAPS:,}"


def check_options(
    said: Columns,
    outcomes: Mapping[str, str],
    metrics: object,
    remarks: Sequence[str],
    crossed: Sequence[str],
    most: int,
    correction: str,
    least: int,
    bootstraps: int,
    seed: int,
    problems: Collector,
) -> None:
    """Add what can't be asked for to `problems`. outcomes: y_true, y_pred, y_score -> column; none with a score;
    remarks: how columns were read."""
    for name in sorted(set(crossed) - set(said.attributes)):
        problems.add(
            "crossed", f"{name!r} is not among the attributes", f"the attributes are {names_of(said.attributes)}"
        )
    if WHOLE in said.attributes:
        problems.add(f"column {WHOLE!r}", "has a reserved name: it stands for all rows together", "rename it")
    for name in (name for name in said.attributes if BETWEEN in name):
        problems.add(
            f"column {name!r}",
            f"has {BETWEEN!r} in its name, which separates the attributes of intersections",
            "rename it",
        )
    if not said.scores and not outcomes:
        why = "".join(f". {told.removesuffix('.')}" for told in remarks if NO_SCORES in told)
        problems.add("score", "no column is given", f"name a column of scores, or y_true and y_pred{why}")
    if metrics is not None and not outcomes:
        problems.add("metrics", "are of truths and predictions", "give y_true and y_pred, or name a column of scores")
    if outcomes and (said.scores or said.metric):
        problems.add("y_true", "is given with a score", "give either scores, or truths and predictions with metrics")
    if outcomes and not (outcomes["y_true"] and (outcomes["y_pred"] or outcomes["y_score"])):
        problems.add("y_true", "truths and predictions come together", "give y_true, and y_pred or y_score")
    if not said.attributes:
        problems.add("attributes", "no column is left for attributes", " ".join(remarks) or "give columns of groups")
    if said.metric and len(said.scores) != 1:
        problems.add("score", f"{len(said.scores)} columns, but a table with a column of metrics has only one")
    named = [*said.named(), *filter(None, outcomes.values())]
    for name in sorted({name for name in named if named.count(name) > 1}):
        problems.add(f"column {name!r}", "is given twice", "give each column one role")
    if not 1 <= most <= MOST:
        problems.add("most", f"{most} attributes can't be combined", f"1 (no intersections) to {MOST}")
    if correction not in METHODS:
        problems.add("correction", f"{correction!r} is not known", f"one of {names_of(METHODS)}")
    if least < 2:
        problems.add("min_subjects", f"{least} is too few", "2 or more; FHIBE takes 10")
    if not 100 <= bootstraps <= MOST_BOOTSTRAPS:
        problems.add("bootstraps", f"{bootstraps} is too {'few' if bootstraps < 100 else 'many'}", SOME_BOOTSTRAPS)
    check_seed(seed, problems)


def check_refused(given: Mapping[str, object]) -> None:
    """Raise AccordError of what MetricFrame takes and `analyse` doesn't, with what does it here."""
    with all_problems() as problems:
        for name in (name for name, value in given.items() if value is not None):
            problems.add(name, "is not taken", INSTEAD[name])


def check_seed(seed: int, problems: Collector) -> None:
    """Add what no random numbers begin with."""
    if not 0 <= seed < 1 << 64:
        problems.add("seed", f"is {seed}", "give a whole number from 0 to 18446744073709551615")


def check_present(known: pd.DataFrame, said: Columns, outcomes: Mapping[str, str], problems: Collector) -> None:
    """Add columns that the table hasn't to `problems`."""
    for name in dict.fromkeys([*said.named(), *filter(None, outcomes.values())]):
        if name not in known.columns:
            near_names = [column for column in known.columns if near(column) == near(name)]
            meant = f"did you mean {near_names[0]!r}? " if near_names else ""
            problems.add(f"column {name!r}", "is not in the table", f"{meant}it has {names_of(known.columns)}")
    if not len(known):
        problems.add("table", "has no rows")


def check_kinds(known: pd.DataFrame, said: Columns, outcomes: Mapping[str, str], problems: Collector) -> None:
    """Add columns whose cells can't be what they are named for to `problems`: an attribute may hold several values."""
    refused = dict.fromkeys(said.attributes, (kinds.BYTES,))
    refused |= dict.fromkeys((*said[1:6], *outcomes.values()), (kinds.BYTES, kinds.LISTS, kinds.RECORDS))
    refused |= {name: tuple(kinds.HINTS) for name in said.scores}
    for name in (name for name in refused if name in known.columns):
        if (found := kinds.kind(known[name])) in refused[name]:
            problems.add(f"column {name!r}", f"holds {found}", kinds.HINTS[found])


def names_of(names: Iterable[str]) -> str:
    """`a, b, c`."""
    return ", ".join(map(str, names))
