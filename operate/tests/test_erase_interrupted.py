"""Interrupts operate/erase, and runs it again."""
import fcntl, json, os, random, signal, subprocess, sys, tempfile, unittest, uuid
from unittest.mock import patch

import running
from erasing import ErasingTest, erase, of_brand, proof, store
from operators.command import Failure, LocalServe, Refusal
from operators.unfinished import Unfinished
from running import PORT, answering, run

NIGHTLY = os.environ.get("NIGHTLY") == "true"
ANSWERS = [
    {"erasure_id": "e", "erased": 0, "next": "1"},
    {"erasure_id": "e", "erased": 2, "next": "2", "wait_seconds": 3, "waiting_since": "2999-11-20T12:00:00.000Z"},
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

    def kill_before_second_call(self, words):
        """Returns the path of the state that is left, and what it says."""
        self.kill(["", "killed before"], words)
        return self.state()

    def state(self):
        [path] = self.states()
        with open(path) as file:
            return path, json.load(file)

    def test_a_kill_at_any_call_leaves_one_proof(self):
        for kills in (
            [["killed before"], ["killed after"]],  # the first call: nothing is known of the erasure
            [["", "killed before"]],
            [["", "killed after"]],
        ):
            with self.subTest(kills):
                ids = store(3)
                words = ("--yes", "--ids", *ids)

                for faults in kills:
                    self.kill(faults, words)
                result = erase(*words)

                self.assert_erased(ids, result)
                self.assertEqual("Goes on with erasure" in result[1], len(kills) == 1, result[1])

    def test_kills_at_random_moments_leave_one_proof(self):
        # At night there are more of them, and an erasure by brand, which waits until all events can be found.
        by_ids, by_brand = ("ids", 3, 1, 0.4), ("brand", 250, 8, 2)
        for selector, count, kills, seconds in [by_ids] * (20 if NIGHTLY else 2) + [by_brand] * NIGHTLY:
            with self.subTest(selector):
                brand = str(uuid.uuid4())
                ids = store(count, of_brand(brand))
                words = ("--yes", f"--{selector}", *(ids if selector == "ids" else [brand]))

                for _ in range(kills):
                    output = killed_within(random.uniform(0, seconds), words)
                is_done = "chain" in proof(output) and not self.states()
                result = (0, output) if is_done else erase(*words)

                self.assert_erased(ids, result)

    def test_one_process_at_a_time_has_the_lock_also_if_it_opened_the_file_before_another_ended(self):
        with Unfinished(running.LOCAL, {}) as ended:
            waiting = open(ended.lock_path)
        self.addCleanup(waiting.close)
        fcntl.flock(waiting, fcntl.LOCK_EX | fcntl.LOCK_NB)

        with self.assertRaisesRegex(Failure, "the same command runs already"):
            with Unfinished(running.LOCAL, {}):
                self.fail("two have it")

    def test_an_interrupted_erasure_goes_on_after_the_last_answer(self):
        for interruption, reason in (
            (KeyboardInterrupt(), "interrupted"),
            (Refusal({"code": "forbidden", "detail": "No."}), "forbidden: No."),
        ):
            for place, last, erased in ((1, "1", 0), (2, "2", 2), (3, "3", 3)):
                with self.subTest(reason, place=place):
                    answering(self, *ANSWERS[:place], interruption)
                    interrupted = erase("--yes", "--ids", "x")
                    path, state = self.state()
                    calls = answering(self, *ANSWERS[place:])
                    code, output = erase("--yes", "--ids", "x")

                    again = f"operate/erase: {reason}; run the same command again: it goes on from {path}\n"
                    self.assertEqual(interrupted, (1, again))
                    self.assertEqual(state["progress"], {"erasure_id": "e", "next": last, "erased": erased})
                    self.assertEqual(code, 0, output)
                    events = [{"ids": ["x"], "next": str(next)} for next in range(place, 4)]
                    self.assertEqual([event for _, event in calls], events)

    def test_the_state_is_for_its_owner_only_and_names_the_erasure(self):
        ids = store()

        path, state = self.kill_before_second_call(("--yes", "--ids", *ids))

        self.assertEqual((os.stat(path).st_mode & 0o777, os.stat(self.folder).st_mode & 0o777), (0o600, 0o700))
        self.assertEqual(state["request"], {"ids": ids})

    def test_another_request_begins_an_erasure_of_its_own(self):
        first, second = store(), store()
        self.kill_before_second_call(("--yes", "--ids", *first))

        other = erase("--yes", "--ids", *second)
        again = erase("--yes", "--ids", *first)

        self.assertNotIn("Goes on", other[1])
        self.assertEqual(proof(other[1])["count"], "1")
        self.assertIn("Goes on", again[1])
        self.assert_erased(first, again)

    def test_the_same_request_to_another_service_is_an_erasure_of_its_own(self):
        state, other = (Unfinished(LocalServe(port), {"ids": ["x"]}) for port in (1, 2))
        self.assertNotEqual(state.path, other.path)

    def test_an_erasure_that_the_service_no_longer_knows_is_left_and_the_next_run_begins_anew(self):
        ids = store()
        words = ("--yes", "--ids", *ids)
        path, state = self.kill_before_second_call(words)
        state["progress"]["next"] = "of another service"
        with open(path, "w") as file:
            json.dump(state, file)

        result = erase(*words)

        self.assertEqual(result[0], 1)
        self.assertIn("The service does not know this erasure. Run the same command again", result[1])
        self.assert_erased(ids, erase(*words))

    def test_a_feed_that_lost_records_ends_the_erasure_and_a_scan_is_offered(self):
        lost = Refusal({"code": "feed_lost_records", "detail": "Marks were not noted in 20 hours."})
        answering(self, ANSWERS[0], lost)

        code, output = erase("--yes", "--brand", "b")

        self.assertEqual(code, 1)
        self.assertIn("Marks were not noted in 20 hours. With --scan, the same command", output)
        self.assertEqual(self.states(), [])

    def test_a_long_wait_says_for_what_since_when_and_which_alarm_tells_why(self):
        begun, waits, *others = ANSWERS
        answering(self, begun, {**waits, "waiting_since": "2026-11-20T12:00:00.000Z"}, *others)

        code, output = erase("--yes", "--ids", "x")

        self.assertEqual(code, 0, output)
        self.assertIn("Since 2026-11-20T12:00:00.000Z it waits for the feed", output)
        self.assertIn("FeedBehind", output)

    def test_a_damaged_state_is_named(self):
        words = ("--yes", "--ids", *store())
        path, _ = self.kill_before_second_call(words)
        os.truncate(path, 40)

        self.assertEqual(
            erase(*words), (1, f"operate/erase: {path} is damaged; delete it to begin a new erasure\n")
        )

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

    def test_while_one_erasure_runs_another_is_not_disturbed(self):
        ids, beside = store(), store()
        results = []

        def run_others_instead(*_):
            with patch.object(LocalServe, "invoke", invoke):
                results.extend([erase("--yes", "--ids", *ids), erase("--yes", "--ids", *beside)])
            raise KeyboardInterrupt

        calls = iter([invoke, run_others_instead])
        with patch.object(LocalServe, "invoke", lambda *words: next(calls)(*words)):
            running_itself = erase("--yes", "--ids", *ids)

        same, other = results
        self.assertEqual(same, (1, "operate/erase: the same command runs already\n"))
        self.assertEqual((other[0], proof(other[1])["count"]), (0, "1"))
        self.assertEqual(running_itself[0], 1)
        self.assertIn("interrupted; run the same command again", running_itself[1])


def killed_within(seconds, words):
    """What a process with the command had printed when it was killed."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            [sys.executable, "erase", "--port", PORT, *words], stdout=output, stderr=subprocess.STDOUT
        )
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        output.seek(0)
        return output.read().decode()


if __name__ == "__main__":
    unittest.main()
