"""What the Debian packages say that they need, by what apt knows where they are built."""

import os
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))

# Stand for what Scripts/deb calls; nothing is built.
STAND_INS = {
    "Scripts/setup": 'printf "%s\\n" $CODECS zlib1g-dev',
    "Scripts/install": 'mkdir -p "$2/usr/share/classicphotos" && touch "$2/usr/share/classicphotos/installed-files"',
    "data/debian/rules": 'cp debian/control "$FOLDER"',
    "tools/git": "echo 1",
    "tools/python3": "echo 0.2.0",
    "tools/lintian": "exit 0",
}


class PackageTests(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        shutil.copytree(os.path.join(ROOT, "data", "debian"), os.path.join(self.folder, "data", "debian"))
        for name in ("Scripts", "tools"):
            os.mkdir(os.path.join(self.folder, name))
        self.script = shutil.copy(os.path.join(ROOT, "Scripts", "deb"), os.path.join(self.folder, "Scripts"))
        shutil.copy(os.path.join(ROOT, "project.conf"), self.folder)
        for name, text in STAND_INS.items():
            path = os.path.join(self.folder, name)
            with open(path, "w", encoding="utf-8") as file:
                file.write(f"#!/bin/bash\n{text}\n")
            os.chmod(path, 0o755)

    def recommended(self, codecs):
        """What each package recommends."""
        environment = os.environ | {
            "CLASSICPHOTOS_GTK": "1", "FOLDER": self.folder, "CODECS": codecs, "DEBEMAIL": "someone@example.org",
            "PATH": f"{os.path.join(self.folder, 'tools')}:{os.environ['PATH']}"}
        subprocess.run([self.script], env=environment, check=True, capture_output=True)
        with open(os.path.join(self.folder, "control"), encoding="utf-8") as file:
            paragraphs = [dict(line.split(": ", 1) for line in paragraph.splitlines() if not line.startswith(" "))
                          for paragraph in file.read().split("\n\n")]
        return {fields["Package"]: fields.get("Recommends") for fields in paragraphs if "Package" in fields}

    def test_codecs_are_recommended_where_they_are_packages_of_their_own(self):
        codecs = ["libheif-plugin-aomenc", "libheif-plugin-dav1d", "libheif-plugin-libde265"]
        self.assertEqual(
            self.recommended(" ".join([*codecs, "libheif-plugin-x265"])),
            {"classicphotos": ", ".join(codecs), "classicphotos-app": ", ".join(["librsvg2-common", *codecs])})

    def test_elsewhere_nobody_hears_of_them(self):
        self.assertEqual(self.recommended(""), {"classicphotos": None, "classicphotos-app": "librsvg2-common"})


if __name__ == "__main__":
    unittest.main()
