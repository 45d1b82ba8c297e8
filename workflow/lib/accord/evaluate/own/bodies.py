"""What the adapters begin with: for each step a method that runs and gives a poor answer, to be replaced."""

BODIES = {
    "detect": """
    def detect(self, pictures):
        return [self._one(picture) for picture in pictures]

    def _one(self, picture):
        # Replace this: one box in the middle, x0, y0, x1, y1 in px; a score and a label for each box.
        height, width = picture.shape[:2]
        boxes = np.array([[width / 4, height / 4, width * 3 / 4, height * 3 / 4]])
        return Boxes(boxes, np.array([0.5]), ["{label}"])
""",
    "pose": """
    def estimate(self, pictures, boxes):
        return [self._one(picture, box) for picture, box in zip(pictures, boxes, strict=True)]

    def _one(self, picture, box):
        # Replace this: keypoint 0 (the nose) in the middle of the person's box; numbers as in BlazePose, 0 to 32.
        x0, y0, x1, y1 = box
        return Pose(np.array([0]), np.array([[(x0 + x1) / 2, (y0 + y1) / 2]]), np.array([0.5]))
""",
    "parse": """
    def parse(self, pictures):
        return [self._one(picture) for picture in pictures]

    def _one(self, picture):
        # Replace this: one mask, the middle of the picture.
        height, width = picture.shape[:2]
        mask = np.zeros((height, width), bool)
        mask[height // 4 : height * 3 // 4, width // 4 : width * 3 // 4] = True
        return [Mask(mask, 0.5, "person")]
""",
    "parts": """
    def parts(self, pictures, boxes):
        # Replace this: how probably each part is seen; the same parts for everyone, names of vocabularies.BODY_PARTS.
        return [{"Face": 0.5} for _ in pictures]
""",
    "label": """
    def label(self, pictures):
        # Replace this: a class for each pixel of an aligned face, 0 to 18 as in vocabularies.FACE_PARTS; 1 is skin.
        return [np.ones(picture.shape[:2], np.uint8) for picture in pictures]
""",
    "restore": """
    def restore(self, pictures):
        # Replace this: the face as it came; (height, width, 3) uint8, in the same proportions.
        return [picture.copy() for picture in pictures]
""",
    "embed": """
    def embed(self, pictures):
        # Replace this: the mean colour; a vector for each picture, None where the model makes nothing of it.
        return [1.0 + picture.mean(axis=(0, 1)) for picture in pictures]
""",
    "ask": """
    def answer(self, pictures, questions):
        # Replace this: one Answer for each question about each picture.
        return [[Answer("I can't say.") for _ in asked] for asked in questions]
""",
}
"""Step -> the body of the class; `{label}` is what a detector of the task finds."""
BODIES["masked"] = BODIES["embed"]
TYPES = {"detect": "Boxes", "pose": "Pose", "parse": "Mask", "ask": "Answer"}
"""Step -> what of accord.models.protocols the method answers with."""
LABELS = {"face_localization": "face", "person_localization": "person"}
TASKS = (
    *("face_localization", "person_localization", "keypoint_estimation", "person_parsing", "body_parts_detection"),
    *("face_verification", "face_parsing", "face_encoding", "face_super_resolution", "image_embedding"),
    "visual_question",
)
"""Tasks that a model can be begun for."""
