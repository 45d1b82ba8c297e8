"""models.yaml: what ships is sound, and what is wrong is said, all at once."""

import importlib
import inspect
import json
import re
from pathlib import Path

import pytest
import yaml

from accord.engine import source
from accord.errors import AccordError
from accord.evaluate.tables import predictions as tables
from accord.models import adapter_paths, loading, registry, tasks, weights
from accord.models.adapters.declaring.declared import Declared

ROOT = Path(__file__).parents[2]
SCHEMA = ROOT / "workflow/schemas/models.schema.yaml"
SHIPPED = ROOT / "config/models.yaml"
ENTRY = {"task": "face_localization", "adapter": "accord.evaluate.adapters.opencv:YuNet", "weights": {}}
ENTRY |= {"licence": "MIT", "source": "here"}


def read(folder: Path, document: dict, run: list[str]) -> registry.Models:
    path = folder / "models.yaml"
    path.write_text(yaml.safe_dump(document))
    return registry.read({"models": str(path), "run": run}, SCHEMA)


def test_the_default_run_is_described_and_covers_every_task_of_which_weights_are_shipped():
    settings = yaml.safe_load((ROOT / "config/config.yaml").read_text())["evaluate"]
    found = registry.read({**settings, "models": str(SHIPPED)}, SCHEMA)
    assert list(found.entries) == settings["run"]
    unshipped = {"face_encoding", "image_text", "text_embedding", "visual_question"}
    unshipped |= {"perceptual_distance", "inpainting", "logo_localization", "face_service"}
    unshipped |= {"backbone"}  # what detectors are trained from
    unshipped |= {"age_gender", "fake_detection"}  # shown faces of videos, or of generated faces, which deliveries lack
    assert {task for task in tasks.STEP_OF_TASK if not found.of_task(task)} == unshipped


def test_every_package_of_weights_is_pinned():
    pinned = re.findall(r"^([a-z0-9-]+)==", (ROOT / "weights.txt").read_text(), re.MULTILINE)
    entries = yaml.safe_load(SHIPPED.read_text()).values()
    wanted = {
        file["package"].replace("_", "-")
        for entry in entries
        for file in entry.get("weights", {}).values()
        if "package" in file
    }
    assert wanted <= set(pinned)


def test_all_problems_of_the_file_are_told_at_once(tmp_path):
    wrong = {
        "a": {**ENTRY, "task": "mind_reading"},
        "b": {**ENTRY, "weights": {"net": {"path": "../secret", "sha256": "0" * 64}}},
        "c": {**ENTRY, "weights": {"net": {"path": "x", "sha256": "abc", "revision": "1"}}, "lisence": "MIT"},
        "d": {"task": "face_parsing", "licence": "", "source": "here"},
        "E": ENTRY,
    }
    with pytest.raises(AccordError) as error:
        read(tmp_path, wrong, ["a"])
    text = str(error.value)
    assert text.startswith("9 problems found")
    for told in (
        "E: not a valid name: must match the pattern",
        "a.task: must be face_localization, person_localization, ",
        "b.weights.net.path: must match the pattern ",
        "c.lisence: unknown key (did you mean 'licence'?)",
        "c.weights.net.hub: is missing",
        "c.weights.net.sha256: must match the pattern ",
        "d.adapter: is missing",
        "d.licence: must not be empty",
        "d.weights: is missing",
    ):
        assert f"models.yaml: {told}" in text
    assert not [value for value in ("mind_reading", "../secret", "abc") if value in text]
    assert "hint: see the example in docs/models.md" in text


def test_ones_own_models_stand_in_a_file_of_ones_own(tmp_path):
    paths = [tmp_path / "shipped.yaml", tmp_path / "own.yaml"]
    for path, names in zip(paths, (("a", "b"), ("c",)), strict=True):
        path.write_text(yaml.safe_dump(dict.fromkeys(names, ENTRY)))
    settings = {"models": list(map(str, paths)), "run": ["c", "a"]}
    assert list(registry.read(settings, SCHEMA).entries) == ["c", "a"]
    paths[1].write_text(yaml.safe_dump({"b": ENTRY, "d": {**ENTRY, "task": "mind_reading"}}))
    with pytest.raises(AccordError) as error:
        registry.read(settings, SCHEMA)
    said = str(error.value)
    assert "own.yaml: b: an earlier file of evaluate.models has a model of this name" in said
    assert "own.yaml: d.task: must be " in said


def test_entries_are_those_of_the_file_as_it_is_now_and_nobody_s_to_spoil(tmp_path):
    read(tmp_path, {"mine": ENTRY}, ["mine"]).entries["mine"]["weights"]["spoiled"] = {}
    assert "spoiled" not in read(tmp_path, {"mine": ENTRY}, ["mine"]).entries["mine"]["weights"]
    assert list(read(tmp_path, {"other": ENTRY}, ["other"]).entries) == ["other"]


def test_a_file_is_in_a_package_or_on_the_hub_but_not_in_both(tmp_path):
    file = {"path": "x", "sha256": "0" * 64, "package": "p", "hub": "a/b"}
    with pytest.raises(AccordError, match=r"a\.weights\.net: can't have package and hub together"):
        read(tmp_path, {"a": {**ENTRY, "weights": {"net": file}}}, ["a"])


def test_unknown_and_repeated_names_in_the_run(tmp_path):
    with pytest.raises(AccordError) as error:
        read(tmp_path, {"a": ENTRY}, ["a", "b", "a"])
    assert "evaluate.run: b:" in str(error.value)
    assert "has no such model\n    hint: it lists a" in str(error.value)
    assert "evaluate.run: a: is listed more than once" in str(error.value)


def test_a_model_reads_what_its_task_can_be_shown(tmp_path):
    crops = {**ENTRY, "reads": "crop"}
    assert "reads" in json.loads(read(tmp_path, {"a": crops}, ["a"]).spec("a"))
    with pytest.raises(AccordError) as error:
        read(tmp_path, {"a": {**crops, "reads": "aligned"}, "b": {**crops, "task": "person_parsing"}}, ["a"])
    assert "a.reads: face_localization can't read aligned pictures\n    hint: use downsampled or crop" in str(
        error.value
    )
    assert "b.reads: person_parsing can't read crop pictures\n    hint: use downsampled" in str(error.value)


def test_every_task_has_a_step_something_to_read_and_a_place_in_the_schema():
    listed = yaml.safe_load(SCHEMA.read_text())["$defs"]["model"]["properties"]["task"]["enum"]
    unscored = {"text_embedding", "perceptual_distance", "inpainting", "logo_localization", "face_service", "backbone"}
    assert set(listed) == set(tasks.STEP_OF_TASK) == set(tasks.READS) == {*tables.TASKS, *unscored}


def test_a_pattern_matches_the_models_of_its_step_only(tmp_path):
    own = {**ENTRY, "alone": True}
    document = {"a": own, "a_b": {**own, "task": "person_localization"}, "c": {**own, "task": "image_embedding"}}
    found = read(tmp_path, document, ["a", "a_b", "c"])
    matched = {
        step: [name for name in document if re.fullmatch(found.pattern(step), name)]
        for step in ("detect", "pose", "masked")
    }
    assert matched == {"detect": ["a", "a_b"], "pose": [], "masked": ["c"]}
    assert found.of_task("face_localization", "image_embedding") == ["a", "c"]


def test_a_spec_holds_what_predictions_depend_on_and_no_more(tmp_path):
    spec = json.loads(read(tmp_path, {"a": ENTRY}, ["a"]).spec("a"))
    assert set(spec) == {"name", "code", "task", "adapter", "weights", "batch", "options"}
    assert spec["code"] == source.digest("models.adapters.opencv")


def test_an_edit_of_an_adapter_changes_only_the_specs_that_use_it(tmp_path):
    mine = tmp_path / "mine.py"
    document = {"a": ENTRY, "b": {**ENTRY, "adapter": "mine.py:Mine"}}

    def specs() -> list[str]:
        found = read(tmp_path, {**document, "b": {**ENTRY, "adapter": f"{mine}:Mine"}}, ["a", "b"])
        return [found.spec("a"), found.spec("b")]

    mine.write_text("class Mine: pass")
    before = specs()
    assert specs() == before
    mine.write_text("class Mine: x = 1")
    after = specs()
    assert after[0] == before[0]
    assert after[1] != before[1]


def test_an_adapter_has_a_short_name_and_a_long_one():
    assert adapter_paths.recorded("opencv:YuNet") == "accord.evaluate.adapters.opencv:YuNet"
    assert adapter_paths.recorded("lama:LaMa") == "accord.privacy.lama:LaMa"
    for same in ("a/b.py:Mine", "b.py:Mine", "mine.nets:Mine", "accord.evaluate.adapters.opencv:YuNet"):
        assert adapter_paths.recorded(same) == same
    assert adapter_paths.step_of("opencv:YuNet") == adapter_paths.step_of("accord.evaluate.adapters.opencv:YuNet")
    assert adapter_paths.step_of("accord.privacy.stable:Any") == "privacy.painting.stable"
    assert adapter_paths.step_of("mine.nets:Mine") is adapter_paths.step_of("b.py:Mine") is None


@pytest.mark.parametrize("module", ["os", "__init__", "nets", "accord.cli", "accord.privacy.painting.lama"])
def test_nothing_but_adapters_is_imported_by_name(module, tmp_path):
    with pytest.raises(LookupError, match="there is no module"):
        adapter_paths.step_of(f"{module}:Any")
    with pytest.raises(AccordError, match="there is no adapter"):
        loading.load(
            {"name": "a", "task": "t", "adapter": f"{module}:Any", "weights": {}, "options": {}}, tmp_path, "x"
        )


def test_both_names_of_an_adapter_tell_steps_the_same(tmp_path):
    long, short = (read(tmp_path, {"a": {**ENTRY, "adapter": adapter}}, ["a"]).spec("a")
                   for adapter in (ENTRY["adapter"], "opencv:YuNet"))  # fmt: skip
    assert long == short


def test_missing_adapters_are_told(tmp_path):
    for adapter, message in [
        ("nowhere.py:Mine", r"nowhere\.py: can't be read \(No such file"),
        ("accord.evaluate.adapters.nothing:Mine", "adapter nothing:Mine: there is no module nothing"),
    ]:
        found = read(tmp_path, {"a": {**ENTRY, "adapter": adapter}}, ["a"])
        with pytest.raises(AccordError, match=message):
            found.spec("a")


def test_a_model_that_can_be_done_without_is_none_where_its_weights_are_not_here(tmp_path):
    file = {"path": "net.onnx", "sha256": "0" * 64}
    listed = read(tmp_path, {"a": {**ENTRY, "weights": {"net": file}}}, ["a"])
    assert registry.spec_or_none(listed, None, tmp_path) == registry.spec_or_none(listed, "a", tmp_path) == "null"
    (tmp_path / "net.onnx").touch()
    assert json.loads(registry.spec_or_none(listed, "a", tmp_path))["name"] == "a"


def test_outputs_stand_instead_of_an_adapter(tmp_path):
    told = {"path": "given/model_outputs.json", "sha256": "a" * 64, "release": "1.0.0"}
    words = {"licence": "MIT", "source": "here"}
    entry = {"task": "person_localization", "outputs": told, **words}
    found = read(tmp_path, {"a": entry, "b": ENTRY}, ["a", "b"])
    assert [re.fullmatch(found.pattern(step), "a") is not None for step in ("outputs", "detect")] == [True, False]
    assert json.loads(found.spec("a")) == {"name": "a", "task": "person_localization", "outputs": told}
    assert found.of_task("person_localization") == ["a"]


def test_outputs_that_are_not_there_leave_their_model_out(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = {"licence": "MIT", "source": "here", "task": "person_localization"}
    given = {name: {**words, "outputs": {"path": f"{name}.json", "sha256": "a" * 64}} for name in ("here", "gone")}
    (tmp_path / "here.json").write_text("{}")
    found = registry.available(read(tmp_path, given, ["here", "gone"]), tmp_path)
    assert list(found.entries) == ["here"]
    assert str(found.missing["gone"][0]).startswith("model gone: its outputs are missing: looked for gone.json")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"adapter": "a.b:C"}, "a.adapter: unknown key here"),
        ({"batch": 2}, "a.batch: unknown key here"),
        ({"outputs": {"path": "../x.json", "sha256": "a" * 64}}, "a.outputs.path: must match the pattern"),
        ({"outputs": {"path": "/x.json", "sha256": "a" * 64}}, "a.outputs.path: must match the pattern"),
        ({"outputs": {"path": "x.json"}}, "a.outputs.sha256: is missing"),
        (
            {"outputs": {"path": "x", "sha256": "a" * 64, "release": "../1"}},
            "a.outputs.release: must match the",
        ),
    ],
)
def test_outputs_that_are_described_wrongly(tmp_path, change, message):
    entry = {"task": "person_localization", "outputs": {"path": "x.json", "sha256": "a" * 64}, "licence": "MIT"}
    with pytest.raises(AccordError, match=re.escape(message)):
        read(tmp_path, {"a": {**entry, "source": "here", **change}}, ["a"])


def test_every_shipped_entry_fits_its_adapter():
    """Also those whose weights can't be here: the adapter, its method, its options, what is declared of graphs."""
    every = yaml.safe_load(SHIPPED.read_text())
    document = {name: entry for name, entry in every.items() if entry["task"] != tasks.BACKBONE}
    listed = registry.read({"models": str(SHIPPED), "run": list(document)}, SCHEMA)
    of_its_own = {name: entry for name, entry in listed.entries.items() if "adapter" in entry}
    assert set(document) - set(of_its_own) == {name for name, entry in document.items() if "service" in entry}
    for name, entry in of_its_own.items():
        module, _, kind = entry["adapter"].rpartition(":")
        assert module in (*adapter_paths.PAINTERS, adapter_paths.SHIPPED + module.rpartition(".")[2])
        adapter = getattr(importlib.import_module(f"accord.{adapter_paths.step_of(entry['adapter'])}"), kind)
        assert callable(getattr(adapter, tasks.method_of(entry["task"]))), name
        inspect.signature(adapter).bind({}, **entry["options"])
        if issubclass(adapter, Declared):
            graph = Declared(lambda batch: {}, **{"overlap": None, "label": "", "min_score": 0.0, "most": 1,
                                                  "together": False, **entry["options"]})  # fmt: skip
            assert graph._outputs, name


def test_what_no_package_ships_has_no_sum_until_it_is_locked_and_says_where_it_is_from():
    document = yaml.safe_load(SHIPPED.read_text())
    unshipped = {name: entry for name, entry in document.items() if None in sums(entry)}
    wanted = {"faster_rcnn", "cascade_rcnn", "detr", "deformable_detr", "mask_rcnn", "cascade_mask_rcnn", "mask2former"}
    wanted |= {"simple_baseline", "hrnet", "vitpose", "retinaface", "dml_csr", "arcface", "curricularface", "facenet"}
    wanted |= {"restyle_e4e", "restyle_psp", "gfpgan", "gpen"}
    assert wanted <= set(unshipped)
    for name, entry in unshipped.items():
        assert re.search(r"(19|20)\d\d", entry["source"]), name
        assert weights.missing(name, entry["weights"], Path("nowhere")), name


def sums(entry: dict) -> list:
    return [file["sha256"] for file in entry.get("weights", {}).values()]
