"""Builds the wheel. pyproject.toml says all but one thing: that rules, schemas and settings go into the package, too.

A checkout keeps them at its root; accord.engine.resources finds either. An editable install copies nothing. Settings
are listed one by one, so that nobody's own go along.
"""

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent
SHIPPED = (
    "workflow/Snakefile",
    "workflow/rules/*.smk",
    "workflow/schemas/*",
    "workflow/report/*",
    "workflow/profiles/*/*.yaml",
    "envs/*.yaml",
    "config/README.md",
    "config/config.yaml",
    "config/demo.yaml",
    "config/facet.yaml",
    "config/ai-face-models.yaml",
    "config/ai-face.yaml",
    "config/casual.yaml",
    "config/foundation*.yaml",
    "config/models.yaml",
    "config/questions.yaml",
    "config/rapid*.yaml",
    "config/*prompts.yaml",
    "config/probes.yaml",
    "config/*brands.*",
    "config/numbers/*.csv",
    "config/occupations.csv",
    "config/toxic_words.csv",
    "config/references/*.csv",
    "weights.txt",
)


def shipped() -> list[Path]:
    """The files of the workflow, by their paths in the checkout."""
    found = (path for pattern in SHIPPED for path in sorted(ROOT.glob(pattern)))
    return [path.relative_to(ROOT) for path in found]


class BuildWithWorkflow(build_py):
    """Copies the package, and the files of the workflow into it."""

    def run(self):
        super().run()
        if self.editable_mode:
            return
        for path in shipped():
            target = Path(self.build_lib, "accord/shipped", path)
            target.parent.mkdir(parents=True, exist_ok=True)
            self.copy_file(str(ROOT / path), str(target), preserve_mode=False)

    def get_source_files(self):
        """What an sdist holds."""
        return [*super().get_source_files(), *map(str, shipped())]


setup(cmdclass={"build_py": BuildWithWorkflow})
