"""Small checkouts with the modules, names and answers of the authors' repositories, and networks of our own in them."""

from pathlib import Path

RETINAFACE = {
    "data/__init__.py": "raise ImportError('only training needs it')",
    "data/config.py": """
cfg_re50 = {"min_sizes": [[16, 32], [64, 128], [256, 512]], "steps": [8, 16, 32], "variance": [0.1, 0.2],
            "pretrain": True}
""",
    "models/__init__.py": "",
    "models/retinaface.py": """
import torch
from torch import nn

class RetinaFace(nn.Module):
    def __init__(self, cfg, phase):
        super().__init__()
        assert phase == "test" and not cfg["pretrain"]
        step = lambda before, after, stride: nn.Sequential(nn.Conv2d(before, after, 3, stride, 1), nn.Tanh())
        self.stem = nn.Sequential(step(3, 8, 2), step(8, 8, 2))
        self.maps = nn.ModuleList(step(8, 8, 2) for _ in range(3))
        self.moves = nn.ModuleList(nn.Conv2d(8, 8, 1) for _ in range(3))
        self.classes = nn.ModuleList(nn.Conv2d(8, 4, 1) for _ in range(3))
        self.marks = nn.ModuleList(nn.Conv2d(8, 20, 1) for _ in range(3))

    def forward(self, x):
        x, found = self.stem(x / 100), []
        for map in self.maps:
            found.append(x := map(x))
        told = lambda heads, n: torch.cat([head(f).permute(0, 2, 3, 1).reshape(len(f), -1, n)
                                           for head, f in zip(heads, found)], dim=1)
        return told(self.moves, 4), told(self.classes, 2).softmax(-1), told(self.marks, 10)
""",
    "layers/__init__.py": "raise ImportError('only training needs it')",
    "layers/functions/prior_box.py": """
import math, torch

class PriorBox:
    def __init__(self, cfg, image_size):
        self.cfg, (self.height, self.width) = cfg, image_size

    def forward(self):
        rows = []
        for step, sides in zip(self.cfg["steps"], self.cfg["min_sizes"]):
            for i in range(math.ceil(self.height / step)):
                for j in range(math.ceil(self.width / step)):
                    rows += [((j + 0.5) * step / self.width, (i + 0.5) * step / self.height, side / self.width,
                              side / self.height) for side in sides]
        return torch.tensor(rows)
""",
    "utils/__init__.py": "",
    "utils/box_utils.py": """
import torch

def decode(moves, priors, variances):
    middle = priors[:, :2] + moves[:, :2] * variances[0] * priors[:, 2:]
    half = priors[:, 2:] * torch.exp(moves[:, 2:] * variances[1]) / 2
    return torch.cat([middle - half, middle + half], 1)
""",
}
DML_CSR = {
    "networks/dml_csr.py": """
import torch
from inplace_abn import InPlaceABNSync
from torch import nn

class DML_CSR(nn.Module):
    def __init__(self, num_classes, abn=InPlaceABNSync, trained=True):
        super().__init__()
        assert not trained
        self.body = nn.Sequential(nn.Conv2d(3, 8, 7, 4, 3), abn(8), nn.Conv2d(8, num_classes, 3, 1, 1))

    def forward(self, x):
        return self.body(x)
"""
}
GPEN = {
    "face_model/gpen_model.py": """
import torch
from op import FusedLeakyReLU, fused_leaky_relu, upfirdn2d
from torch import nn

class FullGenerator(nn.Module):
    def __init__(self, size, style_dim, n_mlp, channel_multiplier=2, narrow=1, device="cpu"):
        super().__init__()
        assert (size, style_dim, n_mlp) == (512, 512, 8)
        self.first, self.activate = nn.Conv2d(3, 4, 1), FusedLeakyReLU(4, device=device)
        self.last = nn.Conv2d(4, 3, 1)
        line = torch.tensor([1.0, 3.0, 3.0, 1.0])
        self.register_buffer("kernel", line[None] * line[:, None] / 64)
        self.weight = nn.Parameter(torch.eye(4)[None, :, :, None, None])

    def forward(self, x, return_latents=False):
        x = self.activate(self.first(x))
        batch, channels, height, width = x.shape
        style = x.mean((2, 3)).view(batch, 1, channels, 1, 1)
        weight = (self.weight * style).transpose(1, 2).reshape(batch * channels, 4, 1, 1)
        x = torch.nn.functional.conv_transpose2d(x.view(1, batch * channels, height, width), weight, groups=batch)
        x = x.view(batch, 4, height, width)
        x = upfirdn2d(x, self.kernel, down=2, pad=(1, 1), device="cpu")
        x = upfirdn2d(x, self.kernel * 4, up=2, pad=(2, 1))
        return self.last(x), None
"""
}
GFPGAN = {
    "gfpgan/__init__.py": "raise ImportError('needs half of the world')",
    "gfpgan/archs/__init__.py": "raise ImportError('needs half of the world')",
    "gfpgan/archs/noise.py": """
from basicsr.archs.arch_util import default_init_weights
from torch import nn

class Noisy(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 3, 3, 1, 1)
        default_init_weights(self.conv, scale=1)
""",
    "gfpgan/archs/gfpganv1_clean_arch.py": """
import torch
from basicsr.utils.registry import ARCH_REGISTRY
from torch import nn
from .noise import Noisy

@ARCH_REGISTRY.register()
class GFPGANv1Clean(Noisy):
    def __init__(self, out_size, num_style_feat=512, channel_multiplier=1, decoder_load_path=None, fix_decoder=True,
                 num_mlp=8, input_is_latent=False, different_w=False, narrow=1, sft_half=False):
        super().__init__()
        assert (out_size, channel_multiplier, different_w, sft_half) == (512, 2, True, True)
        self.register_buffer("noise", torch.randn(1, 1, out_size, out_size))

    def forward(self, x, return_rgb=True, randomize_noise=True):
        noise = torch.randn_like(self.noise) if randomize_noise else self.noise
        return self.conv(x) + 0.3 * noise, [x] if return_rgb else []
""",
}
RESTYLE = {
    "models/__init__.py": "",
    "models/stylegan2/__init__.py": "",
    "models/stylegan2/op/__init__.py": "raise ImportError('compiles kernels')",
    "models/e4e.py": """
import torch
from models.stylegan2.op import FusedLeakyReLU
from torch import nn

class e4e(nn.Module):
    def __init__(self, opts):
        super().__init__()
        self.opts = opts
        self.encoder = nn.Sequential(nn.AdaptiveAvgPool2d(4), nn.Flatten(), nn.Linear(opts.input_nc * 16, 8))
        self.decoder = nn.Sequential(nn.Linear(8, 3 * 16 * 16), nn.Unflatten(1, (3, 16, 16)), FusedLeakyReLU(3),
                                     nn.Upsample(scale_factor=opts.output_size // 16), nn.Tanh())
        self.face_pool = nn.AdaptiveAvgPool2d((256, 256))
        held = torch.load(opts.checkpoint_path)
        for name in ("encoder", "decoder"):
            part = {k[len(name) + 1:]: v for k, v in held["state_dict"].items() if k.startswith(name)}
            getattr(self, name).load_state_dict(part, strict=False)
        self.latent_avg = held["latent_avg"].to(opts.device)

    def forward(self, x, latent=None, resize=True, input_code=False, randomize_noise=True, return_latents=False,
                average_code=False):
        assert not randomize_noise
        codes = x if input_code else self.encoder(x) + (self.latent_avg if latent is None else latent)
        images = self.decoder(codes)
        images = self.face_pool(images) if resize else images
        return (images, codes) if return_latents else images
""",
    "utils/inference_utils.py": """
import torch

def run_on_batch(inputs, net, opts, avg_image):
    y_hat, latent, results = avg_image[None], None, {0: []}
    for _ in range(opts.n_iters_per_batch):
        y_hat, latent = net.forward(torch.cat([inputs, y_hat], 1), latent=latent, randomize_noise=False,
                                    return_latents=True, resize=opts.resize_outputs)
        results[0].append(y_hat[0])
        y_hat = net.face_pool(y_hat)
    return results, None
""",
}


def written(folder: Path, files: dict[str, str]) -> Path:
    """A checkout with these files."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder
