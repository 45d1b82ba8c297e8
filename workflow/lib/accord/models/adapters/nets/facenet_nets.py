"""Inception-ResNet v1 (Szegedy et al. 2017; FaceNet's network), shaped so that facenet-pytorch's weights fit its names.

Takes (n, 3, 160, 160) float32 in [-1, 1], gives (n, 512) vectors of length 1. A convolution here is one without bias, a
batch normalisation (epsilon 0.001) and ReLU.
"""

import torch
from torch import nn

EPSILON = 0.001


class Conv(nn.Module):
    """Convolution, normalisation, ReLU."""

    def __init__(
        self,
        before: int,
        after: int,
        kernel: int | tuple[int, int],
        stride: int = 1,
        padding: int | tuple[int, int] = 0,
    ):
        super().__init__()
        self.conv = nn.Conv2d(before, after, kernel, stride, padding, bias=False)
        self.bn = nn.BatchNorm2d(after, eps=EPSILON)

    def forward(self, maps: torch.Tensor) -> torch.Tensor:
        return self.bn(self.conv(maps)).relu()


class Residual(nn.Module):
    """Branches side by side, joined by a 1 x 1 convolution, scaled and added to their input."""

    def __init__(self, maps: int, joined: int, scale: float, branches: list[nn.Module], relu: bool = True):
        super().__init__()
        for number, branch in enumerate(branches):
            setattr(self, f"branch{number}", branch)
        self.conv2d = nn.Conv2d(joined, maps, 1)
        self._count, self._scale, self._relu = len(branches), scale, relu

    def forward(self, maps: torch.Tensor) -> torch.Tensor:
        side_by_side = [getattr(self, f"branch{number}")(maps) for number in range(self._count)]
        found = self.conv2d(torch.cat(side_by_side, dim=1)) * self._scale + maps
        return found.relu() if self._relu else found


class Reduction(nn.Module):
    """Branches of stride 2 and a pooling, side by side."""

    def __init__(self, branches: list[nn.Module]):
        super().__init__()
        for number, branch in enumerate(branches):
            setattr(self, f"branch{number}", branch)
        self._count, self._pool = len(branches), nn.MaxPool2d(3, 2)

    def forward(self, maps: torch.Tensor) -> torch.Tensor:
        found = [getattr(self, f"branch{number}")(maps) for number in range(self._count)]
        return torch.cat([*found, self._pool(maps)], dim=1)


def block35() -> Residual:
    """Maps of 17 x 17."""
    three = nn.Sequential(Conv(256, 32, 1), Conv(32, 32, 3, padding=1), Conv(32, 32, 3, padding=1))
    two = nn.Sequential(Conv(256, 32, 1), Conv(32, 32, 3, padding=1))
    return Residual(256, 96, 0.17, [Conv(256, 32, 1), two, three])


def block17() -> Residual:
    """Maps of 8 x 8."""
    crossed = Conv(128, 128, (1, 7), padding=(0, 3)), Conv(128, 128, (7, 1), padding=(3, 0))
    return Residual(896, 256, 0.10, [Conv(896, 128, 1), nn.Sequential(Conv(896, 128, 1), *crossed)])


def block8(scale: float = 0.20, relu: bool = True) -> Residual:
    """Maps of 3 x 3."""
    crossed = Conv(192, 192, (1, 3), padding=(0, 1)), Conv(192, 192, (3, 1), padding=(1, 0))
    return Residual(1792, 384, scale, [Conv(1792, 192, 1), nn.Sequential(Conv(1792, 192, 1), *crossed)], relu)


class InceptionResnet(nn.Module):
    """The whole network, without the classes that it was trained on."""

    def __init__(self) -> None:
        super().__init__()
        self.conv2d_1a, self.conv2d_2a = Conv(3, 32, 3, 2), Conv(32, 32, 3)
        self.conv2d_2b, self.conv2d_3b = Conv(32, 64, 3, padding=1), Conv(64, 80, 1)
        self.conv2d_4a, self.conv2d_4b = Conv(80, 192, 3), Conv(192, 256, 3, 2)
        self.repeat_1 = nn.Sequential(*(block35() for _ in range(5)))
        wide = nn.Sequential(Conv(256, 192, 1), Conv(192, 192, 3, padding=1), Conv(192, 256, 3, 2))
        self.mixed_6a = Reduction([Conv(256, 384, 3, 2), wide])
        self.repeat_2 = nn.Sequential(*(block17() for _ in range(10)))
        first, second = (nn.Sequential(Conv(896, 256, 1), Conv(256, after, 3, 2)) for after in (384, 256))
        third = nn.Sequential(Conv(896, 256, 1), Conv(256, 256, 3, padding=1), Conv(256, 256, 3, 2))
        self.mixed_7a = Reduction([first, second, third])
        self.repeat_3 = nn.Sequential(*(block8() for _ in range(5)))
        self.block8 = block8(1.0, relu=False)
        self.last_linear, self.last_bn = nn.Linear(1792, 512, bias=False), nn.BatchNorm1d(512, eps=EPSILON)
        self._pool = nn.MaxPool2d(3, 2)

    def forward(self, faces: torch.Tensor) -> torch.Tensor:
        maps = self._pool(self.conv2d_2b(self.conv2d_2a(self.conv2d_1a(faces))))
        maps = self.repeat_1(self.conv2d_4b(self.conv2d_4a(self.conv2d_3b(maps))))
        maps = self.repeat_3(self.mixed_7a(self.repeat_2(self.mixed_6a(maps))))
        vectors = self.last_bn(self.last_linear(self.block8(maps).mean(dim=(2, 3))))
        return nn.functional.normalize(vectors)
