"""A headless Chromium that scripts open pages in. It speaks DevTools' protocol over a pipe."""

import json
import os
import subprocess
import tempfile


class Browser:
    """Opens pages, one after the other, and tells of the errors that they have in the console."""

    def __init__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="browser-")
        commands, self._commands = os.pipe()
        self._answers, answers = os.pipe()
        # Chromium reads from descriptor 3 and writes to 4.
        self._process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{commands} 4>&{answers}', "-", "chromium", "--headless", "--no-sandbox",
             "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe", f"--user-data-dir={self._folder.name}",
             "about:blank"],
            pass_fds=(commands, answers), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(answers)
        self._number, self._rest, self._session, self._errors = 0, b"", None, []
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log"]:
            self._call(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self._commands)
        os.close(self._answers)
        self._process.terminate()
        self._process.wait()
        # Its own processes may still be writing there.
        self._folder._ignore_cleanup_errors = True
        self._folder.cleanup()

    def open(self, address, script):
        """Opens a page, and returns what a script makes of it, which may be a promise, and the errors in the console."""
        self._errors = []
        self._call("Page.navigate", url=address)
        answer = self._call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            self._errors.append(str(answer["exceptionDetails"].get("exception", {}).get("description", "")))
        return answer["result"].get("value"), self._errors

    def _call(self, method, **parameters):
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self._note(answer.get("method"), answer.get("params", {}))

    def _note(self, event, parameters):
        if event == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self._errors.append(details.get("exception", {}).get("description", details["text"]))
        elif event == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "assert"):
            self._errors.append(" ".join(str(value.get("value", value.get("description"))) for value in parameters["args"]))
        elif event == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            self._errors.append(f"{parameters['entry']['text']} {parameters['entry'].get('url', '')}".strip())

    def _next(self):
        while b"\0" not in self._rest:
            part = os.read(self._answers, 1 << 16)
            if not part:
                raise RuntimeError("Chromium has ended")
            self._rest += part
        message, _, self._rest = self._rest.partition(b"\0")
        return json.loads(message)
