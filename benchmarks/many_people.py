"""Error patterns and disparities as people grow in number: CPU seconds and memory of a report of made scores.

Each size runs in a process of its own for at most --most CPU seconds. Scores of two models; one is lower where two of
24 features of images come together, and for one pronoun. --exact: patterns by deals of all subjects at any size, as
below 150 subjects. Run: python benchmarks/many_people.py [--images 1000 4000 16000] [--exact]
"""

import argparse
import multiprocessing
import resource
import signal
from itertools import combinations
from time import process_time

import numpy as np
import pandas as pd

ATTRIBUTES = {"pronoun": (48, 48, 4), "age_group": (1,) * 5, "ancestry": (1,) * 6, "natural_skin_color": (1,) * 10}
FEATURES, MODELS, EACH = 24, 2, 3.3
LOWER, CAUSE = 0.03, 0.08
"""By how much scores of a group are lower, and those of images in which two features come together."""


def main() -> None:
    """Print a line for each size and step."""
    made = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    made.add_argument("--images", type=int, nargs="+", default=[1000, 4000, 16_000])
    made.add_argument("--steps", nargs="+", default=["patterns", "disparities"])
    made.add_argument("--exact", action="store_true")
    made.add_argument("--most", type=int, default=900)
    flags = made.parse_args()
    print("| images | subjects | step | CPU s | peak MiB | found |\n|---|---|---|---|---|---|", flush=True)
    for images in flags.images:
        for step in flags.steps:
            with multiprocessing.get_context("spawn").Pool(1) as alone:
                told = alone.apply_async(used, (step, images, flags.exact, flags.most))
                seconds, peak, found = told.get(timeout=100 * flags.most)
            print(f"| {images:,} | {int(images / EACH):,} | {step} | {seconds} | {peak:.0f} | {found} |", flush=True)


def used(step: str, images: int, exact: bool, most: int) -> tuple[str, float, str]:
    """CPU s of a step, peak MiB of this process, and what is claimed."""
    from accord.analyse import disparities, patterns
    from accord.statistics.permuting import max_statistic_limit

    scores, features, members = report(images)
    if exact:
        max_statistic_limit.LARGE = max_statistic_limit.WITHIN = images + 1
    start, found = process_time(), "stopped"
    signal.signal(signal.SIGXCPU, stop)
    resource.setrlimit(resource.RLIMIT_CPU, (int(start) + most, resource.RLIM_INFINITY))
    try:
        if step == "patterns":
            told = patterns.run(scores, features, members, support=0.1, most=3).patterns
            found = "; ".join(sorted({*told["pattern"]} - {""}))
        else:
            told = disparities.run(scores, members)
            found = f"{told['claimed'].sum()} of {len(told)}"
    except TimeoutError:
        pass
    spent = process_time() - start
    return f"{spent:.1f}", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, found


def stop(*_: object) -> None:
    """What a step that takes too long is told."""
    raise TimeoutError


def report(images: int) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Scores, features and members."""
    rng, people = np.random.default_rng(0), int(images / EACH)
    whose = np.sort(rng.integers(0, people, images))
    key = pd.DataFrame({"image": [f"{i:016x}" for i in range(images)], "subject": [f"{i:016x}" for i in whose]})
    groups = {name: rng.choice(len(p), people, p=np.array(p) / sum(p))[whose] for name, p in ATTRIBUTES.items()}
    marks = {f"feature {i:02}": rng.random(images) < rng.uniform(0.45, 0.8) for i in range(FEATURES)}
    whole = {name: named(name, codes) for name, codes in groups.items()}
    crossed = {f"{a} x {b}": [f"{x} x {y}" for x, y in zip(whole[a], whole[b], strict=True)]
               for a, b in combinations(whole, 2)}  # fmt: skip
    members = pd.concat([key.assign(attribute=name, group=some) for name, some in (whole | crossed).items()])
    labels = whole | {name: named(name, of.astype(int)) for name, of in marks.items()}
    features = pd.concat([key.assign(feature=name, label=some) for name, some in labels.items()], ignore_index=True)
    scores = []
    together = marks["feature 00"] & marks["feature 01"]
    for model in range(MODELS):
        value = 0.8 + rng.normal(0, 0.08, people)[whose] + rng.normal(0, 0.1, images)
        value -= (model % 2) * (LOWER * (groups["pronoun"] == 0) + CAUSE * together)
        scores.append(key.assign(model=f"m{model}", value=np.clip(value, 0, 1).round(3)))
    told = pd.concat(scores, ignore_index=True).assign(task="person_localization", metric="ar_iou", note="")
    return told, features.assign(kind="category", number=np.nan), members.reset_index(drop=True)


def named(name: str, codes: np.ndarray) -> list[str]:
    """Groups by their numbers."""
    return [f"{name} {code}" for code in codes]


if __name__ == "__main__":
    main()
