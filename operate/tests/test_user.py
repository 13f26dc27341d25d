"""Tests operate/user on a local service: what it does and prints, the commands to copy, and the exit codes."""
import base64, json, os, re, runpy, shlex, shutil, subprocess, sys, unittest, uuid
from pathlib import Path
from unittest.mock import call, patch

from operators.command import LocalServe, moment
from running import LOCAL, PORT, aws_cli, run, run_on_terminal


def user(*words):
    return run("user", "--port", PORT, *words)


def done(*words):
    """Runs a command that succeeds, and returns what it printed."""
    code, output = user(*words)
    assert code == 0, output
    return output


def address(name="shop"):
    """An address that nobody has."""
    return f"{name}-{uuid.uuid4()}@example.com"


def new_user(*options, name="shop"):
    email = address(name)
    done("create", email, *options)
    return email


def command(output):
    """The first command to copy."""
    return re.search("(?m)^  ((?:read|operate/user) .*)", output)[1]


def shell(script, typed=""):
    return subprocess.run(["bash", "-c", script], input=typed, stdout=subprocess.PIPE, encoding="utf-8").stdout


def paste(test, output):
    """Runs the first command to copy, and types the secret. Neither the command nor the words of `curl` have it."""
    secret = re.search("(?m)^  (?:password|token) +(.+)", output)[1]
    script = command(output)
    answer = shell('curl() { echo "curl $*"; command curl "$@"; }\n' + script, secret + "\n")
    words, _, answer = answer.partition("\n")
    test.assertTrue(words.startswith("curl -s"))
    test.assertNotIn(secret, script + words)
    return answer


def page(name, email="shop@example.com"):
    """A page, with this address in place of its own."""
    return Path("..", name).read_text("utf-8").replace("shop@example.com", email)


# Of an option, by its word in the usage.
VALUES = {"": [], " N": ["1"], " PAUSE": ["2h"], " NUMBER": ["5/day"], " T": ["2026-11-20T12:00:00Z"]}


class UserTest(unittest.TestCase):
    def test_each_action_on_users_has_a_command(self):
        files = Path("../events").glob("manage-users.*.json")
        with patch("operators.command.run"):
            commands = runpy.run_path("user")["COMMANDS"].values()
        self.assertEqual({action for action, *_ in commands if action}, {file.name.split(".")[1] for file in files})

    def test_a_created_user_logs_in_with_the_command_that_is_printed(self):
        for name in ("shop", "o'brien%s"):
            with self.subTest(name):
                email = address(name)
                created = done("create", email)
                self.assertTrue(created.startswith(f"{email}, a connector, is active.\n\n  password  "), created)
                self.assertIn('"access_token"', paste(self, created))

    def test_a_user_is_shown_with_the_name_the_role_and_the_event_types_that_it_got(self):
        types = "shopify.*, gitlab.Push *, posthog.$identify"
        email = new_user("--name", 'A "new" shop', "--role", "consumer", "--event-types", types)

        shown = done("show", email)

        self.assertTrue(shown.startswith(f"{email}, a consumer, is active.\n\n  id  "), shown)
        self.assertIn(f'\n  name               A "new" shop\n  event types        {types}\n', shown)

    def test_a_static_token_works_in_the_command_that_is_printed_and_its_end_is_printed(self):
        for role, status, part in (("connector", 201, "shopify.orders/create"), ("consumer", 200, '"head"')):
            with self.subTest(role):
                issued = done("token", new_user("--role", role), "--days", "3")
                answer = paste(self, issued)
                self.assertTrue(answer.startswith(f"HTTP/1.1 {status}"), answer)
                self.assertIn(part, answer)
                claims, end = re.search(r"  token  eyJ\S+\.(\S+)\.\S+\n  ends   (\S+)\n", issued).groups()
                expiry = json.loads(base64.urlsafe_b64decode(claims + "=="))["exp"]
                self.assertAlmostEqual(moment(end).timestamp(), expiry, delta=10)

    def test_a_change_prints_the_user_and_a_command_that_runs(self):
        email = new_user(name="o'brien")
        quoted = email.replace("'", r"\'")
        for words, state, sentence, next_command in (
            ("revoke", "a connector, is active", "Its tokens have ended. Issue a new one", "token"),
            ("disable", "a connector, is disabled", "Its tokens have ended. Allow logins again", "enable"),
            ("enable", "a connector, is active", "Its ended tokens stay ended. Issue a new one", "token"),
            ("set-role --role consumer", "a consumer, is active", "Its tokens have ended. Issue a new one", "token"),
        ):
            with self.subTest(words):
                output = done(*words.split(), email)
                copied = f"operate/user {LOCAL.option}{next_command} {quoted}"
                self.assertEqual(output, f"{email}, {state}.\n{sentence}:\n  {copied}\n")
                self.assertEqual(run("user", *shlex.split(copied)[1:])[0], 0)

    def test_a_users_event_types_are_set_and_lifted(self):
        email = new_user()
        for option, types in (("--event-types=github.push, a.*", "github.push, a.*"), ("--all-event-types", "*")):
            with self.subTest(option):
                output = done("scope", email, option)
                self.assertEqual(output, f"{email}, a connector, is active.\nIt may use the event types {types}.\n")

    def test_a_user_is_deleted_after_a_question_that_names_the_usual_end(self):
        for typed, code, end in (
            ("y", 0, ", a connector, is deleted.\nIts tokens have ended, and its address is free. Its events stay.\n"),
            ("", 1, "operate/user: nobody is deleted\n"),
        ):
            with self.subTest(typed):
                email = new_user()
                result, output = run_on_terminal(typed, "user", "--port", PORT, "delete", email)
                self.assertEqual(result, code)
                self.assertIn(f"{email}, a connector, is active. Nobody can undo", output)
                self.assertIn(f"\n  operate/user {LOCAL.option}disable {email}\nDelete it? [y/N] ", output)
                self.assertTrue(output.endswith(end), output)
                self.assertEqual(user("show", email)[0], 1 - code)
                self.assertEqual(user("delete", email, "--yes")[0], 1 - code)

    def test_all_pages_of_the_list_are_one_table_sorted_by_address(self):
        reader = {"email": "reader@example.com", "id": "1", "role": "consumer", "state": "active", "name": "A B"}
        shop = {"email": "shop@example.com", "id": "22", "role": "connector", "state": "disabled"}
        first = {"email": "a@b", "id": "3", "role": "connector", "state": "active", "event_types": ["x.y", "z.*"]}
        for each in (reader, shop, first):
            each.update(created_at="2026-01-01T00:00:00Z", hash="$2a$")
        answers = [{"users": [shop, first], "next": "2"}, {"users": [reader]}]

        with patch.object(LocalServe, "invoke", side_effect=answers) as invoke:
            output = done("list")

        events = [{"action": "list"}, {"action": "list", "next": "2"}]
        self.assertEqual(invoke.mock_calls, [call("ManageUsersFunction", event) for event in events])
        table = """\
email               role       state     created at            id  event types  name
a@b                 connector  active    2026-01-01T00:00:00Z  3   x.y,z.*
reader@example.com  consumer   active    2026-01-01T00:00:00Z  1   *            A B
shop@example.com    connector  disabled  2026-01-01T00:00:00Z  22  *
"""
        self.assertEqual(output, table)

    def test_a_reader_that_ends_early_is_no_error(self):
        reader, writer = os.pipe()
        os.close(reader)
        with open(writer, "wb") as closed:
            words = [sys.executable, "-B", "user", "--port", PORT, "show", new_user()]
            buffered = {**os.environ, "PYTHONUNBUFFERED": ""}  # else nothing is left to flush at the end
            ended = subprocess.run(words, stdout=closed, stderr=subprocess.PIPE, env=buffered)
        self.assertEqual((ended.returncode, ended.stderr), (1, b""))

    def test_a_mistake_is_named(self):
        email = new_user()
        for words, code, message in (
            ("show nobody@x.y", 1, "user_not_found: No user has this e-mail address. operate/user "),
            ("delete nobody@x.y --yes", 1, "user_not_found: No user has this e-mail address."),
            (f"create {email}", 1, "address_taken: A user has this e-mail address already."),
            ("create 'a\"b'", 1, "validation_failed: /email: required: an e-mail address"),
            ("create a@b.c --role x", 1, "validation_failed: /role: one of connector, consumer"),
            ("create a@b.c --event-types 'x.y,x'", 1, "validation_failed: /event_types/1: a pattern that is in the "),
            ("set-role a@b.c", 1, "validation_failed: /role: required: one of connector, consumer"),
            (f"token {email} --days 0", 1, "validation_failed: /days: an integer from 1 to"),
            ("create", 2, "create needs an e-mail address"),
            ("create a@b.c d@e.f", 2, "one EMAIL only, not also d@e.f; create takes --event-types, --name, --role"),
            ("list a@b.c", 2, "list takes no EMAIL, such as a@b.c"),
            ("scope a@b.c", 2, "scope needs either --event-types or --all-event-types"),
            ("scope a@b.c --event-types x.y --all-event-types", 2, "scope needs either"),
            (f"delete {email}", 2, "without a terminal, --yes is necessary"),
        ):
            with self.subTest(words):
                result, output = user(*shlex.split(words))
                self.assertTrue(output.startswith(f"operate/user: {message}"), output)
                self.assertEqual(result, code)

    def test_the_usage_names_each_command_with_the_options_that_it_takes(self):
        code, usage = run("user", "--help")
        commands, values = {}, {}
        for name, rest in re.findall("(?m)^  ([a-z][a-z-]*)(.*)", usage):
            options = dict(re.findall("(--[a-z-]+)( [A-Z]+)?", rest))
            commands.setdefault(name, set()).update(options)
            values.update(options)

        self.assertEqual(code, 0)
        self.assertEqual(run("user"), (2, usage))
        options = sorted({*values, "--help", "--port", "--stack"})
        for words, kind, there in ((["make"], "command make", commands), (["--make"], "option --make", options)):
            sentence = f"operate/user: unknown {kind}; there are {', '.join(there)}\n"
            self.assertEqual(run("user", *words), (2, sentence))
        for name, taken in commands.items():
            for option, value in values.items():
                with self.subTest(name, option=option):
                    output = run("user", name, option, *VALUES.get(value, ["x"]))[1]
                    taken_only = ", ".join(sorted(taken)) or "no option"
                    refusal = f"operate/user: {name} takes no {option}; it takes {taken_only}\n"
                    self.assertEqual(output == refusal, option not in taken, output)

    def test_the_usage_names_the_rights_that_a_stack_needs(self):
        for right in ("cloudformation:DescribeStacks", "lambda:InvokeFunction"):
            with self.subTest(right):
                self.assertIn(right, run("user", "--help")[1])

    def test_the_readmes_commands_create_a_user_of_a_stack_and_its_static_token(self):
        email = address()
        words = re.findall("(?m)^    operate/user (--stack .*)", page("README.md", email))
        with aws_cli():
            created, issued = (run("user", *each.split())[1] for each in words)
            self.assertIn('"access_token"', paste(self, created))
            self.assertTrue(paste(self, issued).startswith("HTTP/1.1 201"))
            disabled = run("user", "disable", email, "--stack", "connector-events-dev")[1]
        self.assertEqual(command(disabled), f"operate/user --stack connector-events-dev enable {email}")

    @unittest.skipUnless(shutil.which("aws"), "aws is not installed")
    def test_the_aws_cli_passes_on_the_event_of_the_operators_page(self):
        email = new_user()
        script = re.search("(?s)\n    echo '{\"action\":\"show\".*?\n\n", page("docs/operating.md", email))[0]
        settings = {
            "FUNCTION": "ManageUsersFunction",
            "AWS_ENDPOINT_URL_LAMBDA": LOCAL.url,
            "AWS_ACCESS_KEY_ID": "local",
            "AWS_SECRET_ACCESS_KEY": "local",
            "AWS_DEFAULT_REGION": "us-east-1",
        }
        with patch.dict(os.environ, settings):
            self.assertIn(f'"email":"{email}"', shell(script))
        self.assertNotIn("--cli-binary-format", script, "version 1 refuses it")


if __name__ == "__main__":
    unittest.main()
