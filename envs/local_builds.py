"""Prints lock.txt for an installation that finds wheels in a folder of this machine, which pip's find-links names.

A build of torch for CPUs has a version of its own (2.13.0+cpu), for which the registry's hashes can't hold. Such a
build takes the place of the registry's in what is printed, with the sha256 of the file as it lies there: whoever may
change that folder may change this machine. Wheels without a version of their own must have a hash of the lock.

    python envs/local_builds.py 'FOLDER ...' < lock.txt > .venv/lock.txt
"""

import hashlib
import re
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

from pip._vendor.packaging.tags import sys_tags
from pip._vendor.packaging.utils import InvalidWheelFilename, parse_wheel_filename

ENTRY = re.compile(r"^(?P<name>[a-z0-9-]+)==(?P<version>[^ ;\\]+)(?P<marker>[^\\\n]*)\\\n(?:    --hash=.*\n?)+", re.M)


def wheels(links: str) -> dict[tuple[str, str], tuple[str, Path]]:
    """(package, public version) -> version and file of each wheel with a local version that this Python can use."""
    usable, found = set(sys_tags()), {}
    for link in links.split():
        folder = Path(unquote(urlsplit(link).path) if link.startswith("file:") else link)
        for path in sorted(folder.glob("*.whl")) if folder.is_dir() else []:
            try:
                name, version, _, tags = parse_wheel_filename(path.name)
            except InvalidWheelFilename:
                continue
            if version.local and usable & tags:
                found[name, version.public] = (str(version), path)
    return found


def locked(lock: str, links: str) -> str:
    """The lock, in which local builds have taken the place of the registry's."""
    builds = wheels(links)

    def entry(match: re.Match) -> str:
        build = builds.get((match["name"], match["version"]))
        if build is None:
            return match[0]
        version, path = build
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        return f"{match['name']}=={version}{match['marker']}\\\n    --hash=sha256:{digest}\n"

    return ENTRY.sub(entry, lock)


if __name__ == "__main__":
    sys.stdout.write(locked(sys.stdin.read(), sys.argv[1] if len(sys.argv) > 1 else ""))
