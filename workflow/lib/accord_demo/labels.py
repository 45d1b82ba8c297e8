"""The 28 segment classes and 33 keypoints of FHIBE, by id; left and right are the person's own."""

FACE_SKIN = 0
UPPER_BODY_SKIN = 1
LEFT_ARM_SKIN = 2
RIGHT_ARM_SKIN = 3
LEFT_LEG_SKIN = 4
RIGHT_LEG_SKIN = 5
HEAD_HAIR = 6
LEFT_EYEBROW = 7
RIGHT_EYEBROW = 8
LEFT_EYE = 9
RIGHT_EYE = 10
NOSE = 11
UPPER_LIP = 12
LOWER_LIP = 13
INNER_MOUTH = 14
LEFT_SHOE = 15
RIGHT_SHOE = 16
HEADWEAR = 17
EYEWEAR = 19
UPPER_CLOTHES = 20
LOWER_CLOTHES = 21
FULL_BODY_CLOTHES = 22
UNLABELLED = 255

KEYPOINTS = (
    "nose", "right_eye_inner", "right_eye", "right_eye_outer", "left_eye_inner", "left_eye",
    "left_eye_outer", "right_ear", "left_ear", "mouth_right", "mouth_left", "right_shoulder",
    "left_shoulder", "right_elbow", "left_elbow", "right_wrist", "left_wrist", "right_pinky",
    "left_pinky", "right_index", "left_index", "right_thumb", "left_thumb", "right_hip", "left_hip",
    "right_knee", "left_knee", "right_ankle", "left_ankle", "right_heel", "left_heel",
    "right_foot_index", "left_foot_index",
)  # fmt: skip
FACE_KEYPOINTS = tuple(range(11))
