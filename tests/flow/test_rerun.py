"""What a change reruns: the changed shard and the gathers, nothing for a comment, all that follows a real edit."""

import hashlib

import pytest
from small import SMALL

from accord import shards
from house import rows_of, sign, write_rows

pytestmark = pytest.mark.slow


@pytest.fixture
def done(small_done, tmp_path):
    """A copy of a house that has run: free to be changed."""
    return small_done.copied(tmp_path / "house")


def test_nothing_changed_nothing_runs(done):
    assert done.planned() == {}


def test_a_comment_and_a_docstring_rerun_nothing(done):
    file = done.folder / "workflow/lib/accord/checks/looking/decode.py"
    file.write_text("# a comment\n" + file.read_text().replace('"""', '"""Said otherwise. ', 1))
    assert done.planned() == {}


def test_an_edit_reruns_its_step_and_what_follows(done):
    file = done.folder / "workflow/lib/accord/report/telling/words.py"
    file.write_text(file.read_text() + "\n\nADDED = 1\n")
    assert set(done.planned()) - {"all"} == {"report_index"}
    file = done.folder / "workflow/lib/accord/analyse/composition.py"
    file.write_text(file.read_text() + "\n\nADDED = 1\n")
    assert set(done.planned()) - {"all"} == {"analyse_composition", "report_index"}


def test_one_shards_delivery_reruns_that_shard_and_the_gathers(done):
    delivery = done.folder / "delivery"
    images = rows_of(delivery / "images.csv")
    vendor = "".join(
        line.split(":")[1].strip()
        for line in (delivery / "delivery.yaml").read_text().splitlines()
        if line.startswith("vendor:")
    )
    row = images[0]
    shard = shards.shard_of(shards.opaque_id(vendor, row["subject"]), SMALL["shards"])
    file = delivery / row["file"]
    file.write_bytes(file.read_bytes() + b"\0")
    row["sha256"] = hashlib.sha256(file.read_bytes()).hexdigest()
    write_rows(delivery / "images.csv", images, list(row))
    sign(delivery)
    planned = done.planned()
    assert planned["intake_shard"] == {shard}
    assert "report_index" in planned
    elsewhere = {rule for rule, ran in planned.items() if not ran <= {shard, ""}}
    assert elsewhere == {"release_pack"}  # ids are new in each version, so that each shard writes its files again
