"""The report of a release: one self-contained page."""

import json
from pathlib import Path

from pandera.typing import DataFrame

from accord.analyse.tables import Composition, Disparities, Diversity, Groups, Verification
from accord.checks.tables import Waterfall
from accord.privacy.tables import Edits
from accord.report import charts, page, words


def run(
    waterfall: DataFrame[Waterfall],
    composition: DataFrame[Composition],
    diversity: DataFrame[Diversity],
    groups: DataFrame[Groups],
    disparities: DataFrame[Disparities],
    verification: DataFrame[Verification],
    edits: DataFrame[Edits],
    release: Path,
    *,
    models: dict,
    title: str,
    caution: str,
) -> str:
    """An HTML page that works offline and shows no subject: what was collected, who is in it, how models do for whom.

    `models`: name -> its entry in config/models.yaml, with `missing` where its weights were not there; `caution`: what
    readers must know of the data, "" for nothing.
    """
    published = json.loads(Path(release).read_text())
    content = {
        "title": title,
        "caution": caution,
        "release": published,
        "tiles": words.tiles(waterfall, published, disparities),
        "summary": words.summary(waterfall, disparities),
        "collected": charts.waterfall(waterfall),
        "edits": words.edits(edits),
        "people": [charts.composition(part) for name, part in composition.groupby("attribute") if name != "all"],
        "diversity": words.diversity(diversity),
        "heat": charts.heat(disparities),
        "claims": words.claims(disparities),
        "nothing_claimed": words.nothing_claimed(disparities),
        "untested": words.untested(groups),
        "models": [
            words.model(name, entry, groups) | {"charts": charts.forests(groups[groups["model"] == name])}
            for name, entry in sorted(models.items(), key=lambda item: (item[1]["task"], item[0]))
            if name in set(groups["model"])
        ],
        "missing": words.missing(models),
        "verification": [charts.verification(part) for _, part in verification.groupby("model")],
    }
    return page.render(content)
