"""The gates of videos: what must hold of those that are to be released, looked at a second time."""

from pandera.typing import DataFrame

from accord.consent.tables import Permits
from accord.engine import table
from accord.findings import PASS
from accord.intake.tables import People as Depicted
from accord.intake.tables import Videos
from accord.privacy.tables import Findings, PaintedVideos
from accord.release.disclosure import gatekeepers, video_gatekeepers
from accord.release.disclosure.video_gatekeepers import GATES, Said
from accord.release.tables import Gates, Verdicts


def run(
    verdicts: DataFrame[Verdicts],
    depicted: DataFrame[Depicted],
    permits: DataFrame[Permits],
    findings: DataFrame[Findings],
    taken: DataFrame[Videos],
    proofs: DataFrame[Findings],
    painted: DataFrame[PaintedVideos],
) -> DataFrame[Gates]:
    """One row per gate over all videos that pass, as release.gates has of images; scores are numbers of violations.

    depicted: people as intake took them; permits, findings, videos `taken`: consent's; proofs and painted: privacy's.
    """
    passing = verdicts[verdicts["verdict"] == PASS]
    videos = set(passing["image"])
    found = video_gatekeepers.violations(videos, Said(depicted, permits, findings, taken, proofs, painted))
    counts = {"images": len(videos), "subjects": depicted.loc[depicted["image"].isin(videos), "subject"].nunique()}
    return table.rows([gatekeepers.judged(gate, found, "video") | counts for gate in GATES], Gates)
