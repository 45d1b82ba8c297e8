"""A job asks for a GPU where one of its models would compute on it, and nowhere else."""

import ast
import re
from pathlib import Path

import pytest

from accord.errors import AccordError
from accord.models import adapter_paths, gpus, registry, tasks

ROOT = Path(__file__).parents[2]
SCHEMA = ROOT / "workflow/schemas/models.schema.yaml"
ON_A_GPU = re.compile(r"\bdevice\(\)|\bPretrained\(|_(WithExperts|Prompted)\(|\bcuda\b|\bProgram\(")
BY_ONNX = re.compile(r"\bSession\(")


@pytest.fixture(autouse=True)
def _environment(monkeypatch):
    monkeypatch.delenv("ACCORD_GPUS", raising=False)


def classes() -> list[tuple[str, str, str]]:
    """(short path, what it says, its text) of each adapter that models.yaml or a user can name."""
    files = [*adapter_paths.ADAPTERS.glob("*.py"), *(ROOT / "workflow/lib/accord/privacy/painting").glob("stable.py")]
    methods = {*tasks.METHOD_OF_STEP.values(), *tasks.STEP_OF_TASK.values()}
    found = []
    for file in files:
        text = file.read_text()
        for node in ast.parse(text).body:
            defined = {one.name for one in getattr(node, "body", []) if isinstance(one, ast.FunctionDef)}
            declared = isinstance(node, ast.ClassDef) and [ast.unparse(base) for base in node.bases] == ["Declared"]
            if isinstance(node, ast.ClassDef) and (defined & methods or declared) and "__init__" in defined:
                body = ast.get_source_segment(text, node) + ("checkpoints.load cuda" if file.stem == "stable" else "")
                found.append((f"{file.stem}:{node.name}", gpus._said(f"{file}:{node.name}") or "", body))
    return found


@pytest.mark.parametrize(("adapter", "said", "text"), classes(), ids=lambda one: one if ":" in one[:40] else "")
def test_an_adapter_says_whether_it_puts_its_network_on_a_gpu(adapter, said, text):
    expected = "torch" if ON_A_GPU.search(text) else "onnxruntime-gpu" if BY_ONNX.search(text) else ""
    assert said == expected


def test_the_list_of_adapters_is_whole():
    assert len(classes()) > 25
    assert {said for _, said, _ in classes()} == {"", "torch", "onnxruntime-gpu"}


@pytest.mark.parametrize(
    ("entry", "uses"),
    [
        ({"adapter": "transformers:Detector"}, True),
        ({"adapter": "accord.evaluate.adapters.transformers_clip:Sentences"}, True),
        ({"adapter": "lama:LaMa"}, True),
        ({"adapter": "opencv:YuNet"}, False),
        ({"adapter": "opencv:YuNet", "gpu": True}, True),
        ({"adapter": "transformers:Detector", "gpu": False}, False),
        ({"adapter": "nowhere:Nothing"}, False),
        ({"adapter": "package.module:Mine"}, False),
        ({"trained": "xception"}, True),
        ({"outputs": {"path": "x.json"}}, False),
        ({"service": {"detector": "yunet"}}, False),
    ],
)
def test_a_model_uses_a_gpu_as_its_adapter_or_its_entry_says(entry, uses):
    assert gpus.uses(entry) is uses
    assert gpus.of([{"outputs": {}}, entry]) == (1 if uses else None)


@pytest.mark.parametrize(("code", "uses"), [
    ('class Mine:\n    GPU = "torch"\n', True),
    ('class Mine:\n    GPU: str = "torch"\n', True),
    ('class Mine:\n    GPU: str\n', False),
    ('class Base:\n    GPU = "torch"\nclass Mine(Base):\n    pass\n', True),
    ('class Mine(Mine):\n    pass\n', False),
    ('class Mine:\n    pass\nGPU = "torch"\n', False),
    ('class Mine:\n    GPU = "not-installed-anywhere"\n', False),
    ("class Mine(:\n", False),
])  # fmt: skip
def test_one_s_own_file_is_read_and_not_run(tmp_path, code, uses):
    file = tmp_path / "mine.py"
    file.write_text(code + "\nraise SystemExit\n" if "(:" not in code else code)
    assert gpus.uses({"adapter": f"{file}:Mine"}) is uses


def test_accord_gpus_says_whether_a_job_may_ask_for_one(monkeypatch):
    entry = {"adapter": "transformers:Detector"}
    monkeypatch.setenv("ACCORD_GPUS", "0")
    assert (gpus.of([entry]), gpus.of_processes(4)) == (None, None)
    monkeypatch.setenv("ACCORD_GPUS", "1")
    assert (gpus.of([entry]), gpus.of([{"adapter": "opencv:YuNet"}]), gpus.of_processes(4)) == (1, None, 4)
    for told in ("2", "many", ""):
        monkeypatch.setenv("ACCORD_GPUS", told)
        with pytest.raises(AccordError, match=f"must be 0 or 1, not '{told}'"):
            gpus.of([entry])


def entry(name: str, more: str, task: str = "face_localization") -> str:
    head = f"{name}:\n  task: {task}\n  licence: MIT\n  source: me\n  adapter: transformers:Detector\n  weights: {{}}\n"
    return head + (f"  {more}\n" if more else "")


def listed(tmp_path, *entries: str) -> registry.Models:
    path = tmp_path / "models.yaml"
    path.write_text("".join(entries))
    names = [one.partition(":")[0] for one in entries]
    return registry.read({"models": str(path), "run": names}, SCHEMA)


def test_models_with_a_share_are_asked_together(tmp_path):
    models = listed(tmp_path, entry("one", "share: 0.4"), entry("two", "share: 0.6"), entry("alone", "alone: true"))
    assert (models.shared, models.small, models.pattern("detect")) == (["one", "two"], [], "alone")


def test_models_that_use_no_gpu_take_no_share_of_one(tmp_path):
    models = listed(tmp_path, entry("one", "share: 0.9"), entry("two", "share: 0.9\n  gpu: false"))
    assert models.shared == ["one", "two"]


def test_shares_that_do_not_fit_are_told_together(tmp_path):
    with pytest.raises(AccordError) as told:
        listed(tmp_path, entry("one", "share: 0.7"), entry("two", "share: 0.6", "visual_question"))
    assert "one, two need 1.30 of a GPU together" in str(told.value)
    assert "models of visual_question can't share a job" in str(told.value)
