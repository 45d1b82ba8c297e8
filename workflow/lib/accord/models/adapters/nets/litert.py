"""TensorFlow Lite graphs through LiteRT."""

from pathlib import Path

import numpy as np


class Graph:
    """A graph with one input, run on one thread for one picture at a time."""

    def __init__(self, path: Path):
        from ai_edge_litert.interpreter import Interpreter

        self._interpreter = Interpreter(str(path), num_threads=1)
        self._interpreter.allocate_tensors()
        self._input = self._interpreter.get_input_details()[0]
        self._outputs = self._interpreter.get_output_details()
        self.size = int(self._input["shape"][1])

    def __call__(self, picture: np.ndarray) -> list[np.ndarray]:
        """The outputs, in the graph's order and without the batch axis; picture: (size, size, 3) float32."""
        self._interpreter.set_tensor(self._input["index"], picture[np.newaxis].astype(np.float32))
        self._interpreter.invoke()
        return [self._interpreter.get_tensor(output["index"])[0] for output in self._outputs]


def sigmoid(values: np.ndarray) -> np.ndarray:
    """Logistic function; values are clipped to +-100, as MediaPipe does, so that nothing overflows."""
    return 1 / (1 + np.exp(-np.clip(values.astype(np.float64), -100, 100)))
