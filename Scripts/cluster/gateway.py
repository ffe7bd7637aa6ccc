"""An object store on the loopback device: a monitor, one OSD that keeps all in memory, and the gateway that speaks S3, all of Ceph."""

import contextlib
import hashlib
import hmac
import html
import os
import re
import time
import urllib.parse
import urllib.request
import uuid

from processes import check, run, start, stop, wait_for
from web import free_ports

ACCESS_KEY, SECRET_KEY = "photographs", "photographs/and+secrets"
OTHER_KEY, OTHER_SECRET = "somebody", "somebody/else"
CONFIGURATION = """
[global]
fsid = {fsid}
mon initial members = a
mon host = [v2:127.0.0.1:{monitor}/0]
public addr = 127.0.0.1
cluster addr = 127.0.0.1
ms bind ipv6 = false
ms bind port min = {first}
ms bind port max = {last}
auth cluster required = cephx
auth service required = cephx
auth client required = cephx
keyring = {folder}/keyring
run dir = {folder}
admin socket = {folder}/$name.asok
pid file =
log file = {folder}/$name.log
crash dir = {folder}
osd objectstore = memstore
memstore device bytes = 2147483648
osd data = {folder}/osd
mon data = {folder}/mon
osd crush chooseleaf type = 0
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd pool default pgp num = 4
osd pool default pg autoscale mode = off
mon allow pool size one = true
mon max pg per osd = 1000
mon warn on pool no redundancy = false
mon osd full ratio = 0.99
mon data avail crit = 0
mon data avail warn = 0
osd fast shutdown = true
[client.rgw]
rgw frontends = beast endpoint=127.0.0.1:{port} ssl_endpoint=127.0.0.1:{secure} ssl_certificate={certificate} ssl_private_key={key}
rgw data = {folder}/rgw
rgw dns name = localhost
rgw thread pool size = 64
rgw enable usage log = false
rgw enable gc threads = false
rgw enable lc threads = false
rgw enable quota threads = false
rgw bucket quota ttl = 0
rgw user quota bucket sync interval = 1
rgw multipart min part size = 5242880
"""


class Gateway:
    """Started in a folder of its own; gone when it is stopped, or its parent is."""

    def __init__(self, folder):
        self.folder, self.processes = folder, []
        os.makedirs(folder)
        first = free_ports(21)
        self.port, self.secure_port = first, first + 20
        self.certificate, key = os.path.join(folder, "certificate.pem"), os.path.join(folder, "key.pem")
        run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
             "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", self.certificate])
        self.configuration = os.path.join(folder, "ceph.conf")
        with open(self.configuration, "w", encoding="utf-8") as file:
            file.write(CONFIGURATION.format(
                fsid=uuid.uuid4(), folder=folder, port=self.port, secure=self.secure_port,
                certificate=self.certificate, key=key, monitor=first + 1, first=first + 2, last=first + 19))

    @property
    def endpoint(self):
        return f"http://127.0.0.1:{self.port}"

    def environment(self, **changes):
        """What programs are told by. Nothing of the person's own counts."""
        known = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
        known |= {"AWS_ENDPOINT_URL": self.endpoint, "AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": ACCESS_KEY,
                  "AWS_SECRET_ACCESS_KEY": SECRET_KEY, "AWS_SHARED_CREDENTIALS_FILE": os.path.join(self.folder, "none"),
                  "AWS_CONFIG_FILE": os.path.join(self.folder, "none"), "no_proxy": "127.0.0.1"}
        return {name: value for name, value in (known | changes).items() if value is not None}

    # Start and end

    def start(self):
        """Takes some seconds."""
        keyring, map_file = os.path.join(self.folder, "keyring"), os.path.join(self.folder, "monmap")
        with open(self.configuration, encoding="utf-8") as file:
            lines = dict(line.strip().split(" = ", 1) for line in file if " = " in line)
        tool = ["ceph-authtool", keyring, "--gen-key"]
        run([*tool, "--create-keyring", "-n", "mon.", "--cap", "mon", "allow *"])
        run([*tool, "-n", "client.admin", "--cap", "mon", "allow *", "--cap", "osd", "allow *", "--cap", "mgr", "allow *"])
        run([*tool, "-n", "client.rgw", "--cap", "mon", "allow rw", "--cap", "osd", "allow rwx"])
        run([*tool, "-n", "osd.0", "--cap", "mon", "allow profile osd", "--cap", "osd", "allow *"])
        run(["monmaptool", "--create", "--fsid", lines["fsid"], "--addv", "a", lines["mon host"], map_file])
        self.ceph("ceph-mon", "--mkfs", "-i", "a", "--monmap", map_file, "--keyring", keyring)
        self.daemon("ceph-mon", "-f", "-i", "a")
        self.ceph("ceph", "--connect-timeout", "60", "osd", "new", lines["fsid"])
        os.makedirs(os.path.join(self.folder, "osd"))
        self.ceph("ceph-osd", "--mkfs", "-i", "0", "--osd-uuid", lines["fsid"])
        self.daemon("ceph-osd", "-f", "-i", "0")
        wait_for(lambda: "1 up" in self.ceph("ceph", "osd", "stat"), "the OSD is up")
        self.daemon("radosgw", "-f", "-n", "client.rgw")
        for name, access, secret in ("photos", ACCESS_KEY, SECRET_KEY), ("other", OTHER_KEY, OTHER_SECRET):
            self.admin("user", "create", f"--uid={name}", f"--display-name={name}", f"--access-key={access}", f"--secret-key={secret}")
        wait_for(self.answers, "the gateway answers")

    # Requests

    def make_bucket(self, name):
        self.ask("PUT", f"/{name}")

    def names(self, bucket, prefix):
        """The names of all objects that begin so."""
        listed, after = [], ""
        while True:
            said = self.ask("GET", f"/{bucket}", **{"list-type": "2", "prefix": prefix, "start-after": after}).decode()
            found = [html.unescape(name) for name in re.findall("<Key>(.*?)</Key>", said)]
            listed += found
            if "<IsTruncated>true" not in said:
                return listed
            after = found[-1]

    def ask(self, method, path, **query):
        """Sends a request, and returns the body of the answer. By Signature Version 4, written here a second time: nothing of the
        program's own is needed."""
        now, payload = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime()), hashlib.sha256(b"").hexdigest()
        host, scope = f"127.0.0.1:{self.port}", f"{now[:8]}/us-east-1/s3/aws4_request"
        words = "&".join(f"{name}={urllib.parse.quote(value, safe='')}" for name, value in sorted(query.items()))
        signed = "host;x-amz-content-sha256;x-amz-date"
        request = f"{method}\n{path}\n{words}\nhost:{host}\nx-amz-content-sha256:{payload}\nx-amz-date:{now}\n\n{signed}\n{payload}"
        text = f"AWS4-HMAC-SHA256\n{now}\n{scope}\n{hashlib.sha256(request.encode()).hexdigest()}"
        key = f"AWS4{SECRET_KEY}".encode()
        for word in scope.split("/"):
            key = hmac.digest(key, word.encode(), "sha256")
        signature = hmac.digest(key, text.encode(), "sha256").hex()
        headers = {"x-amz-date": now, "x-amz-content-sha256": payload, "Authorization":
                   f"AWS4-HMAC-SHA256 Credential={ACCESS_KEY}/{scope}, SignedHeaders={signed}, Signature={signature}"}
        asked = urllib.request.Request(f"{self.endpoint}{path}?{words}", method=method, headers=headers)
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(asked, timeout=60) as answer:
            return answer.read()

    def ceph(self, program, *words):
        return run([program, "-c", self.configuration, *words])

    def admin(self, *words):
        return self.ceph("radosgw-admin", "-n", "client.rgw", *words)

    def daemon(self, program, *words):
        process = start([program, "-c", self.configuration, *words], log=os.path.join(self.folder, program + ".out"))
        self.processes.append(process)

    def answers(self):
        for process in self.processes:
            check(process.poll() is None, f"{process.args[0]} has ended: {self.folder}/{os.path.basename(process.args[0])}.out")
        with contextlib.suppress(OSError), urllib.request.urlopen(self.endpoint, timeout=5) as answer:
            return answer.status == 200
        return False

    def stop(self):
        for process in reversed(self.processes):
            stop(process)
        self.processes = []
