"""The web of `make bench-run`: hosts at loopback addresses, with nginx where a host answers well and the tests' fault server
where it is slow, far away or silent. All of it ends with this process, however that ends."""

import collections
import ctypes
import pathlib
import signal
import socket
import subprocess
import time

PR_SET_PDEATHSIG = 1


def end_with_parent():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)


def addresses(net, count):
    return [f"127.0.{net}.{number}" for number in range(1, count + 1)]


def free_port(hosts):
    """A port that nobody has at any of these addresses."""
    for _ in range(50):
        with socket.socket() as first:
            first.bind((hosts[0], 0))
            port = first.getsockname()[1]
        try:
            for host in hosts:
                with socket.socket() as other:
                    other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                    other.bind((host, port))
            return port
        except OSError:
            continue
    raise RuntimeError("no port is free at all of the addresses")


class Nginx:
    """Hosts that answer at once; those that are busy have status 429 for what is more than ten requests a second."""

    def __init__(self, folder, images, hosts, busy=(), log=False):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True)
        self.port = free_port([*hosts, *busy])
        self.log = self.folder / "requests.log"
        names = sorted(path.name for path in pathlib.Path(images).glob("*.jpg"))
        location = f"""
            location / {{ root {images}; }}
            location /moved/ {{ rewrite ^/moved/(.*)$ /$1 redirect; }}
            location /broken/ {{ default_type image/jpeg; return 200 "this is no photograph"; }}"""

        def server(addresses, more=""):
            listen = "".join(f"\n            listen {address}:{self.port} backlog=4096;" for address in addresses)
            return f"        server {{{listen}{more}{location}\n        }}\n" if addresses else ""

        limit = """
            limit_req zone=busy burst=5 nodelay;
            limit_req_status 429;
            error_page 429 @busy;
            location @busy { add_header Retry-After 1 always; return 429 "busy"; }"""
        access = f"access_log {self.log} times;" if log else "access_log off;"
        (self.folder / "nginx.conf").write_text(f"""
    daemon off;
    worker_processes 1;
    worker_rlimit_nofile 8192;
    pid {self.folder}/nginx.pid;
    error_log {self.folder}/error.log crit;
    events {{ worker_connections 4096; }}
    http {{
        log_format times '$msec $request_time $server_addr $request_uri $status $body_bytes_sent';
        {access}
        limit_req_zone $server_addr zone=busy:1m rate=10r/s;
        types {{ image/jpeg jpg; }}
        keepalive_requests 1000000;
        client_body_temp_path {self.folder}/body;
        proxy_temp_path {self.folder}/proxy;
        fastcgi_temp_path {self.folder}/fastcgi;
        uwsgi_temp_path {self.folder}/uwsgi;
        scgi_temp_path {self.folder}/scgi;
{server(hosts)}{server(busy, limit)}    }}
""")
        self.names = names
        self.process = subprocess.Popen(
            ["nginx", "-p", str(self.folder), "-e", f"{self.folder}/error.log", "-c", f"{self.folder}/nginx.conf"],
            preexec_fn=end_with_parent)
        wait_for((*hosts, *busy)[-1], self.port, self.process)

    def requests(self):
        """What the log says of each request: when it came, which host and path, status, and bytes of the body."""
        for line in self.log.read_text().splitlines():
            end, took, host, path, status, size = line.split()
            yield float(end) - float(took), host, path, int(status), int(size)

    def stop(self):
        self.process.terminate()
        self.process.wait()


class FaultWeb:
    """Hosts that are slow, far away or silent, by the path that is asked for."""

    def __init__(self, program, image, hosts):
        self.port = free_port(hosts)
        self.process = subprocess.Popen(
            [program, str(self.port), str(image), *hosts], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            preexec_fn=end_with_parent)
        if self.process.stdout.readline() != b"ready\n":
            raise RuntimeError("bench-web does not start")

    def stop(self):
        self.process.stdin.close()
        self.process.wait()


def wait_for(host, port, process):
    for _ in range(100):
        try:
            socket.create_connection((host, port), 1).close()
            return
        except OSError:
            if process.poll() is not None:
                break
            time.sleep(0.1)
    raise RuntimeError(f"nobody listens at {host}:{port}")


def most_in_a_second(times):
    """The most requests in any second."""
    window, most = collections.deque(), 0
    for moment in sorted(times):
        window.append(moment)
        # nginx counts milliseconds.
        while window[0] <= moment - 0.998:
            window.popleft()
        most = max(most, len(window))
    return most
