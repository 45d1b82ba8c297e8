"""Calibration: are intervals as wide, claims as rare and biases as visible as they are said to be? Prints a table.

Made people, with several images each, so that scores come in clusters: 120 subjects, 1 to 6 images, 10 models, 10
attributes and intersections, as in the demo. Run: python benchmarks/calibration.py (about six minutes of one core).
"""

from collections.abc import Iterator
from time import process_time
from typing import NamedTuple

import numpy as np
import pandas as pd

from accord.analyse import causes, disparities, patterns, robustness
from accord.analyse.comparing.family import disparity
from accord.analyse.comparing.intersections import intersections
from accord.analyse.faces.rates import wilson
from accord.analyse.tables.scores import Members, Scores
from accord.analyse.verification import run as verification
from accord.checks.tables.findings import Verdicts
from accord.engine.table import check, empty
from accord.evaluate.tables.predictions import Embeddings, Evaluated
from accord.grouping import BETWEEN
from accord.release.tables import Attributes
from accord.statistics.cohort import cohort
from accord.statistics.describing.mean_intervals import mean_intervals
from accord.statistics.resampling import bootstrap
from accord.vocabularies import AGE_GROUPS, PRONOUNS, SKIN_COLORS

REGIONS = ("Africa", "Americas", "Asia", "Europe", "Oceania")
PLANTED = REGIONS[4]
MOST_IMAGES = 6
DRAWS = 500
KEY = ["image", "subject"]


class Counted(NamedTuple):
    """So many of so many, and the share that was promised: `at least`, `at most` or nothing."""

    what: str
    hits: int
    trials: int
    promised: str

    def __str__(self) -> str:
        low, high = wilson(self.hits, self.trials)
        share = f"{self.hits / self.trials:.1%} [{low:.1%}, {high:.1%}]"
        return f"| {self.what} | {self.hits:,} of {self.trials:,} | {share} | {self.promised} |"


class World(NamedTuple):
    """The tables of one made release."""

    scores: pd.DataFrame
    members: pd.DataFrame
    features: pd.DataFrame


def latent(rng: np.random.Generator, owner: np.ndarray) -> np.ndarray:
    """Scores of images before they are rounded: subjects differ (sd 0.12), and their images (0.1)."""
    return 0.8 + rng.normal(0, 0.12, owner.max() + 1)[owner] + rng.normal(0, 0.1, len(owner))


def recall(values: np.ndarray) -> np.ndarray:
    """As average recalls are: tenths, many at the top."""
    return np.clip(np.round(values, 1), 0, 1)


def owners(rng: np.random.Generator, subjects: int) -> np.ndarray:
    """Whose each image is: 1 to 6 of each subject."""
    return np.repeat(np.arange(subjects), rng.integers(1, MOST_IMAGES + 1, subjects))


def world(rng: np.random.Generator, effect: float = 0.0, models: int = 10, subjects: int = 120) -> World:
    """A release without bias, but for `effect`, which the planted region's scores are lower by."""
    owner = owners(rng, subjects)
    region = rng.integers(0, len(REGIONS), subjects)
    skin = (region + (rng.random(subjects) < 0.4) * rng.integers(1, 4, subjects)) % len(SKIN_COLORS)
    pronoun, age = rng.integers(0, 2, subjects), rng.integers(0, len(AGE_GROUPS), subjects)
    keys = pd.DataFrame({"image": [f"i{n:04d}" for n in range(len(owner))], "subject": [f"s{s:03d}" for s in owner]})
    said = {
        "pronoun": np.array(PRONOUNS)[pronoun], "age_group": np.array(AGE_GROUPS)[age],
        "ancestry": np.array(REGIONS)[region], "natural_skin_color": np.array(SKIN_COLORS)[skin],
    }  # fmt: skip
    single = [keys.assign(attribute=name, group=labels[owner]) for name, labels in said.items()]
    members = pd.concat([*single, *intersections(single, 2)], ignore_index=True)
    drop = effect * (region == REGIONS.index(PLANTED))[owner]
    common, made = latent(rng, owner), []
    for number in range(models):
        values = recall((common + latent(rng, owner)) / 2 - drop)
        made.append(keys.assign(task="people", model=f"m{number}", metric="ar_iou", value=values, note=""))
    return World(check(pd.concat(made), Scores, "scores"), check(members, Members, "members"),
                 features(rng, keys, owner, said))  # fmt: skip


def features(rng: np.random.Generator, keys: pd.DataFrame, owner: np.ndarray, said: dict) -> pd.DataFrame:
    """The groups, and six measures of images or subjects that nothing depends on."""
    parts = [keys.assign(feature=name, kind="category", label=v[owner], number=np.nan) for name, v in said.items()]
    for index in range(6):
        number = rng.normal(size=len(owner)) + rng.normal(size=owner.max() + 1)[owner] * (index % 2)
        parts.append(keys.assign(feature=f"measure{index}", kind="number", label="", number=number))
    return pd.concat(parts, ignore_index=True)


def means_covered(rng: np.random.Generator, trials: int, subjects: int) -> Counted:
    """How often the 95% interval of a group's mean holds the true mean."""
    truth = recall(latent(rng, owners(rng, 200_000))).mean()
    hits = 0
    for _ in range(trials):
        owner = owners(rng, subjects)
        some = _cohort(recall(latent(rng, owner)), owner, np.zeros(len(owner), int))
        low, high = mean_intervals(some, bounded=True)[0]
        hits += bool(low <= truth <= high)
    return Counted(f"mean of a group of {subjects} subjects in its interval", hits, trials, "95%")


def disparities_covered(rng: np.random.Generator, trials: int, *, tenths: bool, gap: float = 0.15) -> Counted:
    """How often the 95% interval of D holds the true D of two groups of 25 and 40 subjects."""
    of = recall if tenths else lambda values: np.clip(values, 0, None)
    large = owners(rng, 200_000)
    truth = disparity(*(float(np.median(of(latent(rng, large) - apart))) for apart in (gap, 0.0)))
    hits = 0
    for _ in range(trials):
        owner = owners(rng, 65)
        worse = owner < 25
        some = _cohort(of(latent(rng, owner) - gap * worse), owner, ~worse)
        low, high = bootstrap.disparity_interval(some, 0, 1, bootstrap.weights(65, DRAWS, rng))
        hits += bool(low - 1e-9 <= truth <= high + 1e-9)
    return Counted(f"D in its interval, scores {'in tenths' if tenths else 'without ties'}", hits, trials, "95%")


def rates_covered(rng: np.random.Generator, trials: int, images: int, subjects: int = 60, far: float = 0.01) -> Counted:
    """How often the interval of TAR holds the rate of all people; subjects' pictures vary more or less."""
    (truth, _, _), hits = _verified(rng, 1500, images, far), 0
    for _ in range(trials):
        _, low, high = _verified(rng, subjects, images, far)
        hits += bool(low <= truth <= high)
    return Counted(f"TAR of {subjects} subjects with {images} images in its interval", hits, trials, "95%")


def _verified(rng: np.random.Generator, subjects: int, images: int, far: float) -> tuple[float, float, float]:
    owner = np.repeat(np.arange(subjects), images)
    spread = rng.uniform(0.5, 1.3, subjects)[owner, np.newaxis]
    vectors = rng.normal(size=(subjects, 16))[owner] + spread * rng.normal(size=(len(owner), 16))
    vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    keys = pd.DataFrame({"image": [f"i{n:05d}" for n in range(len(owner))], "subject": [f"s{s:04d}" for s in owner]})
    asked = check(keys.assign(model="m", task="face_verification"), Evaluated, "asked")
    found = check(keys.assign(model="m", vector=list(vectors)), Embeddings, "predictions")
    groups = check(keys.assign(attribute="a", group="a"), Members, "members")
    passed = keys.assign(verdict="pass", room="", check="", reason="")
    rates = verification(found, asked, groups, empty(Attributes), check(passed, Verdicts, "verdicts"), far=far).rates
    row = rates[rates["attribute"] == "a"].iloc[0]
    return row["tar"], row["low"], row["high"]


def _cohort(values: np.ndarray, owner: np.ndarray, labels: np.ndarray):
    keys = pd.DataFrame({"image": [f"i{n:06d}" for n in range(len(owner))], "subject": [f"s{s:05d}" for s in owner]})
    return cohort(keys.assign(value=values), keys.assign(group=labels.astype(int).astype(str)))


def claims(made: World, seed: int) -> pd.DataFrame:
    """The claimed rows of the disparities of one release."""
    told = disparities.run(made.scores, made.members, bootstraps=100, seed=seed)
    return told[told["claimed"]]


def false_claims(seeds: int) -> Iterator[Counted]:
    """How many releases without any bias claim anything, of each kind."""
    reports = dict.fromkeys(("disparity", "error pattern", "cause", "reversal"), 0)
    for seed in range(seeds):
        made = world(np.random.default_rng(seed))
        found = disparities.run(made.scores, made.members, bootstraps=100, seed=seed)
        how = {"trees": 20, "resamples": 100, "seed": seed}
        reports["disparity"] += bool(found["claimed"].any())
        named = patterns.run(made.scores, made.features, made.members, most=2, bootstraps=100, seed=seed).patterns
        reports["error pattern"] += bool((named["pattern"] != "").any())
        reports["cause"] += bool(causes.run(made.scores, made.features, **how).causes["claimed"].any())
        real = robustness.run(made.scores, made.members, made.features, found, resamples=300, seed=seed)
        reports["reversal"] += bool(real.reversals["claimed"].any())
    for kind, hits in reports.items():
        yield Counted(f"releases without bias that claim any {kind}", hits, seeds, "at most 5%")


def false_disparities(seeds: int, models: int = 10) -> Counted:
    """The same for disparities alone, over more releases."""
    hits = sum(bool(len(claims(world(np.random.default_rng([7, s]), models=models), s))) for s in range(seeds))
    return Counted("more releases without bias that claim any disparity", hits, seeds, "at most 5%")


def planted_found(effect: float, seeds: int, models: int = 10) -> tuple[Counted, Counted]:
    """How often a model's planted bias is claimed of its cause, and how often anything is claimed of others."""
    right = wrong = 0
    for seed in range(seeds):
        found = claims(world(np.random.default_rng([3, seed]), effect, models), seed)
        named = found["attribute"] == "ancestry"
        right += int((named & (found["worst"] == PLANTED)).sum())
        wrong += bool((~found["attribute"].str.split(BETWEEN).map(lambda parts: "ancestry" in parts)).any())
    return (
        Counted(f"planted gap of {effect:.2f} claimed of its region", right, seeds * models, ""),
        Counted(f"planted gap of {effect:.2f}: releases that claim any other attribute", wrong, seeds, "at most 5%"),
    )


def detectable(seeds: int) -> tuple[float, float]:
    """What `power` says can be found of the planted region, at the level of its pairs and of the whole report."""
    told = []
    for seed in range(seeds):
        made = world(np.random.default_rng([3, seed]))
        nothing = disparities.run(made.scores.iloc[:0], made.members)
        power = robustness.run(made.scores, made.members, made.features.iloc[:0], nothing, resamples=10).power
        of = power[(power["attribute"] == "ancestry") & ((power["worst"] == PLANTED) | (power["best"] == PLANTED))]
        told.append(of[["detectable", "detectable_in_report"]].mean())
    return tuple(pd.concat(told, axis=1).mean(axis=1))


def main() -> None:
    """Print one row per promise."""
    rng, start = np.random.default_rng(20260301), process_time()
    print("| what | so often | share, 95% interval | promised |\n|---|---|---|---|")
    for subjects in (10, 25, 100):
        print(means_covered(rng, 1000, subjects), flush=True)
    for tenths in (False, True):
        print(disparities_covered(rng, 600, tenths=tenths), flush=True)
    for images in (2, 5):
        print(rates_covered(rng, 150, images), flush=True)
    for counted in false_claims(20):
        print(counted, flush=True)
    print(false_disparities(40), flush=True)
    found = detectable(2)
    for effect in (0.1, round(found[1], 2), 0.3):
        print(*planted_found(effect, 10), sep="\n", flush=True)
    told = "Detectable by `power`: {:.2f} at the level of its pairs, {:.2f} at that of the report.".format(*found)
    print(f"\n{told} {process_time() - start:.0f} s of one core.")


if __name__ == "__main__":
    main()
