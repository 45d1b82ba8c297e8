"""Suspicious patterns of vendors: a check that one's images fail far more often than the others'."""

from collections.abc import Iterator, Mapping

import pandas as pd

from accord.checks.suspicion.rules import LEVEL_OF_TESTS, Hit
from accord.findings import FAIL, REVIEW
from accord.statistics.describing.funnel import funnel

FEWEST_FAILED = 5


def failures(images: pd.DataFrame, findings: pd.DataFrame) -> pd.DataFrame:
    """vendor, subject, check, failed, images: how many images of each subject each check stopped (fail or review)."""
    stopping = findings[findings["verdict"].isin((FAIL, REVIEW))][["image", "check"]].drop_duplicates()
    stopped = stopping.merge(images[["image", "vendor", "subject"]], on="image")
    subjects = images.groupby(["vendor", "subject"], sort=True).size().rename("images").reset_index()
    every = subjects.merge(pd.DataFrame({"check": sorted(stopped["check"].unique())}, dtype="str"), how="cross")
    failed = stopped.groupby(["vendor", "subject", "check"]).size().rename("failed").reset_index()
    counts = every.merge(failed, on=["vendor", "subject", "check"], how="left")
    return counts.assign(failed=counts["failed"].fillna(0).astype("int64"))


def find(images: pd.DataFrame, findings: pd.DataFrame, least: Mapping[str, float]) -> Iterator[Hit]:
    """Hits of the rule vendor_failures; its units are `vendor: check`."""
    rows = funnel(failures(images, findings))
    found = rows[(rows["z"] >= least["vendor_failures"]) & (rows["p_value"] < LEVEL_OF_TESTS)]
    for row in found[found["failed"] >= FEWEST_FAILED].itertuples():
        subjects = frozenset(images.loc[images["vendor"] == row.vendor, "subject"])
        reason = f"{row.failed} of the vendor's {row.images} images fail {row.check}: {row.rate:.1%} of them, "
        reason += f"{row.others:.1%} of the others'"
        yield Hit("vendor_failures", f"{row.vendor}: {row.check}", row.z, row.p_value, subjects, reason)
