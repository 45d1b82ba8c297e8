"""CPU time of small networks as they are run here, and as their authors' code runs them, on one thread, in one run.

Run: python benchmarks/small_nets.py [side]. The picture is a photograph of openpeople where it is installed. Of each
way the best of several rounds counts, the ways one after the other in each round.
"""

import sys
import time
from collections.abc import Callable, Iterator

import cv2
import dlib
import numpy as np
import torch
from efficientnet_lite_pytorch import EfficientNet

from accord.models import packaged
from accord.models.adapters.declaring.area_means import AreaMeans
from accord.models.adapters.dlib_faces import CHIP
from accord.models.adapters.efficientnet import SIZE
from accord.models.adapters.mtcnn import scales
from accord.models.adapters.nets import dlib_nets, efficientnet_nets, sface_nets, yunet_nets
from accord.models.detectors import THRESHOLDS, YUNET
from accord.privacy.proof.faces import SFACE
from evaluate import photographs

DLIB = packaged.Packaged(
    "face_recognition_models",
    "models/dlib_face_recognition_resnet_model_v1.dat",
    "55533b28a95800a551ba546ba62fe69625c7e95a7061c338adffead08719da30",
)
ROUNDS = 10
MIN_FACE = 20
Way = Callable[[], np.ndarray]


def main(side: int = 768) -> None:
    """Print the table."""
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    picture = np.ascontiguousarray(next(photographs(1, side, square=True)))
    print("| | theirs, ms | ours, ms | ratio | difference / largest number |\n|---|---|---|---|---|")
    with torch.inference_mode():
        for name, theirs, ours in ways(picture):
            known = theirs()
            apart = float(np.abs(known - ours()).max() / np.abs(known).max())
            slow, fast = best(theirs, ours)
            print(f"| {name} | {slow:.1f} | {fast:.1f} | {fast / slow:.2f} | {apart:.0e} |")


def ways(picture: np.ndarray) -> Iterator[tuple[str, Way, Way]]:
    """What is compared, their way and ours."""
    height, width = picture.shape[:2]
    path, bgr = packaged.weights(YUNET), np.ascontiguousarray(picture[..., ::-1])
    theirs = cv2.FaceDetectorYN.create(str(path), "", (width, height), THRESHOLDS["face_yunet"])
    ours = yunet_nets.YuNet(path, THRESHOLDS["face_yunet"])
    yield "YuNet", lambda: theirs.detect(bgr)[1], lambda: ours.detect(bgr)
    face = cv2.resize(bgr, (sface_nets.SIDE, sface_nets.SIDE), interpolation=cv2.INTER_AREA)
    path = packaged.weights(SFACE)
    recogniser, net = cv2.FaceRecognizerSF.create(str(path), ""), sface_nets.SFace(path)
    yield "SFace", lambda: recogniser.feature(face)[0], lambda: net.feature(face)
    yield "dlib's recogniser", *dlib_faces(picture)
    yield "EfficientNet-Lite0", *efficientnet(picture)
    yield "MTCNN's pyramid", *pyramid(picture)


def dlib_faces(picture: np.ndarray) -> tuple[Way, Way]:
    """Of a part of the picture: what it shows takes no less time than a face."""
    path = packaged.weights(DLIB)
    chip = cv2.resize(picture, (CHIP, CHIP), interpolation=cv2.INTER_AREA)
    theirs, net = dlib.face_recognition_model_v1(str(path)), dlib_nets.DlibResNet(path)
    return lambda: np.array(theirs.compute_face_descriptor(chip)), lambda: net.feature(chip)


def efficientnet(picture: np.ndarray) -> tuple[Way, Way]:
    """Of random weights: they take no less time than trained ones."""
    net = EfficientNet.from_name("efficientnet-lite0").eval()
    stages = efficientnet_nets.stages(net)
    small = torch.from_numpy((cv2.resize(picture, (SIZE, SIZE)).astype(np.float32) - 127) / 128)
    last, first = small[None].permute(0, 3, 1, 2), small.permute(2, 0, 1)[None].contiguous()

    def ours() -> np.ndarray:
        maps = last
        for stage in stages:
            maps = stage(maps)
        return maps.numpy()

    return lambda: net.extract_features(first).numpy(), ours


def pyramid(picture: np.ndarray) -> tuple[Way, Way]:
    """The picture at all sizes that MTCNN looks at, each as one row of numbers."""
    height, width = picture.shape[:2]
    sizes = [(int(height * scale + 1), int(width * scale + 1)) for scale in scales((height, width), MIN_FACE)]
    pixels = torch.from_numpy(picture.transpose(2, 0, 1).copy()).float()[None]

    def theirs() -> np.ndarray:
        shrunk = (torch.nn.functional.interpolate(pixels, size=size, mode="area") for size in sizes)
        return np.concatenate([one[0].permute(1, 2, 0).numpy().ravel() for one in shrunk])

    def ours() -> np.ndarray:
        means = AreaMeans(picture)
        return np.concatenate([means.of(0, 0, width, height, size).ravel() for size in sizes])

    return theirs, ours


def best(*some: Way) -> list[float]:
    """CPU ms of each, the best of ROUNDS."""
    found = [np.inf] * len(some)
    for _ in range(ROUNDS):
        for number, way in enumerate(some):
            start = time.process_time()
            way()
            found[number] = min(found[number], (time.process_time() - start) * 1000)
    return found


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
