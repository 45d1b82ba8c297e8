"""What shards list of their files: written in bundles, merged without holding any."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.errors import AccordError
from accord.imaging.bundle import BundleWriter
from accord.release.tree import pieces

LINES = st.lists(st.text("abc \u00e9", max_size=9).map(lambda text: f"{text}\n".encode()), max_size=6).map(sorted)


@settings(max_examples=50, deadline=None)
@given(st.lists(LINES, max_size=4), st.integers(1, 7))
def test_merged_lines_are_all_lines_sorted(tmp_path_factory, shards, chunk):
    folder = tmp_path_factory.mktemp("parts")
    paths = [folder / f"{number}.tar" for number in range(len(shards))]
    for path, lines in zip(paths, shards, strict=True):
        pieces.write(path, {pieces.LEAVES: lines, pieces.WHOLE: [b"other\n"]})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pieces, "CHUNK", chunk)
        assert [*pieces.merged(paths, pieces.LEAVES)] == sorted(line for lines in shards for line in lines)


def test_rows_of_several_lines_stay_whole(tmp_path):
    rows = [[b'a,"one\ntwo"\n', b"c,three\n"], [b'b,"4\n\n5"\n']]
    paths = [tmp_path / "0.tar", tmp_path / "1.tar"]
    for path, of in zip(paths, rows, strict=True):
        pieces.write(path, {pieces.WHOLE: of})
    assert [*pieces.merged(paths, pieces.WHOLE)] == [rows[0][0], rows[1][0], rows[0][1]]


def test_a_bundle_of_something_else_is_refused(tmp_path):
    with BundleWriter(tmp_path / "other.tar") as bundle:
        bundle.add("image.png", b"png")
    (tmp_path / "text.tar").write_text("text")
    for name in ("other.tar", "text.tar"):
        with pytest.raises(AccordError, match=r"is not a bundle with leaves\.txt"):
            [*pieces.lines(tmp_path / name, pieces.LEAVES)]
