"""Recalls of classes under the names that published ones have in config/references, and both beside each other."""

from collections.abc import Iterator
from typing import Any

import pandas as pd

from accord.analyse.layout import OURS
from accord.evaluate.asking.class_questions import DIRECT
from accord.grouping import WHOLE

ATTRIBUTES = {"gender": "gender", "skin": "skin", "age_presentation": "age"}
"""Attribute -> what the LVLM fairness paper calls it; the order of its tables."""
GROUPS = {"older": "old"}
"""Group -> what the paper calls it, where it is called otherwise."""
MODELS = {"llava_7b": "llava_1_5_7b", "llava_13b": "llava_1_5_13b", "llava_34b": "llava_1_6_34b"}
"""Model of config/models.yaml -> its name among the published figures, where it has another."""
ORDER = ("male", "female", "light", "medium", "dark", "young", "middle", "old")
PAIRS = {"gender": "male - female", "skin": "light - dark", "age": "young - old"}
PROMPTS = {"direct": "one of a list", "choice": "yes, no or unknown"}
RECALL, DISPARITY = "recall", "disparity"


def own(recalls: pd.DataFrame, disparities: pd.DataFrame) -> list[tuple[str, float, str]]:
    """(figure, value, how) of our own recalls and disparities over all reported classes, and of the images asked about.

    The paper doesn't say which of p2 and p3 its second column is: both of ours bear its name, and say which they are.
    """
    pooled = recalls[(recalls["class"] == WHOLE) & recalls["attribute"].isin(ATTRIBUTES)]
    told = [
        (f"{RECALL}.{_run(row)}.{GROUPS.get(row.group, row.group)}", row.recall, how(row))
        for row in pooled.itertuples()
    ]
    gaps = disparities[disparities["class"] == WHOLE]
    told += [
        (f"{DISPARITY}.{_run(row)}.{ATTRIBUTES[row.attribute]}", row.difference, how(row))
        for row in gaps.itertuples()
        if row.attribute in ATTRIBUTES and not row.pair.startswith("max")
    ]
    return [*told, *_images(recalls)]


def side_by_side(recalls: pd.DataFrame, disparities: pd.DataFrame, references: pd.DataFrame) -> list[pd.DataFrame]:
    """Two tables, of differences and of recalls: a row per model and prompt, ours first, then the published ones.

    Empty without published figures. references: References.
    """
    names = ["figure", "value", "how"]
    ours = pd.DataFrame(own(recalls, disparities), columns=names)
    theirs = references[references["dataset"] != OURS].assign(how=references["source"])[names]
    both = pd.concat([ours.assign(whose=OURS), theirs.assign(whose="published")], ignore_index=True)
    told = both["figure"].str.split(".", expand=True).reindex(columns=range(4))
    both = both.assign(what=told[0], prompt=told[1], model=told[2], of=told[3])
    both = both[both["prompt"].isin(PROMPTS)]
    if not (both["whose"] == "published").any():
        return [pd.DataFrame(), pd.DataFrame()]
    return [_wide(both, DISPARITY, PAIRS), _wide(both, RECALL, {name: name for name in ORDER})]


def called(figure: str) -> str:
    """A figure of these in words; "" for any other."""
    what, *of = figure.split(".")
    if what == "images" and len(of) == 2:
        return f"images of one person, {of[0]}: {of[1]}"
    if what in (RECALL, DISPARITY) and len(of) == 3 and of[0] in PROMPTS:
        said = f"{of[1]}, asked for {PROMPTS[of[0]]}"
        return f"recall of {said}: {of[2]}" if what == RECALL else f"difference of recall of {said}: {PAIRS[of[2]]}"
    return ""


def prompt(question: str) -> str:
    """The paper's name of a prompt: direct, or (single) choice."""
    return "direct" if question == DIRECT else "choice"


def how(row: Any) -> str:
    """What a figure of ours is of: the prompt, and what matched answers that aren't a label."""
    return f"{row.question}, {matched(row.encoder)}"


def matched(encoder: str) -> str:
    """How answers became labels."""
    return f"matched by {encoder}" if encoder else "exact answers only"


def _run(row: Any) -> str:
    """Prompt and model, as published figures call them."""
    return f"{prompt(row.question)}.{MODELS.get(row.model, row.model)}"


def _wide(both: pd.DataFrame, what: str, columns: dict[str, str]) -> pd.DataFrame:
    some = both[both["what"] == what]
    whose = pd.Categorical(some["whose"], [OURS, "published"], ordered=True)
    keys = ["whose", "prompt", "model", "how"]
    order = pd.Categorical(some["prompt"], list(PROMPTS), ordered=True)
    table = some.assign(whose=whose, prompt=order, how=some["how"].where(some["whose"] == OURS, ""))
    wide = table.pivot_table("value", keys, "of", aggfunc="first", observed=True, sort=True)
    shown = wide.reindex(columns=list(columns)).rename(columns=columns).reset_index()
    return shown.assign(whose=shown["whose"].astype(str), prompt=shown["prompt"].astype(str).map(PROMPTS))


def _images(recalls: pd.DataFrame) -> Iterator[tuple[str, float, str]]:
    """Images of one person that a model was asked about, by group: of all classes, of the first run."""
    single = recalls[(recalls["class"] != WHOLE) & recalls["attribute"].isin(ATTRIBUTES)]
    if single.empty:
        return
    run = ["model", "question", "encoder"]
    first = single[(single[run] == single[run].iloc[0]).all(axis=1)]
    for (attribute, group), images in first.groupby(["attribute", "group"], sort=True)["images"].sum().items():
        yield f"images.{ATTRIBUTES[attribute]}.{GROUPS.get(group, group)}", float(images), "counted by most votes"
