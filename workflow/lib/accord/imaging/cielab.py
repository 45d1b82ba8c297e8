"""Colours as people see them apart: CIE L*a*b*."""

import numpy as np

D65 = np.array([0.95047, 1.0, 1.08883])
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def linear(colours: np.ndarray) -> np.ndarray:
    """Linear RGB, 0 to 1, of sRGB colours, 0 to 255 (IEC 61966-2-1)."""
    share = np.asarray(colours, float) / 255
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)


def lab(colours: np.ndarray) -> np.ndarray:
    """CIE L*a*b* (D65) of linear RGB, (..., 3); what is brighter than white stays so."""
    ratio = np.asarray(colours, float) @ TO_XYZ.T / D65
    x, y, z = np.moveaxis(np.where(ratio > (6 / 29) ** 3, np.cbrt(ratio), ratio / (3 * (6 / 29) ** 2) + 4 / 29), -1, 0)
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)
