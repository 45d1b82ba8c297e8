"""Copies between sources: a made face and what it was made from, or one picture that two datasets have."""

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.engine import table
from accord.imaging.fingerprint import MIN_QUALITY
from accord.imaging.hamming import close_pairs, words
from accord.release.source_tables import FacePrints, SourceCopies, Sources
from accord.release.sources.splits import TRAIN

EXACT, NEAR = "exact", "near"


def run(sources: DataFrame[Sources], prints: DataFrame[FacePrints], *, max_distance: int) -> DataFrame[SourceCopies]:
    """Pairs of pictures of two sources (subset and method) with the same pixels, or PDQ hashes at most `max_distance`
    bits apart. Of pictures of a source with the same pixels the first stands for all. Nothing is left out for it:
    `relearnt` says which pairs a training must not have on both sides.
    """
    told = sources.assign(source=sources["subset"] + ", " + sources["method"])
    known = _with_sides(told.merge(prints, on="image").sort_values("image", ignore_index=True))
    pairs = pd.concat([_exact(known), _near(known, max_distance)]).drop_duplicates(["left", "right"])
    left, right = (known.iloc[pairs[side]].reset_index(drop=True) for side in ("left", "right"))
    found = pd.DataFrame(
        {
            "image": left["image"],
            "other": right["image"],
            "source": left["source"],
            "other_source": right["source"],
            "kind": pairs["kind"].to_numpy(),
            "distance": pairs["distance"].to_numpy(),
            "relearnt": (left["learnt"] & right["kept"]) | (left["kept"] & right["learnt"]),
        }
    )
    return table.check(found.sort_values(["image", "other"], ignore_index=True), SourceCopies, "copies")


def _with_sides(known: pd.DataFrame) -> pd.DataFrame:
    """Whether a picture, or one of its source with the same pixels, is learnt from; whether one is kept from that."""
    is_learnt = known["split"] == TRAIN
    alike = [known["pixels"], known["source"]]
    return known.assign(
        learnt=is_learnt.groupby(alike).transform("any"), kept=(~is_learnt).groupby(alike).transform("any")
    )


def _exact(known: pd.DataFrame) -> pd.DataFrame:
    """Positions of pictures with the same pixels: of each source with the first of the first source."""
    first = known[["pixels", "source"]].drop_duplicates().assign(place=lambda rows: rows.index)
    leader = first.groupby("pixels")["place"].transform("min")
    others = first[first["place"] != leader]
    return _pairs(leader[others.index].to_numpy(), others["place"].to_numpy(), EXACT, 0)


def _near(known: pd.DataFrame, max_distance: int) -> pd.DataFrame:
    single = known.drop_duplicates(["pixels", "source"])
    single = single[single["pdq_quality"] >= MIN_QUALITY]
    found = close_pairs(words(single["pdq"]), max_distance)
    left, right = single.index.to_numpy()[found.left], single.index.to_numpy()[found.right]
    source, pixels = known["source"].to_numpy(), known["pixels"].to_numpy()
    across = (source[left] != source[right]) & (pixels[left] != pixels[right])
    return _pairs(left[across], right[across], NEAR, found.distance[across])


def _pairs(left: np.ndarray, right: np.ndarray, kind: str, distance: np.ndarray | int) -> pd.DataFrame:
    """Pairs of positions, the smaller to the left."""
    ends = {"left": np.minimum(left, right), "right": np.maximum(left, right)}
    return pd.DataFrame({**ends, "kind": kind, "distance": distance})
