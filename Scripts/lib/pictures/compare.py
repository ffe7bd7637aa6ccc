"""How two pictures differ, as a person would see it."""

import numpy as np

# Of 255. Decoders round differently, scale colour planes by different filters, and convert profiles by other tables.
MEAN = 2.5
FAR = 40
SHARE_OF_FAR = 0.03
ALPHA = 2.0


def difference(ours, other):
    """What differs, in a word, and how much; the word is empty where nobody would see it. Both are RGBA of 8 bits."""
    if ours.shape != other.shape:
        if turned(ours, other):
            return "orientation", 1e3
        return "size", 1e4
    word, amount = _difference(ours, other)
    if word in ("colour", "alpha") and turned(ours, other):
        return "orientation", amount
    return word, amount


def _difference(ours, other):
    ours, other = ours.astype(np.int16), other.astype(np.int16)
    alpha = np.abs(ours[..., 3] - other[..., 3])
    if alpha.mean() > ALPHA or (alpha > FAR).mean() > SHARE_OF_FAR:
        return "alpha", 500 + float(alpha.mean())
    # What nobody sees does not count.
    weight = np.minimum(ours[..., 3], other[..., 3])[..., None] / 255
    colours = np.abs(ours[..., :3] - other[..., :3]) * weight
    mean, far = float(colours.mean()), float((colours.max(axis=2) > FAR).mean())
    if mean > MEAN or far > SHARE_OF_FAR:
        return "colour", mean
    return "", mean


def turned(ours, other):
    """Whether one is the other, turned or mirrored."""
    for mirrored in (other, other[:, ::-1]):
        for quarters in range(4):
            way = np.rot90(mirrored, quarters)
            if way.shape == ours.shape and not (mirrored is other and quarters == 0) and not _difference(ours, way)[0]:
                return True
    return False
