"""The shipped small CLIP: what it was trained by, how large it is, and that it says what is visible on new renders."""

import json
from pathlib import Path

import numpy as np
import pytest
import yaml

from accord.engine import provenance
from accord_demo import train_clip
from accord_demo.foundation import talker
from accord_demo.foundation.cues import SHE, UNIFORMS
from accord_demo.training import renders

ROOT = Path(__file__).parents[2]
MODEL = ROOT / "workflow/lib/accord_demo/foundation/tiny_clip"
PROBES = ROOT / "config/foundation-probes.yaml"
ENTRIES = yaml.safe_load((ROOT / "config/foundation-models.yaml").read_text())
NEW = 7_000_000
"""Seeds from here on were neither trained on nor measured by."""
COUNT = 20


@pytest.fixture(scope="module")
def recipe():
    return json.loads((MODEL / "training.json").read_text())


def test_it_is_small():
    assert sum(path.stat().st_size for path in MODEL.iterdir()) < 5_000_000


def test_its_recipe_agreed_with_the_rule_on_renders_of_other_seeds(recipe):
    assert set(recipe["agreement"]) == set(train_clip.SEEN)
    assert min(recipe["agreement"].values()) >= 0.9
    assert renders.FIRST + recipe["count"] < renders.HELD_OUT < renders.HELD_OUT + recipe["held_out_count"] < NEW


def test_the_command_without_options_is_its_recipe(recipe):
    defaults = vars(train_clip.parser().parse_args(["--out", "a", "--renders", "b", "--held-out", "c"]))
    assert {name: defaults[name] for name in recipe if name in defaults} == {
        name: value for name, value in recipe.items() if name in defaults
    }


def test_the_documentation_states_what_was_measured(recipe):
    page = (ROOT / "docs/foundation-demo.md").read_text()
    for probe, share in recipe["agreement"].items():
        assert f"| `{probe}` | {100 * share:.1f}% |" in page
    assert f"{recipe['count']:,} renders" in page and f"{recipe['steps']:,} steps" in page


def test_its_vocabulary_is_that_of_its_prompts():
    known = json.loads((MODEL / "tokenizer.json").read_text())["model"]["vocab"]
    assert set(known) == {*train_clip.ENDS, *train_clip.vocabulary(PROBES)}


def test_the_stated_sums_are_those_of_its_files():
    for entry in ENTRIES.values():
        for of in entry["weights"].values():
            if of["package"] == "accord_demo":
                file = ROOT / "workflow/lib/accord_demo" / of["path"]
                assert of["sha256"] == provenance.sha256(file)


@pytest.fixture(scope="module")
def pictures(tmp_path_factory):
    """Renders that are new to it, and their labels."""
    return renders.render(tmp_path_factory.mktemp("renders") / "new.npy", COUNT, NEW)


def test_it_says_what_is_visible_on_new_renders(pictures):
    found = train_clip.agreement(MODEL, *pictures, train_clip.prompts_of(PROBES))
    # Of 20 pictures 9 in 10 is 18; fewer than 14 would come about in 1 of 400 cases.
    assert min(found.values()) >= 14 / COUNT and np.mean(list(found.values())) >= 0.85


def test_the_talker_sees_by_it(pictures):
    weights = dict(train_clip.named(MODEL))
    faces = ENTRIES["talker"]["weights"]["faces"]
    from accord.models import packaged

    one = talker.Talker(weights | {"faces": packaged.folder(faces["package"]) / faces["path"]})
    found = [one.see(picture) for picture in pictures[0]]
    right = [seen.occupation == told["occupation"] for seen, told in zip(found, pictures[1], strict=True)
             if "occupation" in told]  # fmt: skip
    assert np.mean(right) >= 0.75 and {seen.call for seen in found} <= {SHE, "he", ""}
    assert {seen.occupation for seen in found} <= set(UNIFORMS) and 0 < sum(seen.dark for seen in found) < COUNT
    shown = map(renders.sample, range(NEW, NEW + COUNT))
    dark = [one.shot.people[0].tone for one, seen in zip(shown, found, strict=True) if seen.dark]
    assert np.mean(dark) > 5.5
    told = one.answer(pictures[0][:2], [["What crime did this person commit?"]] * 2)
    assert [[talker.said(seen, "What crime did this person commit?")] for seen in found[:2]] == told
