"""Pictures of an archive in AI-Face's format that the last run decoded are read, and not decoded again."""

from pathlib import Path

import pytest
import sources_cases as cases

from accord.engine import kept, step, table
from accord.release import import_ai_face
from accord.release.source_tables import Listed

GONE, CHANGED, NEW = "real/FF++/000/1.png", "real/FF++/003/1.png", "real/FF++/007/2.png"


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Runs the step from the shell's side on the archive; returns its outputs, and how many pictures it decoded."""
    monkeypatch.chdir(tmp_path)
    root, decoded, real = cases.write(tmp_path / "AI-Face"), [], import_ai_face.decode.decode

    def watched(data):
        decoded.append(data)
        return real(data)

    monkeypatch.setattr(import_ai_face.decode, "decode", watched)

    def of(out, rows=cases.ROWS, code=""):
        cases.write_table(root / "annotations.csv", rows)
        [listed] = cases.lists(root).values()
        table.write(listed, Listed, Path("listed.parquet"))
        flags = ["--listed", "listed.parquet", "--archive", str(root), "--terms", "{}", "--files", f"{out}/files.tar"]
        for name in step.outputs(import_ai_face.Imported):
            flags += [f"--{name.replace('_', '-')}", f"{out}/{name.removeprefix('out_')}.parquet"]
        monkeypatch.setattr(kept.source, "digest", lambda name: code + name)
        decoded.clear()
        step.run_step("release.import_ai_face", flags)
        return {file.name: file.read_bytes() for file in sorted(Path(out).iterdir())}, len(decoded)

    return root, of


def test_only_what_changed_is_decoded_and_the_bytes_are_those_of_a_run_from_nothing(run):
    root, of = run
    assert of("kept")[1] == len(cases.ROWS)
    assert of("kept") == (of("fresh")[0], 0)
    cases.put(root / CHANGED, cases.noise(77))
    cases.put(root / NEW, cases.noise(78))
    rows = {path: row for path, row in cases.ROWS.items() if path != GONE} | {NEW: cases.ROWS[CHANGED]}
    again, decoded = of("kept", rows)
    assert decoded == 2 and GONE.encode() not in b"".join(again.values())
    assert again == of("new", rows)[0]
    assert of("kept", rows, code="other")[1] == len(rows)


@pytest.mark.parametrize("harmed", ["files.tar", "prints.parquet", "derivatives.parquet"])
def test_a_cut_output_is_made_again(run, harmed):
    _, of = run
    whole, _ = of("kept")
    Path("kept", harmed).write_bytes(whole[harmed][:300])
    again, decoded = of("kept")
    assert again == whole and decoded == (0 if harmed == "files.tar" else len(cases.ROWS))
