"""The server that stands for https://example.org/ when snippets run: it is on loopback, and ends with this process."""

import http.server
import os
import threading


class _Handler(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_PUT(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(201)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def end_headers(self):
        # So that a cache answers, whatever time it is.
        self.send_header("Cache-Control", "max-age=3600")
        super().end_headers()

    def log_message(self, *_):
        pass


def serve(folder):
    """Serves the files of a folder, takes whatever is sent to it by PUT, and returns its address, with a slash at the
    end."""
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), lambda *arguments: _Handler(*arguments, directory=folder))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"


def write_files(folder, address):
    """Puts beside the photo of a folder what else is served."""
    with open(os.path.join(folder, "waves.gif"), "wb") as file:
        file.write(_animation())
    with open(os.path.join(folder, "photos.csv"), "w", encoding="utf-8") as file:
        file.write(f"name,url\nDune,{address}dune.jpg\nWaves,{address}waves.gif\nNobody,{address}nobody.jpg\n")


def _animation():
    """A GIF of two frames of 2 x 2 pixels, a tenth of a second each."""
    colours = bytes([200, 160, 90, 60, 90, 140])
    # Codes of 3 bits: clear, pixel, clear, pixel and so on, so that they never become longer.
    def frame(pixel):
        bits = "".join(f"{code:03b}"[::-1] for code in [4, pixel] * 4 + [5])
        bits += "0" * (-len(bits) % 8)
        data = bytes(int(bits[index:index + 8][::-1], 2) for index in range(0, len(bits), 8))
        control = bytes([0x21, 0xF9, 4, 0, 10, 0, 0, 0])
        return control + bytes([0x2C, 0, 0, 0, 0, 2, 0, 2, 0, 0, 2, len(data)]) + data + b"\0"
    return b"GIF89a" + bytes([2, 0, 2, 0, 0x80, 0, 0]) + colours + frame(0) + frame(1) + b";"
