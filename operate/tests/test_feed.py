"""Tests operate/feed: what it prints, and its calls of the functions."""
import json, re, unittest
from datetime import datetime, timedelta, timezone
from erasing import ErasingTest, store
from moto import STACK, MotoTest, aws
from operators.command import Refusal, Stack, moment
from operators.metrics import oldest
from running import LOCAL, PORT, answering, aws_cli, run, sleep

BEGIN, END = "2026-11-20T00:00:00+00:00", "2026-11-21T00:00:00+00:00"
FROM, TIMES = ("--from", "2026-11-20T00:00:00Z"), ("--from", "2026-11-20T00:00:00Z", "--to", "2026-11-21T00:00:00Z")
ANSWERS = [
    {"searched": 500, "renumbered": 2, "next": "1"},
    {"searched": 0, "renumbered": 0, "next": "2"},
    {"searched": 7, "renumbered": 1},
]


def of_feed(minutes=0, **members):
    at = datetime.now(timezone.utc) - timedelta(minutes=minutes)
    return {"feed": {"head": 12, "feed": "3f9a01c2", "numbered_at": at.isoformat(), **members}}


def status(*words):
    return run("feed", *words, "status")


class StatusTest(unittest.TestCase):
    def test_it_prints_the_name_the_head_and_when_that_was_given(self):
        ages = ((0, "0 s"), (1, "60 s"), (3, "3 minutes"), (121, "2 hours"), (4000, "2 days"), (-1, "0 s"))
        for minutes, ago in ages:
            with self.subTest(ago):
                calls = answering(self, of_feed(minutes))

                code, output = status()

                self.assertEqual(code, 0, output)
                pattern = rf"  feed         3f9a01c2\n  head         12\n  numbered at  \S+, {ago} ago\n"
                self.assertRegex(output, f"^{pattern}$")
                self.assertEqual(calls, [("FindEventsFunction", {"feed": True})])

    def test_a_feed_without_a_position_says_so(self):
        answering(self, {"feed": {"head": 0}})

        expected = "  feed         none: no position was given yet\n  head         0\n"
        self.assertEqual(status(), (0, expected))

    def test_of_a_stack_it_says_how_late_the_stream_is(self):
        for values, printed in (
            ([400.0, 90_000.0], "in the last hour, the last event of each batch was at most 90 s old"),
            ([], "no figure of the last hour. While no event is stored there is none; if events were stored,"),
        ):
            with self.subTest(printed), aws_cli(answer=json.dumps(of_feed()), values=values):
                code, output = status("--stack", "prod")

                self.assertEqual(code, 0, output)
                self.assertIn(f"\n  stream       {printed}", output)


class StreamAgeTest(MotoTest):
    def test_the_highest_age_of_the_last_hour_is_read_from_the_metric_of_the_function(self):
        self.assertIsNone(oldest(Stack(STACK)))
        now = datetime.now(timezone.utc)
        for function, minutes, age in (("number-events", 2, 1500), ("number-events", 9, 700), ("other", 2, 9000)):
            at = (now - timedelta(minutes=minutes)).isoformat()
            aws(
                *("cloudwatch", "put-metric-data", "--namespace", "AWS/Lambda", "--metric-name", "IteratorAge"),
                *("--dimensions", f"FunctionName={function}", "--timestamp", at, "--value", str(age)),
            )

        self.assertEqual(oldest(Stack(STACK)), 1.5)


class FillTest(unittest.TestCase):
    def test_calls_go_on_until_an_answer_has_no_next_and_their_counts_are_added_up(self):
        calls = answering(self, *ANSWERS)

        code, output = run("feed", "fill", *TIMES)

        printed = "507 events and erasures searched. 3 lacked a position, and get it within seconds.\n"
        self.assertEqual((code, output), (0, printed))
        first = {"fill": {"from": BEGIN, "to": END}}
        events = [first, {**first, "next": "1"}, {**first, "next": "2"}]
        self.assertEqual(calls, [("RestoreEventsFunction", event) for event in events])

    def test_without_an_end_it_fills_up_to_now_in_each_call(self):
        calls = answering(self, *ANSWERS)
        before = datetime.now(timezone.utc)

        self.assertEqual(run("feed", "fill", *FROM)[0], 0)

        [end] = {event["fill"]["to"] for _, event in calls}
        self.assertLess(before, moment(end))
        self.assertLess(moment(end), datetime.now(timezone.utc))

    def test_an_interrupted_fill_says_so(self):
        answering(self, ANSWERS[0], KeyboardInterrupt())
        self.assertEqual(run("feed", "fill", *FROM), (1, "operate/feed: interrupted\n"))

    def test_a_call_that_was_not_available_is_made_again(self):
        busy = Refusal({"code": "temporarily_unavailable", "detail": "Try again."})
        calls = answering(self, busy, *ANSWERS)

        self.assertEqual(run("feed", "fill", *TIMES)[0], 0)
        self.assertEqual(calls[0], calls[1])

    def test_what_the_function_refuses_is_wrong_use(self):
        for pointer, detail, sentence in (
            ("/fill/to", "a time after from", "--to: a time after from"),
            ("/fill", "a shorter or a later time", "--from and --to: a shorter or a later time"),
        ):
            fault = {"pointer": pointer, "detail": detail}
            answering(self, Refusal({"code": "validation_failed", "detail": "", "errors": [fault]}))

            self.assertEqual(run("feed", "fill", *TIMES), (2, f"operate/feed: validation_failed: {sentence}\n"))

    def test_wrong_use_ends_with_one_sentence(self):
        for words, sentence in (
            (("show",), "unknown command show; operate/feed --help shows the commands"),
            (("fill",), "fill needs --from"),
            (("fill", "--to", END), "fill needs --from"),
            (("fill", "now", *FROM), "unknown word now; operate/feed --help shows the options"),
            (("fill", "--from", "9:00"), "--from needs a time such as 2026-11-20T12:00:00Z"),
            (("status", *FROM), "status takes no --from"),
            (("status", "--since", "1h"), "unknown option --since; there are --from, --help, --port, --stack, --to"),
        ):
            with self.subTest(words):
                self.assertEqual(run("feed", *words), (2, f"operate/feed: {sentence}\n"))

    def test_the_usage_is_a_page_and_wrong_use_without_a_command(self):
        code, usage = run("feed", "--help")

        self.assertEqual(code, 0)
        self.assertLess(len(usage.splitlines()), 60)
        self.assertLessEqual(max(map(len, usage.splitlines())), 100)
        self.assertEqual(run("feed"), (2, usage))


class FilledFeedTest(ErasingTest):
    """Of the local service: the stream gives its events their positions."""

    def head(self):
        return LOCAL.invoke("FindEventsFunction", {"feed": True})["feed"]["head"]

    def wait_until_numbered(self, least):
        """Waits until the feed has come to this position, and stands still: all events have their positions then."""
        heads = []
        for _ in range(200):
            heads.append(self.head())
            if heads[-1] >= least and heads[-5:] == [heads[-1]] * 5:
                return
            sleep(0.1)
        self.fail(f"the feed stands at {heads[-1]}, not at {least}")

    def test_a_fill_of_what_the_feed_has_changes_nothing(self):
        begin = datetime.now(timezone.utc).isoformat()
        before = self.head()
        store(3)
        self.wait_until_numbered(before + 3)

        code, output = run("feed", "--port", PORT, "fill", "--from", begin)

        self.assertEqual(code, 0, output)
        self.assertRegex(output, r"^\d+ events and erasures searched\. 0 lacked a position")

    def test_the_status_of_the_local_service_has_its_head(self):
        before = self.head()
        store()
        self.wait_until_numbered(before + 1)

        code, output = status("--port", PORT)

        self.assertEqual(code, 0, output)
        self.assertGreater(int(re.search(r"head +(\d+)", output)[1]), before)


if __name__ == "__main__":
    unittest.main()
