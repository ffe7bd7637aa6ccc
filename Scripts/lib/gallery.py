"""A page with one picture under each filter function and each look, made by the program itself."""

import concurrent.futures
import html
import os
import subprocess

PICTURE = "data/sample/05.jpg"
FUNCTIONS = [
    "none", "sepia-tone(0.8)", "sepia(80%)", "grayscale(1)", "saturate(1.5)", "brightness(1.2)", "contrast(120%)", "invert(1)",
    "opacity(0.5)", "hue-rotate(90deg)", "blur(4px)", "drop-shadow(2px 2px 6px black)"]


def write(program, site):
    """Makes the page and its pictures in the folder `gallery` of a site."""
    folder = os.path.join(site, "gallery")
    os.makedirs(folder)
    listed = subprocess.run([program, "filter", "--list-looks"], check=True, capture_output=True, text=True).stdout
    groups = {"Functions": FUNCTIONS, "Looks": [f"look({name})" for name in listed.split()]}
    chains = [chain for group in groups.values() for chain in group]
    names = {chain: f"{number}.jpg" for number, chain in enumerate(chains)}

    def make(chain):
        subprocess.run(
            [program, "filter", PICTURE, os.path.join(folder, names[chain]), "--filter", chain, "--size", "320"],
            check=True, stdout=subprocess.DEVNULL)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as executor:
        list(executor.map(make, chains))
    parts = []
    for title, group in groups.items():
        parts.append(f"<h2>{title}</h2>\n<div>")
        parts += [f'<figure><img src="{names[chain]}" width="320" alt=""><figcaption><code>{html.escape(chain)}</code>'
                  "</figcaption></figure>" for chain in group]
        parts.append("</div>")
    with open("Scripts/lib/gallery.html", encoding="utf-8") as file:
        page = file.read()
    with open(os.path.join(folder, "index.html"), "w", encoding="utf-8") as file:
        file.write(page.replace("<!-- pictures -->", "\n".join(parts)))
