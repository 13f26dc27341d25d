"""Tests operate/restore: its calls of RestoreEventsFunction, what it prints, and its exit codes."""
import unittest
from unittest.mock import patch
from operators import patient
from operators.command import Failure, Refusal
from running import answering, run

LEDGER, TABLE = "ledger:0198f000-0000-7000-8000-000000000000:2", "table:0198f000-0000-7000-8000-000000000001"
ANSWERS = [
    {"restored": 0, "kept": 0, "erased": 3, "next": LEDGER},
    {"restored": 10, "kept": 2, "erased": 1, "next": TABLE},
    {"restored": 5, "kept": 0, "erased": 0},
]
FROM = ("--from", "events-restored")


class RestoreTest(unittest.TestCase):
    def test_calls_go_on_until_an_answer_has_no_next_and_their_counts_are_added_up(self):
        calls = answering(self, *ANSWERS)

        code, output = run("restore", *FROM)

        self.assertEqual(code, 0)
        self.assertEqual(output, "15 restored, 2 there already or erased. 4 tombstones put for erased events.\n")
        first = {"restore_from": "events-restored"}
        events = [first, {**first, "next": LEDGER}, {**first, "next": TABLE}]
        self.assertEqual(calls, [("RestoreEventsFunction", event) for event in events])

    def test_an_event_that_cannot_be_restored_is_a_failure_that_names_it(self):
        events = [{"id": "019a", "reason": "it is damaged"}, {"id": "019b", "reason": "it is too large"}]
        answering(self, {**ANSWERS[0], "not_restored": events}, ANSWERS[2])

        code, output = run("restore", *FROM)

        self.assertEqual(code, 1)
        self.assertIn("5 restored", output)
        self.assertIn("could not be restored:\n  019a  it is damaged\n  019b  it is too large", output)

    def test_a_lost_answer_may_have_named_an_event_and_is_a_failure(self):
        answering(self, ANSWERS[1], Failure("no answer"), ANSWERS[2])

        with patch.object(patient, "PAUSES", (0,)):
            code, output = run("restore", *FROM)

        self.assertEqual((code, "an answer was lost" in output), (1, True), output)

    def test_a_table_that_is_refused_is_wrong_use(self):
        fault = {"pointer": "/restore_from", "detail": "the name of a table that is there: events-restored"}
        answering(self, Refusal({"code": "validation_failed", "detail": "", "errors": [fault]}))

        code, output = run("restore", "--from", "events")

        self.assertEqual(code, 2)
        self.assertIn("--from: the name of a table that is there: events-restored", output)

    def test_wrong_use_ends_with_one_sentence(self):
        for words, sentence in (
            (("events-restored",), "unknown word events-restored"),
            (("--table", "x"), "unknown option --table; there are --from, --help, --port, --stack"),
            (("--from", ""), "--from needs a value"),
        ):
            with self.subTest(words):
                code, output = run("restore", *words)
                self.assertEqual(code, 2)
                self.assertIn(sentence, output)


if __name__ == "__main__":
    unittest.main()
