"""Whether the demo of made faces shows the two gaps that were planted in it, and no other: rates, and what is claimed.

Of each detector: by how much it calls real faces of groups fake, and misses fakes of them, as `accord analyse` compares
groups (a person's rate, corrected for all comparisons of a detector). Planted: light faces are called fake
(subset Enlarged), dark feminine fakes are missed (subset Weak).
Run: make run CONFIG=config/ai-face.yaml
     OMP_NUM_THREADS=1 python benchmarks/planted_fakes.py results/ai-face build/ai-face xception f3net daw_fdd
"""

import sys
from pathlib import Path

import pandas as pd

from accord.analyse import analyse
from accord.analyse.plain.found import by_strength
from accord.evaluate.tables.predictions import PLAIN

GENDERS = {0: "female", 1: "male"}
TONES = pd.IntervalIndex.from_breaks([0, 3, 6, 10])
SHADES = ("light", "medium", "dark")


def main() -> None:
    """Print the rates and the claims of each detector."""
    results, faces, *models = (Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
    told = people(pd.read_csv(faces / "annotations.csv"))
    for model in models:
        files = sorted(results.glob(f"evaluate/*/fakes/{model}.parquet"))
        scores = pd.concat([pd.read_parquet(file) for file in files])
        shown = told.merge(scores[scores["degradation"] == PLAIN], on="image")
        shown["called fake"] = (shown["score"] >= 0.5).astype(float)
        shown["missed"] = 1 - shown["called fake"]
        tell(model, shown[shown["Target"] == 0], "called fake")
        tell(model, shown[shown["Target"] == 1], "missed")


def people(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of annotations with person, gender and skin in words."""
    shades = dict(zip(TONES, SHADES, strict=True))
    return pd.DataFrame(
        {
            "image": table["Image Path"],
            "Target": table["Target"],
            "person": table["Image Path"].str.split("/").str[-2].str.split("_").str[0],
            "gender": table["Gender"].map(GENDERS),
            "skin": pd.cut(table["Skin Tone"], TONES).astype(object).map(shades),
        }
    )


def tell(model: str, shown: pd.DataFrame, what: str) -> None:
    """The rates of groups, and the differences that hold."""
    # Medians of yes and no are 0 or 1 in any group: a person's rate is compared.
    each = shown.groupby(["person", "gender", "skin"], as_index=False)[what].mean()
    found = analyse(each, score=what, subject="person", attributes=["gender", "skin"], most=2, lower_is_better=[what],
                    min_subjects=3)  # fmt: skip
    rates = found.groups.set_index(["attribute", "group"])["mean"].round(2)
    print(f"{model}, {what}, {shown['person'].nunique()} people:", dict(zip(rates.index, rates, strict=True)))
    held = by_strength(found.disparities)
    for row in held.itertuples():
        print(f"  claimed: {row.attribute}: {row.worst} {row.worst_mean:.2f}, {row.best} {row.best_mean:.2f}")
    if not len(held):
        print("  nothing is claimed")


if __name__ == "__main__":
    main()
