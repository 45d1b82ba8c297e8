"""Overlap of ground-truth boxes with predicted ones."""

import numpy as np
import pandas as pd

from accord.imaging.boxes import iou


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
