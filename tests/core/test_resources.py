"""What ships with accord is found in a checkout and in a wheel; a missing package is told with what brings it."""

import re
from pathlib import Path

import pytest

from accord import __main__ as program
from accord import cli
from accord.checks.files import borders
from accord.engine import resources
from accord.models import packaged

ROOT = Path(__file__).parents[2]


def test_a_checkout_has_its_files_at_its_root():
    assert resources.root() == ROOT
    assert resources.shipped("workflow/Snakefile").is_file()
    assert resources.schema("models.schema.yaml").is_file()


def test_a_wheel_has_its_files_in_the_package(tmp_path, monkeypatch):
    monkeypatch.setattr(resources, "IN_WHEEL", tmp_path)
    assert resources.shipped("config/models.yaml") == tmp_path / "config/models.yaml"
    assert resources.schema("a.json") == tmp_path / "workflow/schemas/a.json"


def test_jobs_find_the_package_of_the_run_and_nothing_else_beside_it(tmp_path, monkeypatch):
    assert resources.alone(tmp_path / "unused") == ROOT / "workflow/lib" and not (tmp_path / "unused").exists()
    site = tmp_path / "site-packages"
    for name in ("accord/shipped", "numpy"):
        (site / name).mkdir(parents=True)
    monkeypatch.setattr(resources, "PACKAGE", site / "accord")
    monkeypatch.setattr(resources, "IN_WHEEL", site / "accord/shipped")
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        folder = resources.alone(Path(".snakemake/accord"))
        assert folder.is_absolute() and [path.name for path in folder.iterdir()] == ["accord"]
        assert (folder / "accord/shipped").samefile(site / "accord/shipped")
    monkeypatch.setattr(resources, "PACKAGE", folder / "accord")  # a job's own start
    monkeypatch.setattr(resources, "IN_WHEEL", folder / "accord/shipped")
    assert resources.alone(Path(".snakemake/accord")) == folder
    other = tmp_path / "newer/accord"
    (other / "shipped").mkdir(parents=True)
    monkeypatch.setattr(resources, "PACKAGE", other)
    monkeypatch.setattr(resources, "IN_WHEEL", other / "shipped")
    assert (resources.alone(Path(".snakemake/accord")) / "accord").samefile(other)


def test_what_the_working_folder_has_comes_before_what_ships(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert resources.own_or_shipped("config/models.yaml") == ROOT / "config/models.yaml"
    (tmp_path / "config").mkdir()
    (tmp_path / "config/models.yaml").touch()
    assert resources.own_or_shipped("config/models.yaml") == Path("config/models.yaml")


def test_data_lie_beside_the_module_that_reads_them():
    assert resources.beside(borders.__name__) == Path(borders.__file__).parent
    of_code = {"compiled.py", "fork_server.py", "source.py", "steps.py"}
    lib = ROOT / "workflow/lib/accord"
    assert {f.name for f in lib.rglob("*.py") if re.search(r"\b__file__\b", f.read_text())} == of_code


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("torch", r"pip install 'accord\[models\]'"),
        ("hyperscan.lib", r"pip install 'accord\[workflow\]'"),
        ("dlib", r"pip install --no-deps dlib-bin==[\d.]+post\d"),
    ],
)
def test_a_missing_package_is_told_in_a_line_with_what_brings_it(name, hint, monkeypatch, capsys):
    def lacks(_argv):
        raise ModuleNotFoundError(name=name)

    monkeypatch.setattr(cli, "main", lacks)
    with pytest.raises(SystemExit) as ended:
        program.main()
    assert ended.value.code == 2
    assert re.fullmatch(f"accord: needs the package {name}, which is not installed: {hint}\n", capsys.readouterr().err)


def test_a_module_that_nothing_brings_is_a_fault(monkeypatch):
    def lacks(_argv):
        raise ModuleNotFoundError(name="accord.no_such_module")

    monkeypatch.setattr(cli, "main", lacks)
    with pytest.raises(ModuleNotFoundError):
        program.main()


def test_packages_of_weights_are_installed_as_they_are_pinned():
    assert packaged.install("facenet_pytorch") == "pip install --no-deps facenet-pytorch==2.6.0"
    assert packaged.install("no_such_package") == ""
