"""What Pillow leaves out of colours: gamma and primaries of PNG, inks and Lab without a profile, linear light."""

import glob

import numpy as np
from PIL import ImageCms

# A press profile that Debian's packages bring along (Ghostscript's, colord's).
PRESS = ["/usr/share/color/icc/ghostscript/default_cmyk.icc", "/usr/share/color/icc/**/*FOGRA39*.icc"]
XYZ_TO_SRGB = np.array([
    [3.2404542, -1.5371385, -0.4985314], [-0.9692660, 1.8760108, 0.0415560], [0.0556434, -0.2040259, 1.0572252]])


def encoded(linear):
    """Linear light from 0 to 1 as sRGB writes it."""
    return np.where(linear > 0.0031308, 1.055 * np.maximum(linear, 1e-9) ** (1 / 2.4) - 0.055, 12.92 * linear)


PRIMARIES = {
    1: (0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06), 9: (0.3127, 0.329, 0.708, 0.292, 0.17, 0.797, 0.131, 0.046),
    11: (0.314, 0.351, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06), 12: (0.3127, 0.329, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06)}


# The number of linear light in ISO/IEC 23091-2.
LINEAR = 8


def from_primaries(pixels, number, transfer=13):
    """RGBA of 8 bits with the primaries of a number of ISO/IEC 23091-2, in linear light or with the curve of sRGB."""
    points = PRIMARIES.get(number)
    if points is None or (number == 1 and transfer != LINEAR):
        return pixels
    values = pixels[..., :3] / 255.0
    linear = values
    if transfer != LINEAR:
        linear = np.where(values > 0.04045, ((values + 0.055) / 1.055) ** 2.4, values / 12.92)
    x, y = np.array(points[0::2]), np.array(points[1::2])
    xyz = np.stack([x / y, np.ones(4), (1 - x - y) / y])
    linear = linear @ (xyz[:, 1:] * np.linalg.solve(xyz[:, 1:], xyz[:, 0])).T @ XYZ_TO_SRGB.T
    colours = np.round(np.clip(encoded(np.clip(linear, 0, 1)), 0, 1) * 255).astype(np.uint8)
    return np.concatenate([colours, pixels[..., 3:]], axis=2)


def by_gamma(pixels, gamma, points):
    """RGB of 8 bits by what the chunks gAMA and cHRM say, in sRGB."""
    if not 0.1 <= gamma <= 4:
        return pixels
    linear = (pixels / 255.0) ** (1 / gamma)
    if points and not np.allclose(points, (0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06), atol=0.002):
        x, y = np.array(points[0::2]), np.array(points[1::2])
        xyz = np.stack([x / y, np.ones(4), (1 - x - y) / y])
        linear = linear @ (xyz[:, 1:] * np.linalg.solve(xyz[:, 1:], xyz[:, 0])).T @ XYZ_TO_SRGB.T
    elif abs(gamma - 0.45455) < 0.02:
        return pixels
    return np.round(np.clip(encoded(np.clip(linear, 0, 1)), 0, 1) * 255).astype(np.uint8)


def without_profile(image):
    """CMYK by the press profile that is here, if there is one, and Lab by D50."""
    if image.mode == "LAB":
        return ImageCms.profileToProfile(
            image, ImageCms.createProfile("LAB"), ImageCms.createProfile("sRGB"), ImageCms.Intent.RELATIVE_COLORIMETRIC, "RGB")
    press = [path for pattern in PRESS for path in glob.glob(pattern, recursive=True)]
    if not press:
        return image.convert("RGB")
    # All inks together are black, as programs for print show them.
    return ImageCms.profileToProfile(
        image, press[0], ImageCms.createProfile("sRGB"), ImageCms.Intent.RELATIVE_COLORIMETRIC, "RGB",
        flags=ImageCms.Flags.BLACKPOINTCOMPENSATION)
