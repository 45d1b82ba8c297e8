"""TensorFlow Lite graphs through LiteRT."""

from functools import cache
from pathlib import Path

import numpy as np

from accord.models.adapters.nets.remembered import Remembered
from accord.models.weights import reading

INVALID = "is not a graph that LiteRT can run"


class Graph:
    """A graph with one input, run on one thread for one picture at a time.

    Models of one process that have the same file share its network, and what it said of the last pictures.
    """

    def __init__(self, path: Path):
        self.size, self._answers = _network(path.resolve(), path.stat().st_mtime_ns)

    def __call__(self, picture: np.ndarray) -> list[np.ndarray]:
        """The outputs, in the graph's order and without the batch axis; picture: (size, size, 3) float32."""
        return list(self._answers(picture.astype(np.float32, copy=False)) or ())


@cache
def _network(path: Path, _changed: int) -> tuple[int, Remembered]:
    """Side of a graph's input, and what runs it."""
    from ai_edge_litert.interpreter import Interpreter

    with reading(path.name, INVALID):
        interpreter = Interpreter(str(path), num_threads=1)
        interpreter.allocate_tensors()
        shown, told = interpreter.get_input_details()[0], interpreter.get_output_details()
        side = int(shown["shape"][1])

    def run(picture: np.ndarray) -> list[np.ndarray]:
        with reading(path.name, INVALID):
            interpreter.set_tensor(shown["index"], picture[np.newaxis])
            interpreter.invoke()
            return [interpreter.get_tensor(output["index"])[0] for output in told]

    return side, Remembered(run)


def sigmoid(values: np.ndarray) -> np.ndarray:
    """Logistic function; values are clipped to +-100, as MediaPipe does, so that nothing overflows."""
    return 1 / (1 + np.exp(-np.clip(values.astype(np.float64), -100, 100)))
