"""Small pose networks with the parts that exports asks of MMPose's, and what MMPose's heads do with them."""

from torch import nn


class SimpleBaseline(nn.Module):
    """Xiao et al. 2018: a network that shrinks to 1/32, three deconvolutions, a heatmap for each keypoint."""

    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(
            nn.Conv2d(3, 8, 7, 8, 3),
            nn.BatchNorm2d(8),
            nn.ReLU(),
            nn.Conv2d(8, 8, 3, 4, 1),
            nn.BatchNorm2d(8),
            nn.ReLU(),
        )
        self.head = Heatmaps()
        self.test_cfg = {"flip_test": True, "flip_mode": "heatmap", "shift_heatmap": True}

    def extract_feat(self, given):
        return (self.backbone(given),)


class Head(nn.Module):
    """Asks once or twice, and hands the mean to `decode`."""

    def decode(self, found):
        return found

    def predict(self, feats, samples, test_cfg):
        if not test_cfg["flip_test"]:
            return self.decode(self.forward(feats))
        mirrored = samples[0].metainfo["flip_indices"]
        once, again = (self.forward(one) for one in feats)
        return self.decode(self.mean(once, again, mirrored, test_cfg))


class Heatmaps(Head):
    def __init__(self):
        super().__init__()
        steps = [nn.Sequential(nn.ConvTranspose2d(8, 8, 4, 2, 1, bias=False), nn.BatchNorm2d(8), nn.ReLU())] * 3
        self.layers = nn.Sequential(*steps, nn.Conv2d(8, 17, 1))

    def forward(self, feats):
        return self.layers(feats[-1])

    def mean(self, once, again, mirrored, test_cfg):
        again = again.flip(-1)[:, mirrored]
        if test_cfg["shift_heatmap"]:
            again[..., 1:] = again[..., :-1].clone()
        return (once + again) * 0.5


class SimCC(Head):
    """RTMPose's answer: for each keypoint a row of 384 columns, and one of 512 rows."""

    def __init__(self):
        super().__init__()
        self.final, self.x, self.y = nn.Conv2d(8, 17, 3, 1, 1), nn.Linear(48, 384), nn.Linear(48, 512)

    def forward(self, feats):
        feats = self.final(feats[-1]).flatten(2)
        return self.x(feats), self.y(feats)

    def mean(self, once, again, mirrored, test_cfg):
        return (once[0] + again[0][:, mirrored].flip(-1)) * 0.5, (once[1] + again[1][:, mirrored]) * 0.5


def rtmpose() -> nn.Module:
    net = SimpleBaseline()
    net.head, net.test_cfg = SimCC(), {"flip_test": True}
    return net
