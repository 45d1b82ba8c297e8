"""What AI-Face printed of its detectors, under the names of config/references; fractions, as our tables have them."""

from collections.abc import Mapping
from pathlib import Path

from accord.analyse.describing import references

DATASET = "AI-Face"
MAIN, LATER = "t4", "d9"
"""Table 4 has twelve detectors; D.9 one more, with the columns of skin tone and gender exchanged."""
ATTRIBUTES = {"gender": "gender", "skin": "skin", "age_presentation": "age", "gender x skin": "inter"}
EXCHANGED = {"gender": "skin", "skin": "gender"}
METRICS = {"f_meo": "meo", "f_dp": "dp", "f_oae": "oae", "f_eo": "eo"}
UTILITY = {"auc": "auc", "accuracy": "acc", "ap": "ap", "eer": "eer", "fpr": "fpr"}


class Published(dict[str, float]):
    """Figure -> what was printed, in percent."""

    def fairness(self, model: str, attribute: str, metric: str) -> float:
        """A metric of groups of a detector of that name; NaN where nothing was printed."""
        name, what = ATTRIBUTES.get(attribute), METRICS.get(metric)
        swapped = EXCHANGED.get(name or "", name)
        return self._first(f"{MAIN}.{name}.{what}.{model}", f"{LATER}.{swapped}.{what}.{model}")

    def utility(self, model: str, metric: str) -> float:
        """AUC and its like of all faces; NaN where nothing was printed."""
        what = UTILITY.get(metric)
        return self._first(f"{MAIN}.{what}.{model}", f"{LATER}.{what}.{model}")

    def _first(self, *names: str) -> float:
        return next((self[name] / 100 for name in names if name in self), float("nan"))


def read(files: list[Path]) -> Published:
    """The figures of AI-Face in files of published figures. Raises AccordError as `references.read` does."""
    found: Mapping[str, float] = {
        row["figure"]: row["value"] for row in references.read(files) if row["dataset"] == DATASET
    }
    return Published(found)
