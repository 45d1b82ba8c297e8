"""Queues: what people are asked to decide on, and what they can decide."""

UPHOLD, DISMISS, DROP = "uphold", "dismiss", "drop"
DECISIONS = (UPHOLD, DISMISS, DROP)

LOGOS, PERSONAL_DATA, INPAINTING = "logos", "personal_data", "inpainting"
DUPLICATES, WEB, SAFETY, PATTERNS, AGREEMENT = "duplicates", "web", "safety", "patterns", "agreement"
OBJECTIONABLE, ANNOTATIONS = "objectionable", "annotations"
QUEUES = (
    *(LOGOS, PERSONAL_DATA, INPAINTING, DUPLICATES, WEB, SAFETY, OBJECTIONABLE, PATTERNS),
    *(AGREEMENT, ANNOTATIONS),
)
REGION_QUEUES = (LOGOS, PERSONAL_DATA)
"""Queues of regions: what is upheld there is painted out, and the image stays."""
OBJECTIONABLE_KINDS = ("nudity", "violence", "hate_symbol", "offensive_text", "other")
"""What people may find objectionable in an image (FHIBE: explicit nudity, violence, hate symbols)."""
