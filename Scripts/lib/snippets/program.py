"""Makes one program of all snippets, which runs the one whose number it is given."""

import os
import re
import subprocess

from libraries import binary_folder, compiler_flags, linker_flags

SUPPORT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Support.swift")


def source(number, snippet, address):
    """A snippet as the body of a function of its own, on the main actor. Errors and crashes name the page's lines."""
    imports = []
    body = []
    for lines in [*snippet.given, snippet.body, *snippet.then]:
        body.append(f'#sourceLocation(file: "{snippet.path}", line: {lines.first})')
        for line in lines.text:
            is_import = re.match(r"import \w", line)
            if is_import:
                imports.append(line)
            # An import leaves an empty line behind, so that the next line keeps its number.
            body.append("" if is_import else line.replace("https://example.org/", address))
    asynchronous = " async" if re.search(r"\bawait\b", "\n".join(body)) else ""
    head = f"@MainActor func snippet{number}(){asynchronous} throws {{"
    return "\n".join([*imports, head, *body, "}", ""]), bool(asynchronous)


def build(snippets, folder, address):
    """Compiles and links all snippets, and returns the program's path.

    What the snippets ask https://example.org/ for comes from `address`. Raises CalledProcessError after the compiler has
    said what is wrong.
    """
    cases = []
    files = [SUPPORT]
    for number, snippet in enumerate(snippets):
        text, is_asynchronous = source(number, snippet, address)
        path = os.path.join(folder, f"snippet{number}.swift")
        write(path, text)
        files.append(path)
        cases.append(f'    case "{number}": try {"await " if is_asynchronous else ""}snippet{number}()')
    main = os.path.join(folder, "main.swift")
    write(main, "\n".join([
        "prepare()", "do {", "    switch CommandLine.arguments[1] {", '    case "samples": try writeSamples()', *cases,
        "    default: fail(\"there is no such snippet\")", "    }", "} catch {", '    fail("\\(error)")', "}", ""]))
    files.append(main)
    built = binary_folder()
    program = os.path.join(folder, "snippets")
    subprocess.run([
        "swiftc", "-warnings-as-errors", "-swift-version", "6", "-module-name", "Snippets", "-j", str(os.cpu_count()),
        "-module-cache-path", os.path.join(built, "ModuleCache"), *compiler_flags(built), *files, "-o", program,
        *linker_flags(built)], check=True)
    return program


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
