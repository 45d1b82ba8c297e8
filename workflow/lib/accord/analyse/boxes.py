"""Overlap of ground-truth boxes with predicted ones."""

import numpy as np
import pandas as pd


def iou(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Intersection over union of boxes, row by row: (n, 4) x0, y0, x1, y1 each -> (n,); 0 where the union is empty."""
    sides = np.minimum(left[:, 2:], right[:, 2:]) - np.maximum(left[:, :2], right[:, :2])
    shared = np.clip(sides, 0, None).prod(axis=1)
    union = _area(left) + _area(right) - shared
    return np.divide(shared, union, out=np.zeros(len(left)), where=union > 0)


def best_iou(truth: pd.DataFrame, predictions: pd.DataFrame) -> np.ndarray:
    """For each row of `truth` the best IoU over all predictions of its model in its image; 0 without any.

    truth: model, image, x, y, width, height; predictions: model, image, x0, y0, x1, y1. px.
    """
    numbered = truth[["model", "image", "x", "y", "width", "height"]].assign(instance=np.arange(len(truth)))
    pairs = numbered.merge(predictions[["model", "image", "x0", "y0", "x1", "y1"]], on=["model", "image"])
    corners = pairs[["x", "y"]].to_numpy(float)
    annotated = np.hstack([corners, corners + pairs[["width", "height"]].to_numpy(float)])
    overlap = iou(annotated, pairs[["x0", "y0", "x1", "y1"]].to_numpy(float))
    best = np.zeros(len(truth))
    np.maximum.at(best, pairs["instance"].to_numpy(), overlap)
    return best


def _area(boxes: np.ndarray) -> np.ndarray:
    return np.clip(boxes[:, 2:] - boxes[:, :2], 0, None).prod(axis=1)
