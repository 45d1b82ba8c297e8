"""What models of pictures and texts call people and scenes: labels, whether they are right, of whom they are wrong."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.comparing import probe_effects, probe_rates
from accord.analyse.describing import references as others
from accord.analyse.scoring import probe_labels, probe_outcomes
from accord.analyse.scoring.instances import of_images, passing, released
from accord.analyse.tables.probes import Probed, ProbeEffects, ProbeRates
from accord.analyse.tables.scores import Scores
from accord.checks.tables.findings import Verdicts
from accord.engine import table
from accord.engine.parameter_types import Count
from accord.evaluate.asking import probes
from accord.evaluate.asking.probes import Probe
from accord.evaluate.tables.parts import VARIANTS, VariantEmbeddings
from accord.evaluate.tables.predictions import Evaluated, Texts
from accord.grouping import KEY, groups_of
from accord.models.tasks import WITH_TEXTS
from accord.release.tables import Attributes, People

SEEN, UNPLACED = "people_seen", "where the people are isn't known"
LONG = ["model", "part", "probe", "outcome", *KEY, "value", "note"]

NOTHING = pd.DataFrame({name: pd.Series(dtype=float if name == "value" else str) for name in LONG})


class Probing(NamedTuple):
    """The label of each picture; scores of people; rates of groups; what each variant changes."""

    probed: DataFrame[Probed]
    scores: DataFrame[Scores]
    rates: DataFrame[ProbeRates]
    effects: DataFrame[ProbeEffects]


def run(
    predictions: list[Path],
    texts: DataFrame[Texts],
    asked: DataFrame[Evaluated],
    people: DataFrame[People],
    attributes: DataFrame[Attributes],
    verdicts: DataFrame[Verdicts],
    file: Path,
    references: list[Path],
    *,
    pool: str = "max",
    min_subjects: Count = 10,
) -> Probing:
    """Labels of the released pictures by the probes of a file, as FHIBE's probes of CLIP; docs/foundation.md says how.

    predictions: VariantEmbeddings, read file by file; references: files of published figures; pool: the cosine of a
    label is the `max` or the `mean` of its prompts'. Scores are of pictures as they are; rates and effects also of
    their variants. Raises AccordError where the file, or a published figure, is wrong, or vectors are of other probes.
    """
    wanted, everyone = probes.read(file), released(people, verdicts)
    everyone = everyone.assign(others=everyone.groupby("image")["subject"].transform("size") - 1)
    probed, seen = _probed(predictions, texts, everyone, verdicts, wanted, pool)
    asked = released(asked[asked["task"] == WITH_TEXTS], verdicts)[["model", "image"]].merge(everyone, on="image")
    settings = {"min_subjects": min_subjects}
    published = {row["figure"]: row["value"] for row in others.read(references)}
    said = {name: groups_of(everyone, attributes, name) for name in probe_rates.ATTRIBUTES}
    scores, rates, effects = [], [probe_rates.rates(_seen(asked, seen), said, published, None, **settings)], []
    for probe in wanted:
        truth = _truth(probe, everyone, attributes)
        sides = probe_rates.sides(probe, truth)
        found = pd.concat([NOTHING, *_outcomes(probe, probed, asked, truth)], ignore_index=True)
        rates.append(probe_rates.rates(found, {**said, probe_rates.TRUTH: sides}, published, probe, **settings))
        effects.append(probe_effects.effects(found, sides, said["ancestry"], **settings))
        scores.append(_scores(probe, found))
    return Probing(probed, *(pd.concat(some, ignore_index=True) for some in (scores, rates, effects)))


def _probed(
    predictions: Sequence[Path], texts: pd.DataFrame, everyone: pd.DataFrame, verdicts: pd.DataFrame,
    wanted: Sequence[Probe], pool: str,
) -> tuple[pd.DataFrame, pd.DataFrame]:  # fmt: skip
    """Probed of the released pictures; and model, image, seen of those as they are."""
    counts, alone = everyone["image"].value_counts(), everyone[everyone["others"] == 0].set_index("image")["subject"]
    found, seen, passed = [table.empty(Probed)], [], passing(verdicts)
    for path in sorted(predictions):
        vectors = of_images(table.read(path, VariantEmbeddings), passed)
        seen.append(vectors.loc[vectors["part"] == VARIANTS[0], ["model", "image", "seen"]])
        for model, some in vectors.groupby("model", sort=True):
            for probe in wanted:
                of = texts[texts["model"] == model]
                found.append(_labelled(some, probe_labels.prompt_vectors(of, probe), probe, counts, alone, pool))
    whole = pd.concat([part for part in found if len(part)] or found[:1]).sort_values(
        ["model", "part", "probe", "image"]
    )
    empty = pd.DataFrame({"model": [], "image": [], "seen": []}).astype({"model": str, "image": str})
    return table.check(whole, Probed, "probed"), pd.concat([some for some in seen if len(some)] or [empty])


def _labelled(
    vectors: pd.DataFrame, prompts: np.ndarray, probe: Probe, counts: pd.Series, alone: pd.Series, pool: str
) -> pd.DataFrame:
    """Probed of some pictures and one probe; counts: image -> people in it; alone: image -> the only one."""
    names = [label.name for label in probe.labels]
    told = probe_labels.labels(np.stack(vectors["vector"].to_list()), prompts, names, pool).set_index(vectors.index)
    made = vectors[["model", "part", "image"]].assign(probe=probe.name, **{name: told[name] for name in told})
    if not probe.is_of_person:
        return made.assign(subject="")
    crowd = made["image"].map(lambda image: int(counts.get(image, 0)))
    notes = np.where(crowd == 1, made["note"], crowd.map(probe_outcomes.crowd))
    return made.assign(subject=[alone.get(image, "") for image in made["image"]], note=notes)


def _truth(probe: Probe, everyone: pd.DataFrame, attributes: pd.DataFrame) -> dict[tuple[str, str], frozenset[str]]:
    """(image, subject) -> values of the probe's truth."""
    if probe.truth is None:
        return {}
    told = groups_of(everyone, attributes, probe.truth)
    return {(str(image), str(who)): frozenset(some) for (image, who), some in told.groupby(KEY)["group"]}


def _outcomes(
    probe: Probe, probed: pd.DataFrame, asked: pd.DataFrame, truth: Mapping[tuple[str, str], frozenset[str]]
) -> Iterator[pd.DataFrame]:
    """The outcomes of a probe, of everyone in a picture that a model was asked about: LONG."""
    here = probed[probed["probe"] == probe.name]
    for model, who in asked.groupby("model", sort=True):
        for part in VARIANTS:
            labels = here[(here["model"] == model) & (here["part"] == part)][["image", "label"]]
            labelled = who[[*KEY, "others"]].merge(labels, on="image", how="left").fillna({"label": ""})
            named = labelled[KEY].assign(model=model, part=part, probe=probe.name)
            for name, values, notes in probe_outcomes.outcomes(probe, labelled, truth):
                yield named.assign(outcome=name, value=values, note=notes)[LONG]


def _seen(asked: pd.DataFrame, seen: pd.DataFrame) -> pd.DataFrame:
    """The share of people's regions that models were shown, as an outcome of no probe: LONG."""
    told = asked[["model", *KEY]].merge(seen, on=["model", "image"], how="left").rename(columns={"seen": "value"})
    notes = np.where(told["value"].isna(), UNPLACED, "")
    return told.assign(part=VARIANTS[0], probe="", outcome=SEEN, note=notes)[LONG]


def _scores(probe: Probe, outcomes: pd.DataFrame) -> pd.DataFrame:
    """The Scores of a probe: outcomes that tell something, of pictures as they are."""
    wanted = outcomes["outcome"].isin(probe_outcomes.telling(probe)) & (outcomes["part"] == VARIANTS[0])
    made = outcomes[wanted].rename(columns={"outcome": "metric"}).assign(task=WITH_TEXTS)
    columns = list(Scores.to_schema().columns)
    return table.rows(made[columns].sort_values(["model", "metric", *KEY]).to_dict("records"), Scores)
