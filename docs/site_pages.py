"""Pages of the site that lie outside of docs/, and links that lead to them (a hook of mkdocs)."""

import posixpath
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
OUTSIDE = {
    "config/README.md": "settings.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "report-a-hole.md",
}
"""File of the repository -> page of the site."""

LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)\s]+)\)")


def on_files(files, config):
    """All files of the site: those of docs/, and the pages of OUTSIDE."""
    from mkdocs.structure.files import File

    for path, page in OUTSIDE.items():
        files.append(File.generated(config, page, content=relinked((ROOT / path).read_text(), path)))
    return files


def on_page_markdown(markdown, page, **_):
    """The text of a page, its links as the site has them."""
    uri = page.file.src_uri
    return markdown if uri in OUTSIDE.values() else relinked(markdown, f"docs/{uri}")


def relinked(text: str, path: str) -> str:
    """The text of the file `path` of the repository: its links lead to pages; what is no page is named, not linked."""
    folder = posixpath.dirname(path)
    on_site = posixpath.relpath(folder, "docs") if folder.startswith("docs") else "."
    return LINK.sub(lambda found: _link(found[1], found[2], folder, on_site), text)


def _link(words: str, target: str, folder: str, on_site: str) -> str:
    file, _, anchor = target.partition("#")
    if not file or re.match(r"\w+:", target):
        return f"[{words}]({target})"
    path = posixpath.normpath(posixpath.join(folder, file))
    page = path.removeprefix("docs/") if path.startswith("docs/") else OUTSIDE.get(path)
    return f"[{words}]({posixpath.relpath(page, on_site)}{'#' * bool(anchor)}{anchor})" if page else words
