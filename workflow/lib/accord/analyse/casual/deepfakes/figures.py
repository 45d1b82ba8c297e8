"""Figures of submissions by group: Tables I to III of Casual Conversations, and what they leave out.

Table III is the composition of real videos called fake, which depends on how many real videos a group has: the rate
among these stands beside it.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd
from pandera.typing import DataFrame

from accord.analyse.casual.cells import Cell, How, cells
from accord.analyse.casual.deepfakes.detection import auc, called_fake, log_losses, roc, weighted_precision
from accord.analyse.casual.deepfakes.submissions import EVERY, PREFIX
from accord.analyse.casual.published import Published
from accord.analyse.casual.tables import DetectionFigures, RocPoints, Submitted
from accord.engine.table import rows
from accord.grouping import WHOLE
from accord.statistics.describing import clustered
from accord.statistics.describing.ratios import ratio
from accord.statistics.distinct import distinct
from accord.statistics.resampling import bootstrap
from accord.statistics.seeds import generator
from accord.text.nouns import fewer

PRINTED = {"ln_wp": "ln_wp", "log_loss": "log_loss", "false_alarm_share": "real_called_fake"}
"""Metric -> what the paper's tables call it in config/references."""
SHARES = ("false_alarm_share", "real_share")
"""Metrics that say how much of everyone a group is."""
ALL_FOUND = "intersection"
NO_REAL, NO_FAKE, NO_ALARM = "no real video", "no fake video", "no real video is called fake"
NOTHING_CALLED, NONE_FOUND = "nothing is called fake", "none found: all that is called fake is real"
UNSURE = "in some draws of subjects no fake is found: the lower bound isn't known"
NO_INTERVAL = "every draw of subjects gives the same: no interval"


class Told(NamedTuple):
    """A figure, its 95% interval, and what is to be said of it."""

    value: float = np.nan
    low: float = np.nan
    high: float = np.nan
    note: str = ""


class Judged(NamedTuple):
    """Videos as they were judged: filename, image, subject, label, p, called, loss, person (number of the subject); and
    how often each subject is drawn."""

    videos: pd.DataFrame
    drawn: np.ndarray | bootstrap.Draws

    def sums(self, values: np.ndarray, some: np.ndarray) -> np.ndarray:
        """What (n,) values of some videos add up to in each draw: (draws,)."""
        of = np.bincount(self.videos["person"].to_numpy(int)[some], values, minlength=self.drawn.shape[1])
        return np.concatenate([np.einsum("ds,s->d", one.astype(float), of) for one in bootstrap.blocks(self.drawn)])


def figures(
    submitted: DataFrame[Submitted], members: pd.DataFrame, published: Published, threshold: float, how: How
) -> DataFrame[DetectionFigures]:
    """All figures of each submission, for everyone and each group; members: of `submitted/<filename>`."""
    made: list[dict] = []
    everyone = judged(submitted, threshold, how)
    for name, one in everyone.items():
        made += _of_submission(name, name, one, members, published, how.min_subjects)
    if len(everyone) > 1:
        shared = _shared(everyone)
        alarms = ("false_alarms", "false_alarm_rate", "false_alarm_share", "real_share")
        found = _of_submission(EVERY, ALL_FOUND, shared, members, published, how.min_subjects)
        made += [row for row in found if row["metric"] in alarms]
    return rows(made, DetectionFigures)


def judged(submitted: DataFrame[Submitted], threshold: float, how: How) -> dict[str, Judged]:
    """Submission -> its videos, judged; all with the same draws of the same subjects."""
    codes, subjects = pd.factorize(submitted["subject"], sort=True)
    drawn = bootstrap.resampled(len(subjects), how.bootstraps, generator(how.seed, "deepfakes"))
    labels, p = submitted["label"].to_numpy(int), submitted["p"].to_numpy(float)
    whole = submitted.assign(
        person=codes, image=PREFIX + submitted["filename"], called=called_fake(p, threshold), loss=log_losses(labels, p)
    )
    parts = whole.groupby("submission", sort=True)
    return {str(name): Judged(some.reset_index(drop=True), drawn) for name, some in parts}


def roc_points(submitted: DataFrame[Submitted], members: pd.DataFrame, how: How) -> DataFrame[RocPoints]:
    """The ROC curve of each submission, for everyone and each group with enough subjects and both labels."""
    made = []
    for name, one in judged(submitted, 0.5, how).items():
        for cell in cells(one.videos, members):
            some = one.videos.iloc[cell.rows]
            if some["subject"].nunique() >= how.min_subjects:
                corners = enumerate(roc(some["label"].to_numpy(), some["p"].to_numpy()))
                made += [(name, cell.attribute, cell.group, number, *corner) for number, corner in corners]
    return rows(made, RocPoints)


def _shared(everyone: dict[str, Judged]) -> Judged:
    """Videos that all submissions call fake, as if that were one submission."""
    first = next(iter(everyone.values()))
    called = np.logical_and.reduce([one.videos["called"].to_numpy(bool) for one in everyone.values()])
    return Judged(first.videos.assign(called=called), first.drawn)


def _of_submission(
    name: str, printed: str, one: Judged, members: pd.DataFrame, published: Published, least: int
) -> Iterator[dict]:
    every = np.arange(len(one.videos))
    for cell in cells(one.videos, members):
        some = one.videos.iloc[cell.rows]
        fakes = int(some["label"].sum())
        subjects = int(some["subject"].nunique())
        key = {"submission": name, "attribute": cell.attribute, "group": cell.group}
        key |= {"subjects": subjects, "real": len(some) - fakes, "fake": fakes}
        few = fewer(subjects, "subject", least) if subjects < least else ""
        for metric, told in _figures(one, cell.rows, every).items():
            if cell.attribute == WHOLE and metric in SHARES:
                continue
            shown = Told(note=few) if few else told
            yield key | {"metric": metric, **shown._asdict(), "published": _printed(published, printed, metric, cell)}


def _printed(published: Published, name: str, metric: str, cell: Cell) -> float:
    if metric == "false_alarms":
        return published.of(f"deepfakes.real_called_fake.{name}.n") if cell.attribute == WHOLE else np.nan
    if metric not in PRINTED:
        return np.nan
    return published.of_group(f"deepfakes.{PRINTED[metric]}.{name}", cell.attribute, cell.group)


def _figures(one: Judged, some: np.ndarray, every: np.ndarray) -> dict[str, Told]:
    """Metric -> its figure, of the videos `some` of all videos `every`."""
    fake, called = one.videos["label"].to_numpy() == 1, one.videos["called"].to_numpy(bool)
    return {
        "ln_wp": _ln_wp(one, some),
        "log_loss": _loss(one, some),
        "auc": _auc(one, some),
        "false_alarms": Told(float((~fake & called)[some].sum())),
        "false_alarm_rate": _share(one, some, ~fake & called, some, ~fake, NO_REAL),
        "false_alarm_share": _share(one, some, ~fake & called, every, ~fake & called, NO_ALARM),
        "real_share": _share(one, some, ~fake, every, ~fake, NO_REAL),
        "missed_rate": _share(one, some, fake & ~called, some, fake, NO_FAKE),
    }


def _ln_wp(one: Judged, some: np.ndarray) -> Told:
    fake, called = one.videos["label"].to_numpy()[some] == 1, one.videos["called"].to_numpy(bool)[some]
    hits, alarms = (fake & called).astype(float), (~fake & called).astype(float)
    if not fake.any() or not called.any():
        return Told(note=NOTHING_CALLED if fake.any() else NO_FAKE)
    if not hits.any():
        return Told(note=NONE_FOUND)
    value = float(np.log(weighted_precision(hits.sum(), alarms.sum())))
    if not alarms.any():
        return Told(value, note=f"{NO_ALARM}: no interval")
    replicates = weighted_precision(one.sums(hits, some), one.sums(alarms, some))
    low, high = bootstrap.interval(replicates, one.videos["person"].iloc[some].nunique())
    lower = float(np.log(low)) if low > 0 else np.nan
    return Told(value, lower, float(np.log(high)), "" if low > 0 else UNSURE)


def _loss(one: Judged, some: np.ndarray) -> Told:
    loss = one.videos["loss"].to_numpy(float)[some]
    return _drawn(one, some, float(loss.mean()), ratio(one.sums(loss, some), one.sums(np.ones(len(some)), some)))


def _auc(one: Judged, some: np.ndarray) -> Told:
    labels, p = one.videos["label"].to_numpy()[some], one.videos["p"].to_numpy(float)[some]
    if len(set(labels)) < 2:
        return Told(note=NO_REAL if labels.all() else NO_FAKE)
    people = one.videos["person"].to_numpy(int)[some]
    value = float(auc(labels, p, np.ones((1, len(some))))[0])
    replicates = [auc(labels, p, times[:, people]) for times in bootstrap.blocks(one.drawn)]
    return _drawn(one, some, value, np.concatenate(replicates))


def _drawn(one: Judged, some: np.ndarray, value: float, replicates: np.ndarray) -> Told:
    low, high = bootstrap.interval(replicates, one.videos["person"].iloc[some].nunique())
    return Told(value, low, high) if low < high else Told(value, note=NO_INTERVAL)


def _share(one: Judged, some: np.ndarray, hits: np.ndarray, among: np.ndarray, of: np.ndarray, nothing: str) -> Told:
    """How many videos of `some` are hits, as a share of those `among` that are `of` it; hits (n,) are part of these."""
    whole = int(of[among].sum())
    if not whole:
        return Told(note=nothing)
    share = float(hits[some].sum() / whole)
    replicates = ratio(one.sums(hits[some].astype(float), some), one.sums(of[among].astype(float), among))
    subjects = one.videos["person"].to_numpy(int)[among][of[among]]
    people = len(distinct(subjects))
    return Told(share, *clustered.interval(share, whole, replicates, people, people))
