"""Vendors against each other: is one's rate of failures higher than chance and the usual spread explain?"""

import numpy as np
import pandas as pd
from scipy import special

from accord.statistics.testing.holm import holm

WINSORISED = 0.1
VENDORS_FOR_SPREAD = 10
"""Fewest other vendors from which the spread between vendors can be told apart from an outlier."""


def funnel(counts: pd.DataFrame) -> pd.DataFrame:
    """Each (vendor, check) against the vendor's peers: failed, images, rate, others, z, p_value.

    counts: vendor, subject, check, failed, images: of each subject, every check. `others` is the rate of all other
    vendors' images. z = (rate - others) / sqrt(spread q (1 - q) (1/n + 1/m)), q the rate of all; `spread` is the
    largest of 1, of Pearson's dispersion over subjects (images of one person fail together), and, of ten other vendors
    or more, of the mean squared z of the others, winsorised (Spiegelhalter, Funnel plots for comparing institutional
    performance, 2005). p is one-sided (more failures): the larger of the normal tail and the exact hypergeometric one,
    corrected by Holm over all rows. NaN where a vendor has no peers.
    """
    totals = counts.groupby(["check", "vendor"], sort=True)[["failed", "images"]].sum().reset_index()
    parts = []
    for check, own in totals.groupby("check", sort=True):
        parts.append(own.assign(**_compared(own, counts[counts["check"] == check])))
    if not parts:
        return totals.assign(rate=[], others=[], z=[], p_value=[])
    rows = pd.concat(parts, ignore_index=True)
    tested = rows["p_value"].notna()
    rows.loc[tested, "p_value"] = holm(rows.loc[tested, "p_value"].to_numpy())
    return rows[["vendor", "check", "failed", "images", "rate", "others", "z", "p_value"]]


def _compared(own: pd.DataFrame, subjects: pd.DataFrame) -> dict[str, np.ndarray]:
    failed, images = own["failed"].to_numpy(float), own["images"].to_numpy(float)
    rest_failed, rest = failed.sum() - failed, images.sum() - images
    rate, others = failed / images, np.divide(rest_failed, rest, out=np.full(len(own), np.nan), where=rest > 0)
    overall = failed.sum() / images.sum()
    per_image = np.divide(1, images) + np.divide(1, rest, out=np.full(len(own), np.inf), where=rest > 0)
    with np.errstate(invalid="ignore"):  # nobody failed, or everybody, and there is no other vendor
        variance = overall * (1 - overall) * per_image
    plain = np.divide(rate - others, np.sqrt(variance), out=np.zeros(len(own)), where=variance > 0)
    spread = np.maximum(_between_subjects(subjects, overall), _between_vendors(plain))
    z = np.where(rest > 0, plain / np.sqrt(spread), np.nan)
    exact = _hypergeometric(failed, images)
    p_value = np.where(rest > 0, np.maximum(special.ndtr(-z), exact), np.nan)
    return {"rate": rate, "others": others, "z": z, "p_value": p_value}


def _hypergeometric(failed: np.ndarray, images: np.ndarray) -> np.ndarray:
    """For each vendor the chance of as many failures or more among its images, were they dealt out at random."""
    if len(failed) < 2:
        return np.ones(len(failed))
    from scipy.stats import hypergeom  # half a second, which a vendor alone needn't wait for

    return hypergeom.sf(failed - 1, images.sum(), failed.sum(), images)


def _between_subjects(subjects: pd.DataFrame, rate: float) -> float:
    """Pearson's dispersion of failures over subjects; at least 1, which is that of independent images."""
    if not 0 < rate < 1 or len(subjects) < 2:
        return 1.0
    expected = rate * subjects["images"]
    squares = (subjects["failed"] - expected) ** 2 / (expected * (1 - rate))
    return max(1.0, float(squares.sum() / (len(subjects) - 1)))


def _between_vendors(z: np.ndarray) -> np.ndarray:
    """For each vendor the winsorised mean square of the others' z; 1 where they are too few."""
    if len(z) <= VENDORS_FOR_SPREAD:
        return np.ones(len(z))
    rest = [np.delete(z, place) for place in range(len(z))]
    bounds = [np.quantile(some, (WINSORISED, 1 - WINSORISED)) for some in rest]
    return np.array([max(1.0, float(np.mean(np.clip(some, *b) ** 2))) for some, b in zip(rest, bounds, strict=True)])
