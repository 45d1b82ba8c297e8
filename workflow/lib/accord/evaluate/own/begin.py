"""The files of a model that is begun: adapter, entry, configuration and test, in a folder of one's own."""

import keyword
from pathlib import Path

from accord.command_line import meant
from accord.engine import resources, yaml_files
from accord.errors import AccordError, Problem, all_problems
from accord.evaluate.own.bodies import BODIES, LABELS, TASKS, TYPES
from accord.models import listed
from accord.models.tasks import STEP_OF_TASK

ENTRIES = "models.yaml"
ADAPTER = '''"""{name}: a model of our own for {task}."""
{imports}

class {cls}:
    """What it is, and where its weights come from."""

    def __init__(self, weights):
        # weights: name -> path of each file under `weights:` of the entry. Heavy imports belong here.
        self._weights = weights
{body}'''
ENTRY = """{name}:
  task: {task}
  adapter: {adapter}
  weights: {{}}
  licence: ours
  source: ours
"""
TEST = '''"""The answers of {name}: those of a picture depend on no other picture."""

import numpy as np

from accord.evaluate import try_command

MODELS = "{entries}"


def test_a_picture_has_the_same_answer_alone_and_among_others():
    rng = np.random.default_rng(1)
    pictures = [rng.integers(0, 256, (96, 64, 3), np.uint8) for _ in range(3)]
    settings = try_command.settings(["{name}"], {{}}, [MODELS])
    together = [try_command.told(one) for one in try_command.ask(settings, "{name}", pictures)]
    alone = [try_command.told(try_command.ask(settings, "{name}", [one])[0]) for one in pictures]
    assert together == alone
'''


def files(name: str, task: str, folder: Path) -> dict[Path, str]:
    """File -> its text: the adapter, the entry (added to those that the folder has), the test.

    Raises AccordError where the name or the task can't be used, or a file is there already.
    """
    adapter, test, entries = folder / f"{name}.py", folder / f"test_{name}.py", folder / ENTRIES
    with all_problems() as problems:
        if keyword.iskeyword(name):
            problems.add(f"NAME {name}", "is a word of Python's own", f"choose another name, as in my_{name}")
        elif not (name.isascii() and name.isidentifier() and name == name.lower()):
            problems.add(f"NAME {name}", "can't be used", "use lower-case letters, digits and _, as in my_detector")
        for file in (one for one in _shipped() if name in yaml_files.keys(one, listed.WHAT, listed.HINT)):
            hint = f"choose another name, as in my_{name}: a run takes no two models of one name"
            problems.add(f"NAME {name}", f"is a model of config/{file.name}", hint)
        if task not in TASKS:
            problems.add(f"--task {task}", f"is not a task of models{meant(task, TASKS)}", f"use {', '.join(TASKS)}")
        for path in (adapter, test):
            if path.exists():
                problems.add(path.as_posix(), "already exists", "choose another name or --folder")
    told = _entries(entries, name)
    step = STEP_OF_TASK[task]
    body = BODIES[step].replace("{label}", LABELS.get(task, ""))
    imports = [*(["import numpy as np"] if "np." in body else [])]
    imports += [f"from accord.models.protocols import {TYPES[step]}"] if step in TYPES else []
    cls = "".join(word.capitalize() for word in name.split("_"))
    head = "".join(f"\n{line}\n" for line in imports)
    path = adapter.as_posix()
    return {
        adapter: ADAPTER.format(name=name, task=task, cls=cls, imports=head, body=body),
        entries: told + ENTRY.format(name=name, task=task, adapter=f"{path}:{cls}"),
        test: TEST.format(name=name, entries=entries.as_posix()),
    }


def _shipped() -> list[Path]:
    """The files of entries that ship with accord."""
    return sorted(resources.shipped("config").glob("*models.yaml"))


def _entries(file: Path, name: str) -> str:
    """What a file of entries says already."""
    if not file.exists():
        return "# Models of our own: docs/models.md says what an entry has.\n"
    if name in yaml_files.keys(file, listed.WHAT, listed.HINT):
        raise AccordError(Problem(f"{file.as_posix()}: {name}", "is there already", "choose another name"))
    said = file.read_text()
    return said if said.endswith("\n") else f"{said}\n"
