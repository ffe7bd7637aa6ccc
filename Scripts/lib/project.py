"""What is said of the project in many places, from the one place where each stands. Paths are those of the working folder."""

import re

VERSION_FILE = "Sources/PhotoPipeline/PhotoPipeline+Version.swift"
VERSION_IN_SWIFT = re.compile(r'(?<=static let version = ")[^"]*(?=")')
# 0.2.0, or 0.2.0-dev for what leads to it.
VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-dev)?")
HEADING = re.compile(r"^## ([^\s,]+), (.*)$", re.MULTILINE)
UNRELEASED = "not released yet"


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def version():
    """The version of the package, which stands in the sources alone."""
    return VERSION_IN_SWIFT.search(read(VERSION_FILE)).group()


def debian_version():
    """The same as Debian writes it: `~` sorts what leads to a version in front of it."""
    return version().replace("-dev", "~dev")


def setting(name):
    """A value of project.conf; empty where it is not known yet."""
    return re.search(rf"^{name}=(.*)$", read("project.conf"), re.MULTILINE).group(1).strip()


def sections():
    """The sections of the change log, newest first: version, and date or UNRELEASED."""
    return HEADING.findall(read("CHANGELOG.md"))


def releases():
    """The versions that were released, newest first, each with its date."""
    return [(version, date) for version, date in sections() if date != UNRELEASED]
