"""What keepers.py needs of the tools that stand on git: DVC and git-annex."""

import hashlib
import shutil
import subprocess
from pathlib import Path

VICTIM = "picture-0423.png"


def out(folder: Path, *command: str) -> bytes:
    """What a command prints. Raises CalledProcessError where it fails."""
    return subprocess.run(command, cwd=folder, check=True, capture_output=True).stdout


def succeeds(folder: Path, *command: str) -> bool:
    """Whether a command ends with 0."""
    return subprocess.run(command, cwd=folder, check=False, capture_output=True).returncode == 0


def make_dvc(place: Path, first: Path, second: Path) -> None:
    place.mkdir()
    for command in ("git init -q", "dvc init -q", "dvc config core.analytics false"):
        out(place, *command.split())
    for number, source in enumerate((first, second), 1):
        shutil.rmtree(place / "data", ignore_errors=True)
        shutil.copytree(source, place / "data")
        out(place, "dvc", "add", "-q", "data")
        commit(place, number)


def make_annex(place: Path, first: Path, second: Path) -> None:
    place.mkdir()
    for command in ("git init -q", "git annex init here"):
        out(place, *command.split())
    for number, source in enumerate((first, second), 1):
        if (place / "data").exists():
            out(place, "git", "rm", "-rq", "data")
        shutil.copytree(source, place / "data")
        out(place, "git", "annex", "add", "data")
        commit(place, number)


def commit(place: Path, number: int) -> None:
    out(place, "git", "add", "-A")
    out(place, "git", "commit", "-q", "--allow-empty", "-m", "version")
    out(place, "git", "tag", f"v{number}")


def tagged(place: Path) -> str:
    return out(place, "git", "rev-parse", "v1").decode()


def valid_dvc(place: Path) -> bool:
    """Whether the files of the first version can be had; DVC holds them against their hashes on the way."""
    shutil.rmtree(place / "data", ignore_errors=True)
    out(place, "git", "checkout", "-qf", "v1")
    there = succeeds(place, "dvc", "checkout", "-f")
    out(place, "git", "checkout", "-qf", "v2")
    succeeds(place, "dvc", "checkout", "-f")
    return there


def valid_annex(place: Path) -> bool:
    out(place, "git", "checkout", "-qf", "v1")
    there = succeeds(place, "git", "annex", "fsck", "-q")
    out(place, "git", "checkout", "-qf", "v2")
    return there


def drop_object(place: Path, content: bytes) -> None:
    """Delete the one object of the file from DVC's cache."""
    digest = hashlib.md5(content).hexdigest()
    path = place / ".dvc/cache/files/md5" / digest[:2] / digest[2:]
    path.chmod(0o600)
    path.unlink()


def drop_key(place: Path, _content: bytes) -> None:
    key = Path(out(place, "git", "cat-file", "blob", f"v1:data/pictures/{VICTIM}").decode()).name
    out(place, "git", "annex", "drop", "--force", "--key", key)
