"""One picture or video of several people or references: nobody can say whose withdrawal takes it out."""

from collections import defaultdict

from accord.intake.delivered.row import Row
from accord.intake.delivered.sheets import PICTURED
from accord.text.references import normal

VIDEOS = "videos.csv"
REASON = "another row of images.csv or videos.csv has the same file or sha256"


def of(tables: dict[str, list[Row]]) -> frozenset[str]:
    """References of a delivery's videos and images whose file or sha256 another one has too, where one is a video, or
    the subjects differ.

    Pictures of one subject are left to `checks.duplicates`, which also finds those that are alike.
    """
    found: set[str] = set()
    videos = {row["image"] for row in tables[VIDEOS]}
    for column in ("file", "sha256"):
        alike: dict[str, set[tuple[str, str]]] = defaultdict(set)
        for name in PICTURED:
            for row in tables[name]:
                value = row[column].lower() if column == "sha256" else normal(row[column])
                alike[value].add((row["image"], row["subject"]))
        for value, rows in alike.items():
            references, subjects = {image for image, _ in rows}, {subject for _, subject in rows}
            if value and len(references) > 1 and (len(subjects) > 1 or references & videos):
                found |= references
    return frozenset(found)
