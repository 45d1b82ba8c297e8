"""The sections of the page: how well, how alike groups are served, for whom worse, on which subsets, when degraded."""

import pandas as pd

from accord.evaluate.tables.predictions import PLAIN
from accord.grouping import WHOLE
from accord.report.drawing.blocks import Section, Words, grid
from accord.report.generated import claims
from accord.report.generated.published import UTILITY, Published
from accord.report.generated.summary import short, whole_test, words
from accord.text.nouns import listed
from accord.train.planning.pretrained import FIRST, RANDOM

NAMES = {"f_meo": "F_MEO", "f_dp": "F_DP", "f_oae": "F_OAE", "f_eo": "F_EO", "f_ind": "F_IND"}
SHARES = {"auc": "AUC", "accuracy": "accuracy", "ap": "AP", "eer": "EER", "fpr": "FPR", "tpr": "TPR"}
ENDS = {"value": "value", "low": "from", "high": "to", "floor": "floor"}


def sections(
    fairness: pd.DataFrame,
    utility: pd.DataFrame,
    disparities: pd.DataFrame,
    published: Published,
    fewest: int,
    otherwise: dict[str, dict],
) -> list[Section]:
    """All sections, in percent. fewest: faces of a group that is told; otherwise: model -> setting -> its value and the
    published one, where these differ."""
    plain = utility[utility["degradation"] == PLAIN]
    unlike = fairness[fairness["degradation"] == PLAIN]
    best, *others = short(plain, unlike)
    return [
        Section("short", "In short", "", [Words([best, *claims.first(disparities), *others])]),
        _quality(plain, published, otherwise),
        _fairness(unlike, published),
        _groups(plain, disparities, fewest),
        _subsets(plain, unlike),
        _degraded(utility, fairness),
    ]


def _quality(plain: pd.DataFrame, published: Published, otherwise: dict[str, dict]) -> Section:
    whole = whole_test(plain)
    shown = _percent(whole, SHARES)[["model", "faces", "fakes", "unscored", *SHARES]]
    for name in UTILITY:
        printed = [100 * published.utility(model, name) for model in whole["model"]]
        shown.insert(shown.columns.get_loc(name) + 1, f"{SHARES[name]}, published", printed)
    named = _without_gaps(shown.rename(columns=SHARES))
    intro = "In percent; a face is called fake at the threshold. Published figures are of AI-Face's own test set."
    if whole["unscored"].any():
        intro += " Detectors that gave some faces no score (`unscored`) were judged on others: don't rank them."
    blocks = [grid("table-fakes-quality", "Each detector on all faces of the test", named)] if len(named) else []
    told = [*blocks, *_trained(otherwise)]
    return Section("quality", "How well fakes are told", intro, told, "No detector was evaluated.")


def _trained(otherwise: dict[str, dict]) -> list[Words]:
    """What is otherwise in the training of detectors than AI-Face has it under these names, and the weights that they
    began with, if not random ones."""
    begun = {name: found[FIRST][0] for name, found in otherwise.items() if found.get(FIRST, [RANDOM])[0] != RANDOM}
    unlike = {
        name: {key: pair for key, pair in found.items() if key != FIRST or name not in begun}
        for name, found in otherwise.items()
    }
    said = [
        f"{name}: {', '.join(_setting(*one) for one in sorted(found.items()))}."
        for name, found in sorted(unlike.items())
        if found
    ]
    head = "Trained otherwise than the detectors of these names, so figures can't be compared (published in brackets):"
    first = [f"{name}: {text}." for name, text in sorted(begun.items())]
    blocks = [Words([head, *said])] if said else []
    headed = "Weights that detectors began with (AI-Face's: those of ImageNet or CLIP):"
    return [*blocks, *([Words([headed, *first])] if first else [])]


def _setting(name: str, values: list) -> str:
    here, there = (f"{value:g}" if isinstance(value, float) else str(value) for value in values)
    return f"{name} {here}" + ("" if values[1] is None else f" ({there})")


def _fairness(unlike: pd.DataFrame, published: Published) -> Section:
    some = unlike[unlike["subset"] == WHOLE]
    intro = (
        "Each 0 where groups are served alike, in percent. F_DP is not 0 for a perfect detector where groups have "
        "different shares of fakes: hold it against its floor. F_EO grows with the number of groups. Figures published "
        "of a detector of the same name stand beside ours; they are of other pictures."
    )
    blocks: list = []
    for attribute, rows in some.groupby("attribute", sort=True):
        blocks += _of_attribute(str(attribute), rows, published)
    return Section("fairness", "How alike groups are served", intro, blocks, "No group could be compared.")


def _of_attribute(attribute: str, rows: pd.DataFrame, published: Published) -> list:
    """A table of the metrics of all models. What is said of each of them alike is said once, so that rows are low."""
    alike = rows.groupby("metric", sort=False)[["covered", "left_out", "note"]].nunique().le(1).all()
    once = [name for name, same in alike.items() if same]
    shown = _percent(rows, ENDS)[["model", "metric", *ENDS, *(name for name in alike.index if name not in once)]]
    printed = [
        100 * published.fairness(model, attribute, metric)
        for model, metric in zip(rows["model"], rows["metric"], strict=True)
    ]
    shown.insert(6, "published", printed)
    shown["metric"] = shown["metric"].map(NAMES)
    told = _without_gaps(shown.rename(columns=ENDS | {"left_out": "left out"}))
    caption = "Of pairs of faces" if attribute == WHOLE else f"By {words(attribute)}"
    said = _said_once(rows, once) if attribute != WHOLE else _notes(rows, once)
    return [grid(f"table-fakes-{attribute.replace(' ', '-')}", caption, told), *([Words(said)] if said else [])]


def _said_once(rows: pd.DataFrame, once: list[str]) -> list[str]:
    """The groups, those that some metrics leave out, and notes."""
    said = []
    if "covered" in once:
        groups = sorted({group for text in rows["covered"] for group in text.split("; ") if group})
        said.append(f"Groups: {', '.join(groups) or 'none that can be compared'}.")
    if "left_out" in once and (gone := sorted({text for text in rows["left_out"] if text})):
        said.append(f"Not in F_MEO and F_EO, since all their faces are real, or fake: {', '.join(gone)}.")
    return [" ".join(said), *_notes(rows, once)] if said else _notes(rows, once)


def _notes(rows: pd.DataFrame, once: list[str]) -> list[str]:
    """Notes of all metrics alike, or each with its metrics."""
    if "note" not in once:
        return []
    of = rows[rows["note"] != ""].drop_duplicates(["metric", "note"]).groupby("note", sort=True)["metric"].agg(list)
    every = rows["metric"].nunique()
    return [
        f"{note[0].upper()}{note[1:]}." if len(some) == every else f"{listed([NAMES[one] for one in some])}: {note}."
        for note, some in of.items()
    ]


def _groups(plain: pd.DataFrame, disparities: pd.DataFrame, fewest: int) -> Section:
    some = plain[(plain["subset"] == WHOLE) & (plain["attribute"] != WHOLE) & (plain["faces"] >= fewest)]
    shown = _percent(some, SHARES)[["model", "attribute", "group", "faces", "fakes", *SHARES, "note"]]
    intro = (
        f"In percent. Groups of fewer than {fewest} faces are in no table, and those of fewer people aren't compared."
    )
    blocks: list = [compared] if (compared := claims.table(disparities)) else []
    if len(shown):
        blocks.append(grid("table-fakes-groups", "Each group", _without_gaps(shown.rename(columns=SHARES))))
    return Section("groups", "For whom worse", intro, blocks, "No group is large enough.")


def _subsets(plain: pd.DataFrame, unlike: pd.DataFrame) -> Section:
    some = plain[(plain["subset"] != WHOLE) & (plain["attribute"] == WHOLE)]
    shown = _percent(some, SHARES)[["model", "subset", "faces", "fakes", *SHARES]]
    apart = _percent(unlike[unlike["subset"] != WHOLE], {"value": "value"})
    wide = apart.pivot_table(index=["model", "subset", "attribute"], columns="metric", values="value", sort=True)
    blocks = (
        [grid("table-fakes-subsets", "How well", _without_gaps(shown.rename(columns=SHARES)))] if len(shown) else []
    )
    if len(wide):
        blocks.append(
            grid("table-fakes-subsets-groups", "How alike", wide.reset_index().rename(columns=NAMES), folded=True)
        )
    return Section("subsets", "Which fakes", "The fakes of each subset with the real faces of all, in percent.", blocks,
                   "There is one subset.")  # fmt: skip


def _degraded(utility: pd.DataFrame, fairness: pd.DataFrame) -> Section:
    some = whole_test(utility)
    kinds = sorted(set(some["degradation"]) - {PLAIN})
    intro = "AUC, and F_MEO of each attribute, of pictures that were made worse, in percent."
    if not kinds:
        return Section("degraded", "Worse pictures", intro, [], "No picture was degraded.")
    auc = some.pivot_table(index="model", columns="degradation", values="auc")[[PLAIN, *kinds]].mul(100).reset_index()
    unlike = fairness[(fairness["subset"] == WHOLE) & (fairness["metric"] == "f_meo")].dropna(subset="value")
    apart = unlike.pivot_table(index=["model", "attribute"], columns="degradation", values="value").mul(100)
    blocks = [grid("table-fakes-degraded", "AUC", auc)]
    if len(apart):
        blocks.append(grid("table-fakes-degraded-groups", "F_MEO", apart.reset_index(), folded=True))
    return Section("degraded", "Worse pictures", intro, blocks)


def _percent(rows: pd.DataFrame, columns: dict[str, str]) -> pd.DataFrame:
    """Some columns in percent. What sums of floating-point numbers leave of 0 is 0."""
    return rows.assign(**{name: (rows[name] * 100).round(9) for name in columns})


def _without_gaps(shown: pd.DataFrame) -> pd.DataFrame:
    return shown.dropna(axis="columns", how="all")
