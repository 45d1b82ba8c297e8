"""Pictures that can't be used: too small, too long, without EXIF, from an old device, too many, too close in time."""

from datetime import timedelta

from accord_demo.devices import OLD_DEVICES
from accord_demo.draft import Draft
from accord_demo.picture import Frame

MANY = 11


def plant(draft: Draft) -> None:
    """Add subjects with such pictures."""
    _sizes(draft)
    _metadata(draft)
    _too_many(draft)
    _too_close(draft)


def _sizes(draft: Draft) -> None:
    """The sides are given for the standard size: 240 px is under FHIBE's 300, 480 x 480 under the demo's 0.25 MP."""
    subject = draft.add_subject()
    for kind, check, framing, width, height in (
        ("too_small", "side", "face", 240, 240),
        ("too_few_pixels", "megapixels", "bust", 480, 480),
        ("too_long", "aspect", "full", 448, 1024),
    ):
        frame = Frame(framing, "outdoor", round(draft.settings.px(width)), round(draft.settings.px(height)))
        picture = draft.add_picture(subject, frame)
        draft.plant(kind, [picture], [picture], check)


def _metadata(draft: Draft) -> None:
    """Pictures without EXIF, and from devices that came out before 2011."""
    subject = draft.add_subject()
    for framing in ("face", "bust"):
        picture = draft.add_picture(subject, draft.frame(framing), has_exif=False, orientation=1)
        draft.plant("exif_missing", [picture], [picture], "exif")
    for device in OLD_DEVICES:
        picture = draft.add_picture(subject, draft.frame("bust"), device=device)
        draft.plant("old_device", [picture], [picture], "device_year", f"released in {device.year}")


def _too_many(draft: Draft) -> None:
    """A subject with more images than the ten that FHIBE allows: the latest must go."""
    subject = draft.add_subject()
    taken = [draft.add_picture(subject, draft.frame(("face", "bust", "full")[i % 3])) for i in range(MANY)]
    draft.plant("too_many_images", taken, taken[-1:], "images_per_subject", "the latest captured is stopped")


def _too_close(draft: Draft) -> None:
    """Two pictures within two hours: the later one must go."""
    subject = draft.add_subject()
    first = draft.add_picture(subject, draft.frame("bust"))
    early = first.taken.replace(hour=10)
    first = draft.change(first, taken=early)
    second = draft.add_picture(subject, draft.frame("full"), taken=early + timedelta(hours=2))
    draft.add_picture(subject, draft.frame("face"))
    draft.plant("too_close_in_time", [first, second], [second], "capture_spacing", "two hours apart")
