"""Tests of complete.py beside stand-ins of five providers' lists, written after their pages, and of the service."""
import base64, contextlib, json, os, random, re, shutil, subprocess, sys, tempfile, threading, time, unittest
import unittest.mock
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from running import EXAMPLES, IS_NIGHTLY, LOGIN, Service

HOUR, DAY = 3_600, 86_400
DELIVERIES = 10_010 if IS_NIGHTLY else 310
SECRET = "s3cr3t"


def rfc3339(seconds):
    return datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"


def epoch(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


class Stored(Service):
    """Stands for Connector Events. `erased` has keys that it refuses, `unfit` those of events that no try stores."""

    def __init__(self):
        self.erased, self.unfit, self.before = set(), {}, lambda path: None
        super().__init__()

    def answer(self, path, body, headers):
        self.before(path)
        if path.endswith("/missing"):
            known = self.erased | self.events.keys()
            return 200, {}, {"missing": [key for key in body["idempotency_keys"] if key not in known]}
        if path.endswith("/batch"):
            return 200, {}, {"results": [self.result(event) for event in body["events"]]}
        return super().answer(path, body, headers)

    def result(self, event):
        key = event["idempotency_key"]
        if key in self.unfit:
            return {"status": 422, "problem": {"code": self.unfit[key]}}
        is_new = key not in self.events
        self.events.setdefault(key, []).extend([event] if is_new else [])
        return {"status": 201, "event": {"id": key, "event_type": event["event_type"]}, "replayed": not is_new}


class Delivery:
    def __init__(self, number, at):
        self.key, self.at, self.number, self.id = f"key-{number}", at, number, number
        self.attempts = []  # of GitHub and GitLab: ids, times and statuses


class Provider:
    """Stands for a provider. Its clock may be behind ours. It delivers to a connector that may be dead."""

    keeps = 30 * DAY
    settings = {}

    def __init__(self, service, behind=0):
        self.service, self.behind, self.is_alive = service, behind, True
        self.deliveries, self.newest_id, self.calls = [], 0, []
        self.faults, self.before, self.arrive, self.lock = {}, lambda path: None, lambda: None, threading.RLock()
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                with provider.lock:
                    provider.before(self.path)
                    provider.calls.append(self.command + " " + self.path)
                    fault = provider.faults.pop(len(provider.calls), None)
                    if SECRET not in self.headers.get("Authorization", ""):
                        fault = 401, {}, '{"message":"Bad credentials"}'
                    status, headers, text = fault or provider.answer(self.command, self.path, body, self.headers)
                    if status == 200:
                        provider.arrive()
                self.send_response_only(status)
                named = {"Date": time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(provider.now())), **headers}
                for name, value in named.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(text.encode())

            do_POST = do_GET

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.handle_error = lambda *_: None
        threading.Thread(target=self.server.serve_forever, args=[0.02], daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def now(self):
        return time.time() - self.behind

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def listed(self):
        """The newest first."""
        kept = (each for each in self.deliveries if self.now() - self.keeps <= each.at <= self.now())
        return sorted(kept, key=lambda each: -each.at)

    def happen(self, at, is_lost):
        with self.lock:
            delivery = Delivery(len(self.deliveries), at)
            self.deliveries.append(delivery)
            self.deliver(delivery, is_lost, at)

    def deliver(self, delivery, is_lost, at):
        is_taken = self.is_alive and not is_lost
        self.newest_id += 1
        delivery.attempts.append((self.newest_id, at, 200 if is_taken else 503))
        if is_taken:
            self.service.events.setdefault(delivery.key, ["delivered"])
        return is_taken

    def body(self, delivery):
        """What a list has of an event."""

    def attempts(self):
        """All attempts that the list has, the newest first."""
        found = [(id, at, status, each) for each in self.deliveries for id, at, status in each.attempts
                 if self.now() - self.keeps <= at <= self.now()]
        return sorted(found, key=lambda each: (-each[1], -each[0]))


class GitHub(Provider):  # docs.github.com/en/rest/repos/webhooks
    keeps = 3 * DAY
    settings = {"GITHUB_HOOK": "repos/octo/hub/hooks/7", "GITHUB_TOKEN": SECRET}
    PATH = "/repos/octo/hub/hooks/7/deliveries"

    def answer(self, method, path, body, headers):
        url = urlsplit(path)
        if method == "POST":
            id = int(re.fullmatch(self.PATH + "/([0-9]+)/attempts", url.path)[1])
            self.deliver(next(each for *_, each in self.attempts() if id in {one for one, *_ in each.attempts}),
                         False, self.now())
            return 202, {}, "{}"
        query, attempts = parse_qs(url.query), self.attempts()
        size = int(query["per_page"][0])
        assert url.path == self.PATH and size <= 100, path
        cursor = int(query.get("cursor", ["v1_0"])[0][3:])  # it names a delivery: what arrives does not move it
        start = next((at for at, each in enumerate(attempts) if each[0] == cursor), 0)
        page, rest = attempts[start : start + size], attempts[start + size :]
        link = f'<{self.url}{url.path}?per_page={size}&cursor=v1_{rest[0][0]}>; rel="next"' if rest else ""
        return 200, {"Link": link}, json.dumps([{
            "id": id, "guid": each.key, "delivered_at": rfc3339(at), "redelivery": id != each.attempts[0][0],
            "duration": 0.1, "status": "OK", "status_code": status, "event": "push", "action": None,
        } for id, at, status, each in page])


class GitLab(Provider):  # docs.gitlab.com/api/project_webhooks, and gitlabhq/lib/api/hooks/events.rb
    keeps, resends = 7 * DAY, []
    settings = {"GITLAB_HOOK": "projects/42/hooks/7", "GITLAB_TOKEN": SECRET}
    PATH = "/projects/42/hooks/7/events"
    minute = 0.05  # of 5 resends

    def answer(self, method, path, body, headers):
        url = urlsplit(path)
        if method == "POST":
            self.resends = [at for at in self.resends if at > time.time() - self.minute]
            if len(self.resends) == 5:
                return 429, {}, '{"message":{"error":"This endpoint has been requested too many times."}}'
            self.resends.append(time.time())
            id = int(re.fullmatch(self.PATH + "/([0-9]+)/resend", url.path)[1])
            delivery = next(each for *_, each in self.attempts() if id in {one for one, *_ in each.attempts})
            if not self.deliver(delivery, False, self.now()):
                return 422, {}, '{"message":"Connection refused"}'
            return 201, {}, '{"response_status":200}'
        query, attempts = parse_qs(url.query), self.attempts()
        assert url.path == self.PATH and int(query["per_page"][0]) <= 20, path
        page, size = int(query.get("page", ["1"])[0]), int(query["per_page"][0])
        some = attempts[(page - 1) * size : page * size]
        return 200, {}, json.dumps([{
            "id": id, "url": "https://example.net/", "trigger": "push_hooks",
            "request_headers": {"Idempotency-Key": each.key, "X-Gitlab-Event": "Push Hook"},
            "request_data": {"object_kind": "push"}, "response_headers": {}, "response_body": "",
            "execution_duration": 0.1, "response_status": str(status) if status == 200 else "internal error",
        } for id, at, status, each in some])


class Stripe(Provider):  # docs.stripe.com/api/events/list
    settings = {"STRIPE_API_KEY": SECRET, "EVENTS": "charge.succeeded"}

    def body(self, each):
        return ('{\n "id": "%s", "object": "event", "created": %d,\n "data": {"object": {"id": "ch_1", "n": 1E400}},'
                ' "livemode": true, "pending_webhooks": 0, "type": "charge.succeeded"}' % (each.key, each.at))

    def answer(self, method, path, body, headers):
        query = {name: values[0] for name, values in parse_qs(urlsplit(path).query).items()}
        assert urlsplit(path).path == "/v1/events" and int(query["limit"]) <= 100, path
        events = [each for each in self.listed()
                  if int(query["created[gte]"]) <= int(each.at) < int(query.get("created[lt]", 1e10))]
        last = [at for at, each in enumerate(events) if each.key == query.get("starting_after")]
        events = events[last[0] + 1 if last else 0 :]
        page = ",".join(map(self.body, events[:100]))
        has_more = str(len(events) > 100).lower()
        return 200, {}, '{"object": "list", "url": "/v1/events", "has_more": %s, "data": [%s]}' % (has_more, page)


class Square(Provider):  # developer.squareup.com/reference/square/events-api/search-events
    keeps = 28 * DAY
    settings = {"SQUARE_TOKEN": SECRET, "EVENTS": "order.created, order.updated"}

    def body(self, each):
        return ('{"merchant_id":"M1","type":"order.updated","event_id":"%s","created_at":"%s",'
                '"data":{"type":"order","id":"O1","object":{"order_updated":{"version":3}}}}'
                % (each.key, rfc3339(each.at)[:-1]))

    def answer(self, method, path, body, headers):
        request = json.loads(body)
        query = request["query"]
        times = {name: epoch(text) for name, text in query["filter"]["created_at"].items()}
        assert (method, path, query["sort"]["order"]) == ("POST", "/v2/events", "ASC") and request["limit"] <= 100
        assert query["filter"]["event_types"] == ["order.created", "order.updated"]
        events = [each for each in reversed(self.listed()) if times["start_at"] <= each.at <= times["end_at"]]
        start = int(base64.b64decode(request.get("cursor", "MA==")))
        cursor = base64.b64encode(b"%d" % (start + 100)).decode()
        more = f',"cursor":"{cursor}"' if len(events) > start + 100 else ""
        if not events:
            return 200, {}, "{}"
        return 200, {}, '{"events":[%s]%s}' % (",".join(map(self.body, events[start : start + 100])), more)


class Okta(Provider):  # developer.okta.com/docs/reference/system-log-query
    keeps = 90 * DAY
    settings = {"OKTA_TOKEN": SECRET, "EVENTS": "user.session.start,user.lifecycle.create"}

    def body(self, each):
        return '{"uuid":"%s","published":"%s","eventType":"user.session.start","actor":{"id":"00u1"}}' % (
            each.key, rfc3339(each.at))

    def answer(self, method, path, body, headers):
        url = urlsplit(path)
        query = {name: values[0] for name, values in parse_qs(url.query).items()}
        assert url.path == "/api/v1/logs" and int(query["limit"]) <= 1_000 and "until" not in query, path
        assert query["filter"] == 'eventType eq "user.session.start" or eventType eq "user.lifecycle.create"'
        assert headers["Authorization"] == "SSWS " + SECRET
        late = getattr(self, "late", {})  # when it was persisted
        persisted = {each: late.get(each.key, each.at) for each in self.listed()}
        events = sorted((each for each, at in persisted.items() if at >= epoch(query["since"])), key=persisted.get)
        start, size = int(query.get("after", 0)), 100
        page = events[start : start + size]
        own = f'<{self.url}/api/v1/logs?{url.query}>; rel="self"'
        following = f"{self.url}/api/v1/logs?" + re.sub("&after=[0-9]+", "", url.query) + f"&after={start + len(page)}"
        return 200, {"link": f'{own}, <{following}>; rel="next"'}, "[%s]" % ",".join(map(self.body, page))


PROVIDERS = GitHub, GitLab, Stripe, Square, Okta
SOME = PROVIDERS if IS_NIGHTLY else (GitHub, Stripe)  # one that delivers again, and one whose list has events


class Complete(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder, self.place = folder.name, os.path.join(folder.name, "place")
        self.service = Stored()
        self.addCleanup(self.service.close)

    def provider(self, kind, **settings):
        made = kind(self.service, **settings)
        self.addCleanup(made.close)
        return made

    def environment(self, provider, settings):
        ours = "(CONNECTOR|GITHUB|GITLAB|OKTA|SQUARE|STRIPE)_.*|EVENTS|KEEPS|MARGIN|STACK"
        own = {name: value for name, value in os.environ.items() if not re.fullmatch(ours, name)}
        name = type(provider).__name__
        return {**own, "CONNECTOR_API_URL": self.service.url, **LOGIN, "PROVIDER": name.lower(), "PAUSE": "0.002",
                f"{name.upper()}_API_URL": provider.url, "http_proxy": "http://127.0.0.1:9",
                **provider.settings, **settings}

    def start(self, provider, *words, **settings):
        program = os.path.join(EXAMPLES, "complete.py")
        return subprocess.Popen([sys.executable, "-B", program, self.place, *words], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, env=self.environment(provider, settings))

    def run_it(self, provider, *words, **settings):
        """The exit code, the line that it prints, and its errors."""
        process = self.start(provider, *words, **settings)
        output, errors = process.communicate()
        self.assertNotIn("Traceback", errors)
        self.assertNotIn(SECRET, output + errors)
        lines = output.splitlines()
        if lines:
            self.judge(provider, json.loads(lines[-1]))
        return process.returncode, json.loads(lines[-1]) if lines else None, errors.strip()

    def kept(self):
        """What the file has. Empty if there is none."""
        with contextlib.suppress(FileNotFoundError), open(self.place) as file:
            return json.load(file)
        return {}

    def judge(self, provider, line):
        """Nothing is said complete that is not, and nothing is stored twice."""
        since, until = epoch(line["complete_since"]), epoch(line["complete_until"])
        not_to_be_had = self.kept()["not_to_be_had"]
        for each in provider.deliveries:
            if since <= each.at < until and each.key not in {*not_to_be_had, *self.service.erased}:
                self.assertIn(each.key, self.service.events, f"{line}: lost {until - each.at} s before")
        self.assertLessEqual(until, provider.now(), "what may still happen is said complete")
        for key, events in self.service.events.items():
            self.assertEqual(len(events), 1, key)

    def fill(self, provider, hours=60, deliveries=DELIVERIES, dead_at=30, seed=1):
        """Deliveries of these hours: those of one hour are lost, and others at random. Returns the lost ones."""
        draw, begin = random.Random(seed), provider.now() - hours * HOUR
        for at in sorted(begin + draw.random() * (hours - 2) * HOUR for _ in range(deliveries)):  # none too young
            is_dead = dead_at * HOUR <= at - begin < (dead_at + 1) * HOUR
            provider.happen(at, is_dead or draw.random() < 0.05)
        return {each.key for each in provider.deliveries} - self.service.events.keys()

    def since(self, provider, hours=65):
        return "--since", rfc3339(provider.now() - hours * HOUR)


class Lost(Complete):
    def test_what_was_lost_is_stored_once_and_a_second_run_finds_nothing(self):
        for kind in PROVIDERS:
            with self.subTest(kind.__name__):
                self.service.events.clear()
                self.place += "x"
                provider = self.provider(kind)
                lost = self.fill(provider)
                draw = random.Random(2)
                provider.arrive = lambda: provider.happen(provider.now(), draw.random() < 0.5)  # while it lists
                limit = (403, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(int(time.time()) + 1)},
                         '{"message":"API rate limit exceeded"}')
                provider.faults = {1: (429, {"Retry-After": "0"}, "{}"), 2: limit, 4: (502, {}, "<html>")}

                begun = provider.now()
                code, line, errors = self.run_it(provider, *self.since(provider))

                provider.arrive = lambda: None
                if kind is GitLab:  # without times, what arrives meanwhile is asked for too, and perhaps not yet there
                    begun = provider.now()
                    code, line, errors = self.run_it(provider)
                else:
                    self.assertEqual((line["missing"], line["stored"]), (len(lost), len(lost)), line)
                self.assertEqual((code, errors, line["waiting"], line["not_to_be_had"]), (0, "", {}, {}), line)
                self.assertLessEqual(lost, self.service.events.keys())
                margin = 600 if kind in (GitHub, GitLab) else 3_600
                self.assertAlmostEqual(epoch(line["complete_until"]), begun - margin, delta=10)
                code, line, _ = self.run_it(provider)
                self.assertEqual((code, line["missing"], line["asked_again"]), (0, 0, 0))

    def test_a_list_forgets(self):
        for kind in SOME:
            with self.subTest(kind.__name__):
                self.service.events.clear()
                self.place += "x"
                provider = self.provider(kind)
                provider.keeps = 3 * DAY
                lost = self.fill(provider, hours=100)
                known = {each.key for each in provider.listed() if each.at > provider.now() - 3 * DAY + HOUR / 4}

                code, line, _ = self.run_it(provider, *self.since(provider, 90), KEEPS="72")

                self.assertEqual((code, line["complete_until"]), (2, line["complete_since"]))
                self.assertRegex(line["forgotten"], " to .*--since")
                self.assertLessEqual(lost & known, self.service.events.keys())
                self.assertTrue(lost - self.service.events.keys())
                self.assertEqual(self.run_it(provider, KEEPS="72")[:1], (2,), "until somebody says so")
                code, line, _ = self.run_it(provider, *self.since(provider, 70), KEEPS="72")
                self.assertEqual((code, line["missing"]), (0, 0))
                self.assertNotIn("forgotten", line)

    def test_a_kill_at_each_call_loses_nothing_and_stores_nothing_twice(self):
        for kind in PROVIDERS if IS_NIGHTLY else (GitHub,):
            with self.subTest(kind.__name__):
                self.service.events.clear()
                self.place += "x"
                provider = self.provider(kind)
                lost = self.fill(provider, deliveries=210 if IS_NIGHTLY else 40, seed=3)
                words, code, number = self.since(provider), None, 0
                while code != 0:
                    number += 1
                    process = self.start(provider, *words)
                    calls, lock = [], threading.Lock()

                    def before(path):
                        with lock:
                            calls.append(path)
                            if len(calls) == number:
                                process.kill()

                    provider.before = self.service.before = before
                    output, errors = process.communicate()
                    code = process.returncode
                    self.assertIn(code, (0, 2, -9), errors)
                    if os.path.exists(self.place):
                        words = ()
                        self.judge(provider, self.kept())
                self.assertLessEqual(lost, self.service.events.keys())
                provider.before = self.service.before = lambda path: None
                self.assertEqual(self.run_it(provider)[1]["missing"], 0)

    def test_what_cannot_be_seen_is_not_said_complete(self):
        broken = [(500, {}, "{}"), (200, {}, "<html>Sorry"), (200, {}, '{"data":'), (200, {}, "null"), (404, {}, "{}")]
        for kind in PROVIDERS:
            self.service.events.clear()
            self.place += "x"
            provider = self.provider(kind)
            self.fill(provider, hours=20, dead_at=10, deliveries=310)
            words = self.since(provider, 21)
            faults = [*broken, (200, {}, "{}")] if kind is not Square else broken
            for call in (1, 2) if IS_NIGHTLY or kind is GitHub else (2,):
                for fault in faults if IS_NIGHTLY else faults[-2:]:
                    with self.subTest(kind.__name__, call=call, fault=fault):
                        provider.calls.clear()
                        provider.faults = {at: fault for at in range(call, call + 8)}
                        place = (self.kept() or {"complete_until": words[1][:19] + "Z"})["complete_until"]
                        code, line, errors = self.run_it(provider, *words)
                        words = ()
                        self.assertEqual((code, line["complete_until"]), (1, place), line)
                        self.assertRegex(errors, kind.__name__ + ": ([0-9]+: |this is not an answer)")
            provider.faults = {}
            self.assertEqual(self.run_it(provider)[0], 0)

    def test_a_full_page_of_github_that_names_no_next_one_is_the_end_unless_none_ever_names_one(self):
        for deliveries in 100, 200, 310:
            with self.subTest(deliveries):
                self.place += "x"
                provider = self.provider(GitHub)
                self.fill(provider, hours=20, dead_at=30, deliveries=deliveries)
                answer = provider.answer
                provider.answer = lambda *request: (lambda status, _, text: (status, {}, text))(*answer(*request))
                code, line, errors = self.run_it(provider, *self.since(provider, 21))
                self.assertEqual((code, line["complete_until"]), (1, line["complete_since"]))
                self.assertEqual(errors, "GitHub: a full page names no next one")
                provider.answer = answer
                code, line, errors = self.run_it(provider)
                self.assertEqual((code, errors, line["listed"]), (0, "", deliveries))

    def test_a_page_that_is_named_again_does_not_hold_it_up_for_ever(self):
        for kind in GitHub, Stripe, Square:
            with self.subTest(kind.__name__):
                self.place += "x"
                provider = self.provider(kind)
                self.fill(provider, hours=20, dead_at=10, deliveries=210)
                answer, link = provider.answer, f'<{provider.url}/deliveries?per_page=100&cursor=v1_7>; rel="next"'
                page = {GitHub: (200, {"Link": link}, "[]"), Square: (200, {}, '{"events":[],"cursor":"MTAw"}')}
                again = page.get(kind) or answer("GET", f"/v1/events?limit=100&created[gte]=0", b"", {})
                provider.answer = lambda *request: answer(*request) if len(provider.calls) == 1 else again
                process = self.start(provider, *self.since(provider, 21))
                self.addCleanup(process.kill)
                output, _ = process.communicate(timeout=20)
                line = json.loads(output)
                self.assertEqual((process.returncode, line["complete_until"]), (1, line["complete_since"]))
                self.assertEqual(line["errors"], [f"{kind.__name__}: it names a page again"])

    def test_a_clock_that_is_ahead_of_the_providers_says_nothing_too_early(self):
        provider = self.provider(GitHub, behind=HOUR)
        self.fill(provider)
        code, line, _ = self.run_it(provider, *self.since(provider))
        provider.happen(provider.now(), True)
        self.judge(provider, line)
        self.assertEqual(code, 0)

    def test_what_okta_lists_late_is_found(self):
        provider = self.provider(Okta)
        self.fill(provider, hours=20, dead_at=10)
        self.run_it(provider, *self.since(provider, 21))
        provider.happen(provider.now() - 5 * HOUR, True)
        key = provider.deliveries[-1].key
        provider.late = {key: provider.now() - 10}
        line = self.run_it(provider)[1]
        self.assertEqual((line["missing"], line["stored"]), (1, 1))
        self.assertIn(key, self.service.events)


class NotStored(Complete):
    def test_what_could_still_come_stops_it_and_what_is_not_to_be_had_does_not(self):
        provider = self.provider(Stripe)
        for hours in (9, 8, 7, 6):
            provider.happen(provider.now() - hours * HOUR, True)
        unfit, erased, forbidden, fine = (each.key for each in provider.deliveries)
        self.service.unfit = {unfit: "validation_failed", forbidden: "forbidden"}
        self.service.erased.add(erased)

        code, line, _ = self.run_it(provider, *self.since(provider, 10))

        self.assertEqual(code, 2)
        self.assertEqual((line["missing"], line["stored"]), (3, 1), "what was erased is not missing")
        self.assertEqual(line["waiting"], {forbidden: "forbidden"})
        self.assertEqual(line["not_to_be_had"], {unfit: "validation_failed"})
        self.assertAlmostEqual(epoch(line["complete_until"]), provider.now() - 7 * HOUR, delta=5)
        self.assertNotIn(erased, self.service.events)
        del self.service.unfit[forbidden]  # an operator widens the scope
        code, line, _ = self.run_it(provider)
        self.assertEqual((code, line["missing"], line["stored"], line["not_to_be_had"]), (0, 1, 1, {}))
        self.assertEqual(self.kept()["not_to_be_had"], {unfit: "validation_failed"})

    def test_a_listed_event_is_the_outboxs_with_a_mark_and_its_bytes(self):
        bodies = {}
        for kind in (Stripe, Square, Okta):
            with self.subTest(kind.__name__):
                self.place += "x"
                provider = self.provider(kind)
                provider.happen(provider.now() - 5 * HOUR, True)
                sent = []
                answer = self.service.answer
                self.service.answer = lambda path, body, headers: sent.append(body) or answer(path, body, headers)
                self.run_it(provider, *self.since(provider, 6))
                self.service.answer = answer
                (event,) = self.service.events.pop("key-0")
                meta = event["payload"].pop("_meta")
                self.assertEqual(event["payload"], json.loads(provider.body(provider.deliveries[0])))
                self.assertEqual((meta["listed"], meta["source"]), ("true", kind.__name__.lower()))
                bodies[kind] = event["event_type"], meta.get("brand_id"), meta.get("object")
        self.assertEqual(bodies, {
            Stripe: ("stripe.charge.succeeded", None, None), Square: ("square.order.updated", "M1", "square:order:O1"),
            Okta: ("okta.user.session.start", "127.0.0.1", None)})

    def test_a_dead_connector_is_asked_ever_more_seldom_and_what_it_has_dropped_is_named_after_a_day(self):
        for kind in (GitHub, GitLab) if IS_NIGHTLY else (GitHub,):
            with self.subTest(kind.__name__):
                self.place += "x"
                self.service.events.clear()
                provider = self.provider(kind, behind=65 * HOUR)
                provider.happen(provider.now() - HOUR, True)
                provider.is_alive, asked = False, []
                words = self.since(provider, 2)
                for hour in range(10):
                    code, line, _ = self.run_it(provider, *words)
                    self.assertEqual((code, line["waiting_count"]), (2, 1))
                    asked += [hour] * line["asked_again"]
                    words, provider.behind = (), provider.behind - HOUR
                self.assertIn(len(asked), (4, 5), asked)  # after 0, 1, 2, 4 and 8 hours, or a little more
                self.assertEqual(asked[:2], [0, 1])
                provider.is_alive, taken = True, provider.deliver
                provider.deliver = lambda each, *_: each.attempts.append((10_000, provider.now(), 200)) or True
                provider.behind -= 18 * HOUR  # it takes it, and drops it
                code, line, _ = self.run_it(provider)
                self.assertEqual((code, line["asked_again"]), (2, 1))
                for hours, code in ((12, 2), (13, 2), (1, 0)):  # it waits, it is named, it does not block
                    provider.behind -= hours * HOUR
                    found, line, _ = self.run_it(provider)
                    self.assertEqual((found, line["asked_again"]), (code, 0), line)
                self.assertEqual(list(self.kept()["not_to_be_had"]), ["key-0"])

    def test_what_gitlab_has_kept_no_body_of_is_not_asked_for(self):
        provider = self.provider(GitLab)
        provider.happen(provider.now() - HOUR, True)
        answer = provider.answer
        provider.answer = lambda *request: (*answer(*request)[:2], answer(*request)[2].replace(
            '{"object_kind": "push"}', '{"oversize": true}'))
        code, line, _ = self.run_it(provider, *self.since(provider, 2))
        self.assertEqual((code, line["asked_again"], list(line["not_to_be_had"])), (2, 0, ["key-0"]))


class Asking(Complete):
    def one(self, kind, **settings):
        provider = self.provider(kind, **settings)
        provider.happen(provider.now() - 5 * HOUR, True)
        return provider

    def test_of_a_thin_destination_it_lists_thin_events_only(self):
        provider = self.provider(Stripe)
        for _ in range(150):
            provider.happen(provider.now() - 5 * HOUR, True)

        def answer(method, path, body, headers):  # docs.stripe.com/api/v2/core/events/list
            url = urlsplit(path)
            query = parse_qs(url.query)
            assert url.path == "/v2/core/events" and headers["Stripe-Version"], path
            start = int(query.get("page", ["0"])[0])
            page = ",".join(f'{{"id":"{each.key}","object":"v2.core.event","type":"v1.customer.updated",'
                            f'"created":"{rfc3339(each.at)}"}}' for each in provider.deliveries[start : start + 100])
            following = json.dumps(f"/v2/core/events?{url.query}&page=100" if start == 0 else None)
            return 200, {}, '{"data":[%s],"next_page_url":%s}' % (page, following)

        provider.answer = answer
        code, line, _ = self.run_it(provider, *self.since(provider, 6), EVENTS="v1.customer.updated,v1.invoice.paid")
        self.assertEqual((code, line["stored"], len(self.service.events)), (0, 150, 150))

    def test_it_follows_github_to_the_new_place_of_what_was_renamed_and_nobody_elsewhere(self):
        provider, elsewhere = self.one(GitHub), self.provider(GitHub)
        moved = {"Location": provider.url + provider.PATH + "?per_page=100"}
        provider.faults = {1: (301, moved, "{}")}
        self.assertEqual(self.run_it(provider, *self.since(provider, 6))[1]["stored"], 1)
        provider.faults = {len(provider.calls) + 1: (302, {"Location": elsewhere.url}, "{}")}
        self.assertEqual((self.run_it(provider)[2], elsewhere.calls), ("GitHub: 302: Found", []))

    def test_a_credential_that_an_answer_shows_is_not_printed(self):
        provider = self.one(Stripe)
        provider.faults = {1: (400, {}, json.dumps({"error": {"message": "got Bearer " + SECRET}}))}
        self.assertEqual(self.run_it(provider, *self.since(provider, 6))[2], "Stripe: 400: got Bearer …")
        self.service.answers = [(400, {}, {"code": "a_code", "detail": LOGIN["CONNECTOR_API_PASSWORD"]})]
        self.assertEqual(self.run_it(provider)[2], "Connector Events: 400: a_code")

    def test_it_logs_in_again_when_its_token_has_expired(self):
        provider = self.one(Stripe)
        self.service.answers = [(200, {}, {"access_token": "old"}), (401, {}, {"code": "expired_token"})]
        self.assertEqual(self.run_it(provider, *self.since(provider, 6))[0], 0)
        self.assertEqual(self.service.paths[:4], ["/api/auth/login", "/api/webhook-events/missing"] * 2)

    def test_an_app_authenticates_with_a_token_that_openssl_signs(self):
        if not shutil.which("openssl"):
            self.skipTest("there is no openssl")
        key = os.path.join(self.folder, "key.pem")
        subprocess.run(["openssl", "genrsa", "-out", key, "2048"], check=True, capture_output=True)
        public = subprocess.run(["openssl", "rsa", "-in", key, "-pubout"], check=True, capture_output=True).stdout
        provider, sent = self.provider(GitHub), []
        provider.answer = lambda method, path, body, headers: (
            sent.append((path, headers["Authorization"])) or (200, {}, "[]"))
        with unittest.mock.patch(f"{__name__}.SECRET", "Bearer"):
            self.assertEqual(self.run_it(provider, *self.since(provider, 6), GITHUB_HOOK="app/hook", GITHUB_APP_ID="42",
                                         GITHUB_APP_KEY=key)[0], 0)
        ((path, authorization),) = sent
        self.assertTrue(path.startswith("/app/hook/deliveries?"))
        parts = authorization.removeprefix("Bearer ").split(".")
        claims, signature = (base64.urlsafe_b64decode(each + "==") for each in parts[1:])
        for name, content in (("public", public), ("signature", signature)):
            with open(os.path.join(self.folder, name), "wb") as file:
                file.write(content)
        names = [os.path.join(self.folder, name) for name in ("public", "signature")]
        verify = ["openssl", "dgst", "-sha256", "-verify", names[0], "-signature", names[1]]
        subprocess.run(verify, input=".".join(parts[:2]).encode(), check=True, capture_output=True)
        claims = json.loads(claims)
        self.assertEqual(claims["iss"], "42")
        self.assertTrue(claims["iat"] < time.time() < claims["exp"] < time.time() + 600)

    def test_it_says_how_old_complete_until_is_as_a_metric_also_if_it_could_not_see(self):
        provider, calls = self.one(Stripe), os.path.join(self.folder, "calls")
        with open(os.path.join(self.folder, "aws"), "w") as file:
            file.write(f'#!/bin/sh\nfor word; do printf "%s\\n" "$word"; done >{calls}\n')
        os.chmod(file.name, 0o755)
        path = self.folder + ":" + os.environ["PATH"]
        self.service.answer = lambda path, body, headers, answer=self.service.answer: (
            (200, {}, {"id": "user-1"}) if path.endswith("/me") else answer(path, body, headers))
        for fault, code, age in (({}, 0, HOUR), ({2: (400, {}, "{}")}, 1, HOUR)):
            provider.faults = fault
            words = self.since(provider, 6) if not fault else ()
            self.assertEqual(self.run_it(provider, *words, STACK="prod", PATH=path)[0], code)
            with open(calls) as file:
                words = file.read().split()
            self.assertEqual(words[:4], ["cloudwatch", "put-metric-data", "--namespace", "ConnectorEvents/prod"])
            (datum,) = json.loads(" ".join(words[5:]))
            self.assertEqual((datum["MetricName"], datum["Unit"]), ("incomplete_seconds", "Seconds"))
            self.assertEqual(datum["Dimensions"], [{"Name": "user_id", "Value": "user-1"}])
            self.assertAlmostEqual(datum["Value"], age, delta=30)

    def test_the_commands_of_the_page_work(self):
        provider = self.one(GitHub)
        os.symlink(EXAMPLES, os.path.join(self.folder, "examples"))
        with open(os.path.join(EXAMPLES, "../docs/connectors.md")) as file:
            commands = re.search("(?m)^    python3 examples/complete.py .*\n    .*$", file.read())[0]
        since = self.since(provider, 6)[1]
        run = subprocess.run(["bash", "-ec", re.sub("2026-[0-9T:-]+Z", since, commands)], cwd=self.folder,
                             env=self.environment(provider, {}), capture_output=True, text=True)
        self.assertEqual([json.loads(line)["stored"] for line in run.stdout.splitlines()], [1, 0], run.stderr)

    def test_it_says_in_one_sentence_what_is_wrong(self):
        provider = self.one(Stripe)
        for words, settings, sentence in (
            ((), {}, f"{self.place} has no place: say with --since from when on all should be stored"),
            (("--since", "today"), {}, "argument --since: it needs a time such as .*; usage: complete.py FILE .*"),
            (("--since", "2100-01-01T00:00:00Z"), {}, "argument --since: it needs a time that has passed; usage: .*"),
            ((), {"EVENTS": "charge.*"}, "EVENTS takes no pattern: name the types, or all by [*]"),
            ((), {"PROVIDER": "zoom"}, "PROVIDER is none of github, gitlab, okta, square, stripe: .*"),
            ((), {"EVENTS": ""}, "EVENTS is not set"),
            ((), {"STRIPE_API_KEY": SECRET + "€"}, "STRIPE_API_KEY is malformed"),
            ((), {"STRIPE_API_KEY": ""}, "STRIPE_API_KEY is not set"),
            ((), {"STRIPE_API_URL": "localhost"}, "STRIPE_API_URL is malformed"),
            ((), {"CONNECTOR_API_URL": ""}, "CONNECTOR_API_URL is not set"),
            ((), {"CONNECTOR_API_PASSWORD": ""}, "CONNECTOR_API_PASSWORD is not set"),
            ((), {"PROVIDER": "github", "GITHUB_HOOK": "octo/hub"}, "GITHUB_HOOK is malformed"),
        ):
            with self.subTest(sentence):
                code, line, errors = self.run_it(provider, *words, **settings)
                self.assertEqual((code, line), (1, None))
                self.assertRegex(errors, f"^{sentence}$")

    def test_a_file_says_nothing_of_what_it_was_not_made_for(self):
        provider, other = self.one(GitHub), self.provider(GitHub)
        self.run_it(provider, *self.since(provider, 6))
        kept = self.kept()
        for settings in (
            {"GITHUB_HOOK": "repos/octo/hub/hooks/8"}, {"GITHUB_API_URL": other.url}, {"EVENTS": "push,issues"},
            {"CONNECTOR_API_URL": self.service.url.replace("127.0.0.1", "localhost")},
        ):
            for words in (), self.since(provider, 6):
                with self.subTest(settings, words=words):
                    code, line, errors = self.run_it(provider, *words, **settings)
                    self.assertEqual((code, line, self.kept()), (1, None, kept))
                    self.assertRegex(errors, f"^{self.place} is of .*repos/octo/hub/hooks/7")


class Costs(Complete):
    @unittest.skipUnless(IS_NIGHTLY, "nightly")
    def test_its_calls_of_a_day_of_10000_deliveries(self):
        for kind in PROVIDERS:
            with self.subTest(kind.__name__):
                self.place += "x"
                self.service.events.clear()
                provider = self.provider(kind, behind=0)
                for number in range(DELIVERIES):
                    provider.happen(time.time() - 2 * DAY + number * DAY / DELIVERIES, False)
                provider.behind, words = 2 * DAY - HOUR, ("--since", rfc3339(time.time() - 2 * DAY - 1))
                for _ in range(24):
                    self.assertEqual(self.run_it(provider, *words)[0], 0)
                    provider.behind, words = provider.behind - HOUR, ()
                paths = [path for path in self.service.paths if path.endswith("/missing")]
                print(f"{kind.__name__}: {len(provider.calls)} calls a day, {len(paths)} of /missing")
                self.service.paths.clear()
