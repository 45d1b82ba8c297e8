"""What falls of videos in a delivery and in results: all that shows her, and all that was made of it."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from accord.audit.evidence import delivered, membership
from accord.audit.targets.places import Places as Audited
from accord.audit.telling.checks import FAIL, PASS
from accord.checks.tables.findings import Verdicts, Waterfall
from accord.cli import main
from accord.engine import table
from accord.erase.cases import person
from accord.erase.cases.person import Person
from accord.erase.cases.places import Places
from accord.erase.planning import closure
from accord.intake.delivered.delivery import SCHEMA
from accord.intake.redacting import redact
from accord.shards import opaque_id

sys.path.insert(0, str(Path(__file__).parents[1]))

from video_cases import broken_video

SPEC = importlib.util.spec_from_file_location("intake_cases", Path(__file__).parents[1] / "intake/intake_cases.py")
CASES = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(CASES)
BOB = opaque_id("acme", "bob")
ACCOUNT = ("verdicts", "waterfall")
OUTS = {
    "intake": ("videos", "people", "boxes", "refused"),
    "checks": ("videos", "seen", "findings"),
    "privacy": ("videos", "passages", "findings"),
}
SETTLED = ("review-items", "decisions", "settled", "moments")
BUNDLED = ("intake", "privacy")
BRANDS = Path(__file__).parents[2] / "config/brands.csv"
LOOKED = {"video-frames": 1, "text-side": 640, "min-text-score": 0.5, "max-nudity": 0.8, "logo-score": 0.6}


def name(shard, room, out):
    return f"results/{room}/{shard}/{'videos' if out == 'videos' else f'video_{out}'}.parquet"


def outs(shard, room):
    return [word for out in OUTS[room] for word in (f"--out-{out}", name(shard, room, out))]


@pytest.fixture
def taken(tmp_path, monkeypatch):
    """Two videos, of ann alone and of bob with ann, taken by intake, and given to privacy, which can read neither."""
    monkeypatch.chdir(tmp_path)
    maker = CASES.filled(Path("delivery"))
    for reference, who in (("VID_1", ["ann"]), ("VID_2", ["bob", "ann"])):
        grey = [np.full((32, 32, 3), 90, np.uint8)] * (1 + len(who))
        data = broken_video(tmp_path / "broken.mp4", grey).read_bytes()
        maker.video(reference, *who, data=data)
    root = maker.write()
    homes = [shard for shard in ("00", "01") if run(root, shard)]
    assert homes
    shards = ("00", "01")
    given = [name(shard, "intake", "videos") for shard in shards]
    refused = [name(shard, "intake", "refused") for shard in shards]
    findings, painted = ([name(shard, "privacy", out) for shard in shards] for out in ("settled", "videos"))
    shown = [name(shard, "intake", "people") for shard in shards]
    tables = [
        "--videos",
        *given,
        "--people",
        *shown,
        "--refused",
        *refused,
        "--findings",
        *findings,
        "--painted",
        *painted,
    ]
    made = [word for out in ACCOUNT for word in (f"--out-{out}", account(out))]
    assert main(["privacy.video_waterfall", *tables, *made]) == 0
    return root


def account(out):
    return f"results/privacy/videos/{out}.parquet"


def run(root, shard):
    bundles = [f"results/{room}/{shard}/videos.tar" for room in BUNDLED]
    given = ["--deliveries", str(root), "--schema", str(SCHEMA), "--shard", shard, "--shards", "2"]
    assert main(["intake.videos", *given, "--bundle", bundles[0], *outs(shard, "intake")]) == 0
    taken = ["--videos", name(shard, "intake", "videos")]
    limits = [word for key, value in LOOKED.items() for word in (f"--{key}", str(value))]
    given = [
        "--lists",
        "--words",
        "--gallery",
        "--brands",
        str(BRANDS),
        "--models",
        '{"logo": null}',
        "--weights",
        "weights",
        "--vault",
        "vault",
    ]
    assert main(["checks.look_videos", *taken, "--bundle", bundles[0], *given, *limits, *outs(shard, "checks")]) == 0
    tables = [*taken, "--boxes", name(shard, "intake", "boxes")]
    how = ["--smallest-face", "0.1", "--every", "0.2", "--gap", "1", "--pad", "0.5"]
    files = ["--bundle", bundles[0], "--painted", bundles[1]]
    assert main(["privacy.paint_videos", *tables, *files, *how, *outs(shard, "privacy")]) == 0
    findings = [name(shard, room, "findings") for room in ("checks", "privacy")]
    tables = [*taken, "--painted", name(shard, "privacy", "videos"), "--findings", *findings]
    tables += ["--seen", name(shard, "checks", "seen"), "--passages", name(shard, "privacy", "passages")]
    made = [word for out in SETTLED for word in (f"--out-{out}", name(shard, "privacy", out))]
    policies = ["--review", "all", "--policies", '{"videos": "hold"}', "--vault", "vault"]
    return main(["privacy.settle_videos", *tables, *policies, *made]) == 0


def test_videos_and_all_that_was_made_of_them_fall(taken):
    places = Places(deliveries=(taken,))
    who = person.find(places, Person(BOB))
    hers = opaque_id("acme", "2026-03", "VID_2")
    assert hers in who.images and opaque_id("acme", "2026-03", "VID_1") not in who.images
    assert hers in person.find(Places(), Person(BOB)).images
    falling = closure.find(places, who.ids).results
    shards = {Path(path).parent.name for path, rows in falling.items() if rows}
    assert shards and {account(out) for out in ACCOUNT} <= falling.keys()
    for shard in shards - {"videos"}:
        made = {name(shard, room, out) for room in OUTS for out in OUTS[room]}
        made |= {name(shard, "privacy", out) for out in SETTLED}
        assert made | {f"results/{room}/{shard}/videos.tar" for room in BUNDLED} <= falling.keys()


def test_an_audit_holds_videos_against_the_delivery_and_against_consent(taken):
    audited = Audited(config={"intake": {"deliveries": [str(taken)]}})
    [same] = delivered.checks(audited)
    assert same.verdict == PASS and "2 images match" in same.what
    (taken / "videos/VID_1.mp4").write_bytes(b"....ftyp, another")
    [changed] = delivered.checks(audited)
    assert changed.verdict == FAIL
    passed = frozenset({opaque_id("acme", "2026-03", one) for one in ("VID_1", "VID_2")})
    [fine] = membership._past(passed, audited)
    strange = membership._past(passed - {opaque_id("acme", "2026-03", "VID_2")}, audited)
    assert fine.verdict == PASS and strange and {one.verdict for one in strange} == {FAIL}


def test_an_audit_finds_a_video_that_passes_against_a_finding(taken):
    [agreed] = membership._verdicts(Audited())
    assert agreed.verdict == PASS and "2 verdicts agree" in agreed.what
    path = Path(account("verdicts"))
    verdicts = table.read(path, Verdicts)
    assert verdicts[["verdict", "room", "check"]].drop_duplicates().values.tolist() == [["fail", "checks", "decode"]]
    steps = table.read(Path(account("waterfall")), Waterfall).set_index("check")
    assert steps.loc["decode", "stopped"] == 2 and steps.loc["proven", "images_out"] == 0
    table.write(verdicts.assign(verdict=["pass", "fail"]), Verdicts, path)
    [flipped] = membership._verdicts(Audited())
    assert flipped.verdict == FAIL


def test_copies_of_hers_fall_whoever_is_said_to_be_in_them(tmp_path, monkeypatch):
    """bob's video again: as ann's under the same file, as ann's with the same bytes, and in another delivery."""
    monkeypatch.chdir(tmp_path)
    maker = CASES.filled(Path("delivery"))
    maker.video("VID_1", "ann", data=b"....ftyp of ann")
    for reference, who in (("VID_2", "bob"), ("VID_3", "ann"), ("VID_4", "ann")):
        maker.video(reference, who, data=b"....ftyp of bob")
    maker.tables["videos.csv"][2]["file"] = "videos/VID_2.mp4"
    del maker.files["videos/VID_3.mp4"]
    other = CASES.filled(Path("other"))
    other.about["delivery"] = "2026-04"
    other.video("VID_9", "ann", data=b"....ftyp of bob")
    roots = maker.write(), other.write()
    places = Places(deliveries=roots)
    alone = person.find(places, Person(BOB))
    copies = person.with_copies(places, alone).images
    more = {opaque_id("acme", "2026-03", one) for one in ("VID_3", "VID_4")} | {opaque_id("acme", "2026-04", "VID_9")}
    assert copies - alone.images == more
    for root in roots:
        redact.redact(root, BOB, copies)
    left = [path.read_bytes() for root in roots for path in sorted(root.glob("videos/*"))]
    assert left == [b"....ftyp of ann"]


def test_copies_in_results_fall_when_the_delivery_is_gone(taken):
    again = pq.read_table(name("00", "intake", "videos")), pq.read_table(name("01", "intake", "videos"))
    rows = pa.concat_tables(again)
    where = pc.equal(rows["image"], opaque_id("acme", "2026-03", "VID_2"))
    copied = rows.filter(where).set_column(0, "image", pa.array(["copy"])).set_column(1, "subject", pa.array(["ann"]))
    pq.write_table(pa.concat_tables([again[0], copied]), name("00", "intake", "videos"))
    who = person.find(Places(), Person(BOB))
    assert person.with_copies(Places(), who).images - who.images == {"copy"}
