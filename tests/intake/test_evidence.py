"""Signed files as evidence: of a kind that can be one, of one person, of one day."""

import io

import pytest
import yaml
from intake_cases import filled, sha256
from PIL import Image

from accord.consent.deciding.eligible import Terms
from accord.delivery import command
from accord.errors import AccordError
from accord.intake import shard
from accord.intake.delivered import digests
from accord.intake.delivered.delivery import SCHEMA
from accord.intake.reading import form_files
from accord.intake.reading.evidence import DAYS, SHARED, Signature, conflicts
from accord.shards import opaque_id, shard_of

AS_OF = Terms("2026-11-01", 18, "2026-11-01")
SHORT = "the signed form is too short to say what was signed, and by whom"
PDF = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n"
    b"trailer<</Root 1 0 R>>\n%%EOF"
)
DOCX = b"PK\x03\x04" + bytes(range(256))


def picture(kind):
    buffer = io.BytesIO()
    Image.effect_noise((60, 40), 50).convert("RGB").save(buffer, kind)
    return buffer.getvalue()


def take(*roots, at="00", count=1):
    tar = roots[0].parent / f"{at}-{len(list(roots[0].parent.iterdir()))}.tar"
    return shard.run(list(roots), SCHEMA, tar, shard=at, shards=count, max_pixels=1_000_000)


def refused_forms(taken):
    rows = taken.refused[taken.refused["item"] == "form"]
    return sorted(rows[["reference", "check", "reason"]].itertuples(index=False, name=None))


def sign(maker, form, data, **changes):
    row = maker.row("forms.csv", form=form)
    maker.files[row["file"]] = data
    row.update(sha256=sha256(data), **changes)


@pytest.mark.parametrize("data", [
    b"signed consent 0", b"signed copyright 0\n", b"\xef\xbb\xbfsigned by ann", "signed by hand".encode("utf-16"),
    "unterschrieben: Zo\u00eb, 1. Mai".encode(), "J'accepte, Zo\u00eb".encode("latin-1"),
    "\u540c\u610f\u3057\u307e\u3059 \u5c71\u7530\u592a\u90ce 2026-01-02".encode(),
    PDF, *(picture(kind) for kind in ("JPEG", "PNG", "TIFF", "GIF", "WEBP")),
    b"\0\0\0\x18ftypheic" + bytes(range(1, 200)),
])  # fmt: skip
def test_texts_pdfs_and_pictures_can_be_signed(data):
    assert form_files.fault(data) == "" and form_files.is_known(data)


@pytest.mark.parametrize("data", [
    b"x", b"1", b"\xff", b"signed", b"x" * 1000, b"xy " * 50, b"%PDF-", b"%PDF-1.4\n",
    b"\xff\xd8\xff\xe0", b"\x89PNG\r\n\x1a\n" + bytes(20),
    b"PK\x03\x04" + bytes(40), "\u00e9".encode(), b"a\0b\0",
])  # fmt: skip
def test_what_is_too_short_is_no_form(maker, data):
    sign(maker, "c-bob", data)
    root = maker.write()
    assert ("c-bob", "form", SHORT) in refused_forms(take(root))
    judged = command.check(root, AS_OF)
    assert judged.passing == ("IMG_1",)
    assert any(fault.what == SHORT and fault.place.value == "forms/c-bob.txt" for fault in judged.faults)


@pytest.mark.parametrize("data", [PDF[:-5] + b" " * 50, picture("JPEG")[:400], picture("PNG")[:400]])
def test_a_pdf_or_a_picture_without_its_end_is_damaged(maker, data):
    sign(maker, "c-bob", data)
    assert refused_forms(take(maker.write())) == [("c-bob", "form", "the signed form is a damaged PDF or picture")]


def test_what_nobody_can_judge_counts_and_is_listed_for_a_person(maker):
    sign(maker, "c-bob", DOCX)
    root = maker.write()
    taken = take(root)
    assert refused_forms(taken) == [
        ("c-bob", "unknown_form", "the signed form is neither a PDF nor a picture nor text")
    ]
    assert "c-bob" not in taken.refused[taken.refused["fatal"]]["reference"].tolist()
    assert len(taken.forms[taken.forms["evidence_sha256"] == sha256(DOCX)]) == 3
    judged = command.check(root, AS_OF)
    assert judged.valid and [fault.effect for fault in judged.faults] == ["look"]
    assert "is it the form that this person signed?" in judged.faults[0].hint


@pytest.mark.parametrize("pair", [("c-ann", "c-bob"), ("c-ann", "r-bob"), ("r-ann", "c-bob"), ("r-ann", "r-bob")])
@pytest.mark.parametrize("same_path", [True, False])
def test_a_form_of_two_people_counts_for_nobody(maker, pair, same_path):
    first, second = (maker.row("forms.csv", form=one) for one in pair)
    if same_path:
        second.update(file=first["file"], sha256=first["sha256"])
    else:
        sign(maker, pair[1], maker.files[first["file"]])
    root = maker.write()
    expected = sorted((one, "shared", "the signed form is also given for somebody else") for one in pair)
    assert refused_forms(take(root)) == expected
    told = [shard_of(opaque_id("acme", one), 16) for one in ("ann", "bob")]  # wherever they live
    for form, at in zip(pair, told, strict=True):
        assert (form, "shared", SHARED) in refused_forms(take(root, at=at, count=16))
    judged = command.check(root, AS_OF)
    assert judged.passing == () and {fault.what for fault in judged.faults} >= {SHARED}


def test_a_form_that_all_rows_declare_as_joint_counts_for_each(maker):
    sign(maker, "c-bob", maker.files["forms/c-ann.txt"], joint="true", signed_on="2026-01-05")
    assert ("c-ann", "shared", SHARED) in refused_forms(take(maker.write()))
    maker.row("forms.csv", form="c-ann")["joint"] = "TRUE"
    root = maker.write()
    assert refused_forms(take(root)) == [] and command.check(root, AS_OF).valid
    maker.row("forms.csv", form="c-ann")["joint"] = "yes"
    assert ("c-ann", "form", "joint is neither true nor false") in refused_forms(take(maker.write()))


def test_one_file_may_hold_consent_and_copyright_of_one_person(maker):
    sign(maker, "r-bob", maker.files["forms/c-bob.txt"])
    assert command.check(maker.write(), AS_OF).valid


def test_one_file_has_one_day(maker):
    maker.form("again", subject="bob", file="forms/c-bob.txt", signed_on="2026-02-20",
               sha256=maker.row("forms.csv", form="c-bob")["sha256"])  # fmt: skip
    why = "the signed form is said to be signed on different days"
    assert refused_forms(take(maker.write())) == [("again", "shared", why), ("c-bob", "shared", why)]


@pytest.mark.parametrize(("created", "signed", "valid_from", "reason"), [
    ("2026-03-01", "2026-03-02", "", "the form was signed after the delivery was created"),
    ("2026-03-01", "2026-03-01", "2026-03-01", ""),
    ("2026-03-01", "2026-01-02", "2026-01-03", "the form is older than the notice that was agreed to"),
    ("2026-03-01", "2026-01-02", "2026-01-02", ""),
])  # fmt: skip
def test_a_form_is_signed_after_its_notice_and_before_it_is_delivered(maker, created, signed, valid_from, reason):
    maker.about["created"] = created
    maker.about["notices"][0] |= {"valid_from": valid_from} if valid_from else {}
    maker.row("forms.csv", form="c-bob")["signed_on"] = signed
    for form in ("c-ann", "r-ann", "r-bob"):
        maker.row("forms.csv", form=form)["signed_on"] = "2026-02-01" if valid_from != "2026-03-01" else "2026-03-01"
    root = maker.write()
    assert refused_forms(take(root)) == ([("c-bob", "day", reason)] if reason else [])
    judged = command.check(root, AS_OF)
    assert judged.valid == (not reason)
    hints = [fault.hint for fault in judged.faults if fault.what == reason]
    assert all(hint.startswith("a form is signed once its notice is in use") for hint in hints)
    assert bool(hints) == bool(reason)


def test_a_form_of_tomorrow_is_told(maker):
    maker.about["created"] = "2027-01-01"
    maker.row("forms.csv", form="c-bob")["signed_on"] = "2026-11-02"
    judged = command.check(maker.write(), AS_OF)
    assert "the form is signed in the future" in {fault.what for fault in judged.faults}


def test_which_files_conflict():
    def one(sha256, subject, day="2026-01-01", joint=False):
        return Signature(sha256, subject, day, joint)

    assert conflicts([one("a", "x"), one("a", "x"), one("b", "x"), one("", "x"), one("", "y")]) == {}
    assert conflicts([one("a", "x"), one("a", "y")]) == {"a": SHARED}
    assert conflicts([one("a", "x", joint=True), one("a", "y")]) == {"a": SHARED}
    assert conflicts([one("a", "x", joint=True), one("a", "y", "2026-01-03", joint=True)]) == {}
    assert conflicts([one("a", "x", joint=True), one("a", "x", "2026-01-03", joint=True)]) == {"a": DAYS}
    assert conflicts([one("a", "x"), one("a", "x", "2026-01-03")]) == {"a": DAYS}


@pytest.fixture
def two(tmp_path, maker):
    """Two deliveries of two vendors; the second has other people and forms."""
    other = filled(tmp_path / "other")
    other.about |= {"vendor": "bravo", "delivery": "2026-04"}
    for row in other.tables["forms.csv"]:
        sign(other, row["form"], f"another hand: {row['form']}".encode())
    return maker, other


def test_a_form_of_two_vendors_people_counts_for_neither(two):
    maker, other = two
    roots = maker.write(), other.write()
    assert refused_forms(take(*roots)) == []
    sign(other, "c-bob", maker.files["forms/c-ann.txt"])
    other.write()
    assert refused_forms(take(*roots)) == [("c-ann", "shared", SHARED), ("c-bob", "shared", SHARED)]


def test_validate_knows_the_other_deliveries_of_the_settings(two, tmp_path, capsys):
    maker, other = two
    sign(other, "c-bob", maker.files["forms/c-ann.txt"])
    roots = [str(maker.write()), str(other.write()), str(tmp_path / "nowhere")]
    config = tmp_path / "settings.yaml"
    config.write_text(yaml.safe_dump({"intake": {"deliveries": roots}}))
    validate = ["validate", roots[0], "--as-of", "2026-11-01"]
    assert command.main(validate) == 0
    assert command.main([*validate, "--config", "config/config.yaml", str(config)]) == 2
    assert "forms.csv, column file: the signed form is also given for somebody else" in capsys.readouterr().out


def test_shards_with_a_form_of_another_delivery_see_both_and_run_again(two):
    maker, other = two
    roots = [str(maker.write()), str(other.write())]
    before = digests.read(roots, 64)
    sign(other, "c-bob", maker.files["forms/c-ann.txt"])
    other.write()
    after = digests.read(roots, 64)
    ann, bob = (shard_of(opaque_id(*one), 64) for one in (("acme", "ann"), ("bravo", "bob")))
    assert set(after.folders[ann]) == set(after.folders[bob]) == set(roots)
    assert before.folders[ann] == roots[:1] and before.digests[ann] != after.digests[ann]
    untouched = shard_of(opaque_id("acme", "bob"), 64)
    assert before.digests[untouched] == after.digests[untouched] or untouched in (ann, bob)
    for at, form in ((ann, "c-ann"), (bob, "c-bob")):
        assert (form, "shared", SHARED) in refused_forms(take(maker.root, other.root, at=at, count=64))


@pytest.mark.parametrize(
    ("first", "second", "is_one"), [("acme", "Acme", True), ("v1", "v01", True), ("v1", "v10", False)]
)
def test_vendors_whose_names_are_near_are_refused(two, first, second, is_one):
    maker, other = two
    maker.about["vendor"], other.about["vendor"] = first, second
    roots = [str(maker.write()), str(other.write())]
    if not is_one:
        assert len(digests.read(roots, 4).of) == 2
        return
    with pytest.raises(AccordError, match="names of vendors that differ only in case or leading zeros"):
        digests.read(roots, 4)


def test_a_delivery_that_brings_the_same_forms_again_is_taken(two):
    maker, other = two
    other.about["vendor"] = "acme"
    for form in ("c-ann", "r-ann", "c-bob", "r-bob"):
        sign(other, form, maker.files[f"forms/{form}.txt"])
    assert refused_forms(take(maker.write(), other.write())) == []


LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"4d7a2146" * 8 + b"\nsize 12345\n"


def plain(kind, shade):
    buffer = io.BytesIO()
    Image.new("RGB", (800, 1000), (shade, shade, 250)).save(buffer, kind)
    return buffer.getvalue()


@pytest.mark.parametrize(("data", "why"), [
    (LFS, "the signed form is a pointer of Git LFS: `git lfs pull` gets the file"),
    (b"<html><body><h1>404 Not Found</h1><hr>nginx</body></html>" * 5, form_files.DATA),
    (b"\xef\xbb\xbf\n<!-- moved --><head><title>Sign in to go on</title>", form_files.DATA),
    (b"<?xml version='1.0'?><Error><Code>AccessDenied</Code></Error>", form_files.DATA),
    (b'{"error": "the file was not found", "code": 404}', form_files.DATA),
    (b"image,subject,is_primary,age\nIMG_1,ann,true,35\n", form_files.TABLE),
    (b"a;b;c;d\n1;2;3;4\n5;6;7;8\n", form_files.TABLE),
    (b"abcde " * 200, SHORT), (b"abcde" * 200, SHORT), (b"agree\nyes\n" * 90, SHORT),
    (plain("JPEG", 255), form_files.BLANK), (plain("PNG", 90), form_files.BLANK),
])  # fmt: skip
def test_what_nobody_can_have_signed_is_no_form(maker, data, why):
    sign(maker, "c-bob", data)
    root = maker.write()
    assert refused_forms(take(root)) == [("c-bob", "form", why)]
    assert why in {fault.what for fault in command.check(root, AS_OF).faults}


@pytest.mark.parametrize("text", [
    "I, Ann, agree,\nin Rome, Italy, on 1 May,\nAnn, Smith, of age", "[x] I agree to all uses. Ann, 1 May",
    "I agree. I agree to the use of my pictures. Ann, Ann",
])  # fmt: skip
def test_a_letter_is_neither_a_table_nor_data(text):
    assert form_files.fault(text.encode()) == ""


def test_a_page_with_a_thin_stroke_of_a_pen_is_not_of_one_colour():
    page = Image.new("L", (2400, 3300), 255)
    page.paste(60, (1200, 3000, 1203, 3100))
    buffer = io.BytesIO()
    page.save(buffer, "JPEG")
    assert form_files.fault(buffer.getvalue()) == ""


@pytest.mark.parametrize("change", [
    lambda text: text + b"\n", lambda text: b"\xef\xbb\xbf" + text, lambda text: text.upper(),
    lambda text: text.replace(b" ", b"  \r\n"), lambda text: text.decode().encode("utf-16"),
    lambda text: text.replace(b"signed", "\uff53igned".encode()),
])  # fmt: skip
def test_a_text_of_two_people_is_one_however_it_is_written(maker, change):
    sign(maker, "c-bob", change(maker.files["forms/c-ann.txt"]))
    root = maker.write()
    assert refused_forms(take(root)) == [("c-ann", "shared", SHARED), ("c-bob", "shared", SHARED)]
    assert command.check(root, AS_OF).passing == ()


def test_shards_with_a_text_of_another_delivery_see_both(two):
    maker, other = two
    sign(other, "c-bob", maker.files["forms/c-ann.txt"].upper() + b"\n")
    roots = [str(maker.write()), str(other.write())]
    told = digests.read(roots, 64)
    for vendor, subject, form in (("acme", "ann", "c-ann"), ("bravo", "bob", "c-bob")):
        at = shard_of(opaque_id(vendor, subject), 64)
        assert set(told.folders[at]) == set(roots)
        assert (form, "shared", SHARED) in refused_forms(take(maker.root, other.root, at=at, count=64))
