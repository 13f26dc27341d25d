"""Tests operate/restore: its calls of RestoreEventsFunction, what it asks and prints, and its exit codes."""
import unittest
from operators.command import Refusal
from running import PORT, answering, run, run_on_terminal

LEDGER, TABLE = "ledger:0198f000-0000-7000-8000-000000000000:2", "table:0198f000-0000-7000-8000-000000000001"
ANSWERS = [
    {"restored": 0, "kept": 0, "erased": 3, "next": LEDGER},
    {"restored": 10, "kept": 2, "erased": 1, "next": TABLE},
    {"restored": 5, "kept": 0, "erased": 0},
]
FROM = ("--from", "events-restored")
PROOF = {"erasure_id": "019a", "begun": "2026-11-20T12:00:00.123Z", "count": 4}
AGAIN = [{"erasure_id": "019b", "begun": "2026-11-21T12:00:00Z", "selector": "where", "reason": "request 19"}]
NO_FIGURES = {"taken_back": 0, "stay_erased": 0, "expired": 0}
BEGINS = {**NO_FIGURES, "next": "NWI4", "erase_again": AGAIN, "proof": PROOF}
GOES_ON = {"taken_back": 1, "stay_erased": 1, "expired": 0, "next": "NWI5"}
ENDS = {"taken_back": 1, "stay_erased": 0, "expired": 1, "erase_again": AGAIN, "proof": PROOF}
LISTED = "erasure id  begun                 selector  reason\n019b        2026-11-21T12:00:00Z  where     request 19\n"


class RestoreTest(unittest.TestCase):
    def test_calls_go_on_until_an_answer_has_no_next_and_their_counts_are_added_up(self):
        calls = answering(self, *ANSWERS)

        code, output = run("restore", *FROM)

        self.assertEqual(code, 0)
        self.assertEqual(output, "15 restored, 2 there already or erased. 4 tombstones put for erased events.\n")
        first = {"restore_from": "events-restored"}
        events = [first, {**first, "next": LEDGER}, {**first, "next": TABLE}]
        self.assertEqual(calls, [("RestoreEventsFunction", event) for event in events])

    def test_a_call_that_was_not_available_is_made_again(self):
        busy = Refusal({"code": "temporarily_unavailable", "detail": "Try again."})
        calls = answering(self, busy, *ANSWERS)

        self.assertEqual(run("restore", *FROM)[0], 0)
        self.assertEqual(calls[0], calls[1])

    def test_an_event_that_cannot_be_restored_is_a_failure_that_names_it(self):
        events = [{"id": "019a", "reason": "it is damaged"}, {"id": "019b", "reason": "it is too large"}]
        answering(self, {**ANSWERS[0], "not_restored": events}, ANSWERS[2])

        code, output = run("restore", *FROM)

        self.assertEqual(code, 1)
        self.assertIn("5 restored", output)
        self.assertIn("could not be restored:\n  019a  it is damaged\n  019b  it is too large", output)

    def test_a_table_that_is_refused_is_wrong_use(self):
        fault = {"pointer": "/restore_from", "detail": "the name of a table that is there: events-restored"}
        answering(self, Refusal({"code": "validation_failed", "detail": "", "errors": [fault]}))

        code, output = run("restore", "--from", "events")

        self.assertEqual(code, 2)
        self.assertIn("--from: the name of a table that is there: events-restored", output)

    def test_an_erasure_is_taken_back_call_by_call_and_what_is_to_be_erased_again_is_listed(self):
        calls = answering(self, BEGINS, GOES_ON, ENDS)

        code, output = run("restore", *FROM, "--erasure", "019a", "--reason", "wrong", "--yes")

        self.assertEqual(code, 0, output)
        self.assertTrue(output.startswith("2 of 4 events taken back. 1 are past their retention, and 1 stay erased"), output)
        self.assertTrue(output.endswith(LISTED), output)
        first = {"take_back": "019a", "restore_from": "events-restored", "reason": "wrong"}
        events = [first, {**first, "next": "NWI4"}, {**first, "next": "NWI5"}]
        self.assertEqual(calls, [("RestoreEventsFunction", event) for event in events])

    def test_on_a_terminal_it_says_what_comes_and_what_is_to_be_erased_again_before_it_asks(self):
        for typed, expected in (("y", 0), ("n", 1)):
            with self.subTest(typed):
                answering(self, BEGINS, GOES_ON, ENDS)

                code, output = run_on_terminal(typed, "restore", "--port", PORT, *FROM, "--erasure", "019a")

                self.assertEqual(code, expected, output)
                before, _, after = output.partition("Take it back? [y/N] ")
                for said in ("begun 2026-11-20T12:00:00.123Z, has erased 4 events.", "with new ids", LISTED):
                    self.assertIn(said, before)
                self.assertEqual("2 of 4 events taken back" in after, typed == "y", output)
                self.assertEqual("operate/restore: nothing is taken back\n" in after, typed == "n", output)

    def test_an_erasure_that_was_taken_back_before_says_so(self):
        proof = {**PROOF, "taken_back": {"at": "2026-11-22T12:00:00Z", "count": 2}}
        answering(self, {**BEGINS, "erase_again": [], "proof": proof})

        _, output = run_on_terminal("n", "restore", "--port", PORT, *FROM, "--erasure", "019a")

        self.assertIn("It was taken back at 2026-11-22T12:00:00Z: 2 events. None is stored twice.", output)
        self.assertIn("No other erasure has to be made again.", output)

    def test_an_erasure_that_is_not_there_fails_and_one_that_has_not_ended_is_wrong_use(self):
        unknown = Refusal({"code": "not_found", "detail": "No erasure has this id."})
        fault = {"pointer": "/take_back", "detail": "an erasure that has ended"}
        open_one = Refusal({"code": "validation_failed", "detail": "", "errors": [fault]})
        for refusal, expected, said in (
            (unknown, 1, "No erasure has this id. operate/erase --list shows all"),
            (open_one, 2, "--erasure: an erasure that has ended"),
        ):
            with self.subTest(said):
                answering(self, refusal)
                code, output = run("restore", *FROM, "--erasure", "019a", "--yes")
                self.assertEqual(code, expected, output)
                self.assertIn(said, output)

    def test_wrong_use_ends_with_one_sentence(self):
        for words, sentence in (
            (("events-restored",), "unknown word events-restored"),
            (("--table", "x"), "unknown option --table; there are --erasure, --from, --help, --port, --reason,"),
            (("--from", ""), "--from needs a value"),
            (("--erasure", "x", "--yes"), "--from is necessary"),
            ((*FROM, "--reason", "x"), "--reason and --yes are only with --erasure"),
            ((*FROM, "--erasure", "x"), "without a terminal, --yes is necessary"),
        ):
            with self.subTest(words):
                code, output = run("restore", *words)
                self.assertEqual(code, 2)
                self.assertIn(sentence, output)


if __name__ == "__main__":
    unittest.main()
