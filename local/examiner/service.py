"""The service of an exam: a local/serve, its users, and what it has stored."""
import gzip, http.client, json, os, re, subprocess, tempfile, threading, time
from collections import namedtuple
from contextlib import suppress
from operators.command import Failure, LocalServe, pages
from operators.patient import Patient
from .webhooks import MARK

SERVE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "serve")
LONGEST_START = 300  # seconds; the first one builds the service
Stored = namedtuple("Stored", "id event_type payload")


class Serve:
    """A local/serve of the exam's own."""

    def __init__(self, progress):
        self.log = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            [SERVE, "--port", "0", "--no-throttling"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=self.log, text=True, start_new_session=True)
        lines, found = [], threading.Event()

        def read():
            for line in self.process.stdout:
                lines.append(line)
                if re.search(r" is at http://127\.0\.0\.1:\d+", line):
                    found.set()
            found.set()

        threading.Thread(target=read, daemon=True).start()
        for seconds in range(LONGEST_START):
            progress(f"local/serve is starting ... {seconds} s")
            if found.wait(1):
                break
        place = re.search(r" is at http://127\.0\.0\.1:(\d+)", "".join(lines))
        if not place:
            self.log.seek(0)
            raise Failure("local/serve does not start: " + " ".join(self.log.read()[-500:].split()))
        self.port = int(place[1])

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()


class Service:
    """A service at a port of this machine: the exam's users of it, and the events of its connector."""

    def __init__(self, port, name):
        self.port, self.local = port, Patient(LocalServe(port))
        self.email, self.password = f"{name}@example.com", f'exam "{name}" \\ é'
        self.events, self.cursor, self.token, self.lock = {}, None, None, threading.Lock()
        created = self.manage("create", password=self.password)
        self.user_id = created["user"]["id"]
        self.reader = f"reader-{name}@example.com"
        self.manage("create", email=self.reader, password=self.password, role="consumer")
        self.cursor = self.get("/api/webhook-events?order=asc&limit=1&from=" + time.strftime(
            "%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - 5)))["next"]

    def manage(self, action, email=None, **members):
        event = {"action": action, "email": email or self.email, **members}
        return self.local.invoke("ManageUsersFunction", event)

    def erase(self, ids):
        for _ in pages(self.local, "EraseEventsFunction", {"ids": ids, "reason": "an exam"}):
            pass

    def log_in(self):
        login = json.dumps({"email": self.reader, "password": self.password})
        answer = self.request("POST", "/api/auth/login", login)
        if answer.status != 200:
            raise Failure(f"the exam cannot log in: {answer.status}")
        self.token = json.loads(answer.text)["access_token"]

    def request(self, method, path, body=None, headers=()):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body, {"Content-Type": "application/json", **dict(headers)})
            answer = connection.getresponse()
            text = answer.read()
            return Read(answer.status, gzip.decompress(text) if answer.getheader("Content-Encoding") else text)
        except (OSError, http.client.HTTPException) as error:
            raise Failure(f"the service at port {self.port} does not answer: {error}") from None
        finally:
            connection.close()

    def read(self, path):
        for _ in range(100):
            if not self.token:
                self.log_in()
            headers = {"Authorization": "Bearer " + self.token, "Accept-Encoding": "gzip"}
            answer = self.request("GET", path, headers=headers)
            if answer.status == 200 or answer.status in (404, 410):
                return answer
            self.token = None if answer.status == 401 else self.token
            time.sleep(0.1)  # 429 of a service with limits, or 503
        raise Failure(f"the service answers {answer.status} to a consumer")

    def get(self, path):
        return json.loads(self.read(path).text)

    def look(self):
        """Reads what has come since the last look, and keeps what has a mark."""
        with self.lock:
            more = True
            while more:
                page = self.get(f"/api/webhook-events?order=asc&limit=1000&cursor={self.cursor}")
                for entry in page["events"]:
                    if entry["user_id"] == self.user_id:
                        self.keep(entry)
                self.cursor, more = page["next"], page["more"]

    def keep(self, entry):
        answer = self.read(f"/api/webhook-events/{entry['id']}/payload")
        text = answer.text.decode()
        if answer.status == 200 and (mark := MARK.search(text)):
            self.events.setdefault(mark[0], []).append(Stored(entry["id"], entry["event_type"], text))

    def count(self, mark):
        return len(self.events.get(mark, ()))


Read = namedtuple("Read", "status text")


class Pulse:
    """Counts the seconds in which this machine was well: the exam got its turns, and the service answered at once.

    Rows wait by this clock. So a machine that is busy with something else makes an exam longer, and fails no row.
    """

    STEP, LONGEST = 0.25, 1  # seconds

    def __init__(self, service):
        self.service, self.seconds, self.ends = service, 0.0, False
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        begun = time.monotonic()
        while not self.ends:
            time.sleep(self.STEP)
            with suppress(Failure):
                self.service.request("GET", "/api/auth/me")  # 401, at once
                ended = time.monotonic()
                if ended - begun < self.STEP + self.LONGEST:
                    self.seconds += ended - begun
            begun = time.monotonic()
