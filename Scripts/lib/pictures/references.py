"""What other programs make of a file: each a function from a path to RGBA of 8 bits in sRGB, upright. They raise what they
cannot read, and give None for what is not theirs."""

import io
import os
import shutil
import subprocess
import tempfile
import warnings

import numpy as np
from PIL import Image, ImageCms, ImageFile, ImageOps

import colours

try:
    import pillow_heif
except ImportError:
    pillow_heif = None
try:
    import imagecodecs
    import tifffile
except ImportError:
    imagecodecs = tifffile = None

warnings.simplefilter("ignore")
Image.MAX_IMAGE_PIXELS = None
ImageFile.LOAD_TRUNCATED_IMAGES = False
# Others find what they read by its first bytes, and so does Pillow: of these it has no reader of its own.
HEIF = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1", b"mif2")


def kind(path):
    """What a file is, by its first bytes, as far as it tells who is asked."""
    with open(path, "rb") as file:
        head = file.read(64)
    if head[4:8] == b"ftyp":
        brands = head[8:]
        if b"avif" in brands or b"avis" in brands:
            return "avif"
        return "heif" if any(brand in brands for brand in HEIF) else "other"
    if head[:2] == b"\xff\x0a" or head[4:12] == b"JXL \r\n\x87\n":
        return "jxl"
    return "tiff" if head[:4] in (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+") else "other"


def code_points(path):
    """Primaries and transfer of a HEIF's or AVIF's first code points, 1 and 13 where it has none or a profile."""
    with open(path, "rb") as file:
        data = file.read(65_536)
    at = data.find(b"colrnclx")
    if at < 0 or b"colrprof" in data:
        return 1, 13
    return int.from_bytes(data[at + 8:at + 10], "big"), int.from_bytes(data[at + 10:at + 12], "big")


def in_primaries(path, pixels):
    """Nobody here heeds code points."""
    primaries, transfer = code_points(path)
    if transfer in (16, 18):
        raise ValueError("it shows PQ and HLG as they are")
    return colours.from_primaries(pixels, primaries, transfer)


def png_code_points(path):
    """What a PNG's chunk cICP says, which counts before all others; nil where it has none."""
    with open(path, "rb") as file:
        data = file.read(65_536)
    at = data.find(b"cICP", 0, data.find(b"IDAT"))
    return (data[at + 4], data[at + 5]) if data.startswith(b"\x89PNG") and at > 0 else None


def by_png_code_points(image, points):
    primaries, transfer = points
    if transfer in (16, 18):
        raise ValueError("it shows PQ and HLG as they are")
    for name in ("gamma", "icc_profile", "chromaticity"):
        image.info.pop(name, None)
    return colours.from_primaries(from_pillow(image), primaries, transfer)


def pillow(path):
    what = kind(path)
    if what not in ("other", "tiff", "avif"):
        return None
    points = png_code_points(path)
    with Image.open(path) as image:
        if points:
            image.load()
            return by_png_code_points(image, points)
        pixels = from_pillow(image)
    return in_primaries(path, pixels) if what == "avif" else pixels


def heif(path):
    if kind(path) not in ("heif", "avif"):
        return None
    # It turns pictures itself.
    file = pillow_heif.open_heif(path, convert_hdr_to_8bit=True)
    image = file.to_pillow()
    image.info.pop("exif", None)
    return in_primaries(path, from_pillow(image, turns=False))


def tiff(path):
    if kind(path) != "tiff":
        return None
    with tifffile.TiffFile(path) as file:
        page = file.pages[0]
        names = {tifffile.PHOTOMETRIC.MINISBLACK: "L", tifffile.PHOTOMETRIC.MINISWHITE: "inverted", tifffile.PHOTOMETRIC.RGB: "RGB"}
        name = names.get(page.photometric)
        if name is None or page.dtype is None or page.dtype.kind == "i":
            return None
        pixels = page.asarray()
        if page.planarconfig == 2 and pixels.ndim == 3:
            pixels = np.moveaxis(pixels, 0, -1)
        if pixels.ndim == 2:
            pixels = pixels[..., None]
        scaled = pixels.astype(np.float64)
        profile = page.tags.get(34675)
        if page.dtype.kind == "f" and profile:
            scaled = np.clip(scaled, 0, 1)
        elif page.dtype.kind == "f":
            scaled = colours.encoded(np.clip(scaled, 0, 1))
        else:
            scaled /= 2 ** page.bitspersample - 1
        if name == "inverted":
            scaled = 1 - scaled
        wanted = 1 if name != "RGB" else 3
        extra = page.extrasamples
        has_alpha = len(extra) == 1 and extra[0] != 0
        alpha = scaled[..., wanted:wanted + 1] if has_alpha else np.ones_like(scaled[..., :1])
        if has_alpha and extra[0] == 1:
            scaled = np.where(alpha > 0, scaled / np.maximum(alpha, 1e-6), 0)
        rgb = np.repeat(scaled[..., :1], 3, axis=2) if wanted == 1 else scaled[..., :3]
        whole = np.round(np.clip(np.concatenate([rgb, alpha], axis=2), 0, 1) * 255).astype(np.uint8)
        image = Image.fromarray(whole, "RGBA")
        if profile:
            image.info["icc_profile"] = bytes(profile.value)
        turn = page.tags.get(274)
        if turn:
            exif = image.getexif()
            exif[0x0112] = int(turn.value)
            image.info["exif"] = exif.tobytes()
        return from_pillow(image)


def libpng(path):
    """Of PNG Pillow takes the transparent grey of 1, 2 and 4 bits for another."""
    with open(path, "rb") as file:
        data = file.read()
    if not data.startswith(b"\x89PNG") or png_code_points(path):
        return None
    pixels = imagecodecs.png_decode(data)
    if pixels.dtype == np.uint16:
        pixels = np.round(pixels / 257).astype(np.uint8)
    pixels = pixels[..., None] if pixels.ndim == 2 else pixels
    with Image.open(path) as image:
        image.load()
        info = {name: value for name, value in image.info.items() if name != "transparency"}
        exif = image.getexif().get(0x0112, 1)
    modes = {1: "L", 2: "LA", 3: "RGB", 4: "RGBA"}
    whole = Image.fromarray(pixels[..., 0] if pixels.shape[2] == 1 else pixels, modes[pixels.shape[2]])
    return np.asarray(turned(in_srgb(whole, info), exif))


def avifdec(path):
    made = by_program(path, "avif", lambda made: ["avifdec", path, made])
    return None if made is None else in_primaries(path, made)


def djxl(path):
    return by_program(path, "jxl", lambda made: ["djxl", path, made])


def jpegxl(path):
    """Without profiles; of alpha with 10 or 12 bits djxl 0.7 makes something else."""
    if kind(path) != "jxl":
        return None
    with open(path, "rb") as file:
        pixels = imagecodecs.jpegxl_decode(file.read())
    pixels = pixels[0] if pixels.ndim == 4 else pixels
    if pixels.dtype.kind == "f":
        raise ValueError("fractions")
    bits = next((bits for bits in (8, 9, 10, 12, 14, 16) if pixels.max() < 1 << bits), 16) if pixels.dtype.itemsize > 1 else 8
    scaled = np.round(pixels.astype(np.float64) * 255 / ((1 << bits) - 1)).astype(np.uint8)
    scaled = scaled[..., None] if scaled.ndim == 2 else scaled
    alpha = scaled[..., -1:] if scaled.shape[2] in (2, 4) else np.full_like(scaled[..., :1], 255)
    rgb = scaled[..., :3] if scaled.shape[2] > 2 else np.repeat(scaled[..., :1], 3, axis=2)
    return np.concatenate([rgb, alpha], axis=2)


def by_program(path, wanted, command):
    if kind(path) != wanted:
        return None
    with tempfile.TemporaryDirectory() as folder:
        made = os.path.join(folder, "made.png")
        run = subprocess.run(command(made), capture_output=True, text=True, timeout=60, check=False, errors="replace")
        if run.returncode or not os.path.exists(made):
            raise ValueError((run.stderr or run.stdout).strip().splitlines()[-1:])
        with Image.open(made) as image:
            return from_pillow(image)


def available():
    """Those that are here, by name, and the names of those that are not."""
    all_of_them = {
        "Pillow": (pillow, True), "pillow-heif": (heif, pillow_heif), "tifffile": (tiff, tifffile),
        "libpng": (libpng, imagecodecs),
        "avifdec": (avifdec, shutil.which("avifdec")), "djxl": (djxl, shutil.which("djxl")),
        "libjxl": (jpegxl, imagecodecs),
    }
    return {name: read for name, (read, here) in all_of_them.items() if here}, [
        name for name, (_, here) in all_of_them.items() if not here]


def from_pillow(image, turns=True):
    image.load()
    info = dict(image.info)
    image = in_srgb(image, info)
    if turns:
        exif = Image.Exif()
        if isinstance(info.get("exif"), bytes):
            exif.load(info["exif"])
        else:
            exif = image.getexif()
        image = turned(image, exif.get(0x0112, 1))
    return np.asarray(image)


def turned(image, orientation):
    way = {2: Image.Transpose.FLIP_LEFT_RIGHT, 3: Image.Transpose.ROTATE_180, 4: Image.Transpose.FLIP_TOP_BOTTOM,
           5: Image.Transpose.TRANSPOSE, 6: Image.Transpose.ROTATE_270, 7: Image.Transpose.TRANSVERSE,
           8: Image.Transpose.ROTATE_90}.get(orientation)
    return image if way is None else image.transpose(way)


def in_srgb(image, info):
    profile = info.get("icc_profile")
    alpha = None
    if image.mode.startswith("I;16"):
        whole = np.asarray(image).astype(np.float64)
        if image.mode == "I;16B":
            whole = np.asarray(image).view(">u2").astype(np.float64)
        image = Image.fromarray(np.round(whole / 257).astype(np.uint8), "L")
        if isinstance(info.get("transparency"), int):
            alpha = Image.fromarray(np.where(whole == info["transparency"], 0, 255).astype(np.uint8), "L")
    elif image.mode == "I":
        whole = np.asarray(image).astype(np.float64)
        if whole.min() < 0 or whole.max() > 65_535:
            raise ValueError("whole numbers of 32 bits")
        image = Image.fromarray(np.round(whole / 257).astype(np.uint8), "L")
    elif image.mode == "F":
        scaled = colours.encoded(np.clip(np.asarray(image).astype(np.float64), 0, 1))
        image = Image.fromarray(np.round(scaled * 255).astype(np.uint8), "L")
    if image.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in info:
        if image.mode in ("La", "RGBa"):
            image = image.convert(image.mode.upper())
        whole = image.convert("RGBA")
        alpha = alpha or whole.getchannel("A")
        image = whole.convert("RGB") if image.mode not in ("L", "LA") else whole.convert("RGB").convert("L")
    elif image.mode in ("1", "P", "RGBX", "YCbCr", "HSV"):
        image = image.convert("RGB") if image.mode != "1" else image.convert("L")
    if profile:
        image = by_profile(image, profile)
    elif image.mode in ("CMYK", "LAB"):
        image = colours.without_profile(image)
    image = image.convert("RGB")
    if not profile and "gamma" in info and "srgb" not in info:
        image = Image.fromarray(colours.by_gamma(np.asarray(image), info["gamma"], info.get("chromaticity")), "RGB")
    image.putalpha(alpha or 255)
    return image


def by_profile(image, profile):
    try:
        source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        space = source.profile.xcolor_space.strip()
        if {"RGB": "RGB", "GRAY": "L", "CMYK": "CMYK", "Lab": "LAB"}.get(space) != image.mode:
            if space == "RGB" and image.mode == "L":
                image = image.convert("RGB")
            else:
                return colours.without_profile(image) if image.mode in ("CMYK", "LAB") else image
        intent = ImageCms.Intent.RELATIVE_COLORIMETRIC
        if not source.profile.is_intent_supported(intent, ImageCms.Direction.INPUT):
            intent = ImageCms.Intent.PERCEPTUAL
        return ImageCms.profileToProfile(image, source, ImageCms.createProfile("sRGB"), intent, "RGB")
    except (OSError, ImageCms.PyCMSError, TypeError):
        return colours.without_profile(image) if image.mode in ("CMYK", "LAB") else image
