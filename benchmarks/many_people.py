"""What steps that tell groups of people apart need as people grow: CPU seconds and memory on made scores.

Each size and step runs in a process of its own for at most --most CPU seconds. Scores of two models; one is lower where
two of 24 features of images come together, and for one pronoun. Four numbers of images say nothing of scores. --exact:
patterns by deals of all subjects at any size, as below 150 subjects. Conditioning and robustness are told what
disparities and causes find, so those come first. Run: python benchmarks/many_people.py [--images 1000 4000] [--exact]
"""

import argparse
import contextlib
import multiprocessing
import resource
import signal
import tempfile
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from time import process_time

import numpy as np
import pandas as pd

ATTRIBUTES = {"pronoun": (48, 48, 4), "age_group": (1,) * 5, "ancestry": (1,) * 6, "natural_skin_color": (1,) * 10}
FEATURES, NUMBERS, MODELS, EACH = 24, 4, 2, 3.3
LOWER, CAUSE = 0.03, 0.08
"""By how much scores of a group are lower, and those of images in which two features come together."""
STEPS = ("patterns", "disparities", "compared", "causes", "conditioning", "robustness")


def main() -> None:
    """Print a line for each size and step."""
    made = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    made.add_argument("--images", type=int, nargs="+", default=[1000, 4000, 16_000])
    made.add_argument("--steps", nargs="+", choices=STEPS, default=STEPS)
    made.add_argument("--exact", action="store_true")
    made.add_argument("--most", type=int, default=900)
    flags = made.parse_args()
    print("| images | subjects | step | CPU s | peak MiB | before it | found |")
    print("|---|---|---|---|---|---|---|", flush=True)
    for images in flags.images:
        with tempfile.TemporaryDirectory() as folder:
            for step in flags.steps:
                with multiprocessing.get_context("spawn").Pool(1) as alone:
                    result = alone.apply_async(used, (step, images, flags.exact, flags.most, Path(folder)))
                    told = result.get(timeout=100 * flags.most)
                print(f"| {images:,} | {int(images / EACH):,} | {step} | {' | '.join(told)} |", flush=True)


def used(step: str, images: int, exact: bool, most: int, folder: Path) -> tuple[str, str, str, str]:
    """CPU s of a step, peak MiB of this process, also before the step, and what is claimed."""
    from accord.statistics.permuting import max_statistic_limit

    given = report(images)
    if exact:
        max_statistic_limit.LARGE = max_statistic_limit.WITHIN = images + 1
    work = of(step, given, folder)
    start, before, found = process_time(), peak(), "stopped"
    signal.signal(signal.SIGXCPU, stop)
    resource.setrlimit(resource.RLIMIT_CPU, (int(start) + most, resource.RLIM_INFINITY))
    with contextlib.suppress(TimeoutError):
        found = work()
    spent = process_time() - start
    return f"{spent:.1f}", f"{peak():.0f}", f"{before:.0f}", found


def peak() -> float:
    """Of this process's memory so far, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def of(step: str, given: tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame], folder: Path) -> Callable[[], str]:
    """What a step does, and says of what it found."""
    from accord.analyse import causes, compared, conditioning, disparities, patterns, robustness

    scores, features, members = given

    def kept(name: str) -> pd.DataFrame:
        return pd.read_parquet(folder / name)

    def keep(name: str, made: pd.DataFrame, of: str) -> str:
        made.to_parquet(folder / name)
        claimed = made[made["claimed"]]
        return f"{len(claimed)} of {len(made)}: {', '.join(claimed['model'] + ' ' + claimed[of])}"

    def told_patterns() -> str:
        made = patterns.run(scores, features, members, support=0.1, most=3).patterns
        return "; ".join(sorted({*made["pattern"]} - {""}))

    def told_robustness() -> str:
        made = robustness.run(scores, members, features, kept("disparities"))
        return f"{len(made.multiverse)} rows of the multiverse, {len(made.reversals)} reversals"

    return {
        "patterns": told_patterns,
        "disparities": lambda: keep("disparities", disparities.run(scores, members), "attribute"),
        "compared": lambda: f"{len(compared.run(*versions(scores)))} compared",
        "causes": lambda: keep("causes", causes.run(scores, features).causes, "feature"),
        "conditioning": lambda: f"{len(conditioning.run(*given, kept('disparities'), kept('causes')))} rows",
        "robustness": told_robustness,
    }[step]


def versions(scores: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Scores of two versions of a release, of which one lacks the first tenth of images and the other the last."""
    place = pd.factorize(scores["image"])[0] / scores["image"].nunique()
    return scores[place < 0.9], scores[place >= 0.1]


def stop(*_: object) -> None:
    """What a step that takes too long is told."""
    raise TimeoutError


def report(images: int) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Scores, features and members."""
    rng, people = np.random.default_rng(0), int(images / EACH)
    whose = np.sort(rng.integers(0, people, images))
    key = pd.DataFrame({"image": [f"{i:016x}" for i in range(images)], "subject": [f"{i:016x}" for i in whose]})
    groups = {name: rng.choice(len(p), people, p=np.array(p) / sum(p))[whose] for name, p in ATTRIBUTES.items()}
    numbers = {f"number {i}": rng.normal(size=images).round(3) for i in range(NUMBERS)}
    marks = {f"feature {i:02}": rng.random(images) < rng.uniform(0.45, 0.8) for i in range(FEATURES)}
    whole = {name: named(name, codes) for name, codes in groups.items()}
    crossed = {f"{a} x {b}": [f"{x} x {y}" for x, y in zip(whole[a], whole[b], strict=True)]
               for a, b in combinations(whole, 2)}  # fmt: skip
    members = pd.concat([key.assign(attribute=name, group=some) for name, some in (whole | crossed).items()])
    labels = whole | {name: named(name, of.astype(int)) for name, of in marks.items()}
    told_apart = [key.assign(feature=name, label=some, kind="category", number=np.nan) for name, some in labels.items()]
    told_apart += [key.assign(feature=name, label="", kind="number", number=some) for name, some in numbers.items()]
    features = pd.concat(told_apart, ignore_index=True)
    scores = []
    together = marks["feature 00"] & marks["feature 01"]
    for model in range(MODELS):
        value = 0.8 + rng.normal(0, 0.08, people)[whose] + rng.normal(0, 0.1, images)
        value -= (model % 2) * (LOWER * (groups["pronoun"] == 0) + CAUSE * together)
        scores.append(key.assign(model=f"m{model}", value=np.clip(value, 0, 1).round(3)))
    made = pd.concat(scores, ignore_index=True).assign(task="person_localization", metric="ar_iou", note="")
    return made, features, members.reset_index(drop=True)


def named(name: str, codes: np.ndarray) -> list[str]:
    """Groups by their numbers."""
    return [f"{name} {code}" for code in codes]


if __name__ == "__main__":
    main()
