"""The contract of imports holds, and each way to break it is seen."""

import contract
import pytest
from contract import LIB, ROOMS, WINGS


def test_the_contract_holds():
    assert contract.broken() == []


def test_every_folder_of_the_package_has_its_place_in_the_order():
    folders = {path.parent.name for path in (LIB / "accord").glob("*/__init__.py")}
    assert folders == {*WINGS, *ROOMS}


@pytest.mark.parametrize("text", [
    "from accord.release import tables", "from accord.release.tables import Images", "import accord.release.tables",
    "def run():\n    from accord.release import tables as told",
    "if TYPE_CHECKING:\n    from accord.release.tables import Images",
    "importlib.import_module('accord.release.tables')", "import_module(name='accord.release.tables')",
    "def run():\n    return __import__('accord.release.tables').release",
    "import_module(f'accord.release.tables.{name}')", "import_module('accord.release.tables' + '.' + name)",
])  # fmt: skip
def test_imports_are_found_wherever_they_stand(text):
    assert set(contract.imported(text, ["release", "release.tables"])) == {"release.tables"}


def test_other_packages_are_none_of_its_business():
    assert set(contract.imported("import accordion\nfrom json import loads\nfrom . import x", ["release"])) == set()


def test_an_import_that_runs_back_is_told():
    imports = {"checks.decode": {"engine.table", "intake.tables"}, "intake.shard": {"checks.decode"},
               "models.loading": {"privacy.tables"}, "queues": {"review.tables"}}  # fmt: skip
    assert contract.backward(imports) == [
        "intake.shard imports checks.decode, which comes after it",
        "models.loading imports privacy.tables, which comes after it",
        "queues imports review.tables, which comes after it",
    ]


def test_an_import_of_the_demo_is_told(tmp_path):
    (tmp_path / "accord").mkdir()
    (tmp_path / "accord/a.py").write_text("def run():\n    from accord_demo.render import photograph")
    (tmp_path / "accord/b.py").write_text("import accord_demographics")
    assert contract.outside(tmp_path) == ["accord/a.py imports accord_demo"]


@pytest.mark.parametrize(
    "text", ["from . import x", "from ..report import index", "def run():\n    from .. import report"]
)
def test_a_relative_import_is_told(tmp_path, text):
    (tmp_path / "accord").mkdir()
    (tmp_path / "accord/a.py").write_text(text)
    (tmp_path / "accord/b.py").write_text("from accord import a")
    assert contract.relative(tmp_path) == ["accord/a.py has a relative import: name the module in full"]


def test_a_circle_is_told_among_modules_and_among_units():
    imports = {"imaging.a": {"models.b"}, "models.b": set(), "models.c": {"imaging.d"}, "imaging.d": set()}
    assert contract.circles(imports) == []
    assert contract.circles(contract.between(imports)) == [["imaging", "models"]]
    assert contract.circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [["a", "b", "c"]]


def test_a_crowded_folder_and_a_stray_part_are_told(tmp_path):
    room = tmp_path / "accord/checks/files"
    room.mkdir(parents=True)
    for number in range(contract.MOST_PARTS + 1):
        (room / f"part{number}.py").touch()
    for name in ("decode", "tables", "face_tables", "helper", "__init__"):
        (room.parent / f"{name}.py").touch()
    assert contract.crowded(tmp_path) == ["checks/files holds 19 files and folders, more than 18"]
    assert contract.neither(tmp_path, ["checks.decode"], []) == [
        "checks/helper.py is no step, command or tables: put it into a folder of checks"
    ]
