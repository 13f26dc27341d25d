"""Tests operators/command.py, by operate/user: options, calls of a stack or of local/serve, and their failures."""
import json, os, re, shlex, tempfile, unittest
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from operators.command import Failure, Refusal, Stack
from running import LOCAL, OUTPUTS, PORT, aws_cli, run

# An AWS CLI that writes its calls and the function's event to files.
WRITES_ITS_CALLS = """
cd "${0%/*}"
echo "$@" >>calls
case $1 in
  cloudformation) echo '{"Stacks": [{"Outputs": [
    {"OutputKey": "ApiUrl", "OutputValue": "https://api.example"},
    {"OutputKey": "ManageUsersFunctionName", "OutputValue": "stack-ManageUsersFunction-1"}]}]}' ;;
  lambda) cat >event; echo '{"code": "c", "detail": "d"}' >"$7" ;;
esac
"""


@contextmanager
def aws_on_path(script):
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "aws")
        program.write_text(f"#!/bin/sh\n{script}", "utf-8")
        program.chmod(0o700)
        with patch.dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}"):
            yield Path(folder)


class OptionsTest(unittest.TestCase):
    def test_wrong_use_ends_with_one_sentence(self):
        for words, sentence in (
            ("show a@b.c --port 1 --stack s", "--port and --stack exclude each other"),
            ("create a@b.c --name", "--name needs a value"),
            ("create a@b.c --name ''", "--name needs a value"),
            ("create a@b.c --role x --role x", "--role may be given only once"),
            ("token a@b.c --days x", "--days needs a number, not x"),
            ("create a@b.c --nam x", "unknown option --nam; there are --all, "),
            ("create 'a\tb@c.d'", "control characters are not allowed"),
            ("create a@b.c --name '\udcff'", "--name needs UTF-8"),
        ):
            with self.subTest(words):
                code, output = run("user", *shlex.split(words))
                self.assertEqual(code, 2)
                self.assertTrue(output.startswith(f"operate/user: {sentence}"), output)


class StackTest(unittest.TestCase):
    def assert_fails(self, sentence, *words):
        result = run("user", "--stack", "prod", *(words or ("show", "a@b.c")))
        self.assertEqual(result, (1, f"operate/user: {sentence}\n"))

    def test_the_template_has_the_outputs_that_the_commands_ask_for(self):
        outputs = Path("../template.yaml").read_text("utf-8").split("\nOutputs:\n")[1]
        self.assertLessEqual(set(OUTPUTS), set(re.findall(r"(?m)^  (\w+):", outputs)))

    def test_the_aws_cli_is_asked_for_the_outputs_once_and_gets_the_event_as_json(self):
        with aws_on_path(WRITES_ITS_CALLS) as folder:
            self.assert_fails("c: d", "create", "a@b.c", "--name", 'A "new" shöp \\')
            outputs, invocation = Path(folder, "calls").read_text().splitlines()
            event = json.loads(Path(folder, "event").read_text("utf-8"))

        self.assertEqual(outputs, "cloudformation describe-stacks --stack-name prod --output json")
        call = "lambda invoke --function-name stack-ManageUsersFunction-1 --payload fileb:///dev/stdin [^ ]+"
        self.assertRegex(invocation, f"^{call} --cli-read-timeout 90$")
        self.assertEqual(event, {"action": "create", "email": "a@b.c", "name": 'A "new" shöp \\'})

    def test_the_address_of_an_emulator_is_the_one_that_is_set_and_that_of_aws_is_not(self):
        def asked(**settings):
            with patch.dict(os.environ, CONNECTOR_API_URL="http://127.0.0.1:4566", **settings), aws_cli():
                return Stack("prod").url

        self.assertEqual(asked(AWS_ENDPOINT_URL="http://127.0.0.1:4566"), "http://127.0.0.1:4566")
        self.assertEqual(asked(AWS_ENDPOINT_URL=""), LOCAL.url, "the setting may be that of local/serve")

    def test_a_failure_of_the_aws_cli_is_one_sentence(self):
        for script, sentence in (
            ("printf '\\nAn error:\\n  No stäck prod\\n' >&2; exit 254", "An error: No stäck prod"),
            ("exit 130", "the AWS CLI ended with exit code 130"),
        ):
            with self.subTest(script), aws_on_path(script):
                self.assert_fails(sentence)
        with patch.dict(os.environ, PATH="/nothing"):
            self.assert_fails("the AWS CLI is necessary, and `aws` does not start: No such file or directory")

    def test_a_failure_of_the_function_is_one_sentence(self):
        function = "ManageUsersFunction"
        faults = '[{"pointer": "/a", "detail": "x"}, {"pointer": "/b", "detail": "y"}]'
        for answer, sentence in (
            (
                '{"code": "user_not_found", "detail": "No such user."}',
                "user_not_found: No such user. operate/user --stack prod list shows all",
            ),
            ('{"code": "c", "detail": "Try again.", "errors": []}', "c: Try again."),
            ('{"code": "c", "detail": "d", "errors": %s}' % faults, "c: /a: x; /b: y"),
            ('{"errorMessage": "It took\\n15 s", "errorType": "T"}', f"{function} failed: It took 15 s"),
            ('{"errorMessage": null, "errorType": "java.lang.Error"}', f"{function} failed: java.lang.Error"),
            ('{"user":', f"the answer of {function} is not a JSON object"),
            ("[]", f"the answer of {function} is not a JSON object"),
        ):
            with self.subTest(answer), aws_cli(answer=answer):
                self.assert_fails(sentence)

    def test_a_stack_without_the_output_is_named(self):
        with aws_cli({"StackName": "another"}):
            self.assert_fails("the stack prod has no output ApiUrl")


class LocalServeTest(unittest.TestCase):
    def test_a_loop_catches_a_refusal_by_its_code_and_any_other_failure(self):
        with self.assertRaises(Refusal) as caught:
            LOCAL.invoke("ManageUsersFunction", {"action": "show", "email": "nobody@example.com"})
        self.assertEqual(caught.exception.code, "user_not_found")
        with self.assertRaisesRegex(Failure, f"^port {PORT} answers 404: {{.*Function not found: NoFunction"):
            LOCAL.invoke("NoFunction", {})

    def test_a_service_that_does_not_run_is_named(self):
        for port in ("1", "9" * 20):
            with self.subTest(port):
                code, output = run("user", "--port", port, "show", "a@b.c")
                self.assertEqual(code, 1)
                self.assertIn(f"operate/user: local/serve does not answer on port {port}; start it, name its --port, or a --stack", output)


if __name__ == "__main__":
    unittest.main()
