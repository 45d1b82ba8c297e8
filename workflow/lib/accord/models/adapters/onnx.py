"""ONNX Runtime: any graph, by what models.yaml declares of its input and outputs."""

from pathlib import Path

import numpy as np

from accord.engine import usage
from accord.errors import AccordError, Problem
from accord.models.adapters.declaring.declared import Declared
from accord.models.adapters.nets import onnx_files

TYPES = {"tensor(float)": np.float32, "tensor(float16)": np.float16, "tensor(double)": np.float64,
         "tensor(uint8)": np.uint8}  # fmt: skip
CUDA, CPU = "CUDAExecutionProvider", "CPUExecutionProvider"


class Onnx(Declared):
    """A graph of standard operators with one input; on a GPU where ONNX Runtime has one.

    weights: `net`, and the files of its external data, if it has any.
    """

    GPU = "onnxruntime-gpu"

    def __init__(self, weights: dict[str, Path], input: dict, outputs: dict, label: str = "person",
                 min_score: float = 0.05, overlap: float | None = None, most: int = 300,
                 together: bool = False) -> None:  # fmt: skip
        told = {"label": label, "min_score": min_score, "overlap": overlap, "most": most, "together": together}
        super().__init__(Session(weights), input, outputs, **told)


class Session:
    """A graph that takes as many batches as it has `inputs`, and gives its outputs by name; one thread."""

    def __init__(self, weights: dict[str, Path], inputs: int = 1):
        import onnxruntime

        path = weights["net"]
        beside = [file for name, file in weights.items() if name != "net"]
        content = onnx_files.checked(path, beside)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        options.add_session_config_entry("session.load_model_format", "ONNX")
        providers = [one for one in (CUDA, CPU) if one in onnxruntime.get_available_providers()]
        try:
            self._session = onnxruntime.InferenceSession(path if beside else content, options, providers=providers)
        except Exception as error:
            # ONNX Runtime has a class of its own for each thing that can be wrong with a graph.
            what = f"can't be loaded by ONNX Runtime ({str(error).splitlines()[0][:200]})"
            raise AccordError(Problem(path.name, what, "only standard operators are supported")) from None
        if CUDA in self._session.get_providers():
            usage.note_gpus(1)
        asked = self._session.get_inputs()
        if len(asked) != inputs or any(one.type not in TYPES for one in asked):
            what = f"has the inputs {', '.join(f'{one.name} ({one.type})' for one in asked)}"
            hint = (
                "the graph must have one numeric input"
                if inputs == 1
                else f"the graph must have {inputs} numeric inputs"
            )
            raise AccordError(Problem(path.name, what, hint))
        self._inputs = {one.name: TYPES[one.type] for one in asked}
        self._names = [output.name for output in self._session.get_outputs()]

    def __call__(self, *batches: np.ndarray) -> dict[str, np.ndarray]:
        """The outputs for (n, ...) batches. Raises AccordError where the graph wants another shape."""
        named = zip(self._inputs.items(), batches, strict=True)
        try:
            values = self._session.run(self._names, {name: batch.astype(kind) for (name, kind), batch in named})
        except Exception as error:
            what = f"the graph rejects an input of shape {batches[0].shape} ({str(error).splitlines()[0][:200]})"
            raise AccordError(
                Problem("option input", what, "size, layout and `together` must match the graph")
            ) from None
        return dict(zip(self._names, values, strict=True))
