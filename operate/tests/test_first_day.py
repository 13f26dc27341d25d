"""Tests operate/first-day: the page that it runs, each command of the page by the AWS CLI's own models, and its run."""
import json, os, re, shlex, tempfile, unittest
from pathlib import Path
from unittest.mock import patch
from moto import TEMPLATE, MotoTest, aws, create_clidriver, driver, mistake
from operators import questions
from operators.questions import ROOT
from running import aws_cli, run, run_on_terminal

NIGHTLY = os.environ.get("NIGHTLY") == "true"
# Of version 2 of the AWS CLI only: https://docs.aws.amazon.com/cli/latest/reference/logs/tail.html
TAIL = ("logs", "tail")
OPTIONS_OF_TAIL = {"--since", "--format", "--filter-pattern"}


def values(text):
    """The commands of a page with values in the place of what a shell puts into them."""
    text = re.sub(r"\\\n *", " ", text)
    text = re.sub(r"\$\(date -u [^)]*\)", "2026-11-20T12:00:00Z", text)
    text = re.sub(r"\$\(\(\$\(date \+%s\) - \d+\)\)|\$\(date \+%s\)", "1795000000", text)
    text = re.sub(r"\$\(physical [^)]*\)|\$[A-Z]\w*|[A-Z]+_ARN|\bVERSION\b", "arn:aws:sns:us-east-1:123456789012:a-name", text)
    text = re.sub(r"fileb:///dev/stdin|<<<\S*", lambda match: "{}" if match[0].startswith("f") else "", text)
    return text.replace("--cli-binary-format raw-in-base64-out", "")  # version 1 takes raw texts, and no such option


def aws_commands(text):
    """The words of each call of the AWS CLI, wherever it stands in these commands."""
    text = values(text)
    for found in re.finditer(r"(?:^|[ `(;|])(aws [a-z0-9-]+ [a-z-]+ ?)", text, re.MULTILINE):
        lexer = shlex.shlex(text[found.start(1) :], posix=True, punctuation_chars=";|)&`\n")
        lexer.whitespace, lexer.whitespace_split, lexer.commenters = " \t", True, ""
        words = []
        for word in lexer:
            if word and set(word) <= set(";|)&`\n"):
                break
            words.append(word)
        yield words


class PageTest(unittest.TestCase):
    def test_the_page_says_of_each_question_what_is_run_expected_and_undone(self):
        asked = questions.questions()

        self.assertEqual([question.number for question in asked], list(range(1, len(asked) + 1)))
        self.assertEqual([question.number for question in asked if not question.by_hand], list(range(1, 10)))
        for question in asked:
            with self.subTest(question.title):
                self.assertTrue(question.expected)
                self.assertTrue(question.commands or question.by_hand)
                self.assertNotIn("\\", question.undo, "each line is a command")
        self.assertIn("the first nine questions", questions.PAGE.read_text())

    def test_what_is_run_needs_no_value_from_a_person_and_leaves_nothing_that_it_does_not_name(self):
        for question in questions.questions()[:9]:
            with self.subTest(question.title):
                self.assertNotRegex(question.commands, r"[ =](EMAIL|READER|BRAND|FUNCTION|VERSION|[A-Z]+_ID)\b")
                changes = re.search(r" (create|set-alarm-state|operate/check) ", question.commands)
                self.assertEqual(bool(changes), bool(question.undo), question.commands)


@unittest.skipUnless(create_clidriver, "version 1 of the AWS CLI is not installed")
class ModelsTest(unittest.TestCase):
    """Nothing here can answer these commands. So each is read by the AWS CLI, which checks it by its services' models."""

    @classmethod
    def setUpClass(cls):
        environment = patch.dict(
            os.environ, AWS_ACCESS_KEY_ID="x", AWS_SECRET_ACCESS_KEY="x", AWS_DEFAULT_REGION="us-east-1"
        )
        environment.start()
        cls.addClassCleanup(environment.stop)
        cls.addClassCleanup(os.chdir, os.getcwd())
        cls.addClassCleanup(driver.cache_clear)
        os.chdir(ROOT)  # where the pages' commands are run

    def mistake(self, words):
        """What the AWS CLI says of a command before it would send it; None if it would send it."""
        if tuple(words[1:3]) == TAIL:
            options = {word for word in words[3:] if word.startswith("--")}
            return None if options <= OPTIONS_OF_TAIL and not words[3].startswith("--") else f"unknown: {options}"
        return mistake(words)

    def test_every_command_of_the_pages_is_one_of_the_services(self):
        counts = {}
        for page in sorted((ROOT / "docs").glob("*.md")):
            commands = [words for words in aws_commands(page.read_text()) if len(words) > 3]  # others are mentions
            counts[page.name] = len(commands)
            for words in commands:
                with self.subTest(f"{page.name}: {' '.join(words)}"):
                    self.assertIsNone(self.mistake(words))
        self.assertGreater(counts["only-aws.md"], 30, counts)
        self.assertGreater(sum(counts.values()), 100, counts)


PAGE = """# A page

## 1. Does it go well?

    echo "$STACK"
    physical Thing

*Expected*: the [name](page.md), a failure | and
no more.

*Left*: a thing.

*Undo*:

    echo undone one
    echo undone two

## 2. Is it slow?

*By hand*: it takes long.

    echo by hand

*Expected*: nothing.

## 3. May it be interrupted?

    echo began; bash -c 'trap : TERM; kill -INT $0; sleep 2' $PPID; echo went on

*Expected*: the end.

*Undo*:

    echo undone
    false
"""


def use_page(test, text):
    """Asks the questions of this text during a test."""
    with tempfile.NamedTemporaryFile("w", dir=ROOT / "docs", suffix=".tmp", delete=False) as page:
        page.write(text)
    test.addCleanup(os.remove, page.name)
    replaced = patch.object(questions, "PAGE", Path(page.name))
    replaced.start()
    test.addCleanup(replaced.stop)


class FirstDayTest(unittest.TestCase):
    def setUp(self):
        use_page(self, PAGE)
        replaced = aws_cli()
        replaced.start()
        self.addCleanup(replaced.stop)

    def test_wrong_use_ends_with_one_sentence(self):
        for words, sentence in (
            ((), "needs --stack: what only AWS can show, local/serve cannot"),
            (("--stack", "dev", "9"), "there is no question 9; operate/first-day list shows them"),
            (("--stack", "dev"), "without a terminal, --yes is necessary"),
        ):
            with self.subTest(words):
                self.assertEqual(run("first-day", *words), (2, f"operate/first-day: {sentence}\n"))

    def test_the_questions_are_listed_with_those_to_be_run_by_hand(self):
        code, output = run("first-day", "list")

        self.assertEqual(code, 0)
        self.assertEqual(output.splitlines()[1], "  2. Is it slow?  (by hand)")

    def test_version_1_of_the_aws_cli_is_refused_before_anything_is_asked(self):
        with patch("operators.command.aws", lambda *_: "aws-cli/1.45.11 Python/3.11.7\n"):
            sentence = "needs version 2 of the AWS CLI, and `aws` is aws-cli/1.45.11"
            code, output = run("first-day", "--stack", "dev", "--yes", "1")
            self.assertEqual((code, output), (1, f"operate/first-day: {sentence}\n"))

    def test_it_asks_before_and_whether_each_answer_is_as_expected(self):
        code, output = run_on_terminal("no", "first-day", "--stack", "dev", "1")
        self.assertEqual(code, 1)
        self.assertIn("about an hour and cost less than a dollar, both worked out from docs/cost.md and untried", output)
        self.assertIn("operate/first-day: nothing is asked", output)
        self.assertNotIn("undone", output)

        code, output = run_on_terminal("yes\nyes", "first-day", "--stack", "dev", "1")
        self.assertEqual(code, 0, output)
        self.assertIn("Is it as expected? [y/N] ", output)
        self.assertRegex(output, r"\| yes \| \d+ s \|\n$")

    def test_it_prints_what_is_expected_and_seen_undoes_it_and_ends_with_a_table(self):
        with patch.dict(os.environ, PATH=f"{self.tools()}:{os.environ['PATH']}"):
            code, output = run("first-day", "--stack", "dev", "--yes", "1", "2")

        self.assertEqual(code, 0, output)
        self.assertIn("  $ physical Thing\n\n  | dev\n  | no such thing\n  | exit code 1\n\nexpected: the name, a ", output)
        self.assertIn("  $ echo undone two\n  | undone one\n  | undone two\nleft by question 1: a thing.\n", output)
        self.assertIn("To be run by hand: it takes long.\n\n  $ echo by hand\n", output)
        self.assertTrue(
            re.search(
                r"\n\| question \| expected \| seen \| as expected \| took \|\n\|---\|---\|---\|---\|---\|\n"
                r"\| 1\. Does it go well\? \| the name, a failure \\\| and no more\. "
                r"\| dev<br>no such thing<br>exit code 1 \| \? \| \d+ s \|\n$",
                output,
            ),
            output,
        )

    def tools(self):
        """A folder with an AWS CLI that fails."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        tool = Path(folder.name, "aws")
        tool.write_text("#!/bin/sh\necho no such thing\nexit 1\n")
        tool.chmod(0o700)
        return folder.name

    def test_an_interrupted_question_is_undone_and_what_may_be_left_is_told(self):
        code, output = run("first-day", "--stack", "dev", "--yes", "3", "1")

        self.assertEqual(code, 130)
        self.assertIn("  | undone\n  | exit code 1\n", output)
        self.assertIn("question 3 may not be undone. Run this again:\nSTACK=dev\nphysical() {\n", output)
        self.assertIn("\n}\necho undone\nfalse\n", output)
        self.assertTrue(output.endswith("operate/first-day: interrupted\n"), output)
        self.assertNotIn("| went on", output)
        self.assertNotIn("## 1.", output)


ON_MOTO = """# A page

## 1. Does it find a name?

    aws dynamodb put-item --table-name "$(physical EventsTable)" --item '{"id": {"S": "try"}}'
    aws dynamodb describe-table --table-name "$(physical NoTable)"

*Expected*: an item, then a failure.

*Undo*:

    aws dynamodb delete-item --table-name "$(physical EventsTable)" --key '{"id": {"S": "try"}}'
"""


class AgainstMotoTest(MotoTest if NIGHTLY else object):  # it starts the AWS CLI seven times
    """moto has neither the metrics nor the routes nor the functions. But it has the table."""

    def test_it_finds_the_names_on_aws_goes_on_after_a_failure_and_undoes(self):
        use_page(self, ON_MOTO)
        key = {"AttributeName": "id"}
        table = {"AttributeDefinitions": [{**key, "AttributeType": "S"}], "KeySchema": [{**key, "KeyType": "HASH"}]}
        resource = {"Type": "AWS::DynamoDB::Table", "Properties": {**table, "BillingMode": "PAY_PER_REQUEST"}}
        template = json.dumps({**TEMPLATE, "Resources": {"EventsTable": resource}})
        aws("cloudformation", "create-stack", "--stack-name", "dev", "--template-body", template)
        (name,) = aws("dynamodb", "list-tables")["TableNames"]

        with patch.dict(os.environ, AWS_MAX_ATTEMPTS="1"), patch.object(questions, "require_version_2"):
            code, output = run("first-day", "--stack", "dev", "--yes", "1")

        self.assertEqual(code, 0, output)
        self.assertRegex(output, r"\| exit code [1-9]")
        self.assertEqual(aws("dynamodb", "scan", "--table-name", name)["Items"], [], "undone")
        self.assertNotIn("may not be undone", output)
