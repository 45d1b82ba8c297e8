"""Products of rows of bytes, as whole numbers: the same on any machine, and faster than those of real numbers."""

from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np

OPSET, IR = 13, 8
"""Of ONNX: the operator MatMulInteger is in versions 10 and later; what all versions of onnxruntime read."""
LOWEST = -128
"""What a byte of 0 is among numbers with a sign; each other byte is as much more."""
SIDES = (1, 5, 64)
"""Numbers of rows with which kernels are tried."""


class _Kernels(NamedTuple):
    """onnxruntime's kernels, on one thread; whether the right side has signs."""

    session: Any
    signed: bool

    def products(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        across = np.ascontiguousarray(right.T)
        other = (across ^ np.uint8(-LOWEST)).view(np.int8) if self.signed else across
        return self.session.run(None, {"left": np.ascontiguousarray(left), "right": other})[0]


def byte_products(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """(n, m) int32 dot products of the rows of (n, d) and (m, d) uint8."""
    return _kernels().products(left, right)


@lru_cache(maxsize=1)
def _kernels() -> _Kernels:
    """Those that are exact on this processor, the fastest of them."""
    signed = _Kernels(_session(signed=True), signed=True)
    return signed if _exact(signed) else _Kernels(_session(signed=False), signed=False)


def _exact(kernels: _Kernels) -> bool:
    """Whether sums are right at their ends: processors without instructions for them add two products in 16 bits,
    which hold no more than half of the greatest."""
    ends = np.tile(np.array([[0], [255]], np.uint8), (max(SIDES), 128))
    for left, right in product((ends[-count:] for count in SIDES), repeat=2):
        if not np.array_equal(kernels.products(left, right), left.astype(int) @ right.T.astype(int)):
            return False
    return True


def _session(signed: bool) -> Any:
    import onnxruntime
    from onnx import TensorProto, helper

    kind, zero = (TensorProto.INT8, LOWEST) if signed else (TensorProto.UINT8, 0)
    left = helper.make_tensor_value_info("left", TensorProto.UINT8, ["n", "d"])
    right = helper.make_tensor_value_info("right", kind, ["d", "m"])
    made = helper.make_tensor_value_info("product", TensorProto.INT32, ["n", "m"])
    zeros = [helper.make_tensor("none", TensorProto.UINT8, [], [0]), helper.make_tensor("zero", kind, [], [zero])]
    nodes = [helper.make_node("MatMulInteger", ["left", "right", "none", "zero"], ["product"])]
    graph = helper.make_graph(nodes, "products", [left, right], [made], zeros)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
