"""What the inpainting model is asked for: a region's own phrase, then its scene's; an empty phrase is left out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from accord.engine import yaml_files
from accord.errors import all_problems

OTHER = "other"
HINT = "see config/prompts.yaml as shipped"


@dataclass(frozen=True)
class Prompts:
    """The negative prompt, and phrases by scene and by kind of region; `other` stands for all that are not named."""

    negative: str
    scenes: dict[str, str]
    regions: dict[str, str]

    @classmethod
    def read(cls, path: Path) -> Prompts:
        """Raises AccordError with everything that is wrong in the file."""
        given = yaml_files.keys(path, "list of prompts", HINT)
        with all_problems() as problems:
            if not isinstance(given.get("negative"), str):
                problems.add(path.name, "`negative` is not a text", HINT)
            for key in ("scenes", "regions"):
                phrases = given.get(key)
                if not isinstance(phrases, dict) or not all(isinstance(p, str) for p in phrases.values()):
                    problems.add(path.name, f"`{key}` does not map names to texts", HINT)
                elif OTHER not in phrases:
                    problems.add(path.name, f"`{key}` has no `{OTHER}`", HINT)
        return cls(given["negative"], given["scenes"], given["regions"])

    def of(self, kind: str, scene: str) -> str:
        """The prompt for a kind of region in a scene."""
        region = self.regions.get(kind, self.regions[OTHER])
        return ", ".join(filter(None, (region, self.scenes.get(scene, self.scenes[OTHER]))))

    @staticmethod
    def scenes_of(attributes: pd.DataFrame) -> dict[str, str]:
        """Image -> `indoor` or `outdoor`, from the attribute `scene` (`12. Indoor: Home or hotel`)."""
        values = attributes[attributes["attribute"] == "scene"]
        pairs = zip(values["image"], values["value"], strict=True)
        return {image: _setting(value) for image, value in pairs}


def _setting(value: str) -> str:
    """`12. Indoor: Home or hotel` -> `indoor`."""
    return value.partition(". ")[2].partition(":")[0].strip().lower()
