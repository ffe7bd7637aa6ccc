"""The server that scripts start for themselves."""

import os
import subprocess
import tempfile
import unittest
from urllib.request import urlopen

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
START = r"""
source Scripts/lib/nginx.sh
start_nginx "$1/server" "location /files/ { alias \"$1/files/\"; }"
echo "$port"
read -r _
stop_nginx
"""


class NginxTests(unittest.TestCase):
    def test_it_serves_from_a_folder_whose_name_has_a_space(self):
        with tempfile.TemporaryDirectory() as folder:
            # Only its owner may look into it.
            folder = os.path.join(folder, "a clone")
            os.makedirs(os.path.join(folder, "files"))
            with open(os.path.join(folder, "files", "text"), "w", encoding="utf-8") as file:
                file.write("served")
            with subprocess.Popen(["bash", "-euc", START, "-", folder], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                  text=True) as script:
                port = script.stdout.readline().strip()
                self.assertNotEqual(port, "", "it did not start")
                with urlopen(f"http://127.0.0.1:{port}/files/text") as answer:
                    self.assertEqual(answer.read(), b"served")
                script.communicate("\n")
            self.assertEqual(script.returncode, 0)


if __name__ == "__main__":
    unittest.main()
