"""One video under several references: nobody can say whom it shows, and whose withdrawal takes it out."""

from collections import defaultdict

from accord.intake.delivered.row import Row
from accord.intake.delivered.sheets import PICTURED
from accord.text.references import normal

VIDEOS = "videos.csv"
REASON = "another row of images.csv or videos.csv has the same file or sha256"


def of(tables: dict[str, list[Row]]) -> frozenset[str]:
    """References of a delivery's videos and images whose file or sha256 another one has too, where one is a video.

    Pictures alone are left to `checks.duplicates`, which also finds those that are alike.
    """
    found: set[str] = set()
    for column in ("file", "sha256"):
        same: dict[str, dict[str, str]] = defaultdict(dict)
        for name in PICTURED:
            for row in tables[name]:
                value = row[column].lower() if column == "sha256" else normal(row[column])
                same[value].setdefault(row["image"], name)
        for value, references in same.items():
            if value and len(references) > 1 and VIDEOS in references.values():
                found |= references.keys()
    return frozenset(found)
