"""Planar grids, boxes and the parts of scenery made of them."""

import numpy as np

from accord_demo.people.noise import ValueNoise
from accord_demo.scene.part import Fragments, Part, Surface

Mesh = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]  # vertices, triangles, uv, normals


def quad(origin, u, v, columns: int = 1, rows: int = 1) -> Mesh:
    """A parallelogram from `origin` along u and v, in columns x rows cells."""
    origin, u, v = (np.asarray(a, float) for a in (origin, u, v))
    a, b = np.meshgrid(np.linspace(0, 1, columns + 1), np.linspace(0, 1, rows + 1))
    P = origin + a.reshape(-1, 1) * u + b.reshape(-1, 1) * v
    i = np.arange(len(P)).reshape(rows + 1, columns + 1)
    q = [c.ravel() for c in (i[:-1, :-1], i[:-1, 1:], i[1:, 1:], i[1:, :-1])]
    T = np.concatenate([np.stack(q[:3], 1), np.stack([q[0], q[2], q[3]], 1)])
    normal = np.cross(u, v)
    normal /= np.linalg.norm(normal)
    return P, T, np.stack([a.ravel(), b.ravel()], 1), np.tile(normal, (len(P), 1))


def box(centre, size) -> Mesh:
    """An axis-parallel box."""
    centre, size = np.asarray(centre, float), np.asarray(size, float)
    faces = []
    for axis in range(3):
        u, v = np.zeros(3), np.zeros(3)
        u[(axis + 1) % 3], v[(axis + 2) % 3] = size[(axis + 1) % 3], size[(axis + 2) % 3]
        for sign in (-1, 1):
            origin = centre - (u + v) / 2
            origin[axis] += sign * size[axis] / 2
            P, T, uv, N = quad(origin, u, v)
            faces.append((P, T + 4 * len(faces), uv, N * sign))
    P, T, uv, N = (np.concatenate(arrays) for arrays in zip(*faces, strict=True))
    return P, T, uv, N


def scenery(name: str, mesh: Mesh, material, casts: bool = False) -> Part:
    """A part of the background, whose canonical positions are its own."""
    P, T, uv, N = mesh
    attributes = {"at": P.astype(np.float32), "uv": uv.astype(np.float32)}
    return Part(name, P, T, material, N=N.astype(np.float32), attributes=attributes, casts=casts, two_sided=True)


def paint(colour, roughness=0.8, mottle=0.0, noise: ValueNoise | None = None, frequency=3.0, emission=0.0):
    """One colour, mottled by noise."""
    colour = np.asarray(colour, float)

    def material(fragments: Fragments) -> Surface:
        albedo = np.tile(colour, (len(fragments), 1))
        if mottle:
            assert noise is not None
            albedo = albedo * (1 + mottle * noise.fbm(fragments.at, frequency, 2))[:, None]
        return Surface(albedo, roughness=roughness, specular=0.02, emission=emission)

    return material


def picture(image, emission: float = 0.0):
    """A Pillow image over the texture coordinates."""
    from accord_demo.people.atlas import bilinear

    texture = (np.asarray(image.convert("RGB"), np.float32) / 255) ** 2.2

    def material(fragments: Fragments) -> Surface:
        u, v = fragments.attributes["uv"].T
        height, width = texture.shape[:2]
        albedo = bilinear(texture, u * width, (1 - v) * height)
        return Surface(albedo, roughness=0.6, specular=0.02, emission=emission)

    return material
