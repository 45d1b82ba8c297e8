"""The notebooks of docs/notebooks run, each in a kernel of its own."""

import os
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[2] / "docs/notebooks"


@pytest.fixture
def execute(monkeypatch, tmp_path):
    """A call that runs a notebook as it lies there; returns the text that its cells printed or showed."""
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "jupyter"))

    def run(name: str) -> str:
        notebook = nbformat.read(FOLDER / name, as_version=4)
        client = NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(FOLDER)}})
        return "\n".join(map(shown, [output for cell in client.execute().cells for output in cell.get("outputs", [])]))

    return run


def shown(output: dict) -> str:
    """What a cell printed, or the text of what it showed."""
    return output["text"] if output["output_type"] == "stream" else output["data"]["text/plain"]


def test_a_table_is_compared_by_the_command_and_by_the_call(execute):
    told = execute("compare-a-table.ipynb")
    assert "skin_tone x lighting: dark x lamp worse than dark x daylight: mean 0.712 against 0.875" in told
    assert "['groups', 'disparities', 'extremes', 'intersections', 'conditioned']" in told
    assert "Drawing of 'score'" in told


def test_a_model_is_evaluated(execute):
    told = execute("evaluate-a-model.ipynb")
    assert "pronoun" in told and "disparity" in told


def test_a_release_is_audited(execute, monkeypatch, small_done):
    monkeypatch.setenv("ACCORD_RUN", str(small_done.folder))
    told = execute("audit-a-release.ipynb")
    assert "valid: every file is as signed" in told
    assert "broken\n- " in told


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.ipynb")), ids=lambda path: path.stem)
def test_notebooks_are_kept_without_outputs(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert cells and all(cell.outputs == [] and cell.execution_count is None for cell in cells)
