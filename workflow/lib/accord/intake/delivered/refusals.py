"""Refusals: what intake does not take, as rows with a reason, and what a vendor can do about each."""

from typing import Any, NamedTuple

from accord.intake.delivered.place import NOWHERE, Place

HINTS = {
    "missing_file": "add the file, or remove the reference to it",
    "sha256": "the file was changed or truncated after its sha256 was computed: deliver it again",
    "extension": "name JPEG files .jpg or .jpeg, and PNG files .png",
    "header": "the file is damaged or of another format: export it again as JPEG or PNG "
    "(iPhones: Settings, Camera, Formats, Most Compatible)",
    "parts": "export it again as one plain picture in sRGB, or with a valid ICC profile",
    "pixels": "deliver the image at a smaller size",
    "video": "deliver a whole mp4 file, named .mp4",
    "copy": "give each image and each video one reference, one row, and one file of its own",
    "boxes": "correct the file; its format is in docs/delivery.md, Videos",
    "name": "rename all but one of them: names that differ only in Unicode forms look the same",
    "path": "use plain paths relative to the delivery, without links",
    "subject": "list the person in subjects.csv and people.csv, the primary one with is_primary true",
    "lookalike": "give each person and image one reference, in one spelling: a withdrawal names only one",
    "spelling": "write it in its normal form (Unicode NFKC), so that everyone types the same",
    "vocabulary": "use the numbered labels, as the README.md of `accord delivery init` and "
    "workflow/schemas/delivery-tables.schema.json list them; one for single-choice attributes",
    "date": "write a day as 1990-05-01, and an hour as 14:05 or 12:00-17:59; correct the one that is wrong",
    "day": "a form is signed once its notice is in use (`valid_from`), and before the delivery is `created`: "
    "correct the day that is wrong",
    "country": "write the country's English name as in UN M49",
    "annotation": "correct the file; its format is in docs/delivery.md, Annotations, and in its JSON Schema",
    "outline": "nothing is left out; draw the border of a region once",
    "known": "see `accord safety status`; leave it to the officer",
    "shared": "give everyone the file that they signed, with its one day; set `joint` to true in all rows of a file "
    "that several people signed together",
    "unknown_form": "look at it: is it the form that this person signed? A PDF, a picture or text needs no look",
    "form": "deliver the signed form with its scopes, dates and notice",
}


class Refusal(NamedTuple):
    """A row of the table Refused; `place`, which is not in it, is told to the vendor alone."""

    item: str
    image: str
    subject: str
    reference: str
    check: str
    reason: str
    fatal: bool
    place: Place = NOWHERE

    @property
    def row(self) -> tuple:
        """What results hold of it: no value that was delivered."""
        return tuple(self[:-1])


class Refusals(list[Refusal]):
    """A list of refusals that is filled on the way."""

    def add(
        self,
        item: str,
        check: str,
        reason: str,
        *,
        reference: str,
        image: str = "",
        subject: str = "",
        fatal: Any = False,
        place: Place = NOWHERE,
    ) -> None:
        """Note that a thing is not taken. `reason` holds no value that was delivered: it can be personal."""
        self.append(Refusal(item, image, subject, reference, check, reason, fatal, place))

    def stop(self, image: str) -> bool:
        """Whether an image can't be taken."""
        return any(refusal.fatal and refusal.image == image for refusal in self)
