"""Writing a graph as ONNX or TorchScript, and holding the file against torch's own graph before it is left anywhere."""

import inspect
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch

TOLERANCE = 1e-4
"""Largest difference: of a number up to 1 as it is, of a larger one as a share of it."""
OPSET = 17
PICTURES = 2
"""Random pictures of each size that the file is held against."""
INPUT = "input"


class NotTheSame(Exception):
    """The file says something else than torch's own graph; it was not left."""


@dataclass
class Graph:
    """What is exported.

    net: takes (1, 3, height, width) float32, returns one tensor or a tuple, named by `outputs` (of ONNX). size: the
    input's height and width that it is traced with. sizes: those that it is checked with, upright and broad where the
    graph takes any (`dynamic`: name of an input or output -> number of an axis -> what varies). values: the range of
    the numbers that it is given. reference: the authors' own way to the same outputs, where it isn't `net` itself.
    rows: outputs are rows that belong together, in no certain order (boxes with scores and labels).
    """

    net: torch.nn.Module
    outputs: Sequence[str]
    size: tuple[int, int]
    values: tuple[float, float]
    sizes: Sequence[tuple[int, int]] = ()
    dynamic: dict[str, dict[int, str]] = field(default_factory=dict)
    reference: Callable | None = None
    rows: bool = False


def write(graph: Graph, path: Path, pictures: Sequence[Path] = (), tolerance: float = TOLERANCE) -> float:
    """Export a graph to a path (.onnx or .pt); returns the largest difference from torch's own graph.

    It is asked about random pictures, and about those that are named. Raises NotTheSame, and leaves no file, where one
    differs by more than the tolerance.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.partial")
    graph.net.eval()
    try:
        with torch.no_grad(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            answers = _onnx(graph, draft) if path.suffix == ".onnx" else _script(graph, draft)
            worst = _compared(graph, answers, pictures)
        if not worst <= tolerance:
            what = f"the exported file is {worst:.1e} away from torch's own graph, which is more than {tolerance:.0e}"
            raise NotTheSame(f"{what}: nothing was written. --tolerance allows more")
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    return worst


def _onnx(graph: Graph, draft: Path) -> Callable:
    """Write the graph as ONNX; returns a function of an input that asks the file."""
    import onnx  # noqa: F401 - torch asks for it only after minutes of work
    import onnxruntime

    told = {"input_names": [INPUT], "output_names": list(graph.outputs), "opset_version": OPSET}
    if "dynamo" in inspect.signature(torch.onnx.export).parameters:
        # The exporter that follows any program, and needs no onnxscript.
        told |= {"dynamo": False, "autograd_inlining": False}
    torch.onnx.export(graph.net, (torch.zeros(1, 3, *graph.size),), str(draft), dynamic_axes=graph.dynamic, **told)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(str(draft), options, providers=["CPUExecutionProvider"])
    return lambda given: session.run(list(graph.outputs), {INPUT: given.numpy()})


def _script(graph: Graph, draft: Path) -> Callable:
    """Write the graph as TorchScript; returns a function of an input that asks the file."""
    torch.jit.save(torch.jit.trace(graph.net, torch.zeros(1, 3, *graph.size), check_trace=False), str(draft))
    program = torch.jit.load(str(draft), map_location="cpu").eval()
    return lambda given: [tensor.numpy() for tensor in listed(program(given))]


def _compared(graph: Graph, answers: Callable, pictures: Sequence[Path]) -> float:
    """Print the difference of each output for each input; returns the largest. Raises NotTheSame without any row."""
    reference, worst, rows = graph.reference or graph.net, 0.0, 0
    for size in graph.sizes or [graph.size]:
        for given in inputs(graph, size, pictures):
            expected = [tensor.numpy() for tensor in listed(reference(given))]
            found = answers(given)
            each = [apart(*two) for two in zip(expected, found, strict=True)]
            told = rows_apart(expected, found) if graph.rows else each
            count = f" of {expected[0].shape[1]} rows" if graph.rows else ""
            said = ", ".join(f"{name} {value:.1e}" for name, value in zip(graph.outputs, told, strict=True))
            print(f"{size[0]} x {size[1]}: {said}{count}")
            worst, rows = max([worst, *told]), rows + expected[0].shape[1]
    if graph.rows and not rows:
        raise NotTheSame("nothing was found in random pictures, so nothing was compared: name photographs by --picture")
    return worst


def inputs(graph: Graph, size: tuple[int, int], pictures: Sequence[Path]) -> Iterator[torch.Tensor]:
    """(1, 3, *size) numbers in the graph's range: coarse and fine noise together, and photographs, stretched."""
    random = torch.Generator().manual_seed(0)
    low, high = graph.values
    for _ in range(PICTURES):
        coarse = torch.rand((1, 3, 5, 4), generator=random)
        noise = torch.nn.functional.interpolate(coarse, size, mode="bilinear") * 0.7
        yield (noise + torch.rand((1, 3, *size), generator=random) * 0.3) * (high - low) + low
    for path in pictures:
        from PIL import Image

        with Image.open(path) as opened:
            pixels = np.asarray(opened.convert("RGB").resize(size[::-1]), dtype=np.float32)
        yield torch.from_numpy(pixels / 255 * (high - low) + low).permute(2, 0, 1)[None].contiguous()


def apart(expected: np.ndarray, found: np.ndarray) -> float:
    """The largest difference of two arrays, as a share of what is larger than 1; infinite where shapes differ."""
    if expected.shape != found.shape or not (np.isfinite(expected).all() and np.isfinite(found).all()):
        return float("inf")
    expected = expected.astype(np.float64)
    return float((np.abs(expected - found) / np.maximum(np.abs(expected), 1)).max(initial=0.0))


def rows_apart(expected: Sequence[np.ndarray], found: Sequence[np.ndarray]) -> list[float]:
    """The largest difference of each output, after each row of the first was given the nearest that is left.

    Scores that are nearly equal come in any order. Infinite where there are not as many rows.
    """
    if any(one.shape != other.shape for one, other in zip(expected, found, strict=True)):
        return [float("inf")] * len(expected)
    flat = [np.concatenate([_rows(array) for array in arrays], axis=1) for arrays in (expected, found)]
    left, order = np.ones(len(flat[1]), dtype=bool), []
    for row in flat[0]:
        distance = np.where(left, np.abs(flat[1] - row).max(axis=1), np.inf)
        order.append(int(distance.argmin()))
        left[order[-1]] = False
    return [apart(one[0], other[0][order]) for one, other in zip(expected, found, strict=True)]


def _rows(array: np.ndarray) -> np.ndarray:
    """(1, n, ...) as (n, columns)."""
    return array[0].reshape(array.shape[1], int(np.prod(array.shape[2:]))).astype(np.float64)


def listed(answer) -> list[torch.Tensor]:
    """A network's answer as a list of tensors."""
    return [tensor.detach() for tensor in (answer if isinstance(answer, (tuple, list)) else [answer])]
