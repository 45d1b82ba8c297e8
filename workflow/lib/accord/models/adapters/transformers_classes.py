"""Image classifiers of the transformers library (ViT, BEiT, Swin, ConvNeXt and their like), asked for a person's class.

Weights: `config` (config.json), `model`, `processor` (preprocessor_config.json), and, for other classes than FACET's,
`classes`: a table like facet_wordnet.csv.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from accord.engine import resources
from accord.errors import AccordError, Problem
from accord.models.adapters.declaring import wordnet_labels
from accord.models.adapters.nets.transformers_nets import Pretrained
from accord.models.protocols import Answer, Prepared

CLASSES = resources.beside(__name__) / "facet_wordnet.csv"


class Classifier:
    """Answers the question for a class (p1) with the class whose output is highest, whatever its words: an output that
    stands for no class is passed over, of several that stand for one the highest counts, and of equal classes the first
    of the table.

    `only`: the questions that it can be asked; `lacks`: classes that it can't name, and why. Raises AccordError where
    the network can name fewer than two classes: it would always be right, or never.
    """

    GPU = "torch"

    only = ("p1",)

    def __init__(self, weights: dict[str, Path], precision: str = "float32", compile: bool = False):
        weights = dict(weights)
        classes = wordnet_labels.read(weights.pop("classes", CLASSES))
        self._model = Pretrained(weights, "MODEL_FOR_IMAGE_CLASSIFICATION_MAPPING", precision, compiled=compile)
        self._outputs, self.lacks = wordnet_labels.matched(classes, self._model.config.id2label)
        if len(self._outputs) < 2:
            what = f"names {len(self._outputs)} of {len(classes)} classes"
            hint = "its labels must be WordNet's nouns, as those of ImageNet-21k are"
            raise AccordError(Problem(weights["config"].name, what, hint))

    def prepare(self, picture: np.ndarray) -> Prepared:
        return self._model.prepare(picture)

    def answer(
        self, pictures: Sequence[np.ndarray | Prepared], questions: Sequence[Sequence[str]]
    ) -> list[list[Answer]]:
        found: dict[int, Answer] = {}
        for numbers, outputs, _ in self._model.answers(pictures):
            for number, scores in zip(numbers, outputs["logits"].cpu().numpy(), strict=True):
                found[number] = self._named(scores)
        return [[found[number]] * len(texts) for number, texts in enumerate(questions)]

    def _named(self, scores: np.ndarray) -> Answer:
        """The class of the highest output; scores: (outputs,) float32."""
        best = {name: scores[numbers].max() for name, numbers in self._outputs.items()}
        if not np.isfinite(list(best.values())).all():
            return Answer("", "failed", "the model's outputs are not finite numbers")
        return Answer(max(best, key=lambda name: best[name]))
