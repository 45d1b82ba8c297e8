"""The tasks of models: which step asks them, what it calls, and which pictures they can be shown."""

STEP_OF_TASK = {
    "face_localization": "detect",
    "person_localization": "detect",
    "keypoint_estimation": "pose",
    "person_parsing": "parse",
    "body_parts_detection": "parts",
    "face_verification": "embed",
    "face_parsing": "label",
    "face_encoding": "restore",
    "face_super_resolution": "restore",
    "image_embedding": "masked",
    "visual_question": "ask",
    "age_gender": "looks",
    "fake_detection": "fakes",
    "text_embedding": "sentences",
    "image_text": "masked",
    "perceptual_distance": "likeness",
    "inpainting": "inpaint",
    "logo_localization": "logos",
    "face_service": "services",
    "backbone": "detector",
}
"""Which step asks the models of a task. `sentences`, `likeness`, `inpaint`, `logos`, `services` and `detector` are
none of evaluate.run: models of text embedding read what others answered, those of perceptual distance measure what
others made, those that paint belong to privacy, those that look for logos to checks, services to the Rapid Test;
detectors that a run trains begin with backbones."""

WITH_TEXTS = "image_text"
"""The task of models that place pictures and texts in one space."""

METHOD_OF_STEP = {
    "pose": "estimate", "masked": "embed", "likeness": "distance", "inpaint": "paint_all", "logos": "detect",
    "sentences": "embed_texts", "ask": "answer", "services": "detect", "looks": "look", "fakes": "score",
}  # fmt: skip
"""What a step calls of an adapter, where it isn't called as the step is."""

WHOLE = ("downsampled",)
READS = {
    "face_localization": ("downsampled", "crop"),
    "person_localization": WHOLE,
    "keypoint_estimation": WHOLE,
    "person_parsing": WHOLE,
    "body_parts_detection": WHOLE,
    "face_verification": ("aligned", "crop"),
    "face_parsing": ("aligned",),
    "face_encoding": ("aligned",),
    "face_super_resolution": ("aligned",),
    "image_embedding": WHOLE,
    "visual_question": WHOLE,
    "age_gender": ("crop",),
    "fake_detection": WHOLE,
    "text_embedding": WHOLE,
    "image_text": WHOLE,
    "perceptual_distance": ("aligned",),
    "inpainting": WHOLE,
    "logo_localization": WHOLE,
    "face_service": WHOLE,
    "backbone": WHOLE,
}
"""Which pictures the models of a task can be shown (`reads:` of models.yaml), the default first."""

BY_THEMSELVES = ("visual_question", "face_service", "age_gender", "fake_detection")
"""Tasks whose models are never asked together with others, since what they are asked is more than a picture, or about
faces of videos or degraded pictures, which others aren't shown."""

BACKBONE = "backbone"
"""The task of weights that no adapter asks."""


def method_of(task: str) -> str:
    """The method by which the models of a task are asked."""
    step = STEP_OF_TASK[task]
    return METHOD_OF_STEP.get(step, step)
