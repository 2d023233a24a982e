"""Headless Chromium, driven over its debugging pipe; nothing to install but
the browser itself.

    with Chromium() as browser:
        page = browser.page("file:///...", width=1280, height=900)
        page.eval("document.title")

A page collects what went wrong (console errors, exceptions) and every request
for anything but itself, so that a test can say that there was none.
"""
import base64
import json
import os
import shutil
import subprocess
import tempfile
import time


def find():
    """The browser's path, or None."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        path = shutil.which(name)
        if path:
            return path
    return None


class Chromium:
    def __enter__(self):
        self.profile = tempfile.mkdtemp(prefix="view-")
        to_read, self.to = os.pipe()
        self.back, from_write = os.pipe()

        def wire():  # the browser reads 3 and writes 4
            os.dup2(to_read, 60)
            os.dup2(from_write, 61)
            os.dup2(60, 3)
            os.dup2(61, 4)
            os.set_inheritable(3, True)
            os.set_inheritable(4, True)

        self.process = subprocess.Popen(
            [find(), "--headless=new", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage",
             "--remote-debugging-pipe", "--no-first-run",
             "--disable-extensions", "--disable-background-networking",
             "--hide-scrollbars", f"--user-data-dir={self.profile}",
             "about:blank"],
            preexec_fn=wire, close_fds=False,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        self.count = 0
        self.rest = b""
        self.pages = {}
        return self

    def __exit__(self, *ignored):
        try:
            self.call("Browser.close")
            self.process.wait(5)
        except (OSError, RuntimeError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.to)
        os.close(self.back)
        shutil.rmtree(self.profile, ignore_errors=True)

    def read(self):
        while b"\0" not in self.rest:
            more = os.read(self.back, 1 << 16)
            if not more:
                raise RuntimeError("the browser went away")
            self.rest += more
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, session=None, **params):
        self.count += 1
        number = self.count
        message = {"id": number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer.get("result", {})
            page = self.pages.get(answer.get("sessionId"))
            if page:
                page.heard(answer["method"], answer["params"])

    def page(self, address, **shape):
        return Page(self, address, **shape)


class Page:
    def __init__(self, browser, address, width=1280, height=900, phone=False,
                 dark=False, reduced=False, scale=1):
        self.browser = browser
        self.address = address.split("#")[0]
        self.errors = []
        self.requests = []
        self.loaded = False
        target = browser.call("Target.createTarget", url="about:blank")
        self.target = target["targetId"]
        self.session = browser.call("Target.attachToTarget",
                                    targetId=self.target,
                                    flatten=True)["sessionId"]
        browser.pages[self.session] = self
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width,
                  height=height, deviceScaleFactor=scale, mobile=phone)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme",
             "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion",
             "value": "reduce" if reduced else "no-preference"}])
        self.call("Page.navigate", url=address)
        end = time.monotonic() + 20
        while not self.loaded:
            if time.monotonic() > end:
                raise RuntimeError(f"{address} did not load")
            self.call("Runtime.evaluate", expression="1")

    def heard(self, method, params):
        if method == "Page.loadEventFired":
            self.loaded = True
        elif method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.errors.append(details.get("exception", {})
                               .get("description", details.get("text")))
        elif method == "Runtime.consoleAPICalled":
            if params["type"] in ("error", "warning", "assert"):
                self.errors.append(str(params["args"]))
        elif method == "Log.entryAdded":
            if params["entry"]["level"] in ("error", "warning"):
                self.errors.append(params["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            url = params["request"]["url"].split("#")[0]
            if url != self.address and not url.startswith("data:"):
                self.requests.append(url)

    def call(self, method, **params):
        return self.browser.call(method, session=self.session, **params)

    def eval(self, expression):
        """The value of an expression; a promise is waited for."""
        got = self.call("Runtime.evaluate", expression=expression,
                        returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in got:
            raise RuntimeError(
                got["exceptionDetails"].get("exception", {})
                .get("description", str(got["exceptionDetails"])))
        return got["result"].get("value")

    def wait(self, expression):
        """Until it is true, 20 s at most; whether it became so."""
        return self.eval(
            "new Promise(done => { const end = Date.now() + 20000;"
            f"const look = () => {{ if ({expression}) done(true);"
            "else if (Date.now() > end) done(false);"
            "else setTimeout(look, 20); }; look(); })")

    def key(self, key, code=None):
        text = {"text": key} if len(key) == 1 else {}
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key,
                      code=code or key,
                      **(text if kind == "keyDown" else {}))

    def click(self, selector):
        x, y = self.eval(
            "(() => { const e = document.querySelector("
            f"{json.dumps(selector)}); e.scrollIntoView({{block: 'nearest'}});"
            "const b = e.getBoundingClientRect();"
            "return [b.x + b.width / 2, b.y + b.height / 2]; })()")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y,
                      button="left", clickCount=1)

    def screenshot(self, path, whole=False, clip=None):
        params = {"format": "png"}
        if clip:
            params.update(captureBeyondViewport=True, clip=clip)
        elif whole:
            size = self.call("Page.getLayoutMetrics")["cssContentSize"]
            params.update(captureBeyondViewport=True, clip={
                "x": 0, "y": 0, "width": size["width"],
                "height": size["height"], "scale": 1})
        data = self.call("Page.captureScreenshot", **params)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def close(self):
        self.browser.pages.pop(self.session, None)
        self.browser.call("Target.closeTarget", targetId=self.target)
