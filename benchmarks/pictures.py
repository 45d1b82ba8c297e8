"""The pictures of README and docs, each made by this script from a finished run of the demo, whose people are rendered.

    python benchmarks/pictures.py                        # all of them, in their places
    python benchmarks/pictures.py docs/look.png          # one

Needs Chromium. What `accord look` shows is recorded in the vault, as any view is.
"""

import argparse
from pathlib import Path

ROOT = Path(__file__).parents[1]
COLOURS = 256
PAGES = {
    "docs/report.png": "report",
    "docs/review.png": "inpainting",
    "docs/review-annotation.png": "annotation",
    "docs/review-every.png": "many",
    "docs/look.png": "look",
}
"""Picture -> the function of page_pictures.py that makes it."""
PHOTOGRAPHS = ("bystander", "passer", "plate", "screen", "sign")
"""Made together by photograph_pictures.py, from photographs and not from a run."""
FOLDER = "docs/photographs"
MADE = (*PAGES, *(f"{FOLDER}/{name}.jpg" for name in PHOTOGRAPHS))


def main() -> None:
    """Make the pictures that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="as README and docs name it (default: all)")
    names = parser.parse_args().names or MADE
    if unknown := set(names) - set(MADE):
        parser.error(f"not made here: {', '.join(sorted(unknown))}; known: {', '.join(MADE)}")
    for name in [name for name in PAGES if name in names]:
        import page_pictures

        made = getattr(page_pictures, PAGES[name])()
        made.quantize(palette=made.quantize(COLOURS, kmeans=2)).save(ROOT / name, optimize=True)
        print(name, flush=True)
    if set(names) - set(PAGES):
        import photograph_pictures

        photograph_pictures.main(ROOT / FOLDER)


if __name__ == "__main__":
    main()
