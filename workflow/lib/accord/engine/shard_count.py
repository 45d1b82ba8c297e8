"""How many shards a project has: as configured, or by the images of its first run, for the life of a vault."""

import json
from pathlib import Path
from typing import Any

from accord.files import keep_private
from accord.shards import by_images
from accord.text.cells import NotCsvError, lines

KEPT, LEDGER = "shards.json", "ledger.sqlite"
"""In the vault: the number that was chosen, and what every vault has once a run was made."""
FORMER = 64
"""What projects had that began before the number followed their images, and what runs without deliveries have."""


def choose(config: dict[str, Any], *, keep: bool) -> int:
    """The number of shards; where none is configured, by the images. keep: remember that one in the vault."""
    if config["shards"] is not None:
        return config["shards"]
    vault = Path(config["vault"])
    if known := _kept(vault):
        return known
    images = sum(map(_images, config["intake"]["deliveries"]))
    if (vault / LEDGER).is_file() or config["release"]["archive"] or not images:
        return FORMER
    number = by_images(images)
    if keep:
        keep_private(vault / KEPT, json.dumps({"shards": number}).encode())
    return number


def _images(delivery: str) -> int:
    """How many images the delivery in a folder lists; 0 where its table can't be read: intake says what is wrong."""
    try:
        return max(len(lines(Path(delivery, "images.csv").read_bytes())) - 1, 0)
    except (OSError, NotCsvError):
        return 0


def _kept(vault: Path) -> int:
    """The number that is remembered; 0 for none."""
    file = vault / KEPT
    return int(json.loads(file.read_bytes())["shards"]) if file.is_file() else 0
