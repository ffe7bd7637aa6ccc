"""Thumbnails with Pillow's draft mode: pillow_thumbnails.py OUTPUT-FOLDER SIDE FILE..."""

import pathlib
import sys

from PIL import Image

folder, side = pathlib.Path(sys.argv[1]), int(sys.argv[2])
for name in sys.argv[3:]:
    with Image.open(name) as image:
        image.draft("RGB", (side, side))
        image.thumbnail((side, side), Image.Resampling.LANCZOS)
        image.save(folder / (pathlib.Path(name).stem + ".jpg"), quality=75)
