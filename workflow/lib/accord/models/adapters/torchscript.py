"""TorchScript: a network saved with its code by torch.jit, by what models.yaml declares of its input and outputs."""

import io
import re
import warnings
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from accord.errors import AccordError, Problem
from accord.models.adapters.declaring.declared import Declared
from accord.models.adapters.nets.torch_nets import device, dtype_of, settle
from accord.models.weights import reading

OUTSIDE = re.compile(
    r"\b(from_file|torch\.(load|save|hub|classes)|ops\.(?!aten\.|prim\.|prims\.|quantized\.|torchvision\.)\w+)"
)
LARGEST_CODE = 1 << 26
SAVE = "save it with torch.jit.trace or torch.jit.script"


class TorchScript(Declared):
    """A saved program; its outputs are called out0, out1, ... in its order, or by the keys of the map that it returns.

    weights: `net`. precision: float32, bfloat16 or float16.
    """

    GPU = "torch"

    def __init__(self, weights: dict[str, Path], input: dict, outputs: dict, label: str = "person",
                 min_score: float = 0.05, overlap: float | None = None, most: int = 300,
                 together: bool = False, precision: str = "float32") -> None:  # fmt: skip
        told = {"label": label, "min_score": min_score, "overlap": overlap, "most": most, "together": together}
        super().__init__(Program(weights["net"], precision), input, outputs, **told)


class Program:
    """A program that takes one batch or several, and gives its outputs by name.

    Raises AccordError where it can't be trusted.
    """

    def __init__(self, path: Path, precision: str):
        import torch

        settle()
        content = path.read_bytes()
        _refuse_outside(path.name, content)
        self._device, self._dtype = device(), dtype_of(precision)
        self._name = path.name
        with reading(path.name, "can't be loaded by torch.jit", SAVE), warnings.catch_warnings():
            # Deprecated in favour of torch.export, but what restorers and embedders are published as.
            warnings.simplefilter("ignore", DeprecationWarning)
            self._net = torch.jit.load(io.BytesIO(content), map_location=self._device).eval().to(self._dtype)

    def __call__(self, *batches: np.ndarray) -> dict[str, np.ndarray]:
        """The outputs for (n, ...) batches, float32."""
        import torch

        shapes = ", ".join(str(batch.shape) for batch in batches)
        with reading(self._name, f"the program fails on an input of shape {shapes}", SAVE), torch.inference_mode():
            answer = self._net(*(torch.from_numpy(batch).to(self._device, self._dtype) for batch in batches))
            parts = answer if isinstance(answer, dict) else {f"out{n}": part for n, part in enumerate(_listed(answer))}
            return {name: _array(part) for name, part in parts.items()}


def _refuse_outside(name: str, content: bytes) -> None:
    """Raises AccordError for a program whose code reads or writes files, or calls what isn't torch's own."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            codes = [info for info in archive.infolist() if "/code/" in info.filename and info.filename.endswith(".py")]
            if not codes or sum(info.file_size for info in codes) > LARGEST_CODE:
                raise zipfile.BadZipFile
            found = {match[0] for info in codes for match in OUTSIDE.finditer(archive.read(info).decode())}
    except Exception:
        # A hostile archive makes zipfile raise anything: zlib.error, NotImplementedError, UnicodeDecodeError ...
        hint = "a checkpoint of tensors needs an adapter with its network"
        raise AccordError(Problem(name, "is not a valid TorchScript program", hint)) from None
    if found:
        what = f"is a program that calls {', '.join(sorted(found))}, which can access more than its input"
        raise AccordError(Problem(name, what, "it was not run"))


def _listed(answer: Any) -> Sequence:
    return answer if isinstance(answer, tuple | list) else [answer]


def _array(tensor: Any) -> np.ndarray:
    return tensor.float().cpu().numpy() if tensor.is_floating_point() else tensor.cpu().numpy()
