"""What a column is, by its name: people's ids, images, scores, truths, predictions, ages, outcomes."""

import re
from collections.abc import Collection

SUBJECT = ("subject", "subject_id", "person", "person_id", "participant", "participant_id", "user_id", "patient_id")
IMAGE = ("image", "image_id", "image_path", "photo", "photo_id", "img", "file", "file_name", "filename", "path")
SCORE = ("score", "accuracy", "correct", "iou", "oks", "pck", "recall", "precision", "f1", "similarity")
LOWER = ("error", "loss", "distance", "lpips", "mae", "mse", "rmse", "log_loss", "false_positive", "false_negative")
"""Scores of which lower is better."""
Y_TRUE = ("y_true", "label", "labels", "target", "truth", "ground_truth", "gt", "actual")
Y_PRED = ("y_pred", "prediction", "predictions", "predicted", "pred", "y_hat")
Y_SCORE = ("y_score", "y_prob", "y_proba", "probability", "proba", "prob")
OUTCOME = {
    *("pred", "preds", "prediction", "predictions", "predicted", "target", "truth", "outcome", "outcomes", "decision"),
    *("decisions", "score", "scores", "prob", "probability", "proba", "logit", "logits", "loss", "error", "errors"),
    *("correct", "confidence", "label", "labels", "result", "results", "metric", "similarity"),
}
"""Words in the name of a column that says what a model did, or should have done."""
OUTCOMES = {"y", "y_hat", "hat", "gt", "actual", *SCORE, *LOWER, *Y_TRUE, *Y_PRED, *Y_SCORE}
AGE = ("age", "ages")


def plain(name: object) -> str:
    """A name in lower case with underscores: `imageID` and `Image-ID` are `image_id`."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", str(name))
    return re.sub(r"[^a-z0-9@.]+", "_", apart.lower()).strip("_")


def first(columns: Collection[object], known: tuple[str, ...]) -> str:
    """The column that is called by one of the known names, an earlier one before a later one; "" for none."""
    called = {plain(name): str(name) for name in reversed(list(columns))}
    return next((called[name] for name in known if name in called), "")


def every(columns: Collection[object], known: Collection[str]) -> list[str]:
    """The columns that are called by one of the known names."""
    return [str(name) for name in columns if plain(name) in known]


def is_outcome(name: object) -> bool:
    """Whether a column is called like an outcome."""
    said = plain(name)
    return said in OUTCOMES or bool(OUTCOME & set(said.split("_")))


def is_age(name: object) -> bool:
    """Whether a column is called like an age."""
    return bool(set(AGE) & set(plain(name).split("_")))
