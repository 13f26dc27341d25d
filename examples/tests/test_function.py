"""Tests of function.py: behind the URL and beside the queues of local/function, and killed at each of its lines."""
import functools, importlib.machinery, importlib.util, json, os, re, subprocess, sys, tempfile, time, unittest
from unittest import mock

try:
    import boto3
except ImportError:
    raise unittest.SkipTest("there is no boto3") from None

from running import EXAMPLES, IS_NIGHTLY, LOGIN, Connector, Service, wait_until

sys.path[:0] = [EXAMPLES]
import function

EMULATOR = os.path.join(EXAMPLES, "..", "local", "function")
loader = importlib.machinery.SourceFileLoader("emulator", EMULATOR)
emulator = importlib.util.module_from_spec(importlib.util.spec_from_loader("emulator", loader))
sys.dont_write_bytecode = True
loader.exec_module(emulator)
AWAY = 503, {"Content-Type": "application/problem+json"}, {"status": 503, "code": "temporarily_unavailable"}
INVALID = 422, {"Content-Type": "application/problem+json"}, {"status": 422, "code": "validation_failed"}


class InAFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder, self.service = folder.name, Service()
        self.addCleanup(self.service.close)
        self.file = os.path.join(self.folder, "queues")

    def tell(self, *answer):
        """Gives the same answer to all requests of events. Without one, it stores them again."""
        answers = functools.partial(Service.answer, self.service)
        self.service.answer = lambda path, *rest: answers(path, *rest) if "auth" in path or not answer else answer

    def stored(self):
        return {key: len(events) for key, events in self.service.events.items()}


class Url(InAFolder):
    def start(self, **settings):
        started = Connector([sys.executable, "-B", EMULATOR], self.service.url, self.folder, QUEUES=self.file,
                            VISIBILITY="0.3", WEBHOOK_SECRET_2="", **settings)
        self.addCleanup(started.kill)
        return started

    def run_command(self, *words):
        run = subprocess.run([sys.executable, "-B", EMULATOR, *words], capture_output=True, text=True, input="{}",
                             env={**os.environ, "QUEUES": self.file})
        return run.returncode, run.stdout, run.stderr

    def dead(self):
        return [json.loads(line) for line in self.run_command("refused")[1].splitlines()]

    def test_what_comes_while_the_service_is_away_is_stored_once_afterwards(self):
        count, started = 1_000 if IS_NIGHTLY else 30, self.start(STORED_WITHIN="5")
        self.tell(*AWAY)
        keys = [f"k{number}" for number in range(count)]
        for key in keys:
            wait_until(lambda: started.deliver(key) == 200)
        self.assertEqual(self.service.events, {})
        self.tell()
        wait_until(lambda: set(self.service.events) == set(keys), "the last event")
        self.assertEqual(self.dead(), [])

    def test_an_event_that_the_service_refuses_is_a_dead_letter_from_where_it_is_sent_again(self):
        started = self.start()
        self.tell(*INVALID)
        self.assertEqual(started.deliver("a", b'{"total": 7.0}'), 200)
        (letter,) = self.dead()
        self.assertEqual((letter["key"], letter["answer"]["code"]), ("a", "validation_failed"))
        self.assertIn('"total": 7.0', letter["event"])
        self.tell()
        self.assertEqual(self.run_command("retry"), (0, "", ""))
        wait_until(lambda: "a" in self.service.events)
        self.assertEqual(self.dead(), [])

    def test_a_refused_body_stays_whole_until_a_class_makes_an_event_of_it(self):
        started = self.start()
        body = b'{"ticket": 7}'
        headers = Connector.headers("", body)
        self.assertEqual(started.post(body, {**headers, "X-Zendesk-Webhook-Invocation-Id": "i1"}), 200)
        self.assertEqual(self.dead()[0]["answer"]["reason"], "it has no topic or no id")
        self.assertEqual(self.run_command("retry"), (0, "", ""))
        self.assertEqual(self.run_command("retry", "--provider", "zendesk"), (0, "", ""))
        wait_until(lambda: "i1" in self.service.events)
        self.assertEqual(self.service.events["i1"][0]["event_type"], "zendesk.trigger")

    def test_what_nobody_can_take_stays_with_its_reason_until_it_is_dropped(self):
        self.assertEqual(self.start().deliver("a", b"<xml/>"), 200)
        (letter,) = self.dead()
        stays = f"{letter['number']} stays refused: it is no JSON\n"
        self.assertEqual(self.run_command("retry", "--provider", "shopify"), (1, "", stays))
        self.assertEqual(self.run_command("drop", "7")[2], "nothing that was refused has the number 7\n")
        self.assertEqual(self.run_command("drop", letter["number"]), (0, "", ""))
        self.assertEqual(self.dead(), [])

    def test_what_neither_service_nor_queue_can_take_gets_no_2xx(self):
        started = self.start(STORED_WITHIN="5")
        self.tell(*AWAY)
        noise = '{"a":"%s"}' % os.urandom(900_000).hex()
        self.assertEqual(started.deliver("large", noise.encode()), 503)
        self.tell()
        self.assertEqual(started.deliver("large", noise.encode()), 200)
        self.assertEqual(self.stored(), {"large": 1})

    def test_a_stranger_gets_401_and_a_handover_of_nonsense_ends(self):
        started = self.start()
        self.assertEqual(started.deliver("a", secret=b"another"), 401)
        emulator.Queues(self.file, 1).send("queue", "nonsense")
        self.assertEqual(started.deliver("b"), 200)
        self.tell(*AWAY)
        started.deliver("c")
        self.tell()
        wait_until(lambda: "c" in self.service.events)
        self.assertEqual(self.stored()["b"], 1)


class AnInstance(InAFolder):
    """The handler in this process. A copy of it dies at a line."""

    def setUp(self):
        super().setUp()
        self.queues = emulator.Queues(self.file, 0)
        place = f"http://127.0.0.1:{emulator.serve(0, emulator.aws(self.queues))}"
        own = {**LOGIN, "PROVIDER": "shopify", "WEBHOOK_SECRET": "hush", "CONNECTOR_API_URL": self.service.url}
        with mock.patch.dict(os.environ, own):
            settings = emulator.settings_of(place)
        patched = mock.patch.dict(os.environ, settings)
        patched.start()
        self.addCleanup(patched.stop)
        function.current, function.fresh_until, function.born = None, 0, 0

    @staticmethod
    def request(key, body="{}", secret=b"hush"):
        headers = Connector.headers(key, body.encode(), secret)
        return {"requestContext": {"domainName": "a", "http": {"method": "POST", "sourceIp": "::1"}}, "rawPath": "/",
                "rawQueryString": "", "headers": headers, "body": body, "isBase64Encoded": False}

    def dies(self, line, event):
        """What a copy of this process makes of an event, if it dies when it has run so many lines. None if it does."""
        reads, writes = os.pipe()
        if child := os.fork():
            os.close(writes)
            with open(reads) as answer:
                text = answer.read()
            os.waitpid(child, 0)
            return json.loads(text) if text else None
        count = [0]

        def trace(frame, what, _):
            if not frame.f_code.co_filename.endswith("function.py"):
                return None
            if what == "line":
                count[0] += 1
                if count[0] == line:
                    os._exit(9)
            return trace

        sys.settrace(trace)
        answer = function.handle(event, None)
        os.write(writes, json.dumps(answer).encode())
        os._exit(0)

    def drain(self, line=0):
        """Hands over what waits, to an instance that dies. Returns whether it has answered."""
        messages = self.queues.receive("queue", 10, 0)
        answer = self.dies(line, {"Records": [{"messageId": str(id), "body": body} for id, body, _ in messages]})
        for id, *_ in messages if answer else ():
            if {"itemIdentifier": str(id)} not in answer["batchItemFailures"]:
                self.queues.delete(id)
        return bool(answer)

    def test_an_instance_that_dies_at_any_line_loses_nothing_and_doubles_nothing(self):
        ways = ("well", (), ()), ("refused later", AWAY, INVALID), ("away", AWAY, ()), ("refused", INVALID, INVALID)
        for name, first, second in ways if IS_NIGHTLY else ways[1:2]:
            with self.subTest(name):
                line, is_alive, ends = 0, False, 0
                while not is_alive:
                    line += 1 if IS_NIGHTLY else 25
                    self.service.events.clear()
                    self.tell(*first)
                    request = self.request(f"k{line}")
                    answer = self.dies(line, request)
                    is_alive = bool(answer)
                    answer = answer or self.dies(0, request)  # the provider delivers it again
                    self.assertEqual(answer["statusCode"], 200)
                    self.tell(*second)
                    is_alive &= self.drain(line)
                    self.drain()
                    ends += 1
                    dead = [function.unpacked(body)["key"] for _, body, _ in self.queues.receive("dead", 10, 0)]
                    self.assertEqual(set(self.service.events) or set(dead), {f"k{line}"})
                    self.queues.ask("DELETE FROM messages")
                self.assertGreater(ends, 2)

    def test_what_is_not_stored_is_logged_by_its_key(self):
        erased = 410, {"Content-Type": "application/problem+json"}, {"status": 410, "code": "event_erased"}
        for answer, said in (INVALID, "validation_failed"), (AWAY, "temporarily_unavailable"), (erased, "event_erased"):
            with self.subTest(said), self.assertLogs(level="ERROR") as logged:
                self.tell(*answer)
                self.assertEqual(function.handle(self.request(said), None)["statusCode"], 200)
            self.assertRegex(logged.output[0], f"event {said}: .*{said}")
        with self.assertLogs(level="ERROR") as logged, mock.patch.object(function, "MOST_BYTES", 10):
            self.tell(*AWAY)
            self.assertEqual(function.handle(self.request("large"), None)["statusCode"], 503)
        self.assertRegex(logged.output[-1], "than a queue takes, of large")

    def test_a_new_secret_is_taken_within_five_minutes(self):
        self.assertEqual(function.handle(self.request("a"), None)["statusCode"], 200)
        with mock.patch.dict(os.environ, WEBHOOK_SECRET="another"):
            self.assertEqual(function.handle(self.request("b", secret=b"another"), None)["statusCode"], 401)
            function.fresh_until = time.monotonic() - 1
            self.assertEqual(function.handle(self.request("b", secret=b"another"), None)["statusCode"], 200)

    def tell_secret(self, **secrets):
        """Changes the secret, and lets the instance look for it."""
        answer, other = emulator.Queues.answer, {"SecretString": json.dumps({"WEBHOOK_SECRET": "hush", **secrets})}
        self.queues.answer = lambda action, asked: (
            other if action == "GetSecretValue" else answer(self.queues, action, asked))
        function.fresh_until = time.monotonic() - 1

    def test_a_login_that_takes_the_place_of_a_token_is_used(self):
        self.tell_secret(CONNECTOR_API_TOKEN="old")
        self.assertEqual(function.handle(self.request("a"), None)["statusCode"], 200)
        self.assertNotIn("/api/auth/login", self.service.paths)
        self.tell_secret(CONNECTOR_API_TOKEN="", CONNECTOR_API_EMAIL="a@b.example", CONNECTOR_API_PASSWORD="password")
        self.assertEqual(function.handle(self.request("b"), None)["statusCode"], 200)
        self.assertIn("/api/auth/login", self.service.paths)

    def test_after_a_mistake_in_the_secret_the_last_one_serves(self):
        self.tell_secret(CONNECTOR_API_TOKEN="token")
        self.assertEqual(function.handle(self.request("a"), None)["statusCode"], 200)
        for mistake in {"CONNECTOR_API_TOKEN": "two words"}, {"CONNECTOR_API_TOKEN": 7}:
            with self.subTest(mistake), self.assertLogs(level="ERROR"):
                self.tell_secret(**mistake)
                self.assertEqual(function.handle(self.request("b"), None)["statusCode"], 200)
        self.assertEqual(self.stored(), {"a": 1, "b": 2})

    def test_an_instance_that_started_long_before_its_first_request_stores_it(self):
        function.born = time.monotonic() - 60
        self.assertEqual(function.handle(self.request("a"), None)["statusCode"], 200)
        self.assertEqual(self.stored(), {"a": 1})

    def test_retry_ends_while_the_service_goes_on_refusing(self):
        self.tell(*INVALID)
        self.assertEqual(function.handle(self.request("a"), None)["statusCode"], 200)
        letters = function.DeadLetters(os.environ["DEAD_LETTERS"])
        keep, rounds = letters.keep, iter(range(2))

        def refused_at_once(rows):
            next(rounds)
            keep(rows)
            self.drain()

        with mock.patch.object(letters, "keep", refused_at_once):
            self.assertEqual(list(letters.retry()), [])
        self.assertEqual(next(rounds), 1)

    def test_a_header_is_read_whether_aws_took_its_bytes_for_latin_1_or_utf_8(self):
        for sent in "ê", "ê".encode().decode("latin-1"):
            with self.subTest(sent):
                request = self.request("a" + sent)
                self.assertEqual(function.handle(request, None)["statusCode"], 200)
        self.assertEqual(self.stored(), {"a%C3%AA": 2})

    def test_what_is_no_event_in_the_queue_holds_up_nothing_and_is_a_dead_letter_again(self):
        body = function.letter(None, '{"reason": "it is no JSON"}', None, "PHhtbC8+", '{"headers": []}')
        others = [{}, 7, {"key": "a"}, {"key": "a", "event": 7}]  # AWS's console puts all dead letters back, of any form
        for each in body, *others:
            self.queues.send("queue", function.packed(each))
        self.tell(*AWAY)
        self.assertEqual(function.handle(self.request("a"), None)["statusCode"], 200)
        self.tell()
        self.assertTrue(self.drain())
        self.assertEqual(self.stored(), {"a": 1})
        dead = [function.unpacked(text) for _, text, _ in self.queues.receive("dead", 10, 0)]
        self.assertEqual(dead, [body])
        self.assertEqual(len(self.queues.receive("queue", 10, 0)), len(others))

    def test_a_dead_letter_of_another_form_is_shown_and_does_not_hold_up_the_others(self):
        event = function.letter("a", '"why"', '{"event_type":"a.b","payload":{}}')
        for each in "nonsense", *map(function.packed, ({}, 7, {"key": "a"}, event)):
            self.queues.send("dead", each)
        letters, again = (function.DeadLetters(os.environ["DEAD_LETTERS"]) for _ in range(2))
        self.assertEqual({each["number"]: each["key"] for each in letters.refused()},
                         {"1": None, "2": None, "3": None, "4": None, "5": "a"})
        self.assertEqual(list(again.retry()), [])
        self.assertEqual(len(self.queues.receive("queue", 10, 0)), 1)

    def test_the_stack_gives_the_settings_that_the_function_reads(self):
        with open(os.path.join(EXAMPLES, "connector.yaml")) as file:
            block = re.search(r"Variables:\n((?: +[A-Z_]+: .*\n)+)", file.read())[1]
        given = set(re.findall("[A-Z_]+(?=:)", block))
        with open(function.__file__) as file:
            read = set(re.findall(r'os\.environ(?:\.get\(|\[)"([A-Z_]+)"', file.read()))
        self.assertEqual(given, read | {"CONNECTOR_API_URL"})


if __name__ == "__main__":
    unittest.main()
