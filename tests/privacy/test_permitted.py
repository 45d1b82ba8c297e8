"""Which model may paint which delivery, and what is not here of it: told at once, before anything is painted."""

import json
import re
import shutil
from pathlib import Path

import pytest
import yaml
from painting_cases import run_paint

from accord.engine import configuration
from accord.engine.table import check, rows
from accord.errors import AccordError
from accord.intake.tables import Images, Regions
from accord.privacy import permitted
from accord.privacy.painting import at_start, chosen
from accord.privacy.tables import Paintable

ROOT = Path(__file__).parents[2]
SCHEMA = ROOT / "workflow/schemas/models.schema.yaml"
PLATE = [60, 70, 110, 70, 110, 100, 60, 100]
NET = {"net": {"path": "net.pt", "sha256": "0" * 64}}
ENTRY = {"task": "inpainting", "adapter": "accord.privacy.lama:LaMa", "licence": "MIT", "source": "s", "weights": NET}


@pytest.fixture
def delivered(images_table):
    """Images a to d of three deliveries, and regions of those that are named."""

    def make(*painted):
        one = images_table().iloc[0].to_dict()
        own = {
            "a": {"delivery": "photographs", "rendered": False, "source": "Ann's plate"},
            "b": {"delivery": "photographs", "rendered": False},
            "c": {"delivery": "more", "vendor": "other", "rendered": False},
            "d": {"delivery": "renders", "rendered": True},
        }
        images = rows([{**one, **more, "image": image} for image, more in own.items()], Images)
        region = {"kind": "card", "polygon": PLATE, "annotator": "x"}
        regions = [{**region, "image": image, "region": f"{image}{n}"} for image in painted for n in range(2)]
        return images, rows(regions, Regions)

    return make


def problems(call):
    with pytest.raises(AccordError) as caught:
        call()
    return caught.value.problems


def test_the_embedded_model_paints_rendered_deliveries_alone(delivered):
    found = problems(lambda: permitted.run(*delivered("a", "b", "c", "d"), model="embedded"))
    assert [(one.where, one.what[:11]) for one in found] == [
        ("delivery acme photographs", "2 of its im"),
        ("delivery other more", "1 of its im"),
    ]
    assert all("privacy.model" in one.hint and "accord weights fetch sd2_inpainting" in one.hint for one in found)
    assert all("rendered: true" in one.hint for one in found)
    assert "Ann" not in str(found)


def test_images_without_regions_go_on(delivered):
    assert len(permitted.run(*delivered(), model="embedded")) == 0
    made = permitted.run(*delivered("d"), model="embedded")
    check(made, Paintable, "paintable")
    assert made.values.tolist() == [["acme", "renders", True, 1]]


def test_a_model_of_photographs_paints_both(delivered, tmp_path):
    (tmp_path / chosen.INDEX).write_text("{}")
    made = permitted.run(*delivered("a", "d"), model=str(tmp_path))
    assert made[["delivery", "images"]].values.tolist() == [["photographs", 1], ["renders", 1]]


def test_weights_that_are_not_here_are_told_only_where_something_is_painted(delivered, tmp_path):
    told = {"model": "net@1", "entry": {**ENTRY, "name": "net"}, "weights": tmp_path}
    assert len(permitted.run(*delivered(), **told)) == 0
    [found] = problems(lambda: permitted.run(*delivered("d"), **told))
    assert (found.where, found.what) == ("model net", f"its weights are missing: looked for {tmp_path.name}/net.pt")


def test_nothing_is_painted_before_it_is_told(shard, tmp_path):
    delivery = shard(regions=[("license_plate", PLATE)])
    delivery["images"]["rendered"] = False
    out = tmp_path / "out.tar"
    [found] = problems(lambda: run_paint(delivery, out))
    assert found.where == "delivery acme 2026-03" and not out.exists()
    delivery["regions"] = delivery["regions"].iloc[:0]
    assert len(run_paint(delivery, out).pictures) == 1


@pytest.fixture
def config(tmp_path):
    """A configuration whose models.yaml has one model that paints and one that doesn't."""
    other = {**ENTRY, "task": "image_embedding"}
    (tmp_path / "models.yaml").write_text(yaml.safe_dump({"net": ENTRY, "other": other}))
    settings = {"models": str(tmp_path / "models.yaml"), "weights": str(tmp_path), "run": []}
    return lambda model: {"privacy": {"model": model}, "evaluate": settings}


def test_a_model_is_chosen_by_its_name(config, tmp_path):
    (tmp_path / "net.pt").write_bytes(b"")
    found = chosen.read(config("net"), SCHEMA)
    assert found.called.startswith("net@") and found.absent == []
    assert yaml.safe_load(found.spec)["adapter"] == ENTRY["adapter"]
    (tmp_path / "net.pt").unlink()
    assert [problem.hint for problem in chosen.read(config("net"), SCHEMA).absent] != []


def test_other_weights_are_another_model_to_those_who_decided():
    assert chosen.called("net", NET) == chosen.called("net", NET)
    assert chosen.called("net", NET) != chosen.called("net", {"net": {**NET["net"], "sha256": "1" * 64}})


def test_a_model_of_another_task_does_not_paint(config):
    [found] = problems(lambda: chosen.read(config("other"), SCHEMA))
    assert found.where == "privacy.model: other" and "image_embedding" in found.what


def test_the_embedded_model_and_a_folder_need_no_entry(config, tmp_path):
    assert chosen.read(config("embedded"), SCHEMA) == ("embedded", "null", [], {})
    folder = tmp_path / "mine"
    [gone] = chosen.read(config(str(folder)), SCHEMA).absent
    assert gone.where == "inpainting model 'mine'" and "accord weights fetch sd2_inpainting" in gone.hint
    folder.mkdir()
    (folder / chosen.INDEX).write_text("{}")
    assert chosen.read(config(str(folder)), SCHEMA) == (str(folder), "null", [], {})


def test_annotated_regions_ask_for_the_model_before_the_first_job(config, tmp_path):
    delivery = ROOT / "tests/data/demo/delivery"
    plain = tmp_path / "plain"
    shutil.copytree(delivery, plain)
    described = (plain / "delivery.yaml").read_text()
    (plain / "delivery.yaml").write_text(re.sub("rendered: .*", "rendered: false", described))

    def required(model, *deliveries):
        return problems(
            lambda: at_start.require(config(model) | {"intake": {"deliveries": list(map(str, deliveries))}})
        )

    [gone] = required("net", delivery, plain)
    assert "its weights are missing" in gone.what
    [refused] = required("embedded", delivery, plain)
    assert refused.where == "delivery plain" and refused.what.startswith(
        "has regions to paint, and it is not marked as"
    )
    at_start.require(config("embedded") | {"intake": {"deliveries": [str(delivery)]}})
    for file in (plain / "annotations").glob("*.json"):
        document = json.loads(file.read_bytes())
        file.write_text(json.dumps(document | {"regions": []} if isinstance(document, dict) else document))
    at_start.require(config("net") | {"intake": {"deliveries": [str(plain), str(tmp_path / "nowhere")]}})


def test_photographs_are_painted_by_stable_diffusion_and_looked_at_unless_it_is_the_demo(monkeypatch):
    monkeypatch.chdir(ROOT)
    production = configuration.read([Path("config/config.yaml")])
    found = chosen.read(production, SCHEMA)
    assert found.called.startswith(f"{chosen.PHOTOGRAPHS}@") and production["privacy"]["review"] == "all"
    demo = configuration.read([Path("config/config.yaml"), Path("config/demo.yaml")])
    assert chosen.read(demo, SCHEMA).called == "embedded" and demo["privacy"]["review"] == "escalated"


def test_no_file_of_the_default_is_a_pickle():
    entry = yaml.safe_load((ROOT / "config/models.yaml").read_text())[chosen.PHOTOGRAPHS]
    assert {Path(file["path"]).suffix for file in entry["weights"].values()} == {".json", ".txt", ".safetensors"}
