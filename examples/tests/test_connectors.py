"""Tests of the two connectors: what a stranger, a proxy or a mistake in a setting may do to them."""
import contextlib, gzip, hmac, os, resource, sqlite3, sys, tempfile, threading, time, unittest

from running import EXAMPLES, IS_NIGHTLY, PYTHON, Connector, Service, java, wait_until

HEAD = b"POST /webhooks HTTP/1.1\r\nHost: a\r\nX-Shopify-Hmac-Sha256: AAAA\r\nContent-Length: %d\r\n\r\n"


def mac(secret, text):
    return hmac.new(secret, text, "sha256").hexdigest()


class Connectors(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder, cls.service = folder.name, Service()
        cls.addClassCleanup(cls.service.close)
        cls.both = {"connector.py": cls.start(PYTHON), "Connector.java": cls.start(java())}
        cls.python = cls.both["connector.py"]

    @classmethod
    def start(cls, command=PYTHON, files=None, **settings):
        connector = Connector(command, cls.service.url, tempfile.mkdtemp(dir=cls.folder), files, **settings)
        cls.addClassCleanup(connector.kill)
        return connector

    def is_stored(self, key):
        wait_until(lambda: key in self.service.events, key)

    def test_slow_sockets_keep_no_webhook_away(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 10_000), hard))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        for name, connector in self.both.items() if IS_NIGHTLY else ():
            self.hold_against(name, connector, [b"P"] * 2_000)
        self.hold_against("256 files", self.start(files=256), [b"P"] * 300, stops=True)

    def test_large_bodies_that_do_not_end_keep_no_webhook_away(self):
        for name, connector in self.both.items() if IS_NIGHTLY else ():
            self.hold_against(name, connector, [HEAD % 24_000_000 + bytes(5_000_000)] * 40)
        limited = self.start(MAX_BODIES="1000000")
        self.hold_against("a megabyte", limited, [HEAD % 900_000 + bytes(400_000)] * 10)

    def hold_against(self, name, connector, beginnings, stops=False):
        """Opens these connections, and delivers a webhook meanwhile. If it stops then, it does so in time."""
        with contextlib.ExitStack() as stack:
            held = []
            threads = [threading.Thread(target=self.begin, args=[connector, each, stack, held]) for each in beginnings]
            for each in threads:
                each.start()
            dribbling = threading.Thread(target=self.dribble, args=[held], daemon=True)
            stack.callback(dribbling.join)
            stack.callback(held.clear)  # ends it
            wait_until(lambda: held)
            dribbling.start()
            begun = time.monotonic()
            self.assertEqual(connector.deliver(f"{name} {len(beginnings)}"), 200, connector.lines()[-2000:])
            seconds = time.monotonic() - begun
            self.is_stored(f"{name} {len(beginnings)}")
            for each in threads:
                each.join()
            stopped = connector.stop() if stops else 0
        if IS_NIGHTLY:
            stop = f", SIGTERM {stopped:.1f} s" if stops else ""
            print(f"{name}: {len(beginnings)} stall: 200 after {seconds:.2f} s{stop}", flush=True)
        self.assertLess(stopped, 30)  # what Kubernetes waits

    @staticmethod
    def begin(connector, text, stack, held):
        with contextlib.suppress(OSError):
            held.append(stack.enter_context(connector.begin(text)))

    @staticmethod
    def dribble(held):
        """Sends a byte on each connection, again and again, as some attacks do."""
        while held:
            for each in held.copy():
                with contextlib.suppress(OSError):
                    each.send(b"a")
            time.sleep(1)

    def test_a_flood_of_wrong_signatures_keeps_no_webhook_away(self):
        is_over = threading.Event()

        def flood():
            while not is_over.is_set():
                self.python.deliver("wrong", b'{"a": [1, 2]}', b"another")

        threads = [threading.Thread(target=flood) for _ in range(8)]
        for each in threads:
            each.start()
        begun = time.monotonic()
        self.assertEqual(self.python.deliver("flood"), 200)
        if IS_NIGHTLY:
            print(f"a flood of wrong signatures: 200 after {time.monotonic() - begun:.2f} s", flush=True)
        is_over.set()
        for each in threads:
            each.join()

    def test_a_refused_signature_is_explained_in_the_log_and_not_to_the_sender(self):
        body = b'{"text":"a/b","n":1}'
        connector = self.start(WEBHOOK_SECRET="'hush'\nother \n")
        for reason, deliver in {
            "it has no X-Shopify-Hmac-Sha256": lambda: connector.post(body, {}),
            "has quotes or spaces that do not belong to it": lambda: connector.deliver("k", body),
            "it is of none of the secrets (2)": lambda: connector.deliver("k", body, b"a third"),
            "does a proxy parse it?": lambda: connector.post(body + b"\n", connector.headers("k", body, b"other ")),
        }.items():
            self.assertEqual(deliver(), 401)
            wait_until(lambda: reason in connector.lines(), reason)
        self.assertEqual(connector.deliver("k", body, b"other "), 200)

    def test_what_a_stranger_sends_forges_no_line_of_the_log_and_shows_no_secret(self):
        connector = self.start(PROVIDER="twilio")
        head = b"POST /webhooks?token=s3cret&\xc2\x9b[31mbare HTTP/1.1\r\nHost: a\r\n ERROR forged\r\n"
        with connector.begin(head + b"X-Twilio-Signature: A\r\nContent-Length: 0\r\n\r\n") as sent:
            self.assertIn(b" 401 ", sent.recv(1000))
        wait_until(lambda: "https://a" in connector.lines())
        self.assertNotIn("s3cret", connector.lines())
        self.assertNotIn("[31m", connector.lines())
        self.assertIn("token=…&…", connector.lines())
        self.assertTrue(all(line[:1].isupper() for line in connector.lines().splitlines()), connector.lines())
        for name, status in ("connector.py", 200), ("Connector.java", 503):
            self.service.answers.append((422, {}, {})) if status == 503 else None
            connector = self.both[name]
            key = "" if status == 200 else b"\x9b31m"
            self.assertEqual(connector.deliver(key, b"{}", headers={"X-Shopify-Topic": b"\x9b31m"}), status)
            wait_until(lambda: "no id" in connector.lines() or "u009b31m" in connector.lines())
            self.assertTrue(all(" " <= each or each == "\n" for each in connector.lines()))
            self.assertNotIn("\x9b", connector.lines())

    def test_a_token_that_a_refusal_shows_is_neither_logged_nor_kept(self):
        problem = {"code": "validation_failed", "shown": "Bearer token"}
        answers = {"connector.py": (200, {}, {"results": [{"status": 422, "problem": problem}]}),
                   "Connector.java": (422, {"Content-Type": "application/problem+json"}, problem)}
        for name, connector in self.both.items():
            self.assertEqual(connector.deliver("logs in"), 200)
            self.is_stored("logs in")
            self.service.answers.append(answers[name])
            self.assertEqual(connector.deliver("shown-" + name), 200 if connector is self.python else 422)
            wait_until(lambda: "validation_failed" in connector.lines())
            self.assertNotIn("Bearer token", connector.lines())
            self.service.events.clear()
        with contextlib.closing(sqlite3.connect(self.python.outbox)) as database:
            self.assertNotIn("Bearer token", str(database.execute("SELECT answer FROM refused").fetchall()))

    def test_what_cannot_be_kept_is_not_answered_2xx_and_the_connector_lives_on(self):
        with contextlib.closing(sqlite3.connect(self.python.outbox, isolation_level=None)) as lock:
            lock.execute("BEGIN EXCLUSIVE")
            self.assertEqual(self.python.deliver("locked"), 503)
        self.assertEqual(self.python.deliver("kept"), 200)

    def test_a_body_that_no_provider_sends_is_a_line_in_the_log(self):
        for name, body in ("connector.py", b""), ("Connector.java", bytes(6_300_000)):  # Python reads only the length
            connector = self.both[name]
            headers = connector.headers("k", body)
            self.assertEqual(connector.post(body, {**headers, "Content-Length": len(body) or "25000001"}), 413)
            wait_until(lambda: "413 for" in connector.lines())

    def test_a_byte_order_mark_is_left_out_and_a_body_in_gzip_is_named(self):
        for name, connector in self.both.items():
            self.assertEqual(connector.deliver("bom-" + name, b'\xef\xbb\xbf{"n":1.0}'), 200)
            self.is_stored("bom-" + name)
            self.assertEqual(connector.deliver("gzip-" + name, gzip.compress(b"{}")),
                             200 if connector is self.python else 422)
        wait_until(lambda: "its body is in gzip, not in plain JSON" in self.python.lines())

    def test_a_test_of_the_url_is_answered_before_anything_is_kept(self):
        for name, method, headers, answer in (
                ("okta", "GET", {"X-Okta-Verification-Challenge": "c1"}, b'{"verification": "c1"}'),
                ("mailchimp", "HEAD", {}, b""), ("shopify", "GET", {}, None)):
            connector = self.start(PROVIDER=name) if answer is not None else self.python
            sent = connector.request(method, b"", headers)
            self.assertEqual(sent, (405, b"") if answer is None else (200, answer))

    def test_the_further_classes_answer_by_any_method_and_in_their_own_way(self):
        program, known = os.path.join(self.folder, "more.py"), "?secret=of-the-url"
        with open(program, "w") as file:
            file.write("import more_providers, runpy\nrunpy.run_path('connector.py', run_name='__main__')\n")
        asana, grid, salesforce, vonage = (
            self.start([sys.executable, "-B", program], PROVIDER=name, PYTHONPATH=EXAMPLES, WEBHOOK_SECRET=known[8:])
            for name in ("asana", "eventgrid", "salesforce", "vonage"))

        for query, status in ("", 401), (known, 200):
            sent = asana.exchange("POST", query, b"", {"X-Hook-Secret": "s3cret"})
            self.assertEqual((sent[0], sent[2]["X-Hook-Secret"]), (status, "s3cret" if query else None))
        body = b'{"events":[{"action":"added","resource":{"resource_type":"task"}}]}'
        self.assertEqual(asana.post(body, {"X-Hook-Signature": mac(b"s3cret", body)}), 200)
        self.assertEqual(self.payload("asana.task/added")["action"], "added")

        for query, status in ("", 405), (known, 200):
            sent = grid.exchange("OPTIONS", query, b"", {"WebHook-Request-Origin": "a.example"})
            self.assertEqual((sent[0], sent[2]["WebHook-Allowed-Origin"]), (status, "a.example" if query else None))
        self.assertEqual(grid.exchange("OPTIONS", known, b"", {"WebHook-Request-Origin": "☃".encode()})[0], 400)
        self.assertEqual(grid.exchange("POST", known, b'{"id":"1","type":"t","source":"s"}', {})[0], 200)
        self.assertEqual(self.payload("eventgrid.t")["_meta"]["brand_id"], "s")

        soap = (b'<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><notifications xmlns='
                b'"http://soap.sforce.com/2005/09/outbound"><OrganizationId>o1</OrganizationId><Notification><Id>n1</Id>'
                b'<sObject xmlns:s="urn:s"><s:Id>x1</s:Id></sObject></Notification></notifications></e:Body></e:Envelope>')
        status, text, headers = salesforce.exchange("POST", known, soap, {})
        self.assertEqual((status, headers["Content-Type"], b"<Ack>true</Ack>" in text), (200, "text/xml", True))
        self.assertEqual([self.payload("salesforce.outbound-message")[each] for each in ("id", "org", "Id")],
                         ["n1", "o1", "x1"])

        fields = f"&api-key=a&messageId=m1&text=a_b&timestamp={int(time.time())}&type=text"
        query = "?" + fields.replace("a_b", "a%26b") + "&sig=" + mac(b"of-the-url", fields.encode()).upper()
        for method, sent, status in ("GET", query, 200), ("POST", query, 405), ("GET", query.replace("m1", "m2"), 401):
            self.assertEqual(vonage.exchange(method, sent, b"", {})[0], status)
        self.assertEqual(self.payload("vonage.inbound/text")["text"], "a&b")

    def payload(self, event_type):
        """The payload of the only event of this type, once it is stored."""
        def found():
            return [each["payload"] for one in list(self.service.events.values()) for each in one if
                    each["event_type"] == event_type]

        wait_until(found, event_type)
        (payload,) = found()
        return payload

    def test_whatever_a_class_raises_no_webhook_is_lost_and_no_stranger_gets_in(self):
        broken = os.path.join(self.folder, "broken.py")
        with open(broken, "w") as file:
            file.write(
                "import runpy, providers\n"
                "def fail(*_): raise StopIteration\n"
                "classes = []  # else nobody holds them\n"
                "for name in 'signed', 'handshake', 'acknowledgement':\n"
                "    members = {name: fail, **({} if name == 'signed' else {'accepts': lambda *_: True})}\n"
                "    classes.append(type('No' + name, (providers.Shopify, providers.Provider), members))\n"
                "runpy.run_path('connector.py', run_name='__main__')\n")
        command = [sys.executable, "-B", broken]
        for name, status in ("signed", 401), ("handshake", 503), ("acknowledgement", 200):
            connector = self.start(command, PROVIDER="no" + name, PYTHONPATH=EXAMPLES)
            self.assertEqual(connector.deliver("k"), status, name)
            self.assertNotIn("a webhook is refused", connector.lines())


if __name__ == "__main__":
    unittest.main()
