"""Queues: what people are asked to decide on, and what they can decide."""

UPHOLD, DISMISS, DROP = "uphold", "dismiss", "drop"
DECISIONS = (UPHOLD, DISMISS, DROP)

LOGOS, PERSONAL_DATA, INPAINTING = "logos", "personal_data", "inpainting"
DUPLICATES, WEB, SAFETY, PATTERNS, AGREEMENT = "duplicates", "web", "safety", "patterns", "agreement"
OBJECTIONABLE, ANNOTATIONS, SKIN, LOOKS = "objectionable", "annotations", "skin", "looks"
IDENTITIES, VIDEOS = "identities", "videos"
QUEUES = (
    *(LOGOS, PERSONAL_DATA, INPAINTING, DUPLICATES, WEB, SAFETY, OBJECTIONABLE, PATTERNS),
    *(AGREEMENT, ANNOTATIONS, SKIN, LOOKS, IDENTITIES, VIDEOS),
)
AWAITS_REVIEW = "awaiting review: nothing was published"
"""In the error of a run that goes on once people have decided."""
RATED = (SKIN, LOOKS, IDENTITIES)
"""Queues of blind votes, each of which counts: nobody settles or adjudicates them."""
TOGETHER = (IDENTITIES,)
"""Queues in which one rater sees all items of a subject at once."""
REGION_QUEUES = (LOGOS, PERSONAL_DATA)
"""Queues of regions: what is upheld there is painted out, and the image stays."""
OBJECTIONABLE_KINDS = ("nudity", "violence", "hate_symbol", "offensive_text", "other")
"""What people may find objectionable in an image (FHIBE: explicit nudity, violence, hate symbols)."""
WITHHELD_KINDS = ("person_visible", "personal_data", "logo", "objectionable", "painted_badly", "other")
"""Why people may withhold a painted video."""
OF_PRIVACY = (INPAINTING, VIDEOS)
"""Queues of the privacy room."""
SCALES = {"fitzpatrick": 6, "monk": 10}
"""Scale of skin -> how many types it has, numbered from 1, the lightest."""
UNSURE = "unsure"
SKIN_TYPES = {
    scale: tuple(f"{number}{unsure}" for number in range(1, count + 1) for unsure in ("", f" {UNSURE}"))
    for scale, count in SCALES.items()
}
"""Scale -> what raters may say of a person's skin: a type, or a type of which they are not sure."""
LOOKED_AT = {"gender": ("female", "male"), "age_presentation": ("0-14", "15-24", "25-44", "45-64", "65+")}
"""Attribute -> what people may take a face for, who are not told what anybody else takes it for."""
SAME, OTHER = "same", "other"
SHOWN = {"face": (SAME, OTHER)}
"""What a face of a query shows: the person whom most of its faces show, or somebody else."""
RATINGS = {SKIN: SKIN_TYPES, LOOKS: LOOKED_AT, IDENTITIES: SHOWN}
"""Queue of RATED -> kind of an item -> what people may say of it."""
