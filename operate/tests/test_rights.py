"""Tests that each command runs with the rights that docs/operating.md gives to a person who needs it."""
import json, os, re, tempfile, uuid
from contextlib import contextmanager
from unittest.mock import patch
from erasing import ErasingTest, erase, proof, read, store, token
from operators import command
from running import aws_cli, run, run_on_terminal

PAGE = os.path.join(os.path.dirname(__file__), "../../docs/operating.md")
OF_PAGES = {"cloudformation describe-stack-resource", "logs filter-log-events"}  # of docs/alarms.md, beside operate/now
STACKS, COPY = "cloudformation describe-stacks", "dynamodb batch-get-item"
LOG = {"logs start-query", "logs get-query-results"}
FIGURES = dict.fromkeys(("restored", "kept", "erased", "searched", "renumbered"), 0)
RESTORED = json.dumps(FIGURES)


def functions_of(who):
    """The functions that the page lets these people invoke."""
    with open(PAGE, encoding="utf-8") as page:
        [row] = re.findall(rf"^\| {who} \| (.*) \|$", page.read(), re.MULTILINE)
    return set(re.findall(r"`(\w+Function)`", row.rpartition(" | ")[2]))


def second_policy():
    """The calls of operate/now that the page's policy for whoever is on call allows."""
    with open(PAGE, encoding="utf-8") as page:
        _, policy = re.findall(r"^```json\n(.*?)^```", page.read(), re.MULTILINE | re.DOTALL)
    actions = {action for each in json.loads(policy)["Statement"] for action in listed(each["Action"])}
    calls = {re.sub(r"(?<=[a-z])(?=[A-Z])", "-", action.replace(":", " ")).lower() for action in actions}
    assert calls >= OF_PAGES
    return calls - OF_PAGES


def listed(value):
    return value if isinstance(value, list) else [value]


@contextmanager
def only(allowed, answer=None):
    """Denies what is neither among these rights nor the one on the stack's outputs. Gives the set of what is asked."""
    used = set()
    with aws_cli(answer=answer):
        answered = command.aws

        def guarded(*call, **more):
            action = call[3] if call[0] == "lambda" else " ".join(call[:2])
            used.add(action)
            if action not in allowed | {STACKS}:
                raise command.Failure(f"{action} failed: AccessDenied")
            return answered(*call, **more)

        with patch.object(command, "aws", guarded):
            yield used


class RightsTest(ErasingTest):
    def used(self, allowed, *words, answer=None):
        """Runs a command with these rights. Returns what it asks of AWS."""
        with only(allowed, answer) as used:
            code, output = run(words[0], "--stack", "prod", *words[1:])
        self.assertEqual(code, 0, output)
        return used

    def test_each_command_needs_the_functions_of_its_row_alone(self):
        [event], address = store(), f"{uuid.uuid4()}@example.com"
        store(1, {"text": address})
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        file = os.path.join(folder.name, "found.jsonl")
        wrong = proof(erase("--yes", "--ids", *store())[1])["erasure id"]
        tokens = {f"{role.upper()}_TOKEN": token(role.split("_")[0]) for role in ("consumer", "connector_api")}
        with patch.dict(os.environ, tokens):
            for who, words, answer, more in (
                ("on call", ("feed", "status"), None, LOG),
                ("on call", ("now",), None, second_policy()),
                ("answers requests for access", ("find", address, "--file", file), None, set()),
                ("answers requests for access", ("erase", "--dry-run", "--ids", event), None, set()),
                ("answers requests for access", ("erase", "--list"), None, set()),
                ("answers requests for access", ("event", event), None, set()),
                ("answers requests for access", ("erase", "--show", wrong), None, set()),
                ("erases", ("erase", "--yes", "--ids", event), None, set()),
                ("erases", ("erase", "--yes", "--allow-none", "--brand", address), None, set()),
                ("restores", ("restore", "--from", "events-restored"), RESTORED, set()),
                ("sends again", ("resend", "--yes", wrong, "--from", "events-restored"), None, {COPY}),
                ("restores", ("feed", "fill", "--from", "2026-11-20T12:00:00Z"), RESTORED, set()),
            ):
                with self.subTest(words):
                    rights = functions_of(who) | more
                    self.assertLessEqual(rights, self.used(rights, *words, answer=answer))

    def test_whoever_erases_must_also_find_to_be_asked_before(self):
        for more, status in (set(), 200), (functions_of("answers requests for access"), 410):
            [event] = store()
            with only(functions_of("erases") | more):
                code, output = run_on_terminal("y", "erase", "--stack", "prod", "--ids", event)
            self.assertEqual((code == 0, read(event).status), (bool(more), status), output)
            self.assertEqual("FindEventsFunction failed: AccessDenied" in output, not more, output)

    def test_whoever_is_on_call_misses_only_the_right_to_list_users(self):
        rights = functions_of("on call") | second_policy()
        self.assertEqual(self.used(rights, "now") - rights, {STACKS, "ManageUsersFunction"})
