"""Interrupts operate/erase, and goes on with it."""
import os, random, re, signal, subprocess, sys, unittest, uuid
from unittest.mock import patch

from erasing import ErasingTest, erase, of_brand, proof, read, store
from operators.command import Failure, LocalServe, Refusal
from running import PORT, answering, run

NIGHTLY = os.environ.get("NIGHTLY") == "true"
ANSWERS = [
    {"erasure_id": "e", "erased": 0, "next": "1"},
    {"erasure_id": "e", "erased": 2, "next": "2"},
    {"erasure_id": "e", "erased": 1, "next": "3"},
    {"erasure_id": "e", "erased": 4, "proof": {"erasure_id": "e", "begun": "b", "count": 7, "ended": "t"}},
]
invoke = LocalServe.invoke


def with_faults(*faults):
    """Each call of the service has one of these faults; later calls, and those with an empty one, have none."""
    left = list(faults)

    def invoke_faultily(service, function, event):
        fault = left.pop(0) if left else ""
        if fault == "unavailable":
            raise Refusal({"code": "temporarily_unavailable", "detail": "Try again."})
        if fault == "killed before":
            os.kill(os.getpid(), signal.SIGKILL)
        answer = invoke(service, function, event)
        if fault == "killed after":
            os.kill(os.getpid(), signal.SIGKILL)
        if fault == "lost":
            raise Failure("Read timeout on endpoint URL")
        return answer

    return patch.object(LocalServe, "invoke", invoke_faultily)


class EraseInterruptedTest(ErasingTest):
    def kill(self, faults, words):
        """Runs the command in a process that one of the faults kills."""
        child = os.fork()
        if child == 0:
            try:
                with with_faults(*faults):
                    erase(*words)
            finally:
                os._exit(0)
        self.assertEqual(os.waitpid(child, 0)[1], signal.SIGKILL)

    def test_a_kill_at_any_call_leaves_one_proof_wherever_it_goes_on(self):
        for faults in (["killed after"], ["", "killed before"], ["", "killed after"]):
            for goes_on in ("--continue", "--end"):
                with self.subTest(faults, goes_on=goes_on):
                    ids, reason = store(3), str(uuid.uuid4())
                    words = ("--yes", "--ids", *ids, "--reason", reason)
                    self.kill(faults, words)

                    selection = words[1:] if goes_on == "--continue" else ()
                    code, output = erase(*selection, goes_on, begun(reason))

                    is_erased = goes_on == "--continue" or faults == ["", "killed after"]
                    self.assertEqual(code, 0, output)
                    self.assertEqual({read(id).status for id in ids}, {410 if is_erased else 200})
                    self.assertEqual(proof(output)["count"], "3" if is_erased else "0")

    def test_an_interrupted_erasure_says_how_any_machine_goes_on(self):
        for interruption, reason in (
            (KeyboardInterrupt(), "interrupted"),
            (Refusal({"code": "forbidden", "detail": "No."}), "forbidden: No."),
        ):
            for place in (1, 2, 3):
                with self.subTest(reason, place=place):
                    answering(self, *ANSWERS[:place], interruption)
                    code, output = erase("--yes", "--ids", "x")
                    calls = answering(self, *ANSWERS[place:])
                    goes_on = erase("--ids", "x", "--continue", "e")

                    advice = "Any machine goes on with it: the same command, and --continue e\n"
                    self.assertEqual((code, output), (1, f"Erasure e has begun.\noperate/erase: {reason.rstrip('.')}. {advice}"))
                    self.assertEqual(goes_on[0], 0, goes_on)
                    nexts = ["e", *map(str, range(place + 1, 4))]
                    self.assertEqual([event for _, event in calls], [{"ids": ["x"], "next": it} for it in nexts])

    def test_an_erasure_of_another_selection_or_of_none_is_not_gone_on_with(self):
        ids, reason = store(2), str(uuid.uuid4())
        self.kill(["", "killed before"], ("--yes", "--ids", ids[0], "--reason", reason))
        id = begun(reason)

        for words in (("--ids", ids[1], "--reason", reason), ("--ids", ids[0]), ("--brand", "b", "--reason", reason)):
            code, output = erase(*words, "--continue", id)
            self.assertEqual(code, 1, output)
            self.assertIn(f"Erasure {id} is not there, or was begun with another selection or reason", output)
        self.assertEqual(erase("--end", str(uuid.uuid4()))[0], 1)
        self.assertEqual({read(id).status for id in ids}, {200})

    def test_an_erasure_that_was_ended_early_is_not_done(self):
        answering(self, ANSWERS[0], {**ANSWERS[3], "proof": {**ANSWERS[3]["proof"], "stopped": True}})

        code, output = erase("--yes", "--ids", "x")

        self.assertEqual(code, 1)
        self.assertIn("it was ended early: selected events may be left", output)

    def test_a_feed_that_lacks_something_ends_it_and_says_what_helps(self):
        detail = "The feed is whole only since 2026-11-20T12:00:00.000Z: fill it, or scan, and begin anew."
        lacks = Refusal({"code": "feed_not_whole", "detail": detail})
        for words in ("--yes",), ("--continue", "e"):
            answering(self, *ANSWERS[:1] * (words == ("--yes",)), lacks)

            code, output = run("erase", "--port", "3100", *words, "--brand", "b")

            self.assertEqual(code, 1)
            help = "--continue does not help: operate/erase --port 3100 --end e ends this one. Then begin anew, with --scan"
            self.assertIn(f"{detail} {help} or after operate/feed --port 3100 fill\n", output)

    def test_without_a_terminal_too_it_says_at_the_first_wait_for_what_it_waits_and_only_then(self):
        begun, waits, *others = ANSWERS
        waits = {**waits, "wait_seconds": 3, "whole_until": "2026-11-20T12:00:00.000Z"}
        unknown = {"erasure_id": "e", "erased": 0, "next": "1", "wait_seconds": 1}
        for answers, sentence in (
            ([begun, waits, waits], "It has come to what was stored before 2026-11-20T12:00:00.000Z, "),
            ([unknown, waits], "Nobody knows yet how far it is. "),
            ([begun], None),
        ):
            with self.subTest(answers):
                answering(self, *answers, *others)

                code, output = erase("--yes", "--ids", "x")

                self.assertEqual(code, 0, output)
                self.assertEqual(output.count("It waits until the feed has all that was stored before it began. "), bool(sentence))
                if sentence:
                    self.assertIn(f" began. {sentence}", output)
                    self.assertIn("docs/alarms.md#when-the-feed-is-behind\n", output)

    def test_what_may_pass_is_tried_again(self):
        for faults in (["unavailable"] * 2, ["", "lost"], ["", "unavailable", "lost"], ["", "", "lost"]):
            with self.subTest(faults):
                ids = store(2)
                with with_faults(*faults):
                    result = erase("--yes", "--ids", *ids)
                self.assert_erased(ids, result)

    def test_a_service_that_has_never_answered_is_not_asked_again(self):
        with with_faults("lost"):
            self.assertEqual(
                erase("--yes", "--ids", *store()), (1, "operate/erase: Read timeout on endpoint URL\n")
            )


class KilledAtRandomTest(ErasingTest if NIGHTLY else object):  # by day, it is killed at each of its calls alone
    def test_kills_at_random_moments_leave_one_proof(self):
        by_ids, by_brand = ("ids", 3, 1, 0.4), ("brand", 250, 8, 2)  # the latter waits until all events can be found
        for selector, count, kills, seconds in [by_ids] * 20 + [by_brand]:
            with self.subTest(selector):
                brand, reason = str(uuid.uuid4()), str(uuid.uuid4())
                ids = store(count, of_brand(brand))
                words = ("--reason", reason, f"--{selector}", *(ids if selector == "ids" else [brand]))

                kill_within(random.uniform(0, seconds), ("--yes", *words))
                for _ in range(kills):
                    if reason in erase("--list")[1]:
                        kill_within(random.uniform(0, seconds), (*words, "--continue", begun(reason)))
                is_begun = reason in erase("--list")[1]
                result = erase(*words, "--continue", begun(reason)) if is_begun else erase("--yes", *words)

                self.assert_erased(ids, result)


def begun(reason):
    """The id of the erasure that was begun with this reason."""
    [id] = re.findall(rf"(?m)^(\S+) .* {reason}$", erase("--list")[1])
    return id


def kill_within(seconds, words):
    """Kills a process with the command, unless it ends before."""
    words = [sys.executable, "erase", "--port", PORT, *words]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


if __name__ == "__main__":
    unittest.main()
