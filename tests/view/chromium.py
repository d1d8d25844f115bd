"""A chromium without a window, driven by its own protocol over two pipes: no package is needed."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any

NAMES = ("chromium", "chromium-headless-shell", "chromium-browser", "google-chrome")
# It talks to nobody by itself.
_OPTIONS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-extensions",
    "--disable-sync", "--disable-dev-shm-usage", "--mute-audio", "--hide-scrollbars",
)  # fmt: skip
_READS, _WRITES = 3, 4
_PATIENCE_S = 120


def find() -> str | None:
    """Where one is: RCK_CHROMIUM, or on the PATH."""
    named = os.environ.get("RCK_CHROMIUM")
    return named or next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One process with one page."""

    def __init__(self, path: str) -> None:
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        theirs_in, ours_out = os.pipe()
        ours_in, theirs_out = os.pipe()
        # Out of the way of the two numbers that the browser expects.
        high = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 10) for fd in (theirs_in, theirs_out)]

        def wire() -> None:
            os.dup2(high[0], _READS)
            os.dup2(high[1], _WRITES)

        self._process = subprocess.Popen(
            [path, *_OPTIONS, f"--user-data-dir={self._folder.name}"],
            preexec_fn=wire,  # noqa: PLW1509 (one thread)
            close_fds=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for fd in (theirs_in, theirs_out, *high):
            os.close(fd)
        self._out, self._in = os.fdopen(ours_out, "wb"), os.fdopen(ours_in, "rb")
        self._heard = b""
        self._count = 0
        self._session: str | None = None
        # What the page asked for, and what it complained of.
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self._loaded = False
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        found = self.ask("Target.attachToTarget", targetId=target, flatten=True)
        self._session = found["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.ask(f"{domain}.enable")

    def ask(self, method: str, **given: Any) -> dict[str, Any]:
        """A command, and its answer."""
        self._count += 1
        command = {"id": self._count, "method": method, "params": given}
        if self._session is not None:
            command["sessionId"] = self._session
        self._out.write(json.dumps(command).encode() + b"\0")
        self._out.flush()
        while True:
            told = self._hear()
            if told.get("id") == self._count:
                assert "error" not in told, f"{method}: {told['error']}"
                answer: dict[str, Any] = told["result"]
                return answer

    def _hear(self) -> dict[str, Any]:
        while b"\0" not in self._heard:
            ready, _, _ = select.select([self._in], [], [], _PATIENCE_S)
            assert ready, f"the browser has been silent for {_PATIENCE_S} s"
            data = os.read(self._in.fileno(), 1 << 20)
            assert data, "the browser has ended"
            self._heard += data
        line, self._heard = self._heard.split(b"\0", 1)
        told: dict[str, Any] = json.loads(line)
        self._note(told.get("method"), told.get("params", {}))
        return told

    def _note(self, method: str | None, told: dict[str, Any]) -> None:
        if method == "Network.requestWillBeSent":
            self.requests.append(told["request"]["url"])
        elif method == "Page.loadEventFired":
            self._loaded = True
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(str(told["exceptionDetails"]))
        elif method == "Log.entryAdded":
            self.complaints.append(told["entry"]["text"])

    def open(self, page: Path, width: int, height: int, *, dark: bool) -> None:
        """Show a file in a window of this size."""
        phone = width < 600
        self.ask(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=phone,
        )  # fmt: skip
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.ask("Emulation.setEmulatedMedia", features=[scheme])
        self._loaded = False
        self.ask("Page.navigate", url=page.as_uri())
        while not self._loaded:
            self._hear()

    def run(self, script: str) -> Any:
        """The value of an expression in the page."""
        told = self.ask("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in told, told["exceptionDetails"]
        return told["result"].get("value")

    def point(self, selector: str, kind: str = "mouseMoved", **more: Any) -> None:
        """The mouse over the middle of an element, which is scrolled to."""
        where = self.run(
            f"(() => {{ const one = document.querySelector({json.dumps(selector)});"
            " one.scrollIntoView({block: 'center'}); const box = one.getBoundingClientRect();"
            " return [box.x + box.width / 2, box.y + box.height / 2]; })()"
        )
        x, y = where
        self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, selector: str) -> None:
        for kind in ("mousePressed", "mouseReleased"):
            self.point(selector, kind, button="left", clickCount=1)

    def picture(self, path: Path, *, whole: bool = True) -> None:
        """What is seen, as PNG."""
        self.run("scrollTo(0, 0)")
        told = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(told["data"]))

    def __enter__(self) -> Browser:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.wait()
        self._out.close()
        self._in.close()
        self._folder.cleanup()
