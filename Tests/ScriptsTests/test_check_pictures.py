"""What Scripts/check-pictures says of a program that makes mistakes of each kind."""

import os
import subprocess
import sys
import tempfile
import unittest

REPOSITORY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
PICTURES = os.path.join(REPOSITORY, "Scripts", "lib", "pictures")
sys.path[:0] = [PICTURES]
import edge_cases  # noqa: E402

try:
    import numpy as np
    from PIL import Image
except ImportError:
    np = Image = None

# Stands for classicphotos: what it makes of a file is what the file's name says.
PROGRAM = f"""#!{sys.executable}
import os, sys
from PIL import Image
_, source, made = sys.argv[1:4]
name = os.path.basename(source)
if name.startswith("damaged"):
    sys.exit(f"classicphotos: {{source}}: The picture is damaged: it is cut off.")
if name.startswith("unsupported"):
    sys.exit(f"classicphotos: {{source}}: Pictures of this kind are not supported: a test.")
if name.startswith("failed"):
    sys.exit(3)
if name.startswith("text"):
    sys.exit(f"classicphotos: {{source}}: This is not a picture.")
image = Image.new("RGB", (2, 2)) if name.startswith("alone") else Image.open(source)
if name.startswith("orientation"):
    image = image.transpose(Image.Transpose.ROTATE_90)
if name.startswith("upside"):
    image = image.transpose(Image.Transpose.ROTATE_180)
if name.startswith("size"):
    image = image.resize((5, 5))
if name.startswith("alpha"):
    image.putalpha(255)
if name.startswith("colour"):
    image = Image.merge("RGBA", image.split()[1:3] + image.split()[:1] + image.split()[3:])
image.save(made)
"""


@unittest.skipIf(np is None, "there is no Pillow")
class CheckPicturesTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.pictures = os.path.join(self.folder, "pictures")
        os.mkdir(self.pictures)
        self.program = os.path.join(self.folder, "classicphotos")
        with open(self.program, "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        os.chmod(self.program, 0o755)

    def picture(self, name):
        """Of no symmetry, and half transparent in a corner."""
        pixels = np.zeros((12, 20, 4), np.uint8)
        pixels[..., 0] = np.arange(20) * 12
        pixels[..., 1] = np.arange(12)[:, None] * 8
        pixels[..., 3] = 255
        pixels[:6, :6, 3] = 100
        Image.fromarray(pixels, "RGBA").save(os.path.join(self.pictures, name))

    def checked(self):
        script = os.path.join(REPOSITORY, "Scripts", "check-pictures")
        # Without packages that are not here already.
        start = f"import sys, runpy; sys.path[:0] = ['{PICTURES}']; import packages; packages.use = lambda: None; " \
            f"sys.argv = ['check-pictures', '--all', '--program', '{self.program}', '{self.pictures}']; " \
            f"runpy.run_path('{script}', run_name='__main__')"
        run = subprocess.run([sys.executable, "-c", start], capture_output=True, text=True, check=False)
        lines = run.stdout.splitlines()
        self.assertTrue(lines, run.stderr)
        verdicts = {os.path.basename(line.split(": ")[0].split(None, 1)[1]): line.split()[0] for line in lines[:-1]}
        return run.returncode, verdicts, lines[-1]

    def test_each_fault_is_named(self):
        expected = {
            "alpha.png": "alpha", "colour.png": "colour", "damaged.png": "damaged", "failed.png": "failed",
            "orientation.png": "orientation", "same.png": "same", "size.png": "size", "unsupported.png": "unsupported",
            "upside.png": "orientation",
        }
        for name in expected:
            self.picture(name)
        for name in ("alone.dat", "text.dat", "damaged.dat"):
            with open(os.path.join(self.pictures, name), "wb") as file:
                file.write(b"nobody reads this")
        status, verdicts, counts = self.checked()
        self.assertEqual(verdicts, expected | {"alone.dat": "alone", "damaged.dat": "refused"})
        self.assertEqual(status, 1)
        self.assertIn("2 orientation", counts)

    def test_nothing_is_wrong(self):
        for name in ("same.png", "unsupported.png"):
            self.picture(name)
        self.assertEqual(self.checked()[0], 0)


class EdgeCaseTests(unittest.TestCase):
    def test_a_case_is_one_fault_of_one_file(self):
        cases = edge_cases.EdgeCases(["# words", "", "alpha suite/grey*.png  It is said twice."])
        found = {"verdict": "alpha", "path": "/tmp/a/suite/grey-2.png"}
        self.assertEqual(cases.reason(found), "It is said twice.")
        self.assertIsNone(cases.reason(found | {"verdict": "colour"}))
        self.assertIsNone(cases.reason(found | {"path": "/tmp/a/suite/red.png"}))

    def test_the_list_can_be_read(self):
        for verdict, pattern, reason in edge_cases.read().cases:
            with self.subTest(pattern):
                self.assertIn(verdict, ("size", "orientation", "alpha", "colour", "damaged"))
                self.assertTrue(reason.endswith("."))


if __name__ == "__main__":
    unittest.main()
