"""Tests operate/check: its options, what it prints, what makes each step wrong, and what it leaves."""
import io, json, os, re, subprocess, unittest
from email.utils import formatdate
from pathlib import Path
from unittest.mock import patch
from operators import api, leftovers, steps
from operators.api import Answer, Api
from operators.checkrun import Run, Wrong
from operators.command import Failure, LocalServe, Refusal, Stack
from running import answering, run, run_on_terminal

SOURCE = Path("check").read_text()
STEPS = re.findall(r"steps\.(\w+)", SOURCE)
BUSY = {"status": 503, "code": "temporarily_unavailable", "detail": "Try again.", "request_id": "id-1"}


def problem(status, code):
    return Answer(status, {"apigw-requestid": "id-1"}, json.dumps({"code": code, "detail": "Why."}))


class UsageTest(unittest.TestCase):
    def test_wrong_use_ends_with_one_sentence(self):
        for words, sentence in (
            (("everything",), "unknown word everything; operate/check --help shows the options"),
            (("--all",), "unknown option --all; there are --help, --port, --stack, --yes"),
            (("--stack", "dev"), "without a terminal, --yes is necessary"),
        ):
            with self.subTest(words), patch("sys.stdin", io.StringIO()):
                self.assertEqual(run("check", *words), (2, f"operate/check: {sentence}\n"))

    def test_it_asks_on_a_terminal_before_it_calls_a_stack(self):
        code, output = run_on_terminal("n", "check", "--stack", "x")

        self.assertEqual(code, 1)
        self.assertIn("Store three events in the stack x, and erase them? [y/N] ", output)
        self.assertIn("operate/check: nothing is checked", output)

    def test_a_service_that_does_not_run_is_named_also_where_marks_cannot_be_printed(self):
        environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
        ended = subprocess.run(["./check", "--port", "1"], env=environment, stdout=subprocess.PIPE, text=True)

        self.assertEqual(ended.returncode, 1)
        self.assertRegex(ended.stdout, r"\nWRONG create users +0\.\d s  local/serve does not answer on port 1; ")
        self.assertRegex(ended.stdout, r"\n- +log in +skipped: needs create users\n")


class ReportTest(unittest.TestCase):
    """What is printed. The steps do nothing and take no time, but for those that a test lets act."""

    now = 0

    def printed(self, **acts):
        acting = patch.multiple(steps, **{**dict.fromkeys(STEPS, lambda _: None), **acts})
        with acting, patch("time.monotonic", lambda: self.now):
            return run("check")

    def failing(self, failure):
        def act(_):
            raise failure

        code, output = self.printed(missing=act)
        self.assertEqual(code, 1)
        return output.partition("✗")[2].partition("✓")[0]

    def test_each_step_has_a_line_and_all_are_counted(self):
        code, output = self.printed(feed=lambda _: "a remark")

        self.assertEqual(code, 0)
        self.assertTrue(output.startswith("Checks http://127.0.0.1:3000\n\n✓ create users           0.0 s\n✓ log in "))
        self.assertIn("\n✓ read the feed          0.0 s  a remark\n", output)
        self.assertTrue(output.endswith("\n22 of 22 steps are right, in 0 s\n"))
        self.assertEqual(output.count("✓"), 22)

    def test_a_wrong_step_has_a_sentence_the_answer_and_a_page(self):
        wrong, who = "docs/operating.md#when-a-step-is-wrong", "docs/operating.md#who-did-what"
        for answer, line, page in (
            (problem(503, "temporarily_unavailable"), "503 temporarily_unavailable: Why.", wrong),
            (problem(500, "internal_error"), "500 internal_error: Why.", wrong),
            (problem(401, "invalid_token"), "401 invalid_token: Why.", wrong),
            (problem(401, "revoked_token"), "401 revoked_token: Why.", who),
            (problem(401, "invalid_credentials"), "401 invalid_credentials: Why.", who),
            (problem(403, "forbidden"), "403 forbidden: Why.", who),
            (problem(404, "not_found"), "404 not_found: Why.", "docs/api.md#errors"),
            (
                Answer(503, {"apigw-requestid": "id-1"}, '{"message": "Service Unavailable"}'),
                "503 Service Unavailable",
                "docs/api.md#errors-of-api-gateway",
            ),
            (Answer(201, {"apigw-requestid": "id-1"}, "{}"), "201", wrong),
        ):
            with self.subTest(line):
                self.assertEqual(
                    self.failing(Wrong("a sentence", answer)),
                    f" find missing keys      0.0 s  a sentence\n    {line} (request_id id-1)\n    {page}\n",
                )

    def test_a_failure_of_another_kind_has_what_is_known(self):
        refusal = f"{BUSY['code']}: {BUSY['detail']}"
        for failure, lines in (
            (Refusal(BUSY), f"{refusal}\n    503 {refusal} (request_id id-1)"),
            (Failure("no answer from here"), "no answer from here"),
            (KeyError("id"), "an unexpected answer: KeyError('id')"),
        ):
            with self.subTest(lines):
                page = "docs/operating.md#when-a-step-is-wrong"
                self.assertTrue(self.failing(failure).endswith(f" 0.0 s  {lines}\n    {page}\n"))

    def test_the_place_in_each_page_exists(self):
        places = re.findall(r'"(docs/[\w-]+\.md)#([\w-]+)"', SOURCE)
        self.assertEqual(len(places), 4)
        for page, anchor in places:
            headings = re.findall("(?m)^#+ (.*)", Path("..", page).read_text())
            self.assertIn(anchor, [re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings])

    def test_steps_that_need_a_wrong_one_are_skipped_and_it_cleans_up(self):
        def act(_):
            raise Wrong("a sentence")

        code, output = self.printed(event=act)

        self.assertEqual(code, 1)
        self.assertEqual(output.count(" skipped: needs "), 13)
        self.assertIn("\n– refuse a late retry  skipped: needs erase\n✓ clean up ", output)
        self.assertIn("\n8 of 22 steps are right", output)

    def test_an_old_run_skips_its_other_steps_and_cleans_up(self):
        def act(_):
            self.now += 600

        code, output = self.printed(create_users=act, log_in=act)

        self.assertEqual(code, 1)
        self.assertIn("\n✓ log in               600.0 s\n– me                   skipped: out of time\n", output)
        self.assertIn("\n✓ clean up ", output)


class StepsTest(unittest.TestCase):
    """A step is wrong if the service's answers are."""

    def setUp(self):
        self.checked = Run(LocalServe(1))
        user = {"id": "user-1", "email": "check@check.invalid", "password": "", "created_at": "2026-11-25T12:00:00Z"}
        self.checked.users = {role: {"user": user, "password": ""} for role in ("consumer", "connector")}
        self.checked.tokens = dict.fromkeys(("consumer", "connector", "static"), "token")
        self.checked.stored = [({"id": "event-1", "created_at": "2026-11-25T12:00:00Z"}, self.checked.payload)]

    def assert_wrong(self, step, sentence, *answers):
        with patch.object(Api, "send_once", side_effect=list(answers)), patch("time.sleep"):
            with self.assertRaises(Wrong) as raised:
                step(self.checked)
        self.assertEqual(str(raised.exception), sentence)

    def test_an_answer_that_differs_from_the_contract_makes_its_step_wrong(self):
        user = self.checked.users["connector"]["user"]
        new, busy = {"status": 201, "event": {}, "replayed": False}, {"status": 503, "problem": BUSY}
        for step, status, body, sentence in (
            (steps.log_in, 401, {"code": "invalid_credentials"}, "401 invalid_credentials, not 200"),
            (steps.me, 401, {"code": "invalid_token"}, "401 invalid_token, not 200"),
            (steps.me, 200, {**user, "role": "consumer"}, "the user's role is consumer, not connector"),
            (steps.me, 200, {**user, "role": "connector", "id": "x"}, "it describes another user"),
            (steps.refresh, 404, {"message": "Not Found"}, "404 Not Found, not 200"),
            (steps.replay, 201, {"id": "event-2"}, "the retry has another id"),
            (steps.replay, 201, {"id": "event-1"}, "it has no Idempotency-Replayed: true"),
            (steps.conflict, 201, {}, "201, not 422 idempotency_key_reused"),
            (steps.batch, 200, {"results": [new, busy]}, f"the result of an event is 503 {BUSY['code']}, not 201"),
            (steps.batch, 200, {"results": [new, {**new, "status": 200}]}, "the result of an event is 200, not 201"),
            (steps.batch, 200, {"results": [new, new]}, "the event that was stored before is not replayed"),
            (steps.missing, 200, {"missing": []}, "missing are [], not never sent"),
            (steps.read, 200, {"user_id": "user-2"}, "the event has another user_id"),
            (steps.payloads, 200, json.loads(self.checked.payload), "the payload of event-1 is not what was sent"),
            (steps.static_token, 401, {"code": "revoked_token"}, "401 revoked_token, not 200"),
            (steps.scope, 201, {}, "201, not 403 forbidden"),
            (steps.retry, 201, {}, "201, not 410 event_erased"),
        ):
            with self.subTest(sentence), patch.object(LocalServe, "invoke", lambda *_: {"token": {"access_token": ""}}):
                self.assert_wrong(step, sentence, Answer(status, {"Idempotency-Replayed": "false"}, json.dumps(body)))

    def test_a_request_that_fails_makes_its_step_wrong(self):
        for step, expected in (
            (steps.event, 201),
            (steps.replay, 201),
            (steps.batch, 200),
            (steps.large_event, 201),
            (steps.missing, 200),
            (steps.feed, 200),
            (steps.brand, 200),
            (steps.read, 200),
            (steps.payloads, 200),
        ):
            with self.subTest(step.__name__):
                self.assert_wrong(step, f"500 internal_error, not {expected}", problem(500, "internal_error"))

    def test_a_token_that_works_after_its_revocation_is_wrong(self):
        login, me = Answer(200, {}, '{"access_token": "new"}'), Answer(200, {}, "{}")
        refused = problem(401, "revoked_token")
        self.assert_wrong(steps.refused, "200, not 401 revoked_token", login, me)
        self.assert_wrong(steps.refused, "200, not 401 revoked_token", login, refused, me)

    def feed_page(self, *entries, more=False, **whole):
        events = [{"position": position, "id": id} for position, id in entries]
        return Answer(200, {}, json.dumps({"events": events, "next": "f-9", "more": more, "head": 9, **whole}))

    def test_the_feed_is_followed_until_it_has_all_events(self):
        answers = [self.feed_page(more=True), self.feed_page(), self.feed_page((9, "event-1"))]
        with patch.object(Api, "send_once", side_effect=answers) as sent, patch("time.sleep") as slept:
            self.assertRegex(steps.feed(self.checked), r"position 9 after \d+ s")
        self.assertFalse(self.checked.feed_stands)

        first, *others = (call.args[1] for call in sent.mock_calls)
        self.assertIn("order=asc&event_type=check.", first)
        self.assertIn("from=2026-11-25T11%3A59%3A30%2B00%3A00", first)
        self.assertEqual(others, [f"{first}&cursor=f-9"] * 2)
        slept.assert_called_once_with(steps.PAUSE)

    def test_an_event_that_does_not_come_to_a_list_is_wrong(self):
        page = self.feed_page()
        with patch("time.monotonic", side_effect=[0, 1, 240]):
            self.assert_wrong(steps.brand, "1 of 1 events in the list are missing after 240 s", page, page)

    def test_on_a_feed_that_stands_it_is_soon_wrong_and_says_what_the_feed_holds(self):
        until = {"whole_until": "2026-11-25T11:00:00.000Z"}
        for target, longest in (LocalServe(1), 21), (self.stack(), 80):
            for whole, held in ({}, "Nobody knows yet what the feed holds."), (until, "The feed holds all that was stored "):
                with self.subTest(longest=longest, held=held):
                    self.checked.target = target
                    page = self.feed_page(**whole)
                    with patch.object(Api, "send_once", return_value=page), patch("time.sleep"):
                        with patch("time.monotonic", side_effect=[0, longest - 1, longest]):
                            with self.assertRaises(Wrong) as raised:
                                steps.feed(self.checked)
                    sentence = f"1 of 1 events in the feed are missing after {longest} s. {held}"
                    self.assertTrue(str(raised.exception).startswith(sentence), raised.exception)
                    self.assertTrue(self.checked.feed_stands)

    def stack(self):
        stack = Stack.__new__(Stack)
        stack.parameters = {"FeedWindowSeconds": "60"}
        return stack

    def test_where_the_feed_stands_an_erasure_ends_when_it_has_erased_what_the_index_has(self):
        for stands in (True, False):
            with self.subTest(stands=stands):
                self.checked.to_erase, self.checked.feed_stands = {self.checked.id}, stands
                waits = {"erasure_id": "e", "ids": [], "next": "e:2", "wait_seconds": 1}
                calls = answering(self, {"ids": ["event-1"], "next": "e:1"}, waits, {"ids": []})

                with patch("time.sleep"):
                    remark = steps.erased(self.checked)

                self.assertEqual("end" in calls[-1][1], stands)
                self.assertEqual(remark, "without the feed, by the index alone" if stands else "")

    def test_an_erasure_that_waits_too_long_ends_at_the_end(self):
        self.checked.to_erase = {self.checked.id}
        begun = {"erasure_id": "e", "ids": [], "next": "e:1"}
        user = {"user": {}}
        waits = {**begun, "wait_seconds": 241}
        ended = {"ids": ["event-1"]}
        calls = answering(self, begun, waits, ended, user, begun, waits, ended, user)

        with patch("time.sleep"), self.assertRaisesRegex(Failure, "an erasure would take 241 s, too long to wait"):
            steps.erased(self.checked)
        steps.clean_up(self.checked)

        erasures = [event for function, event in calls if function == leftovers.ERASE]
        self.assertEqual([event for event in erasures if "end" in event], 2 * [{"end": "e"}])

    def test_on_a_feed_that_was_made_anew_an_erasure_takes_what_the_index_has(self):
        refused = Refusal({"code": "feed_not_whole", "detail": "The feed is whole only since now."})
        calls = answering(self, {"ids": ["event-1"], "next": "e:1"}, refused, {"ids": []})

        self.assertEqual(leftovers.erase(self.checked.target.invoke, ["a"], False), {"event-1"})
        self.assertEqual(calls[-1][1], {"end": "e"})

    def test_positions_out_of_order_are_wrong(self):
        self.checked.stored *= 2
        for page in (self.feed_page((2, "event-1"), (1, "x")), self.feed_page((2, "event-1"), (2, "event-1"))):
            positions = [each["position"] for each in page.json["events"]]
            self.assert_wrong(steps.feed, f"the positions are not in order: {positions}", page)

    def test_an_event_that_is_not_erased_is_wrong(self):
        self.checked.to_erase = {self.checked.id}
        with patch.object(LocalServe, "invoke", lambda *_: {"ids": []}):
            self.assert_wrong(steps.erased, "1 of 1 events are not erased")

    def test_a_clock_that_is_wrong_by_more_than_30_s_is_named(self):
        for machine, gateway, service, sentence in (
            (1000, 1000, 1031, "the clock of CreateEventFunction is 31 s ahead of API Gateway's"),
            (1000, 1000, 969, "the clock of CreateEventFunction is 31 s behind API Gateway's"),
            (1031, 1000, 1000, "this machine's clock is 31 s ahead of API Gateway's"),
            (969, 1000, 1000, "this machine's clock is 31 s behind API Gateway's"),
            (1600, 1000, 400, "the clock of CreateEventFunction is 600 s behind API Gateway's"),
        ):
            with self.subTest(sentence):
                self.checked.clocks = machine, gateway, service
                self.assert_wrong(steps.clocks, sentence)
        self.checked.clocks = 970, 1000, 1030
        steps.clocks(self.checked)

    def test_the_clocks_are_read_from_the_answer_to_an_event(self):
        answer = Answer(201, {"Date": formatdate(1000, usegmt=True)}, '{"created_at": "1970-01-01T00:20:00Z"}')
        with patch.object(Api, "send_once", return_value=answer), patch("time.time", return_value=answer.received):
            steps.event(self.checked)

        self.assertEqual(self.checked.clocks, (answer.received, 1000, 1200))


class ApiTest(unittest.TestCase):
    def test_a_request_is_sent_again_if_it_may_succeed_then(self):
        busy, throttled, sound = (Answer(status, {}, "{}") for status in (503, 429, 200))
        for answers, last in (([busy, throttled, sound], sound), ([busy, busy, throttled, sound], throttled)):
            with patch.object(Api, "send_once", side_effect=answers), patch("time.sleep") as slept:
                self.assertIs(Api("http://127.0.0.1:1").send("GET", "/"), last)
            self.assertEqual([call.args[0] for call in slept.mock_calls], list(api.PAUSES))


class LeftoversTest(unittest.TestCase):
    """What a run leaves, and clears. The functions for operators are this test's."""

    url = "http://127.0.0.1:1"
    killed = "a" * 12  # a run
    users = ((killed, "11:39:59"), ("b" * 12, "11:40:00"))

    def setUp(self):
        self.checked, self.calls, self.waits = Run(self), [], [20]

    def invoke(self, function, event):
        if function == leftovers.ERASE:
            wait = {"next": "n", "wait_seconds": self.waits.pop()} if self.waits else {}
            self.calls.append(f"erase {event['brand_id']}" + (" next" if "next" in event else ""))
            return {"ids": [event["brand_id"]], **wait}
        if event["action"] == "list":
            return {"users": [self.user(*each) for each in self.users]}
        self.calls.append(f"{event['action']} {event['email']}")
        if event["email"] == leftovers.address(self.killed, "connector"):
            raise Refusal({"code": "user_not_found", "detail": ""})
        return {"user": self.user(self.checked.id, "12:00:00")}

    def user(self, run_id, time):
        return {"email": leftovers.address(run_id, "consumer"), "created_at": f"2026-11-25T{time}Z"}

    def test_a_run_also_clears_one_that_was_killed_and_that_began_more_than_20_minutes_before(self):
        self.assertEqual(steps.create_users(self.checked), "clears 1 killed run at the end")
        created = [f"create {leftovers.address(self.checked.id, role)}" for role in ("consumer", "connector")]
        self.assertEqual(self.calls, created)
        self.calls.clear()
        with patch("time.sleep") as slept:
            steps.clean_up(self.checked)

        deleted = [
            [f"delete {leftovers.address(id, role)}" for id in (self.checked.id, self.killed)]
            for role in ("connector", "consumer")
        ]
        erased = f"erase {leftovers.brand_of(self.killed)}"
        self.assertEqual(self.calls, [*deleted[0], erased, f"{erased} next", *deleted[1]])
        slept.assert_called_once_with(20)

    def test_an_event_that_may_be_stored_is_erased(self):
        self.checked.tokens["connector"] = "token"
        for status, to_erase in ((422, set()), (500, {self.checked.id})):
            with self.subTest(status), patch.object(Api, "send_once", return_value=Answer(status, {}, "{}")):
                with self.assertRaises(Wrong):
                    steps.scope(self.checked)
                self.assertEqual(self.checked.to_erase, to_erase)


if __name__ == "__main__":
    unittest.main()
