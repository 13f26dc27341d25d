"""The connectors of examples/ take the exam."""
import os, shlex, sys, unittest
from concurrent.futures import ThreadPoolExecutor

from taking import IS_NIGHTLY, LOCAL, exam, failed, only, passed, take
from examiner.providers import WEBHOOKS

EXAMPLES = os.path.join(os.path.dirname(LOCAL), "examples")
sys.path.append(os.path.join(EXAMPLES, "tests"))
from running import commands


# By day, connector.py takes all rows but that which takes longest; the others take those that tell most in little time.
BRIEF = (
    *("twice", "other-text", "bytes-as-they-came", "own-meta", "down", "unavailable", "throttled", "lost-answer"),
    *("elsewhere", "forged", "logins", "revoked", "kill", "canary"),
)


class Ours(unittest.TestCase):
    """The connectors of examples/. At night they take the whole exam, and connector.py that of each provider."""

    def test_our_connectors_pass(self):
        exams = [("connector.py", name) for name in (WEBHOOKS if IS_NIGHTLY else ("shopify",))]
        exams += [(name, "shopify") for name in commands() if name != "connector.py"]
        with ThreadPoolExecutor(4) as taking:
            for (name, provider), rows in zip(exams, taking.map(lambda each: self.rows(*each), exams)):
                with self.subTest(name, provider=provider):
                    self.assertEqual(failed(rows), [])
                    self.assertGreater(len(passed(rows)), 25 if IS_NIGHTLY or name == "connector.py" else 12, rows)

    @staticmethod
    def rows(name, provider):
        settings = "JAVA_TOOL_OPTIONS=-Xmx200m OUTBOX=FOLDER/outbox PAUSE=0.05 PARKED=1 PROVIDER=" + provider
        kept = "cat FOLDER/refused"
        if name == "connector.py":
            kept = f"{sys.executable} -B {EXAMPLES}/outbox.py FOLDER/outbox refused"
        rows = [each.name for each in exam.CASES if each.name != "memory"] if name == "connector.py" else BRIEF
        by_day = ["--kills", "2", "--flood", "100", *only(rows)]
        return take(f"{settings} REFUSED=FOLDER/refused exec {shlex.join(commands()[name])}", "--kept", kept,
                    "--provider", provider, "--waits", "5", *([] if IS_NIGHTLY else by_day))


if __name__ == "__main__":
    unittest.main()
