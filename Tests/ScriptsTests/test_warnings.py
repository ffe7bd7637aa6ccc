"""Who is warned of what: continuous integration of everything, others by warnings that end no build."""

import json
import os
import re
import subprocess
import tempfile
import unittest

import yaml

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


class ManifestTests(unittest.TestCase):
    PACKAGES = [".", "Benchmarks", "Fuzz"]

    def settings(self, package, **environment):
        """The names of the settings of each target that has the house's."""
        with tempfile.TemporaryDirectory() as scratch:
            described = subprocess.run(
                ["swift", "package", "--package-path", os.path.join(ROOT, package), "--scratch-path", scratch, "dump-package"],
                env={name: value for name, value in os.environ.items() if name != "CLASSICPHOTOS_WARNINGS"} | environment,
                check=True, capture_output=True, text=True).stdout
        kinds = [{kind for setting in target["settings"] for kind in setting["kind"]} for target in json.loads(described)["targets"]]
        return [kind for kind in kinds if "swiftLanguageMode" in kind]

    def test_warnings_are_errors_for_continuous_integration_alone(self):
        for package in self.PACKAGES:
            for environment, is_error in [({}, False), ({"CLASSICPHOTOS_WARNINGS": "errors"}, True)]:
                with self.subTest(package, **environment):
                    settings = self.settings(package, CLASSICPHOTOS_GTK="1", **environment)
                    self.assertGreater(len(settings), 3)
                    self.assertEqual({"treatAllWarnings" in names for names in settings}, {is_error})

    def test_continuous_integration_asks_for_it(self):
        self.assertIn("\nexport CLASSICPHOTOS_WARNINGS=errors\n", read(".ci/run"))
        self.assertIn("\nexport CLASSICPHOTOS_WARNINGS=errors\n", read("Scripts/check-long"))
        workflow = yaml.safe_load(read(".github/workflows/test.yml"))
        self.assertEqual(workflow["jobs"]["test"]["env"], {"CLASSICPHOTOS_WARNINGS": "errors"})


class DeprecationTests(unittest.TestCase):
    """Later versions of libraries deprecate what earlier ones have in no other form; the headers of our modules ask for silence."""

    # By the beginning of a header's name: macros that stand before it.
    MACROS = {
        "glib": ["GLIB_VERSION_MIN_REQUIRED"],
        "adwaita.h": ["ADW_VERSION_MIN_REQUIRED", "GDK_VERSION_MIN_REQUIRED", "GDK_PIXBUF_VERSION_MIN_REQUIRED",
                      "PANGO_VERSION_MIN_REQUIRED", "GLIB_VERSION_MIN_REQUIRED"],
        "gtk/": ["GDK_VERSION_MIN_REQUIRED"],
        "libsoup/": ["SOUP_VERSION_MIN_REQUIRED", "GLIB_VERSION_MIN_REQUIRED"],
        "atspi/": ["GLIB_VERSION_MIN_REQUIRED"],
        "vips/": ["VIPS_DISABLE_DEPRECATION_WARNINGS", "GLIB_VERSION_MIN_REQUIRED"],
        "curl/": ["CURL_DISABLE_DEPRECATION"],
        "zstd.h": ["ZSTD_DISABLE_DEPRECATE_WARNINGS"],
        "openssl/": ["OPENSSL_SUPPRESS_DEPRECATED"],
    }

    @staticmethod
    def lines(path):
        """The lines of a header of ours, with those of others of ours that it includes."""
        for line in read(path).splitlines():
            ours = re.fullmatch(r'#include "(.*)"', line)
            if ours:
                yield from DeprecationTests.lines(os.path.join(os.path.dirname(path), ours[1]))
            else:
                yield line

    def test_macros_stand_before_the_headers_that_look_for_them(self):
        seen = set()
        for module in filter(lambda name: os.path.exists(os.path.join(ROOT, f"Sources/{name}/{name}.h")),
                             os.listdir(os.path.join(ROOT, "Sources"))):
            defined = {}
            for line in self.lines(f"Sources/{module}/{module}.h"):
                macro = re.fullmatch(r"#define (\w+)(?: (\w+))?", line)
                if macro:
                    self.assertEqual(defined.setdefault(macro[1], macro[2]), macro[2], f"{module}: {macro[1]}")
                include = re.fullmatch(r"#include <(.*)>", line)
                for beginning, macros in self.MACROS.items():
                    if include and include[1].startswith(beginning):
                        seen.add(beginning)
                        self.assertLessEqual(set(macros), set(defined), f"{module} includes {include[1]}")
        self.assertEqual(seen, set(self.MACROS))

    def test_what_a_library_deprecates_is_no_warning(self):
        """Deprecated before the oldest versions that we build with."""
        code = "import CCurl\nimport CZstd\n_ = CURLOPT_PUT\n_ = ZSTD_getDecompressedSize\n"
        maps = [f"-fmodule-map-file={ROOT}/Sources/{module}/module.modulemap" for module in ("CCurl", "CZstd")]
        with tempfile.TemporaryDirectory() as cache:
            process = subprocess.run(
                ["swiftc", "-typecheck", "-warnings-as-errors", "-module-cache-path", cache,
                 *[flag for path in maps for flag in ("-Xcc", path)], "-"],
                input=code, capture_output=True, text=True, check=False)
        self.assertEqual(process.returncode, 0, process.stderr)


class SecondBuildTests(unittest.TestCase):
    def test_a_file_that_warns_is_compiled_again(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, name) for name in ("a b.swift", "c.swift", "d.c")]
            for path in paths:
                open(path, "w", encoding="utf-8").close()
                os.utime(path, (1, 1))
            with open(os.path.join(folder, "log"), "w", encoding="utf-8") as log:
                log.write(f"{paths[0]}:1:2: warning: one\n{paths[0]}:1:3: warning: two\n{paths[2]}:1:2: warning: C\n")
                log.write(f"{paths[1]}:1:2: note: no warning\nwarning: ignoring '-enable-batch-mode' because\n")
            result = subprocess.run(
                ["bash", "-c", 'source Scripts/lib/whole-modules.sh && warnings "$1/log" && compile_again "$1/log"', "-", folder],
                cwd=ROOT, capture_output=True, text=True, check=True)
            self.assertEqual(len(result.stdout.splitlines()), 3)
            self.assertEqual([os.stat(path).st_mtime > 1 for path in paths], [True, False, True])


if __name__ == "__main__":
    unittest.main()
