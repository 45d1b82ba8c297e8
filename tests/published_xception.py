"""Xception as Cadene published it, of any width: the names that its tensors have in checkpoints."""

from torch import nn


class PublishedSeparable(nn.Module):
    """A separable convolution as Cadene's Xception has it; its batch norm is its neighbour."""

    def __init__(self, before: int, after: int):
        super().__init__()
        self.conv1 = nn.Conv2d(before, before, 3, 1, 1, groups=before, bias=False)
        self.pointwise = nn.Conv2d(before, after, 1, bias=False)

    def forward(self, x):
        return self.pointwise(self.conv1(x))


class PublishedBlock(nn.Module):
    """A block: `rep` of ReLU, separable convolution and batch norm `reps` times, a shortcut `skip` and `skipbn`."""

    def __init__(self, before: int, after: int, reps: int, stride: int = 1, relu: bool = True, grow_first: bool = True):
        super().__init__()
        self.skip = nn.Conv2d(before, after, 1, stride, bias=False) if before != after or stride > 1 else None
        self.skipbn = nn.BatchNorm2d(after) if self.skip else None
        parts, width = [], before
        for number in range(reps):
            wider = after if grow_first or number == reps - 1 else before
            parts += [nn.ReLU(), PublishedSeparable(width, wider), nn.BatchNorm2d(wider)]
            width = wider
        parts = parts if relu else parts[1:]
        self.rep = nn.Sequential(*parts, *([nn.MaxPool2d(3, stride, 1)] if stride > 1 else []))

    def forward(self, x):
        return self.rep(x) + (self.skipbn(self.skip(x)) if self.skip else x)


class PublishedXception(nn.Module):
    """Xception by the names of Cadene's file and timm's legacy_xception."""

    def __init__(self, width: float, middle: int = 8):
        super().__init__()
        a, b, c, d, e, f, g, h = (max(1, round(n * width)) for n in (32, 64, 128, 256, 728, 1024, 1536, 2048))
        self.conv1, self.bn1 = nn.Conv2d(3, a, 3, 2, bias=False), nn.BatchNorm2d(a)
        self.conv2, self.bn2 = nn.Conv2d(a, b, 3, bias=False), nn.BatchNorm2d(b)
        self.block1 = PublishedBlock(b, c, 2, 2, relu=False)
        self.block2, self.block3 = PublishedBlock(c, d, 2, 2), PublishedBlock(d, e, 2, 2)
        for number in range(middle):
            self.add_module(f"block{4 + number}", PublishedBlock(e, e, 3))
        self.add_module(f"block{4 + middle}", PublishedBlock(e, f, 2, 2, grow_first=False))
        self.blocks = 4 + middle
        self.conv3, self.bn3 = PublishedSeparable(f, g), nn.BatchNorm2d(g)
        self.conv4, self.bn4 = PublishedSeparable(g, h), nn.BatchNorm2d(h)
        self.fc = nn.Linear(h, 10)

    def before_exit(self, x):
        x = self.bn2(self.conv2(self.bn1(self.conv1(x)).relu())).relu()
        for number in range(1, self.blocks):
            x = getattr(self, f"block{number}")(x)
        return x

    def forward(self, x):
        x = getattr(self, f"block{self.blocks}")(self.before_exit(x))
        return self.bn4(self.conv4(self.bn3(self.conv3(x)).relu())).relu().mean((2, 3))
