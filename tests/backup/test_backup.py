"""Backups: what comes back, what doesn't once a key is destroyed, and how tampering is told."""

import itertools
import shutil
from pathlib import Path

import pytest
import yaml
from backup_cases import content, person

from accord import cli
from accord.backup.archive import contents, index, keys, opening, packing, sealing
from accord.backup.archive import make as making
from accord.backup.archive.make import make
from accord.backup.archive.restore import restore, verify
from accord.consent.ledger import ledger
from accord.delivery import command
from accord.errors import AccordError
from accord.intake.redacting import staging, verbatim
from accord.intake.redacting.redact import redact

DEMO = Path(__file__).parents[1] / "data/demo/delivery"
BROKEN = "was changed, truncated or swapped"


def objects(place):
    return [path for path in sorted((place.folder / "objects").rglob("*")) if path.is_file()]


def stamps(folder):
    return {path: (path.stat().st_mtime_ns, path.stat().st_ino) for path in folder.rglob("*") if path.is_file()}


def test_a_delivery_comes_back_byte_for_byte(place):
    made = make(place.vault, [place.delivery], place.folder)
    # three images, two people, the common one, one notice
    assert made == making.Made(7, 7, 0, 0)
    assert verify(place.vault, place.folder) == (7, 0, [])
    assert restore(place.vault, place.folder, place.target) == (7, 0, [])
    assert content(place.target / "delivery") == content(place.delivery)


def test_videos_come_back_with_the_key_of_everybody_in_them(maker, place):
    maker.video("VID_1", "ann", "bob")
    maker.video("VID_2", "bob")
    maker.root = place.delivery
    maker.write()
    make(place.vault, [place.delivery], place.folder)
    assert restore(place.vault, place.folder, place.target)[2] == []
    assert content(place.target / "delivery") == content(place.delivery)
    keys.destroy(place.vault, person("ann"))
    restore(place.vault, place.folder, place.target.with_name("later"))
    redact(place.delivery, person("ann"))
    assert content(place.target.with_name("later") / "delivery") == content(place.delivery)
    assert (place.delivery / "videos/VID_2.mp4").is_file() and not (place.delivery / "videos/VID_1.mp4").exists()


def test_the_demo_comes_back_byte_for_byte(tmp_path):
    make(tmp_path / "vault", [DEMO], tmp_path / "backup")
    restore(tmp_path / "vault", tmp_path / "backup", tmp_path / "restored")
    assert content(tmp_path / "restored/delivery") == content(DEMO)


def test_rows_come_back_in_their_order_and_bytes(place):
    table = b'\xef\xbb\xbfsubject,birth_date\r\nbob,"1990\n-05"\r\n\r\nann,1990-05-01\nzoe,'
    (place.delivery / "subjects.csv").write_bytes(table)
    said = place.delivery / "delivery.yaml"
    said.write_bytes(b"# a word\n" + verbatim.described(said.read_bytes(), {"subjects.csv": table}))
    (place.delivery / "extra").mkdir()
    (place.delivery / "extra/note.txt").write_text("named by no table")
    make(place.vault, [place.delivery], place.folder)
    restore(place.vault, place.folder, place.target)
    assert content(place.target / "delivery") == content(place.delivery)


def test_what_did_not_change_is_not_written_again(place, maker):
    make(place.vault, [place.delivery], place.folder)
    before = stamps(place.folder)
    assert make(place.vault, [place.delivery], place.folder) == making.Made(7, 0, 0, 0)
    assert stamps(place.folder) == before
    maker.image("IMG_4", "bob", data=b"another")
    maker.write()
    # the new image, and the common object with the new delivery.yaml
    assert make(place.vault, [place.delivery], place.folder) == making.Made(8, 2, 1, 0)
    assert sum(before.get(path) == stamp for path, stamp in stamps(place.folder).items()) == 7  # backup.json and 6


def test_destroying_a_key_takes_a_person_out_of_what_is_restored(place):
    make(place.vault, [place.delivery], place.folder)
    before = content(place.folder)
    assert keys.destroy(place.vault, person("bob"))
    verdict = restore(place.vault, place.folder, place.target)
    assert verdict == (7, 3, [])  # bob himself, IMG_2 with ann, IMG_3
    assert verify(place.vault, place.folder) == (7, 3, [])
    assert content(place.folder) == before
    back = place.target / "delivery"
    assert b"bob" not in b"".join(content(back).values())
    assert not {"images/IMG_2.jpg", "images/IMG_3.jpg", "forms/c-bob.txt"} & set(content(back))
    assert (back / "images/IMG_1.jpg").read_bytes() == (place.delivery / "images/IMG_1.jpg").read_bytes()
    assert publishable(back) == 1


def test_what_is_restored_equals_the_redacted_delivery(place):
    make(place.vault, [place.delivery], place.folder)
    keys.destroy(place.vault, person("ann"))
    restore(place.vault, place.folder, place.target)
    redact(place.delivery, person("ann"))
    assert content(place.target / "delivery") == content(place.delivery)


def test_a_later_backup_has_nothing_of_them_either(place):
    make(place.vault, [place.delivery], place.folder)
    redact(place.delivery, person("bob"))
    keys.destroy(place.vault, person("bob"))
    assert make(place.vault, [place.delivery], place.folder) == making.Made(4, 1, 4, 0)
    assert verify(place.vault, place.folder) == (4, 0, [])


def test_whoever_was_erased_is_left_out_when_delivered_again(place):
    refused = {person("bob")}
    assert make(place.vault, [place.delivery], place.folder, refused.__contains__) == making.Made(4, 4, 0, 3)
    assert keys.read(place.vault).of(person("bob")) is None
    assert restore(place.vault, place.folder, place.target) == (7, 3, [])
    assert (len(command.check(place.target / "delivery").passing), command.check(place.target / "delivery").faults) == (
        1,
        [],
    )


def test_a_file_of_several_rows_is_kept_once(place, maker):
    maker.form("family", subject="bob", file="forms/c-ann.txt", sha256=maker.row("forms.csv", form="c-ann")["sha256"])
    maker.image("IMG_4", "bob", file="images/IMG_1.jpg")
    maker.write()
    make(place.vault, [place.delivery], place.folder)
    keys.destroy(place.vault, person("bob"))
    restore(place.vault, place.folder, place.target)
    back = content(place.target / "delivery")
    assert "forms/c-ann.txt" in back
    assert "images/IMG_1.jpg" not in back  # it shows both, by the tables


def test_a_backup_tells_nothing_to_whoever_has_no_key(place):
    make(place.vault, [place.delivery], place.folder)
    data = b"".join(content(place.folder).values())
    names = "\n".join(content(place.folder))
    # A megabyte of noise has three given letters in a row once in twenty times, so names are looked for as cells.
    for told in (",ann,", '"ann"', ",bob,", '"bob"', "IMG_1", "acme", person("ann"), "face_bbox", "birth_date"):
        assert told.encode() not in data
        assert told.strip(',"') not in names
    image = (place.delivery / "images/IMG_1.jpg").read_bytes()
    assert not any(image[at : at + 16] in data for at in range(0, len(image) - 16, 16))
    secrets = [path.read_bytes() for path in (place.vault / "keys/subjects").iterdir() if path.name != "backups.json"]
    parts = [secret[at : at + 32] for secret in secrets for at in range(0, len(secret), 16)]
    assert not any(part in data for part in parts)
    assert len({path.stat().st_size for path in objects(place)}) == 1


class Stop(BaseException):
    """The power goes."""


@pytest.mark.parametrize("steps", range(0, 24, 2))
def test_a_backup_that_was_interrupted_is_gone_on_with(place, monkeypatch, steps):
    keys.make(place.vault, [])
    left = itertools.count(steps, -1)
    replace, written = Path.replace, []

    def counted(path, target):
        if next(left) <= 0:
            raise Stop
        written.append(Path(target).name)
        return replace(path, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", counted)
        try:
            make(place.vault, [place.delivery], place.folder)
            done = True
        except Stop:
            done = False
    assert done == (steps > 10)  # backup.json, seven objects, a note, the index, a note
    kept = stamps(place.folder)
    made = make(place.vault, [place.delivery], place.folder)
    assert made.written == 7 - len(set(written) & {path.name for path in objects(place)})
    assert all(
        stamps(place.folder)[path] == stamp
        for path, stamp in kept.items()
        if path.suffix == "" and path.parent.parent.name == "objects"
    )
    restore(place.vault, place.folder, place.target)
    assert content(place.target / "delivery") == content(place.delivery)


def flip(place, _):
    for path in objects(place)[:1]:
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.write_bytes(data)
    return [BROKEN]


def cut(place, _):
    path = objects(place)[2]
    path.write_bytes(path.read_bytes()[:-16])
    return [BROKEN]


def swap(place, _):
    one, other = objects(place)[:2]
    first, second = one.read_bytes(), other.read_bytes()
    one.write_bytes(second)
    other.write_bytes(first)
    return [BROKEN, BROKEN]


def remove(place, _):
    objects(place)[3].unlink()
    return ["can't be read (No such file or directory)"]


def put_back_an_object_under_another_name(place, old):
    path, now = objects(place)[0], content(place.folder)
    path.write_bytes(next(data for name, data in old.items() if name.startswith("objects/") and name not in now))
    return [BROKEN]


def put_back_the_whole(place, old):
    shutil.rmtree(place.folder)
    for name, data in old.items():
        (place.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (place.folder / name).write_bytes(data)
    return ["is not the latest one"]


def lose_the_index(place, _):
    (place.folder / "index").unlink()
    return ["is not the latest one"]


@pytest.mark.parametrize("tamper", [flip, cut, swap, remove, put_back_an_object_under_another_name, put_back_the_whole,
                                    lose_the_index])  # fmt: skip
def test_tampering_is_told_and_nothing_restored(place, maker, tamper):
    maker.files["images/IMG_3.jpg"] += b"older"
    maker.row("images.csv", image="IMG_3").pop("sha256")
    maker.write()
    make(place.vault, [place.delivery], place.folder)
    old = content(place.folder)
    maker.files["images/IMG_3.jpg"] += b"newer"
    maker.row("images.csv", image="IMG_3").pop("sha256")
    maker.write()
    make(place.vault, [place.delivery], place.folder)
    expected = tamper(place, old)
    assert [problem.what for problem in verify(place.vault, place.folder).problems] == expected
    with pytest.raises(AccordError, match=r"problems? found"):
        restore(place.vault, place.folder, place.target)
    assert not place.target.exists()
    assert not place.target.with_name("restored.partial").exists()


def test_an_index_that_was_changed_is_told(place):
    make(place.vault, [place.delivery], place.folder)
    data = bytearray((place.folder / "index").read_bytes())
    data[-1] ^= 1
    (place.folder / "index").write_bytes(data)
    with pytest.raises(AccordError, match="index: was changed, or written with other keys"):
        verify(place.vault, place.folder)


def test_what_is_whole_can_be_had_despite_what_is_broken(place):
    make(place.vault, [place.delivery], place.folder)
    ring = keys.read(place.vault)
    held = index.read(place.folder, ring.general)[0]
    together = next(kept for kept in held.items if len(kept.keys) == 2)
    index.path(place.folder, together.name).write_bytes(b"junk")
    verdict = restore(place.vault, place.folder, place.target, despite=True)
    assert (verdict.objects, verdict.gone, len(verdict.problems)) == (7, 0, 1)
    assert (len(command.check(place.target / "delivery").passing), command.check(place.target / "delivery").faults) == (
        2,
        [],
    )


def test_keys_and_backups_never_lie_together(place):
    inside = place.vault / "backups"
    with pytest.raises(AccordError, match="the backup and the vault are nested in each other"):
        make(place.vault, [place.delivery], inside)
    assert not place.vault.exists()
    (place.folder.parent / "link").symlink_to(place.folder.parent)
    with pytest.raises(AccordError) as caught:
        make(place.folder.parent / "link/vault", [place.delivery], place.folder.parent)
    assert [problem.what for problem in caught.value.problems] == [
        "the backup and the vault are nested in each other", "the backup and the delivery are nested in each other",
    ]  # fmt: skip


def test_links_and_interrupted_redactions_are_not_backed_up(place, monkeypatch):
    (place.delivery / "images/more.jpg").symlink_to("/etc/hostname")
    with pytest.raises(AccordError, match=r"images/more.jpg: is not a regular file"):
        make(place.vault, [place.delivery], place.folder)
    (place.delivery / "images/more.jpg").unlink()
    with monkeypatch.context() as patch:
        patch.setattr(staging, "_remove", lambda *_: (_ for _ in ()).throw(Stop))
        with pytest.raises(Stop):
            redact(place.delivery, person("bob"))
    with pytest.raises(AccordError, match="is left over from an interrupted redaction"):
        make(place.vault, [place.delivery], place.folder)


def test_another_vault_s_backup_is_left_alone(place, tmp_path):
    make(place.vault, [place.delivery], place.folder)
    before = content(place.folder)
    with pytest.raises(AccordError, match="index: was changed, or written with other keys"):
        make(tmp_path / "other", [place.delivery], place.folder)
    assert content(place.folder) == before


def test_two_deliveries_of_one_name(place, tmp_path, maker):
    other = shutil.copytree(place.delivery, tmp_path / "second/delivery")
    make(place.vault, [place.delivery, other], place.folder)
    restore(place.vault, place.folder, place.target)
    assert content(place.target / "delivery-2") == content(other)


def test_the_command(place, tmp_path, capsys):
    config = tmp_path / "my.yaml"
    config.write_text(yaml.safe_dump({"vault": str(place.vault), "intake": {"deliveries": [str(place.delivery)]}}))
    flags, of = ["--config", str(config)], ["--from", str(place.folder)]
    assert cli.main(["backup", "make", *flags, "--to", str(place.folder)]) == 0
    keys.destroy(place.vault, person("ann"))
    assert cli.main(["backup", "verify", *flags, *of]) == 0
    assert cli.main(["backup", "list", "--vault", str(place.vault), *of]) == 0
    assert cli.main(["backup", "restore", *flags, *of, "--to", str(place.target)]) == 0
    objects(place)[0].unlink()
    told = capsys.readouterr().out.splitlines()
    assert told[0].endswith("7 objects, 7 of them new; 0 old ones removed")
    assert told[1] == "4 of 7 objects intact; 3 unrecoverable, by erasure"
    assert told[2].startswith("delivery: 7 objects, 0.0 MB; 3 unrecoverable")
    assert told[3] == "4 of 7 objects restored; 3 unrecoverable, by erasure"


def test_the_command_asks_the_ledger_who_was_erased(place, tmp_path, capsys):
    config = tmp_path / "my.yaml"
    config.write_text(yaml.safe_dump({"vault": str(place.vault), "intake": {"deliveries": [str(place.delivery)]}}))
    withdraw = ["consent", "withdraw", "--vault", str(place.vault), "--vendor", "acme", "--subject", "bob"]
    with ledger.writing(place.vault) as opened:
        ledger.append(opened, [ledger.Party(person("bob"), ledger.SUBJECT)])
    assert cli.main(withdraw) == 0
    ledger.erase(place.vault, person("bob"))
    assert cli.main(["backup", "make", "--config", str(config), "--to", str(place.folder)]) == 0
    assert "left out: 3 objects of people who were erased" in capsys.readouterr().out


def publishable(root):
    """How many images of a delivery can be published; nothing is wrong with it."""
    judged = command.check(root)
    assert judged.faults == []
    return len(judged.passing)


@pytest.fixture
def pieces(monkeypatch):
    """Files are read in pieces of 100 bytes."""
    for module in (packing, contents):
        monkeypatch.setattr(module, "PIECE", 100)


def filmed(maker, place, *sizes):
    """A delivery with videos of ann and bob of so many bytes; returns the content of each."""
    films = [bytes(range(256)) * (size // 256 + 1) for size in sizes]
    for number, (data, size) in enumerate(zip(films, sizes, strict=True)):
        maker.video(f"VID_{number}", "ann", "bob", data=data[:size])
    maker.root = place.delivery
    maker.write()
    return [data[:size] for data, size in zip(films, sizes, strict=True)]


@pytest.mark.parametrize("size", [99, 100, 101, 200, 1001])
def test_a_large_file_lies_in_pieces_and_comes_back_byte_for_byte(maker, place, pieces, size):
    filmed(maker, place, size)
    made = make(place.vault, [place.delivery], place.folder)
    assert made.objects >= 8 + (-(-size // 100) if size > 100 else 0)
    assert restore(place.vault, place.folder, place.target)[2] == []
    assert content(place.target / "delivery") == content(place.delivery)
    again = make(place.vault, [place.delivery], place.folder)
    assert (again.written, again.removed) == (0, 0)


def test_a_video_is_never_read_whole(maker, place, pieces, monkeypatch):
    (film,) = filmed(maker, place, 1000)
    read = []
    real = sealing.seal
    monkeypatch.setattr(sealing, "seal", lambda secret, name, data: read.append(data) or real(secret, name, data))
    make(place.vault, [place.delivery], place.folder)
    assert sum(film[at : at + 100] in one for one in read for at in range(0, 1000, 100)) >= 10
    assert not any(film[:101] in one for one in read)


def test_whoever_is_erased_takes_all_pieces(maker, place, pieces):
    filmed(maker, place, 1000)
    make(place.vault, [place.delivery], place.folder)
    keys.destroy(place.vault, person("ann"))
    restore(place.vault, place.folder, place.target)
    redact(place.delivery, person("ann"))
    assert content(place.target / "delivery") == content(place.delivery)


def test_a_video_without_one_of_its_pieces_is_left_out_with_its_rows(maker, place, pieces):
    filmed(maker, place, 350, 420)
    make(place.vault, [place.delivery], place.folder)
    ring = keys.read(place.vault)
    [held] = index.read(place.folder, ring.general)
    opened = list(opening.objects(place.folder, held, ring))
    lost = [one for one in opened if (of := packing.unpack(one.payload).piece) and of[:2] == ("videos/VID_1.mp4", 1)]
    [number] = [one.number for one in lost]
    index.path(place.folder, held.items[number].name).unlink()
    assert len(verify(place.vault, place.folder).problems) == 1
    with pytest.raises(AccordError, match="can't be read"):
        restore(place.vault, place.folder, place.target)
    restore(place.vault, place.folder, place.target, despite=True)
    back = place.target / "delivery"
    assert (back / "videos/VID_0.mp4").read_bytes() == (place.delivery / "videos/VID_0.mp4").read_bytes()
    assert not (back / "videos/VID_1.mp4").exists() and not (back / "annotations/VID_1.json").exists()
    assert b"VID_1" not in (back / "videos.csv").read_bytes() + (back / "people.csv").read_bytes()


def test_a_file_that_changes_its_size_meanwhile_is_told(maker, place, pieces):
    filmed(maker, place, 350)
    found = contents.of_delivery(place.delivery, verbatim.load(place.delivery))
    last = [item for item in found.items if item.piece][-1]
    (place.delivery / "videos/VID_0.mp4").write_bytes(b"x" * 450)
    with pytest.raises(AccordError, match="changed while it was backed up"):
        packing.pack(place.delivery, last)


def test_a_file_spelled_otherwise_on_the_disk_goes_with_its_person(place, maker):
    table, disk = "images/Zo\u00eb.jpg", "images/Zoe\u0308.jpg"
    maker.files[table] = maker.files.pop("images/IMG_3.jpg")
    maker.row("images.csv", image="IMG_3")["file"] = table
    maker.write()
    (place.delivery / table).rename(place.delivery / disk)
    (place.delivery / "images/IMG_3.jpg").unlink()
    make(place.vault, [place.delivery], place.folder)
    keys.destroy(place.vault, person("bob"))
    restore(place.vault, place.folder, place.target)
    assert [path.name for path in (place.target / "delivery/images").iterdir()] == ["IMG_1.jpg"]
