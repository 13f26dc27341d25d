"""Runs the example connectors beside a service that a test plays. It keeps each event once under its key."""
import base64, contextlib, functools, hashlib, hmac, http.client, json, os, socket, subprocess, sys, tempfile
import threading, time, unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

EXAMPLES = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
IS_NIGHTLY = os.environ.get("NIGHTLY") == "true"
LONGEST = 60  # seconds for what should come at once, on a busy machine
PYTHON = [sys.executable, "-B", os.path.join(EXAMPLES, "connector.py")]
LOGIN = {"CONNECTOR_API_EMAIL": "a@example.com", "CONNECTOR_API_PASSWORD": "p"}


class Service:
    """Stands for Connector Events. `answers` are given first, each once: a status, headers and a body."""

    def __init__(self):
        self.events, self.paths, self.answers, self.lock = {}, [], [], threading.Lock()
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or "{}")
                with service.lock:
                    service.paths.append(self.path)
                    status, headers, answer = service.answers.pop(0) if service.answers else service.answer(
                        self.path, body, self.headers)
                self.send_response(status)
                for name, value in {"Content-Type": "application/json", **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(json.dumps(answer).encode())

            do_GET = do_POST

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.handle_error = lambda *_: None  # a connector that is killed sends half a request
        threading.Thread(target=self.server.serve_forever, args=[0.02], daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def answer(self, path, body, headers):
        if path.endswith("/login"):
            return 200, {}, {"access_token": "token", "expires_in": 3600}
        if path.endswith("/batch"):
            results = [self.store(event.pop("idempotency_key"), event) for event in body["events"]]
            return 200, {}, {"results": [{"status": 201, "event": event} for event in results]}
        return 201, {}, self.store(headers["Idempotency-Key"], body)

    def store(self, key, event):
        self.events.setdefault(key, []).append(event)
        return {"id": key, "event_type": event["event_type"]}

    def close(self):
        self.server.shutdown()
        self.server.server_close()


@functools.lru_cache(maxsize=None)
def java():
    """The command of Connector.java, compiled once. Skips the test without a JDK 25."""
    homes = [os.environ.get("JAVA_HOME", "")]
    with contextlib.suppress(OSError):
        found = subprocess.run([os.path.join(EXAMPLES, "../local/find-jdk")], capture_output=True, text=True)
        homes = [found.stdout.strip()]
    tools = [os.path.join(homes[0], "bin", name) for name in ("javac", "java")]
    if not all(map(os.path.exists, tools)):
        raise unittest.SkipTest("there is no JDK 25 for Connector.java")
    classes = os.environ.get("CLASSES")  # of the build, which has compiled it
    if not classes:
        classes = tempfile.mkdtemp()
        subprocess.run([tools[0], "-d", classes, os.path.join(EXAMPLES, "Connector.java")], check=True)
    return [tools[1], "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", classes, "Connector"]


class Connector:
    """A connector of Shopify, or of the provider that the settings name. PAUSE is short."""

    def __init__(self, command, service, folder, files=None, **settings):
        limit = ["bash", "-c", f'ulimit -n {files}; exec "$@"', "-"] if files else []
        own = {name: value for name, value in os.environ.items() if not name.startswith("CONNECTOR_")}
        self.log, self.outbox = os.path.join(folder, "log"), os.path.join(folder, "outbox")
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                limit + command, cwd=EXAMPLES, stdout=subprocess.PIPE, stderr=log, text=True,
                env={**own, "PROVIDER": "shopify", "WEBHOOK_SECRET": "hush", "CONNECTOR_API_URL": service,
                     **LOGIN, "OUTBOX": self.outbox, "PORT": "0", "PAUSE": "0.05", **settings})
        line = self.process.stdout.readline()
        if not line.startswith("listening"):
            raise AssertionError(line + self.lines())
        self.port = int(line.split()[-1])

    def lines(self):
        with open(self.log, errors="surrogateescape") as log:
            return log.read()

    def deliver(self, key, body=b"{}", secret=b"hush", headers=()):
        """Delivers a webhook as Shopify does. Returns the status; 0 without an answer."""
        return self.post(body, {**self.headers(key, body, secret), **dict(headers)})

    @staticmethod
    def headers(key, body, secret=b"hush"):
        signature = base64.b64encode(hmac.new(secret, body, hashlib.sha256).digest()).decode()
        return {"X-Shopify-Hmac-Sha256": signature, "X-Shopify-Topic": "orders/create", "X-Shopify-Webhook-Id": key}

    def post(self, body, headers):
        return self.request("POST", body, headers)[0]

    def request(self, method, body, headers):
        """The status and the text of the answer; 0 without one."""
        return self.exchange(method, "", body, headers)[:2]

    def exchange(self, method, query, body, headers):
        """The status, the text and the headers of the answer to a request with this query."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LONGEST)
        try:
            connection.request(method, "/webhooks" + query, body, dict(headers))
            answer = connection.getresponse()
            return answer.status, answer.read(), answer.headers
        except (OSError, http.client.HTTPException):
            return 0, b"", {}
        finally:
            connection.close()

    def begin(self, text=b"P"):
        """A connection on which only this much of a request comes."""
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=LONGEST)
        try:
            connection.sendall(text)
        except OSError:
            connection.close()
            raise
        return connection

    def stop(self):
        """Sends SIGTERM. Returns how many seconds it took."""
        begun = time.monotonic()
        self.process.terminate()
        self.process.wait(LONGEST)
        return time.monotonic() - begun

    def kill(self):
        """Kills it, if it runs."""
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def wait_until(condition, what="it"):
    deadline = time.monotonic() + LONGEST
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"{what} does not come")
        time.sleep(0.02)
