"""What `swift build` made of the libraries, for scripts that compile, link or read it without another build."""

import json
import os
import subprocess

# The products; each stands only on those of floors before its own.
FLOORS = [
    ["Operations", "Pixels"], ["OperationsTesting", "ImageCodecs", "Transfers"], ["Catalogs"], ["PhotoPipeline"],
    ["PhotoBrowser", "PhotoDevelopment"],
]
PRODUCTS = [product for floor in FLOORS for product in floor]
# What products are made of, and clients never import.
INNER_TARGETS = ["OperationsCore", "Wording"]
C_TARGETS = ["CJPEG", "CPixelKernels", "CDecodeHelper"]
SYSTEM_LIBRARIES = ["vips", "libcurl", "libcrypto", "libidn2", "libseccomp", "glib-2.0", "sqlite3", "zlib", "libzstd", "libbrotlidec", "libwebpdemux", "libxxhash"]


def output(command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def binary_folder():
    return output(["swift", "build", "--show-bin-path"]).strip()


def compiler_flags(built):
    """Where the compiler finds the libraries' modules, and the maps of the C modules that they stand on."""
    maps = [os.path.join(built, f"{target}.build", "module.modulemap") for target in C_TARGETS]
    maps += [os.path.abspath(os.path.join("Sources", target, "module.modulemap"))
             for target in sorted(os.listdir("Sources"))
             if os.path.exists(os.path.join("Sources", target, "module.modulemap"))]
    headers = system_flags("--cflags", ("-I", "-D"))
    flags = ["-I", os.path.join(built, "Modules")]
    for flag in [f"-fmodule-map-file={path}" for path in maps] + headers:
        flags += ["-Xcc", flag]
    return flags


def linker_flags(built):
    """The libraries' object files, as the build left them, and the system's libraries."""
    objects = []
    for target in [*INNER_TARGETS, *PRODUCTS]:
        # The build's own list: it leaves the objects of sources lying that are gone.
        with open(os.path.join(built, f"{target}.build", "output-file-map.json"), encoding="utf-8") as file:
            objects += [files["object"] for files in json.load(file).values() if "object" in files]
    for target in C_TARGETS:
        for folder, _, names in os.walk(os.path.join(built, f"{target}.build")):
            objects += [os.path.join(folder, name) for name in names if name.endswith(".o")]
    return sorted(objects) + system_flags("--libs", ("-L", "-l")) + ["-ljpeg"]


def system_flags(kind, prefixes):
    """What pkg-config says about the system's libraries, as far as swiftc takes it: it knows no -pthread, for one."""
    return [flag for flag in output(["pkg-config", kind, *SYSTEM_LIBRARIES]).split() if flag.startswith(prefixes)]
