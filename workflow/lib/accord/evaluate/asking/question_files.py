"""The files of questions that a run asks, checked before anything runs. Imported by the workflow."""

from pathlib import Path

from accord.errors import AccordError, all_problems
from accord.evaluate.asking import class_questions, open_questions


def check(open_files: list[Path], class_files: list[Path]) -> None:
    """Raise AccordError with everything that is wrong in files of open questions and of questions about classes."""
    readers = {open_questions.read: open_files, class_questions.read: class_files}
    with all_problems() as problems:
        for read, files in readers.items():
            for file in files:
                try:
                    read(file)
                except AccordError as error:
                    problems += error.problems
