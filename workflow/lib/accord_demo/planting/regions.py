"""Bystanders, number plates, cards, screens and logos: images that stay, once these are painted out."""

from accord_demo.draft import Draft
from accord_demo.picture import Picture

# Object (None: bystanders) -> the setting and the framings that show it, and in how many images of the demo.
WHERE = {
    None: ("outdoor", ("full", "bust"), 10),
    "plate": ("outdoor", ("full",), 5),
    "card": ("indoor", ("full", "bust"), 4),
    "screen": ("indoor", ("full", "bust"), 4),
    "logo": ("indoor", ("full", "bust"), 4),
}
DEMO_IMAGES = 372


def plant(draft: Draft) -> None:
    """Put bystanders and objects into pictures that are drawn evenly from the subjects."""
    taken: set[str] = set()
    total = len(draft.pictures)
    for kind, (setting, framings, count) in WHERE.items():
        pool = [p for p in draft.clean(free=True) if _suits(p, setting, framings) and p.reference not in taken]
        wanted = min(len(pool), max(1, round(count * total / DEMO_IMAGES)))
        for i in sorted(draft.rng.choice(len(pool), wanted, replace=False)) if pool else ():
            _put(draft, pool[i], kind)
            taken.add(pool[i].reference)


def _suits(picture: Picture, setting: str, framings: tuple[str, ...]) -> bool:
    return picture.frame.setting == setting and picture.frame.framing in framings


def _put(draft: Draft, picture: Picture, kind: str | None) -> None:
    count = int(draft.rng.integers(1, 3))
    frame = picture.frame._replace(objects=(kind,)) if kind else picture.frame._replace(bystanders=count)
    draft.change(picture, frame=frame)
