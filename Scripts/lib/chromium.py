"""What the scripts that ask Chromium have in common: pictures in and out, and the looks in its language."""

import base64
import os
import struct
import subprocess
import tempfile
import zlib

# name: the chain, and the layers as blend mode, background, opacity.
LOOKS = {
    "1977": ("contrast(1.1) brightness(1.1) saturate(1.3)", [("screen", "rgba(243,106,188,.3)", 1)]),
    "aden": ("hue-rotate(-20deg) contrast(.9) saturate(.85) brightness(1.2)",
             [("darken", "linear-gradient(to right, rgba(66,10,14,.2), transparent)", 1)]),
    "brannan": ("sepia(.5) contrast(1.4)", [("lighten", "rgba(161,44,199,.31)", 1)]),
    "clarendon": ("contrast(1.2) saturate(1.35)", [("overlay", "rgba(127,187,227,.2)", 1)]),
    "earlybird": ("contrast(.9) sepia(.2)",
                  [("overlay", "radial-gradient(circle, #d0ba8e 20%, #360309 85%, #1d0210)", 1)]),
    "gingham": ("brightness(1.05) hue-rotate(-10deg)", [("soft-light", "lavender", 1)]),
    "hudson": ("brightness(1.2) contrast(.9) saturate(1.1)",
               [("multiply", "radial-gradient(circle, #a6b1ff 50%, #342134)", .5)]),
    "inkwell": ("sepia(.3) contrast(1.1) brightness(1.1) grayscale(1)", []),
    "lofi": ("saturate(1.1) contrast(1.5)", [("multiply", "radial-gradient(circle, transparent 70%, #222 150%)", 1)]),
    "moon": ("grayscale(1) contrast(1.1) brightness(1.1)",
             [("soft-light", "#a0a0a0", 1), ("lighten", "#383838", 1)]),
    "nashville": ("sepia(.2) contrast(1.2) brightness(1.05) saturate(1.2)",
                  [("darken", "rgba(247,176,153,.56)", 1), ("lighten", "rgba(0,70,150,.4)", 1)]),
    "reyes": ("sepia(.22) brightness(1.1) contrast(.85) saturate(.75)", [("soft-light", "#efcdad", .5)]),
    "toaster": ("contrast(1.5) brightness(.9)", [("screen", "radial-gradient(circle, #804e0f, #3b003b)", 1)]),
    "valencia": ("contrast(1.08) brightness(1.08) sepia(.08)", [("exclusion", "#3a0339", .5)]),
    "walden": ("brightness(1.1) hue-rotate(-10deg) sepia(.3) saturate(1.6)", [("screen", "#0044cc", .3)]),
    "xpro2": ("sepia(.3)",
              [("color-burn", "radial-gradient(circle, #e6e7e0 40%, rgba(43,42,161,.6) 110%)", 1)]),
}


def write_png(width, height, pixels):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    raw = b"".join(b"\0" + b"".join(map(bytes, pixels[y * width:(y + 1) * width])) for y in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b""))


def painted(cases, sources, side, processor="software"):
    """What Chromium paints for each case: its width, height and pixels.

    A case is kind, name, source, chain and layers; `side` is the room that each has on the page.
    """
    for start in range(0, len(cases), 160):
        part = cases[start:start + 160]
        rows = screenshot("\n".join(_page(part, sources, side)), 8 * side, (len(part) + 7) // 8 * side, processor)
        for index, case in enumerate(part):
            (width, height, _), left, top = sources[case[2]], index % 8 * side, index // 8 * side
            yield width, height, [pixel for row in rows[top:top + height] for pixel in row[left:left + width]]


def write_picture(file, kind, name, width, height, pixels):
    """A line of text and the bytes, as PixelsTests reads them."""
    file.write(f"{kind}\t{name}\t{width}\t{height}\n".encode() + b"".join(map(bytes, pixels)))


def _page(cases, sources, side):
    yield """<!doctype html><style>body{margin:0}div{position:absolute;overflow:hidden}
        div>b{display:block;position:relative;isolation:isolate}img{display:block}
        i{position:absolute;inset:0}</style>"""
    for index, (_, _, source, chain, layers) in enumerate(cases):
        width, height, pixels = sources[source]
        png = base64.b64encode(write_png(width, height, pixels)).decode()
        box = f"width:{width}px;height:{height}px"
        over = "".join(f'<i style="background:{fill};mix-blend-mode:{mode};opacity:{opacity}"></i>'
                       for mode, fill, opacity in layers)
        yield (f'<div style="left:{index % 8 * side}px;top:{index // 8 * side}px;{box}">'
               f'<b style="{box};filter:{chain}"><img src="data:image/png;base64,{png}">{over}</b></div>')


def read_png(data):
    """Rows of R, G, B, A bytes of an 8-bit true-colour PNG, not interlaced."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    position, compressed = 8, b""
    while position < len(data):
        length, kind = struct.unpack(">I4s", data[position:position + 8])
        body = data[position + 8:position + 8 + length]
        if kind == b"IHDR":
            width, height, depth, color, _, _, interlace = struct.unpack(">IIBBBBB", body)
            assert depth == 8 and color in (2, 6) and interlace == 0
        elif kind == b"IDAT":
            compressed += body
        position += 12 + length
    channels = 4 if color == 6 else 3
    raw, stride, rows = zlib.decompress(compressed), width * channels, []
    previous = bytearray(stride)
    for y in range(height):
        start = y * (stride + 1)
        kind, row = raw[start], bytearray(raw[start + 1:start + 1 + stride])
        for i in range(stride):
            left = row[i - channels] if i >= channels else 0
            up, corner = previous[i], previous[i - channels] if i >= channels else 0
            if kind == 1:
                row[i] = row[i] + left & 255
            elif kind == 2:
                row[i] = row[i] + up & 255
            elif kind == 3:
                row[i] = row[i] + (left + up) // 2 & 255
            elif kind == 4:
                estimate = left + up - corner
                nearest = min((abs(estimate - left), 0, left), (abs(estimate - up), 1, up),
                              (abs(estimate - corner), 2, corner))
                row[i] = row[i] + nearest[2] & 255
        previous = row
        rows.append([tuple(row[x:x + channels]) + ((255,) if channels == 3 else ())
                     for x in range(0, stride, channels)])
    return rows


# Without a graphics processor Chromium blurs by boxes; with one, which a program may stand in for, by a Gaussian.
PROCESSORS = {
    "software": ["--disable-gpu"],
    "graphics": ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist",
                 "--force-gpu-rasterization"],
}


def screenshot(html, width, height, processor="software"):
    with tempfile.TemporaryDirectory() as folder:
        source, target = os.path.join(folder, "page.html"), os.path.join(folder, "page.png")
        with open(source, "w", encoding="utf-8") as file:
            file.write(html)
        subprocess.run(
            ["chromium", "--headless", "--no-sandbox", *PROCESSORS[processor], "--force-color-profile=srgb",
             "--hide-scrollbars", "--default-background-color=00000000", f"--user-data-dir={folder}/profile",
             f"--window-size={width},{height}", f"--screenshot={target}", f"file://{source}"],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=300)
        with open(target, "rb") as file:
            return read_png(file.read())


def version():
    answer = subprocess.run(["chromium", "--version"], check=True, capture_output=True, text=True)
    return " ".join(answer.stdout.split()[:2])
