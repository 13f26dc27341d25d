"""Tests of outbox.py: several processes at a file, a power cut, proxies, and refused bodies that are sent after all."""
import base64, json, os, random, subprocess, sys, tempfile, threading, unittest
from unittest import mock

from running import EXAMPLES, IS_NIGHTLY, PYTHON, Connector, Service, wait_until
sys.path.insert(0, EXAMPLES)
import consumer, outbox, providers

EVENT = '{"event_type":"a.b","payload":{}}'


class Answers:
    """A session that answers for the service."""

    def __init__(self):
        self.sent = []

    def send(self, events):
        self.sent += [key for _, key, _ in events]
        results = [{"status": 201, "event": {"id": "1", "event_type": "a.b"}} for _ in events]
        return outbox.Answer(200, {"results": results}, {})


class InAFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder, self.file = folder.name, os.path.join(folder.name, "outbox")
        self.service = Service()
        self.addCleanup(self.service.close)

    def outbox(self):
        opened = outbox.Outbox(self.file)
        self.addCleanup(opened.database.close)
        return opened

    def run_outbox(self, *words):
        command = [sys.executable, "-B", os.path.join(EXAMPLES, "outbox.py"), self.file, *words]
        run = subprocess.run(command, capture_output=True, text=True)
        return run.returncode, run.stdout, run.stderr

    def connector(self):
        started = Connector(PYTHON, self.service.url, self.folder)
        self.addCleanup(started.kill)
        return started


class Senders(InAFolder):
    def test_a_sender_removes_no_event_that_has_come_after_its_own(self):
        one, other = self.outbox(), self.outbox()
        one.keep([outbox.row("1", EVENT)])
        events = one.batch()
        other.settle(Answers(), other.batch())  # so the file is empty, and SQLite may use its row again
        other.keep([outbox.row("2", EVENT)])
        one.settle(Answers(), events)
        self.assertEqual([key for _, key, _ in one.batch()], ["2"])

    def test_one_process_sends_and_another_waits_for_its_end_and_says_so(self):
        first, second = self.outbox(), self.outbox()
        session = Answers()
        first.wait_for_turn()
        first.keep([outbox.row("1", EVENT)])
        with self.assertLogs() as logs, mock.patch.object(outbox, "PAUSE", 0.01):
            waiting = threading.Thread(target=second.send, args=[session], daemon=True)
            with mock.patch.object(outbox.Outbox, "settle", side_effect=SystemExit):
                waiting.start()
                wait_until(lambda: logs.output)
                self.assertEqual((session.sent, waiting.is_alive()), ([], True))
                first.turn.close()  # as its end does
                waiting.join()
        self.assertIn("another process sends from", logs.output[0])

    def test_senders_that_are_killed_and_started_beside_each_other_lose_nothing_and_send_nothing_twice(self):
        randomly, number = random.Random(73), 0
        for _ in range(20 if IS_NIGHTLY else 1):
            expected, running = set(), [self.connector(), self.connector()]
            for _ in range(500 if IS_NIGHTLY else 60):
                number += 1
                if running[randomly.randrange(2)].deliver(f"k{number}") == 200:
                    expected.add(f"k{number}")
                if randomly.random() < (0.02 if IS_NIGHTLY else 0.05):
                    place = randomly.randrange(2)
                    running[place].kill()
                    running[place] = self.connector()
            wait_until(lambda: expected <= self.service.events.keys(), "an event")
            for each in running:
                each.kill()
        for events in self.service.events.values():  # a kill may lose an answer: then it comes again, the same
            self.assertTrue(all(event == events[0] for event in events))

    def test_what_is_kept_survives_a_power_cut(self):
        """In this mode SQLite also syncs the folder, after it has deleted the journal: that is the commit."""
        self.assertEqual(self.outbox().database.execute("PRAGMA synchronous").fetchone(), (3,))


class Bodies(InAFolder):
    def refuse(self, body, **headers):
        """Refuses a webhook as a connector without the right class does."""
        headers = [[name.replace("_", "-"), value] for name, value in headers.items()]
        request = {"method": "POST", "url": "https://a/webhooks?team=t1&secret=", "headers": headers}
        row = (None, '{"reason":"r"}', None, base64.b64encode(body).decode(), json.dumps(request))
        self.outbox().keep([], [row])

    def test_a_refused_body_is_made_an_event_by_a_class_that_can_do_it(self):
        self.refuse(b'{"ticket": 7}', X_Zendesk_Webhook_Invocation_Id="i1", X_Zendesk_Account_Id="a1")
        self.assertEqual(self.run_outbox("retry"), (0, "", ""))
        self.assertEqual(self.outbox().batch(), [])
        self.assertEqual(self.run_outbox("retry", "--provider", "zendesk"), (0, "", ""))
        ((_, key, event),) = self.outbox().batch()
        event = json.loads(event)
        self.assertEqual((key, event["event_type"]), ("i1", "zendesk.trigger"))
        self.assertEqual((event["payload"]["ticket"], event["payload"]["_meta"]["brand_id"]), (7, "a1"))
        self.assertEqual(self.run_outbox("refused"), (0, "", ""))

    def test_a_class_sees_a_refused_delivery_as_it_came(self):
        class FromUrl(providers.Zendesk):
            def webhook(self, request, event):
                return providers.Webhook(request.method, "k", brand=request.parameter("team"))

        self.refuse(b"{}")
        its = self.outbox()
        its.database.execute("UPDATE refused SET at = '2026-11-20 12:00:00'").connection.commit()
        self.assertEqual(list(its.retry(FromUrl())), [])
        ((_, _, event),) = its.batch()
        meta = json.loads(event)["payload"]["_meta"]
        self.assertEqual((meta["topic"], meta["brand_id"], meta["received_at"]), ("POST", "t1", "2026-11-20T12:00:00Z"))

    def test_what_no_class_can_take_stays_with_the_reason(self):
        self.refuse(b"<xml/>", X_Zendesk_Webhook_Invocation_Id="i1")
        self.assertEqual(self.run_outbox("retry", "--provider", "zendesk"), (1, "", "1 stays refused: it is no JSON\n"))
        status, _, error = self.run_outbox("retry", "--provider", "nobody")
        self.assertEqual((status, error.startswith("the provider is none of github, ")), (1, True))
        self.assertEqual(json.loads(self.run_outbox("refused")[1])["body"], "PHhtbC8+")


class Proxies(InAFolder):
    def test_a_token_for_this_machine_goes_to_no_proxy(self):
        for module in outbox, consumer:
            for host in "localhost:3000", "127.0.0.1", "127.9.9.9:80", "[::1]:3000":
                with mock.patch.dict(os.environ, {"http_proxy": "http://192.0.2.1:9"}):
                    handler = module.NoProxyForLoopback()
                    request = module.Request(f"http://{host}/api")
                    self.assertIsNone(handler.http_open(request))
                    self.assertEqual(request.host, host)
            with mock.patch.dict(os.environ, {"http_proxy": "http://192.0.2.1:9"}):
                request = module.Request("http://localhost.example.com/api")
                module.NoProxyForLoopback().http_open(request)
                self.assertEqual(request.host, "192.0.2.1:9")


class Clocks(InAFolder):
    def test_a_consumer_notices_an_absence_by_the_clock_of_the_service(self):
        signals = consumer.Signals(self.file, None, None)
        self.addCleanup(signals.database.close)
        page = {"events": [], "next": "f-1", "more": False, "head": "1"}
        signals.take(page, "2126-01-01T00:00:00.000Z")  # this machine's clock is far behind
        signals.take(page, "2126-02-03T00:00:00.000Z")
        with self.assertRaisesRegex(consumer.sqlite3.DataError, "may have missed erasures"):
            signals.take(page, "2126-03-10T00:00:00.000Z")


if __name__ == "__main__":
    unittest.main()
