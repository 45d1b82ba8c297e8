"""The three networks of MTCNN (Zhang et al. 2016), shaped so that facenet-pytorch's weights fit their names.

Each takes (n, 3, height, width) float32 in [-1, 1] and returns box corrections (n, 4, ...), x0, y0, x1, y1 as
fractions of the box's sides, and the logits (n, 2, ...) of no face and face.
"""

import torch
from torch import nn


class Proposals(nn.Module):
    """P-Net: every 12 x 12 px of a picture, in steps of 2 px."""

    def __init__(self):
        super().__init__()
        self.conv1, self.prelu1 = nn.Conv2d(3, 10, 3), nn.PReLU(10)
        self.pool1 = nn.MaxPool2d(2, 2, ceil_mode=True)
        self.conv2, self.prelu2 = nn.Conv2d(10, 16, 3), nn.PReLU(16)
        self.conv3, self.prelu3 = nn.Conv2d(16, 32, 3), nn.PReLU(32)
        self.conv4_1, self.conv4_2 = nn.Conv2d(32, 2, 1), nn.Conv2d(32, 4, 1)

    def forward(self, pictures: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        features = self.pool1(self.prelu1(self.conv1(pictures)))
        features = self.prelu3(self.conv3(self.prelu2(self.conv2(features))))
        return self.conv4_2(features), self.conv4_1(features)


class Refinement(nn.Module):
    """R-Net: crops of 24 x 24 px."""

    def __init__(self):
        super().__init__()
        self.conv1, self.prelu1 = nn.Conv2d(3, 28, 3), nn.PReLU(28)
        self.conv2, self.prelu2 = nn.Conv2d(28, 48, 3), nn.PReLU(48)
        self.conv3, self.prelu3 = nn.Conv2d(48, 64, 2), nn.PReLU(64)
        self.pool = nn.MaxPool2d(3, 2, ceil_mode=True)
        self.dense4, self.prelu4 = nn.Linear(576, 128), nn.PReLU(128)
        self.dense5_1, self.dense5_2 = nn.Linear(128, 2), nn.Linear(128, 4)

    def forward(self, crops: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        features = self.pool(self.prelu1(self.conv1(crops)))
        features = self.pool(self.prelu2(self.conv2(features)))
        features = self.prelu4(self.dense4(flat(self.prelu3(self.conv3(features)))))
        return self.dense5_2(features), self.dense5_1(features)


class Output(nn.Module):
    """O-Net: crops of 48 x 48 px. Its five points (dense6_3) are loaded but not asked for."""

    def __init__(self):
        super().__init__()
        self.conv1, self.prelu1 = nn.Conv2d(3, 32, 3), nn.PReLU(32)
        self.conv2, self.prelu2 = nn.Conv2d(32, 64, 3), nn.PReLU(64)
        self.conv3, self.prelu3 = nn.Conv2d(64, 64, 3), nn.PReLU(64)
        self.conv4, self.prelu4 = nn.Conv2d(64, 128, 2), nn.PReLU(128)
        self.pool, self.pool3 = nn.MaxPool2d(3, 2, ceil_mode=True), nn.MaxPool2d(2, 2, ceil_mode=True)
        self.dense5, self.prelu5 = nn.Linear(1152, 256), nn.PReLU(256)
        self.dense6_1, self.dense6_2, self.dense6_3 = nn.Linear(256, 2), nn.Linear(256, 4), nn.Linear(256, 10)

    def forward(self, crops: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        features = self.pool(self.prelu1(self.conv1(crops)))
        features = self.pool(self.prelu2(self.conv2(features)))
        features = self.pool3(self.prelu3(self.conv3(features)))
        features = self.prelu5(self.dense5(flat(self.prelu4(self.conv4(features)))))
        return self.dense6_2(features), self.dense6_1(features)


def flat(features: torch.Tensor) -> torch.Tensor:
    """(n, channels, rows, columns) as (n, columns * rows * channels): the order of the original's weights."""
    return features.permute(0, 3, 2, 1).flatten(1)
