"""The size of AI-Face: groups and disparities of 1.6 million faces. Prints seconds and peak memory; asserts under 8 GB.

Gender (2), skin tone (10 of Monk's scale), age (5), their intersections of up to three; three metrics of one detector:
right or wrong, a score in tenths, a probability without ties. Each face is a person of its own.
Run: python benchmarks/scale.py [rows]
"""

import resource
import sys
from time import perf_counter, process_time

import numpy as np
import pandas as pd

from accord.analyse import disparities, groups
from accord.analyse.comparing.intersections import intersections
from accord.analyse.tables.scores import Verification
from accord.engine.table import empty

ROWS, MOST, LIMIT = 1_600_000, 3, 8.0
GROUPS = {
    "gender": (("female", "male"), (0.45, 0.55)),
    "skin_tone": (tuple(f"Monk {n:02d}" for n in range(1, 11)), (2, 9, 17, 20, 16, 12, 9, 7, 5, 3)),
    "age": (("child", "young", "adult", "middle-aged", "senior"), (5, 22, 46, 19, 8)),
}


def main() -> None:
    """Make the tables, and time each step."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    scores, members = made(np.random.default_rng(1), count)
    print(
        f"{count:,} faces, {len(scores):,} scores, {len(members):,} rows of groups; {peak():.1f} GB so far", flush=True
    )
    how = {"min_subjects": 10, "bootstraps": 1000}
    told = timed("groups", lambda: groups.run(scores, members, empty(Verification), min_subjects=10))
    found = timed("disparities", lambda: disparities.run(scores, members, **how))
    print(f"{len(told):,} groups; claimed: {found['claimed'].sum()} of {len(found)}")
    assert count < ROWS or peak() < LIMIT, f"{peak():.1f} GB"


def made(rng: np.random.Generator, count: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """A Scores and a Members table; the darkest skin is served worse."""
    keys = pd.DataFrame({"image": [f"f{n:07d}" for n in range(count)]})
    keys["subject"] = keys["image"]
    codes = {name: rng.choice(len(labels), count, p=np.array(shares) / sum(shares))
             for name, (labels, shares) in GROUPS.items()}  # fmt: skip
    single = [keys.assign(attribute=name, group=np.array(GROUPS[name][0])[code]) for name, code in codes.items()]
    members = pd.concat([*single, *intersections(single, MOST)], ignore_index=True)
    probability = np.clip(rng.beta(8, 2, count) - 0.02 * (codes["skin_tone"] > 7), 0, 1)
    values = {"accuracy": (probability > 0.5).astype(float), "ar_iou": probability.round(1), "f1": probability}
    scores = [
        keys.assign(task="forgery", model="m", metric=name, value=value, note="") for name, value in values.items()
    ]
    return pd.concat(scores, ignore_index=True), members


def timed(name: str, step):
    """Run a step; print seconds by the clock and of the processor, and the peak memory so far."""
    clock, processor = perf_counter(), process_time()
    result = step()
    spent = f"{perf_counter() - clock:.0f} s, {process_time() - processor:.0f} s of one core"
    print(f"{name}: {spent}; peak {peak():.1f} GB", flush=True)
    return result


def peak() -> float:
    """The largest resident size of this process so far, in GB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2


if __name__ == "__main__":
    main()
