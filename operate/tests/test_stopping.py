"""Ends commands by signals, and by a terminal that goes away, at a place where something is to be undone."""
import os, signal, subprocess, tempfile, time, unittest
from pathlib import Path
from unittest.mock import patch

from erasing import token
from operators import questions
from operators.command import LocalServe, Refusal
from operators.stopping import SIGNALS
from running import LOCAL, PORT, aws_cli, run, start_on_terminal
from test_command import aws_on_path

PAGE = """# A page

## 1. What is undone?

    sleep 600 > /dev/null 2>&1 & echo $! > sleeper
    echo began
    {commands}

*Expected*: the end.

*Undo*:

    {undo}
    touch undone

## 2. What comes then?

    touch went-on

*Expected*: nothing.
"""
LOOKS = 300  # at a process that should end; without an end it would sleep for 600 s
invoke = LocalServe.invoke


class StoppingTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        for each in SIGNALS:  # whoever runs the tests may ignore some
            default = signal.default_int_handler if each == signal.SIGINT else signal.SIG_DFL
            self.addCleanup(signal.signal, each, signal.signal(each, default))

    def replace(self, *patches):
        for each in patches:
            each.start()
            self.addCleanup(each.stop)

    def sending(self, numbers):
        """Lets each call of a function get the next of these signals while it is under way. Returns the calls."""
        calls = []

        def invoke_and_signal(service, function, event):
            calls.append(event)
            for number in numbers.get(len(calls), ()):
                os.kill(os.getpid(), number)
            return invoke(service, function, event)

        return calls, patch.object(LocalServe, "invoke", invoke_and_signal)

    def users_of(self, calls):
        """The created users that are there."""
        there = []
        for event in calls:
            if event["action"] == "create":
                try:
                    LOCAL.invoke("ManageUsersFunction", {"action": "show", "email": event["email"]})
                    there.append(event["email"])
                except Refusal as refusal:
                    self.assertEqual(refusal.code, "user_not_found")
        return there

    def assert_ended(self, file):
        """Waits until the process whose id is in a file has ended: a killed one may take a moment."""
        words = ["ps", "-o", "stat=", "-p", file.read_text().strip()]
        for _ in range(LOOKS):
            state = subprocess.run(words, stdout=subprocess.PIPE, text=True).stdout
            if state[:1] in ("", "Z"):
                return
            time.sleep(0.1)
        self.fail(f"it still runs: {state}")

    def test_check_deletes_its_users_also_one_that_is_just_being_created(self):
        for number in SIGNALS:
            with self.subTest(number.name):
                calls, sending = self.sending({2: [number], 3: [signal.SIGTERM, signal.SIGHUP]})
                with sending:
                    code, output = run("check", "--port", PORT)

                self.assertEqual(code, 128 + number)
                self.assertIn("Interrupted: cleans up first. Ctrl-C again ends that, too.\n✓ clean up ", output)
                self.assertEqual([event["action"] for event in calls], ["create"] * 2 + ["delete"] * 2)
                self.assertEqual(self.users_of(calls), [])

    def test_check_ends_its_cleaning_up_before_a_signal_counts_but_for_ctrl_c_after_one(self):
        for numbers, code, left in (([signal.SIGTERM], 143, 0), ([signal.SIGTERM, signal.SIGINT], 143, 2)):
            with self.subTest(numbers), patch("operators.checkrun.Run.log_in", side_effect=KeyboardInterrupt):
                calls, sending = self.sending({4: numbers})  # the first deletion, after a list of the killed runs
                with sending:
                    self.assertEqual(run("check", "--port", PORT)[0], code)

                users = self.users_of(calls)
                self.assertEqual(len(users), left)
                for email in users:
                    LOCAL.invoke("ManageUsersFunction", {"action": "delete", "email": email})

    def test_find_leaves_no_file(self):
        self.replace(patch.dict(os.environ, CONSUMER_TOKEN=token("consumer")))
        for number in SIGNALS:
            with self.subTest(number.name):
                with self.sending({1: [number]})[1]:
                    result = run("find", "--port", PORT, "--file", str(self.folder / "zoe.jsonl"), "zoe@example.com")

                self.assertEqual(result, (128 + number, "operate/find: interrupted\n"))
                self.assertEqual(os.listdir(self.folder), [])

    def test_the_aws_cli_ends_and_its_files_are_gone(self):
        stack = '{"Stacks": [{"Outputs": [%s]}]}' % ", ".join(
            '{"OutputKey": "%s", "OutputValue": "x"}' % key for key in ("ApiUrl", "ManageUsersFunctionName")
        )
        self.replace(patch.object(tempfile, "tempdir", str(self.folder)))
        for number in SIGNALS:
            script = f"[ $1 = lambda ] || exec echo '{stack}'\necho $$ >${{0%/*}}/pid; kill -{number} $PPID; exec sleep 600"
            with self.subTest(number.name), aws_on_path(script) as tools:
                code, _ = run("user", "--stack", "prod", "show", "a@b.c")

                self.assertEqual(code, 128 + number)
                self.assert_ended(tools / "pid")
            self.assertEqual(os.listdir(self.folder), [])

    def test_first_day_ends_its_commands_and_undoes_them(self):
        self.use_page("kill -$NUMBER $FIRST_DAY; sleep 600; touch went-on", "kill $FIRST_DAY; kill -HUP $FIRST_DAY")
        for number in SIGNALS:
            with self.subTest(number.name), patch.dict(os.environ, NUMBER=str(number.value)):
                code, output = run("first-day", "--stack", "dev", "--yes")

                self.assertEqual(code, 128 + number, output)
                self.assert_undone()

    def test_first_day_ends_its_undoing_before_a_signal_counts_but_for_ctrl_c_after_one(self):
        self.use_page("true", "kill -HUP $FIRST_DAY; $THEN")
        for then, is_undone in (("true", True), ("eval kill -INT $FIRST_DAY; sleep 600", False)):
            with self.subTest(then), patch.dict(os.environ, THEN=then):
                code, output = run("first-day", "--stack", "dev", "--yes")

                self.assertEqual(code, 129, output)
                self.assertEqual("question 1 may not be undone" in output, not is_undone, output)
                if is_undone:
                    self.assert_undone()

    def test_first_day_undoes_a_question_though_its_terminal_goes_away(self):
        self.use_page("while [ ! -e gone ]; do sleep 0.01; done; echo more; sleep 600; touch went-on")
        for handler, code in ((signal.SIG_DFL, 129), (signal.SIG_IGN, 1)):  # the latter, as nohup has it, only fails to print
            with self.subTest(code):
                signal.signal(signal.SIGHUP, handler)
                child, terminal = start_on_terminal("first-day", ("--stack", "dev", "--yes"))
                output = b""
                while b"| began" not in output:
                    output += os.read(terminal, 1000)
                os.close(terminal)
                (self.folder / "gone").touch()

                self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), code)
                self.assert_undone()
                (self.folder / "gone").unlink()

    def use_page(self, commands, undo=":"):
        """Its commands run in this test's folder. `$FIRST_DAY` is the command's process."""
        page = self.folder / "page.md"
        page.write_text(PAGE.format(commands=commands, undo=undo))
        self.replace(
            patch.multiple(questions, PAGE=page, ROOT=self.folder),
            patch.dict(os.environ, FIRST_DAY=str(os.getpid())),
            aws_cli(),
        )

    def assert_undone(self):
        self.assertFalse((self.folder / "went-on").exists())
        self.assert_ended(self.folder / "sleeper")
        (self.folder / "undone").unlink()


if __name__ == "__main__":
    unittest.main()
