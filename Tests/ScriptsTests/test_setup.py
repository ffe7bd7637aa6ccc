"""The Debian packages that Scripts/setup names, beside what Package.swift needs of the system."""

import functools
import os
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))


@functools.cache
def packages(*groups):
    result = subprocess.run([os.path.join(ROOT, "Scripts", "setup"), "--list", *groups], check=True, capture_output=True, text=True)
    return set(result.stdout.split())


class SetupTests(unittest.TestCase):
    def setUp(self):
        with open(os.path.join(ROOT, "Package.swift"), encoding="utf-8") as file:
            parts = file.read().split("if withGtk {")
        self.assertEqual(len(parts), 2)
        self.libraries, self.app = [set(re.findall(r'"([\w.+-]+-dev)"', part)) for part in parts]

    def test_the_packages_of_the_libraries_are_named_without_those_of_the_app(self):
        self.assertGreater(len(self.libraries), 8)
        self.assertLessEqual(self.libraries, packages("library"))
        self.assertFalse(self.app & packages("library"))

    def test_the_tests_have_the_packages_of_the_app_too(self):
        self.assertLessEqual(self.libraries | self.app, packages("test"))

    def test_a_group_that_builds_has_the_packages_of_the_libraries(self):
        for group in ["build", "run", "docs", "bench", "deb"]:
            self.assertLess(packages("library"), packages("build"))
            self.assertLessEqual(packages("build"), packages(group))

    def test_names_are_those_of_debian_and_ubuntu(self):
        self.assertIn("libjpeg-dev", packages("library"))
        self.assertNotIn("libjpeg62-turbo-dev", packages("library"))

    def test_a_group_that_is_not_there_is_refused(self):
        result = subprocess.run(
            [os.path.join(ROOT, "Scripts", "setup"), "--list", "libary"], capture_output=True, text=True)
        self.assertEqual(result.returncode, 2)
        self.assertIn("there are: library, build, ", result.stderr)


class FakeSystemTests(unittest.TestCase):
    """A copy of the script in a system of its own: what pkg-config finds, and what apt knows, is what a test says."""

    CODECS = {f"libheif-plugin-{name}" for name in ("aomenc", "dav1d", "libde265", "x265")}
    # apt knows nothing before it has its lists, and then `known`. It installs nothing, and writes down what it is asked for.
    TOOLS = {
        "apt-get": """case "$*" in
            *update*) touch "$SYSTEM/lists" ;;
            *) echo "$@" >>"$SYSTEM/asked" ;;
            esac""",
        "apt-cache": """status=0
            [ -e "$SYSTEM/lists" ] || exit 100
            shift
            for package; do grep -qx "$package" "$SYSTEM/known" && echo "Package: $package" || status=100; done
            exit $status""",
        "dpkg-query": """while read -r package; do echo "installed $package"; done <"$SYSTEM/installed" """,
        "id": "echo 1000",
        # Whoever may become root only asks apt.
        "sudo": """case "$1" in
            env | apt-get) exec "$@" ;;
            tee) cat >/dev/null ;;
            esac""",
    }

    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        for name in ("Scripts", "tools", "pkgconfig"):
            os.mkdir(os.path.join(self.folder, name))
        self.script = shutil.copy(os.path.join(ROOT, "Scripts", "setup"), os.path.join(self.folder, "Scripts"))
        for name, text in self.TOOLS.items():
            self.write(f"tools/{name}", f"#!/bin/bash\n{text}\n", mode=0o755)
        self.known(set())
        self.write("installed", "")
        self.environment = os.environ | {
            "PKG_CONFIG_LIBDIR": os.path.join(self.folder, "pkgconfig"), "PKG_CONFIG_PATH": "", "SYSTEM": self.folder,
            "PATH": f"{os.path.join(self.folder, 'tools')}:{os.environ['PATH']}"}

    def write(self, path, text, mode=0o644):
        with open(os.path.join(self.folder, path), "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(os.path.join(self.folder, path), mode)

    def known(self, codecs):
        self.write("known", "\n".join(packages("library") - self.CODECS | codecs) + "\n")

    def has(self, library, flags=""):
        self.write(f"pkgconfig/{library}.pc", f"Name: {library}\nDescription: {library}\nVersion: 4\nCflags: {flags}\nLibs: -lc\n")

    def run_script(self, *arguments):
        return subprocess.run([self.script, *arguments], check=True, env=self.environment, capture_output=True, text=True).stdout

    def made(self, option, library):
        """What pkg-config says of a library in the folder that the script has made; None where it is not there."""
        path = os.path.join(self.folder, "build", "pkgconfig")
        result = subprocess.run(["pkg-config", option, library], env=self.environment | {"PKG_CONFIG_LIBDIR": path},
                                capture_output=True, text=True, check=False)
        return result.stdout.strip() if result.returncode == 0 else None

    def asked(self):
        """The packages that apt was asked for, which are forgotten then."""
        path = os.path.join(self.folder, "asked")
        if not os.path.exists(path):
            return set()
        with open(path, encoding="utf-8") as file:
            words = file.read().split()
        os.remove(path)
        return {word for word in words[1:] if not word.startswith("-")}

    def test_codecs_are_installed_where_they_are_packages_of_their_own(self):
        for codecs in (set(), self.CODECS):
            with self.subTest(codecs):
                self.known(codecs)
                for has_lists in (False, True):
                    if not has_lists and os.path.exists(os.path.join(self.folder, "lists")):
                        os.remove(os.path.join(self.folder, "lists"))
                    self.run_script("library")
                    self.assertEqual(self.asked(), packages("library") - self.CODECS | codecs)
                    self.assertEqual(set(self.run_script("--list", "library").split()) & self.CODECS, codecs)

    def test_codecs_that_came_too_late_are_installed(self):
        self.known(self.CODECS)
        self.write("lists", "")
        self.write("installed", "\n".join(packages("library") - self.CODECS | {"libheif-plugin-dav1d"}) + "\n")
        self.run_script("library")
        self.assertEqual(self.asked(), self.CODECS - {"libheif-plugin-dav1d"})

    def test_nothing_is_asked_for_where_all_is_installed(self):
        self.write("installed", "\n".join(packages("library") - {"libjpeg-dev"}) + "\n")
        # Some other package has it.
        self.has("libjpeg")
        self.run_script("library")
        self.assertEqual(self.asked(), set())
        self.assertFalse(os.path.exists(os.path.join(self.folder, "lists")))

    def test_a_build_without_the_library_of_the_tests_is_silent(self):
        for libraries, version in [(["gtk4"], None), (["libadwaita-1", "libsoup-3.0"], "0"), (["atspi-2"], "4")]:
            for library in libraries:
                self.has(library)
            self.run_script("build")
            self.assertEqual(self.made("--modversion", "atspi-2"), version)

    def test_swiftpm_sees_no_flag_that_it_warns_of(self):
        libraries = {
            "glib-2.0": "-I/glib -pthread", "gobject-2.0": "-I/gobject -pthread", "libcurl": "-I/curl -isystem /usr/include/mit-krb5",
            "libadwaita-1": "-I/adw -msse2 -mfpmath=sse -pthread", "libsoup-3.0": "-I/soup -pthread -isystem /krb5",
            "atspi-2": "-I/atspi -pthread"}
        for library, flags in libraries.items():
            self.has(library, flags)
        self.has("gtk4")
        path = os.path.join(self.folder, "build", "pkgconfig")
        for _ in range(2):
            self.run_script("build")
            for library, flags in libraries.items():
                self.assertEqual([self.made("--cflags", library), self.made("--libs", library)], [flags.split()[0], "-lc"])
            # make has its own folder in the environment.
            self.environment["PKG_CONFIG_PATH"] = f"{path}:"
        os.remove(os.path.join(self.folder, "pkgconfig", "libcurl.pc"))
        self.run_script("build")
        self.assertIsNone(self.made("--cflags", "libcurl"))


if __name__ == "__main__":
    unittest.main()
