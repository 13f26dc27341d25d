"""Tests operate/feed: what it prints, and its calls of the functions."""
import json, re, unittest
from datetime import datetime, timedelta, timezone
from unittest.mock import patch
from erasing import ErasingTest, store
from operators import command
from operators.beats import BEGINNING
from operators.command import Refusal, moment
from running import PORT, STACK, Insights, answering, logged, run, sleep

BEGIN, END = "2026-11-20T00:00:00+00:00", "2026-11-21T00:00:00+00:00"
FROM, TIMES = ("--from", "2026-11-20T00:00:00Z"), ("--from", "2026-11-20T00:00:00Z", "--to", "2026-11-21T00:00:00Z")
LOST, SINCE = "2026-11-18T00:00:00.000Z", "2026-11-19T00:00:00.000Z"
UNTIL = "2026-11-20T12:00:00.000Z"
ANSWERS = [
    {"searched": 500, "renumbered": 2, "next": "1"},
    {"searched": 0, "renumbered": 0, "next": "2"},
    {"searched": 7, "renumbered": 1, "whole_until": UNTIL},
]
HELD = r"The feed holds all that was stored before 2026-11-20T12:00:00\.000Z, \d+ \w+ ago\."
NAME = "BeatFeedFunction"
MINUTE = 60


def beat(age=MINUTE, name=f"prod-{NAME}-1ABC", **members):
    """The line of a beat so many seconds ago, and its age. The feed was whole until five seconds before."""
    until = datetime.now(timezone.utc) - timedelta(seconds=age + 5)
    known = {"feed": "3f9a01c2", "feed_behind_seconds": 5, "feed_lost": 0, "whole_until": until.isoformat(), "head": 12}
    return age, {"request_id": "r", "function_name": name, "beat": 7, "marks": 64, **known, **members}


def failed(age=MINUTE, error="no answer"):
    return age, {"request_id": "r", "function_name": f"prod-{NAME}-1ABC", "error": error}


def unknown(age=MINUTE):
    """A beat that was not noted: nobody knows what the feed holds."""
    return age, {"request_id": "r", "function_name": NAME, "beat": 1, "marks": 64, "head": 0}


def status(*words):
    return run("feed", *words, "status")


class StatusTest(unittest.TestCase):
    def of_stack(self, *lines, words=("status",)):
        """Runs the command on a stack with this log. It may call nothing but the queries of the log."""
        log = Insights(*lines)

        def aws(*call, stdin=""):
            if call[0] == "cloudformation":
                return json.dumps({"Stacks": [STACK]})
            self.assertEqual(call[0], "logs", call)
            return json.dumps(log.answer(call))

        with patch.object(command, "aws", aws):
            return run("feed", "--stack", "prod", *words)

    def test_it_says_of_which_time_the_feed_holds_all(self):
        ahead = {"whole_until": (datetime.now(timezone.utc) + timedelta(minutes=1)).isoformat()}
        for line, ago in ((beat(55), "60 s"), (beat(3 * MINUTE), "3 minutes"), (beat(**ahead), "0 s")):
            logged(self, line)
            for output in (status(), self.of_stack(line)):
                with self.subTest(ago):
                    pattern = (
                        r"  feed         3f9a01c2\n  head         12\n  whole since  all there ever was\n"
                        rf"  whole until  \S+, {ago} ago\n  lost from    nothing is lost\n"
                    )
                    self.assertEqual(output[0], 0)
                    self.assertRegex(output[1], f"^{pattern}$")

    def test_what_is_wrong_has_what_follows(self):
        lost = {"feed_lost": 1, "lost_from": LOST, "whole_since": SINCE}
        behind = {"whole_until": "2026-11-20T12:00:00.000Z"}
        day = "nobody says how far it is: BeatFeedFunction has logged nothing in 24 hours. Its schedule is off, or it fails."
        off = r"nobody says how far it is: BeatFeedFunction ran last at \S+, 20 minutes ago. Its schedule is off, or it fails."
        is_behind = r"it is behind: only what was stored before 2026-11-20T12:00:00.000Z, \d+ \w+ ago, is sure to be there."
        to_fill = r"operate/feed --stack prod fill --from"
        for lines, faults in (
            ([], [day]),
            ([(MINUTE, {"function_name": "other"})], [day]),
            ([beat()], []),
            ([beat(14 * MINUTE)], []),
            ([beat(20 * MINUTE)], [off, r"it is behind: only what was stored before \S+, 20 minutes ago, is"]),
            ([beat(**behind)], [is_behind]),
            ([beat(**behind), beat(2 * MINUTE)], [is_behind]),
            ([beat(2 * MINUTE, **behind), beat()], []),
            ([unknown()], ["nobody knows what it holds."]),
            ([unknown(), beat(2 * MINUTE)], ["nobody knows what it holds."]),
            ([failed()], ["BeatFeedFunction fails: no answer.", "nobody knows what it holds."]),
            ([failed(), beat(2 * MINUTE)], ["BeatFeedFunction fails: no answer."]),
            ([failed(age * MINUTE) for age in range(20)] + [beat(21 * MINUTE)], ["BeatFeedF", "nobody knows what"]),
            ([failed(error="\x1b[2J")], [r"BeatFeedFunction fails: \\u001b\[2J.", "nobody knows"]),
            (
                [beat(**lost)],
                [f"it may lack what was stored from {LOST} to {SINCE}: {to_fill} {LOST} brings it back"],
            ),
            (
                [failed(), beat(2 * MINUTE, **{**lost, "lost_from": BEGINNING})],
                ["BeatF", f"it may lack what was stored from the beginning of all to {SINCE}: {to_fill} {BEGINNING} "],
            ),
        ):
            with self.subTest(lines):
                code, output = self.of_stack(*lines)

                self.assertEqual(code, 0, output)
                found = [line for line in output.splitlines() if line.startswith("! ")]
                self.assertEqual(len(found), len(faults), output)
                for line, fault in zip(found, faults):
                    self.assertRegex(line, rf"^! {fault}")
                    self.assertTrue(line.endswith(" See docs/alarms.md#when-the-feed-is-behind"))

    def test_what_was_lost_has_its_times_and_the_command_of_this_port(self):
        logged(self, beat(name=NAME, lost_from=LOST, whole_since=SINCE))

        output = status("--port", "3100")[1]

        self.assertIn(f"\n  whole since  {SINCE}\n", output)
        self.assertIn(f"\n  lost from    {LOST}\n", output)
        self.assertIn(f"operate/feed --port 3100 fill --from {LOST} brings it back.", output)

    def test_a_local_service_without_requests_has_no_beats_and_is_not_behind(self):
        logged(self, beat(5 * 3600))

        self.assertNotIn("!", status()[1])

    def test_a_feed_without_a_position_says_so(self):
        line = {name: value for name, value in beat(head=0)[1].items() if name != "feed"}
        logged(self, (MINUTE, line))

        self.assertTrue(status()[1].startswith("  feed         none: no position was given yet\n  head         0\n"))


class FillTest(unittest.TestCase):
    def test_calls_go_on_until_an_answer_has_no_next_and_their_counts_are_added_up(self):
        calls = answering(self, *ANSWERS)

        code, output = run("feed", "fill", *TIMES)

        printed = "507 events and erasures searched. 3 lacked a position, and have one now.\n"
        self.assertEqual(code, 0)
        self.assertRegex(output, f"^{printed}{HELD}\n$")
        first = {"fill": {"from": BEGIN, "to": END}}
        events = [first, {**first, "next": "1"}, {**first, "next": "2"}]
        self.assertEqual(calls, [("RestoreEventsFunction", event) for event in events])

    def test_without_a_terminal_too_it_says_once_for_what_it_waits(self):
        waits = [{**answer, "wait_seconds": 2, "whole_until": UNTIL} for answer in ANSWERS[:2]]
        answering(self, *waits, ANSWERS[2])

        code, output = run("feed", "fill", *TIMES)

        self.assertEqual((code, output.count("waits")), (0, 1), output)
        far = r"It has come to what was stored before 2026-11-20T12:00:00\.000Z, \d+ \w+ ago\."
        self.assertRegex(output, rf"^It waits until the feed has all that was stored before it began\. {far} If the feed stands: docs/")

    def test_what_the_feed_may_lack_after_a_part_is_said_with_the_command_for_it(self):
        answering(self, {**ANSWERS[2], "whole_since": SINCE, "lost_from": LOST})

        code, output = run("feed", "--port", "3100", "fill", *TIMES)

        self.assertEqual(code, 0, output)
        self.assertIn(f"\nThe feed holds what was stored from {SINCE} to {UNTIL}, ", output)
        rest = f"\nBut it may lack what was stored from {LOST} to {SINCE}: operate/feed --port 3100 fill --from {LOST} "
        self.assertIn(rest, output)

    def test_without_a_beginning_it_fills_what_the_newest_beat_says_is_lost(self):
        for begin, first in ((LOST, "2026-11-18T00:00:00+00:00"), (BEGINNING, "1970-01-01T00:00:00+00:00")):
            with self.subTest(begin):
                logged(self, beat(lost_from=begin, whole_since=SINCE), beat(2 * MINUTE))
                calls = answering(self, ANSWERS[2])

                self.assertEqual(run("feed", "fill", "--to", END)[0], 0)
                self.assertEqual(calls, [("RestoreEventsFunction", {"fill": {"from": first, "to": END}})])

    def test_without_a_beginning_and_without_a_loss_it_fills_nothing(self):
        calls = answering(self)
        logged(self, beat())

        self.assertEqual(run("feed", "fill"), (0, "Nothing is lost, so nothing is to be filled.\n"))
        self.assertEqual(calls, [])

    def test_where_nobody_knows_what_is_lost_it_needs_a_beginning(self):
        for lines in ([], [unknown()], [failed()]):
            with self.subTest(lines):
                logged(self, *lines)
                code, output = run("feed", "fill")
                self.assertEqual((code, "name the time by --from" in output), (1, True), output)

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
    """Of the local service: beats say what its feed holds."""

    def wait_until_whole(self, at):
        """Waits until the feed holds what was stored before this time. Returns what status prints."""
        for _ in range(300):
            output = status("--port", PORT)[1]
            until = re.search(r"whole until  (\S+), ", output)
            if until and moment(until[1]) > at:
                return output
            store()  # beats come while requests come
            sleep(0.2)
        self.fail(output)

    def test_the_status_has_its_head_and_a_fill_of_what_it_has_changes_nothing(self):
        begin = datetime.now(timezone.utc)
        store(3)
        output = self.wait_until_whole(begin)

        self.assertGreater(int(re.search(r"head +(\d+)", output)[1]), 0)
        self.assertIn("\n  whole since  all there ever was\n", output)
        self.assertNotIn("!", output)

        code, output = run("feed", "--port", PORT, "fill", "--from", begin.isoformat())

        self.assertEqual(code, 0, output)
        self.assertRegex(output, r"(?m)^\d+ events and erasures searched\. 0 lacked a position")
        self.assertRegex(output, r"\nThe feed holds all that was stored before \S+, \d+ s ago\.\n$")


if __name__ == "__main__":
    unittest.main()
