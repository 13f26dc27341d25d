"""Tests of the three connectors: what a stranger, a proxy, a clock or a mistake in a setting may do to them."""
import base64, contextlib, gzip, os, resource, sqlite3, sys, tempfile, threading, time, unittest

from running import EXAMPLES, IS_NIGHTLY, Connector, Service, commands, wait_until

LOGIN = {"CONNECTOR_API_EMAIL": "a@example.com", "CONNECTOR_API_PASSWORD": "p"}
HEAD = b"POST /webhooks HTTP/1.1\r\nHost: a\r\nX-Shopify-Hmac-Sha256: AAAA\r\nContent-Length: %d\r\n\r\n"
A_DAY = 503, {"Retry-After": "86400"}, {"message": "maintenance"}
# Date.now() goes back by an hour when the file STEP is there.
STEP = "--import data:text/javascript,import{existsSync}from'fs';globalThis.now=Date.now;" \
       "Date.now=()=>now()-3600000*existsSync(process.env.STEP)"


class Connectors(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder, cls.service, cls.shared = folder.name, Service(), {}
        cls.addClassCleanup(cls.service.close)
        for name, command in commands().items():
            cls.shared[name] = cls.start(command)
            cls.addClassCleanup(cls.shared[name].kill)

    @classmethod
    def start(cls, command, files=None, **settings):
        return Connector(command, cls.service.url, tempfile.mkdtemp(dir=cls.folder), files, **settings)

    def each(self, *names, **settings):
        """Each connector, or those of these names, with its name. With settings, it is one of this test."""
        for name, command in commands().items():
            if name in (names or commands()):
                connector = self.start(command, **settings) if settings else self.shared[name]
                yield name, connector
                if settings:
                    connector.kill()

    def is_stored(self, key):
        wait_until(lambda: key in self.service.events, key)

    def test_a_proxy_that_asks_for_a_day_keeps_no_login_away_for_a_day(self):
        for name, connector in self.each("connector.mjs", "Connector.java", **LOGIN):
            self.service.answers.append(A_DAY)
            self.assertEqual(connector.deliver("no-login"), 503)
            wait_until(lambda: connector.deliver(name) == 200)
            self.is_stored(name)

    def test_a_clock_that_is_set_back_keeps_no_login_away(self):
        step = os.path.join(self.folder, "step")
        for name, connector in self.each("connector.mjs", NODE_OPTIONS=STEP, STEP=step, **LOGIN):
            self.service.answers.append((403, {}, {}))
            self.assertEqual(connector.deliver("before"), 503)
            with open(step, "w"):
                pass
            wait_until(lambda: connector.deliver("after") == 200)

    def test_slow_sockets_keep_no_webhook_away(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 10_000), hard))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        for name, connector in self.each() if IS_NIGHTLY else ():
            self.hold_against(name, connector, [b"P"] * 2_000)
        for name, connector in self.each("connector.py", files=256):
            self.hold_against(name + ", 256 files", connector, [b"P"] * 300, stops=True)
        for name, connector in self.each("connector.mjs", "Connector.java", PAUSE="1") if IS_NIGHTLY else ():
            self.hold_against(name, connector, [b"P"], stops=True)

    def test_large_bodies_that_do_not_end_keep_no_webhook_away(self):
        for name, connector in self.each() if IS_NIGHTLY else ():
            self.hold_against(name, connector, [HEAD % 24_000_000 + bytes(8_000_000)] * 40)
        for name, connector in self.each("connector.py", MAX_BODIES="1000000"):
            self.hold_against(name + ", a megabyte", connector, [HEAD % 900_000 + bytes(400_000)] * 10)

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
        for name, connector in self.each():
            is_over = threading.Event()

            def flood():
                while not is_over.is_set():
                    connector.deliver("wrong", b'{"a": [1, 2]}', b"another")

            threads = [threading.Thread(target=flood) for _ in range(8)]
            for each in threads:
                each.start()
            begun = time.monotonic()
            self.assertEqual(connector.deliver("flood " + name), 200)
            if IS_NIGHTLY:
                print(f"{name}: a flood of wrong signatures: 200 after {time.monotonic() - begun:.2f} s", flush=True)
            is_over.set()
            for each in threads:
                each.join()

    def test_a_refused_signature_is_explained_in_the_log_and_not_to_the_sender(self):
        body = b'{"text":"a/b","n":1}'
        for name, connector in self.each(WEBHOOK_SECRET="'hush'\nother \n"):
            cases = {
                "it has no X-Shopify-Hmac-Sha256": lambda: connector.post(body, {}),
                "has quotes or spaces that do not belong to it": lambda: connector.deliver("k", body),
                "it is of none of the secrets (2)": lambda: connector.deliver("k", body, b"a third"),
            }
            for reason, deliver in cases.items():
                self.assertEqual(deliver(), 401)
                wait_until(lambda: reason in connector.lines(), reason)
            self.assertEqual(connector.deliver("k-" + name, body, b"other "), 200)
        for name, connector in self.each():
            changes = [body + b"\n"]
            if name != "Connector.java":  # it parses no JSON
                changes.append(b'{"text": "a/b", "n": 1}')
            for changed in changes:
                self.assertEqual(connector.post(changed, connector.headers("k", body)), 401)
            wait_until(lambda: connector.lines().count("does a proxy parse it?") == len(changes))

    def test_what_a_stranger_sends_forges_no_line_of_the_log_and_shows_no_secret(self):
        for _, connector in self.each("connector.py", PROVIDER="twilio"):
            head = b"POST /webhooks?token=s3cret&\xc2\x9b[31mbare HTTP/1.1\r\nHost: a\r\n ERROR forged\r\n"
            with connector.begin(head + b"X-Twilio-Signature: A\r\nContent-Length: 0\r\n\r\n") as sent:
                self.assertIn(b" 401 ", sent.recv(1000))
            wait_until(lambda: "https://a" in connector.lines())
            self.assertNotIn("s3cret", connector.lines())
            self.assertNotIn("[31m", connector.lines())
            self.assertIn("token=…&…", connector.lines())
            self.assertTrue(all(line[:1].isupper() for line in connector.lines().splitlines()), connector.lines())
        for _, connector in self.each():
            self.assertEqual(connector.deliver("", b"{}", headers={"X-Shopify-Topic": "\x9b31m".encode()}), 200)
            wait_until(lambda: "no id" in connector.lines())
            self.assertTrue(all(" " <= each or each == "\n" for each in connector.lines()))
            self.assertNotIn("\x9b", connector.lines())

    def test_a_token_that_a_refusal_shows_is_neither_logged_nor_kept(self):
        problem = {"code": "validation_failed", "shown": "Bearer token"}
        for name, connector in self.each():
            answer = 422, {"Content-Type": "application/problem+json"}, problem
            if name == "connector.py":
                answer = 200, {}, {"results": [{"status": 422, "problem": problem}]}
            self.service.answers.append(answer)
            self.assertEqual(connector.deliver("shown-" + name), 200)
            wait_until(lambda: "validation_failed" in connector.lines())
            self.assertNotIn("Bearer token", connector.lines() + connector.kept())

    def test_large_webhooks_that_are_refused_at_once_are_kept_each_for_itself(self):
        bodies = [b'{"n":%d%s}' % (n, b" " * 2_000_000) for n in range(4)]
        for _, connector in self.each():
            threads = [threading.Thread(target=connector.deliver, args=["", body]) for body in bodies]
            for each in threads:
                each.start()
            for each in threads:
                each.join()
            for body in bodies:
                self.assertEqual(connector.kept().count(base64.b64encode(body).decode()), 1)

    def test_what_cannot_be_kept_is_not_answered_2xx_and_the_connector_lives_on(self):
        for name, connector in self.each(REFUSED=self.folder):
            if name == "connector.py":
                lock = sqlite3.connect(connector.outbox, isolation_level=None)
                lock.execute("BEGIN EXCLUSIVE")
            self.assertEqual(connector.deliver("" if name != "connector.py" else "locked"), 503)
            if name == "connector.py":
                lock.close()
            self.assertEqual(connector.deliver("kept-" + name), 200)

    def test_a_body_that_no_provider_sends_is_a_line_in_the_log(self):
        for name, connector in self.each():
            body = b"" if name == "connector.py" else bytes(25_000_001)  # Python reads only the length
            status = connector.post(body, {"Content-Length": "25000001"})
            self.assertEqual(status, 413)
            wait_until(lambda: "more than 25000000 bytes" in connector.lines())

    def test_a_byte_order_mark_is_left_out_and_a_body_in_gzip_is_named(self):
        for name, connector in self.each():
            self.assertEqual(connector.deliver("bom-" + name, b'\xef\xbb\xbf{"n":1.0}'), 200)
            self.is_stored("bom-" + name)
            self.assertEqual(connector.deliver("gzip-" + name, gzip.compress(b"{}")), 200)
            wait_until(lambda: "its body is in gzip, not in plain JSON" in connector.lines())

    def test_a_shops_name_in_the_body_is_the_brand_of_an_event_without_the_header(self):
        for name, connector in self.each():
            body = b'{"shop_id":1,"shop_domain":"a.myshopify.com","customer":{"phone":"1"}}'
            self.assertEqual(connector.deliver("redact-" + name, body), 200)
            self.is_stored("redact-" + name)
            meta = self.service.events["redact-" + name][0]["payload"]["_meta"]
            self.assertEqual((meta["brand_id"], meta["shop"]), ("a.myshopify.com", "a.myshopify.com"))

    def test_whatever_a_class_raises_no_webhook_is_lost_and_no_stranger_gets_in(self):
        broken = os.path.join(self.folder, "broken.py")
        with open(broken, "w") as file:
            file.write(
                "import runpy, providers\n"
                "def fail(*_): raise StopIteration\n"
                "classes = []  # else nobody holds them\n"
                "for name in 'signed', 'webhook', 'events', 'handshake':\n"
                "    members = {name: fail, **({} if name == 'signed' else {'accepts': lambda *_: True})}\n"
                "    classes.append(type('No' + name, (providers.Shopify, providers.Provider), members))\n"
                "runpy.run_path('connector.py', run_name='__main__')\n")
        command = [sys.executable, "-B", broken]
        for name, status in ("signed", 401), ("webhook", 200), ("events", 200), ("handshake", 503):
            connector = self.start(command, PROVIDER="no" + name, PYTHONPATH=EXAMPLES)
            self.addCleanup(connector.kill)
            self.assertEqual(connector.deliver("k"), status, name)
            is_kept = "a webhook is refused" in connector.lines()
            self.assertEqual(is_kept, status == 200)


if __name__ == "__main__":
    unittest.main()
