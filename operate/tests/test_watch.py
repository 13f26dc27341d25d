"""Tests `watch` and `unwatch` of operate/user: their calls of AWS, and when CloudWatch's rules set the alarm off."""
import io, re, unittest
from contextlib import redirect_stdout
from datetime import datetime, timedelta, timezone
from unittest.mock import patch

from moto import STACK, TOPIC, MotoTest, aws
from operators import watch
from operators.command import Failure, Stack
from running import run

SHOP, GIT, BOTH, READER, GONE = (f"0198{number:04}-0000-7000-8000-000000000000" for number in range(5))
USERS = [
    {"id": SHOP, "email": "shop@example.com", "role": "connector"},
    {"id": GIT, "email": "git@example.com", "role": "connector", "event_types": ["github.push", "github.issue*"]},
    {"id": BOTH, "email": "both@example.com", "role": "connector", "event_types": ["x.*", "*", "a.b"]},
    {"id": READER, "email": "reader@example.com", "role": "consumer"},
]


def manage_users(_, function, event):
    """Stands in for ManageUsersFunction: moto runs no function."""
    assert function == "ManageUsersFunction"
    if event["action"] == "list":
        return {"users": USERS}
    user = next((user for user in USERS if user["email"] == event["email"].lower()), None)
    if user is None:
        raise Failure("user_not_found: No user has this e-mail address.")
    return {"user": {**user, "state": "active"}}


def printed(command, *arguments):
    with redirect_stdout(io.StringIO()) as output:
        command(*arguments)
    return output.getvalue()


def count(user_id, provider, *hours_ago):
    """Lets the template's metric filter count a new event at these times."""
    now = datetime.now(timezone.utc)
    data = [
        f"MetricName=stored,Timestamp={(now - timedelta(hours=ago)).isoformat()},Value=1,Unit=Count,"
        f"Dimensions=[{{Name=user_id,Value={user_id}}},{{Name=provider,Value={provider}}}]"
        for ago in hours_ago
    ]
    aws("cloudwatch", "put-metric-data", "--namespace", f"ConnectorEvents/{STACK}", "--metric-data", *data)


class WatchTest(MotoTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        users = patch.object(Stack, "invoke", manage_users)
        users.start()
        cls.addClassCleanup(users.stop)
        cls.stack = Stack(STACK)

    def tearDown(self):
        watch.unwatch(self.stack)

    def test_an_alarm_looks_at_both_halves_of_the_pause(self):
        output = printed(watch.watch, self.stack, "Shop@example.com", None, watch.pause("2h"))

        self.assertEqual(output, "shop@example.com, other: an alarm goes off after 2h without a new event.\n")
        alarm = aws("cloudwatch", "describe-alarms")["MetricAlarms"][0]
        self.assertEqual(alarm["AlarmName"], f"prod-silent-{SHOP}-other")
        self.assertEqual((alarm["AlarmActions"], alarm["OKActions"]), ([TOPIC], [TOPIC]))
        self.assertNotIn("@", str(alarm), "an address")
        expression, stored = alarm["Metrics"]
        self.assertEqual((expression["Expression"], expression["ReturnData"]), ("FILL(points, 0)", True))
        self.assertEqual((stored["Id"], stored["ReturnData"]), ("points", False))
        self.assertEqual(stored["MetricStat"], watch.statistic(self.stack, SHOP, "other", 3600))
        self.assertEqual(
            [each["Value"] for each in stored["MetricStat"]["Metric"]["Dimensions"]], [SHOP, "other"], "a sum of these"
        )
        self.assertEqual(stored["MetricStat"]["Stat"], "Sum")
        self.assertEqual(settings(alarm), settings(watch.alarm(self.stack, SHOP, "other", 7200)))

    def test_the_list_has_state_and_last_event_until_the_alarm_is_gone(self):
        count(SHOP, "other", 30, 3)
        for email, every in (("shop@example.com", "2h"), ("shop@example.com", "7d"), ("git@example.com", "10m")):
            printed(watch.watch, self.stack, email, None, watch.pause(every))
        aws(
            *("cloudwatch", "set-alarm-state", "--alarm-name", f"prod-silent-{SHOP}-other"),
            *("--state-value", "ALARM", "--state-reason", "test"),
        )

        lines = printed(watch.print_watched, self.stack).splitlines()

        self.assertEqual(re.split(" {2,}", lines[0]), ["email", "watched", "limit", "state", "last seen"])
        first, second = (re.split(" {2,}", line) for line in lines[1:])
        self.assertEqual(first[:3] + first[4:], ["git@example.com", "github", "10m", "not in two weeks"])
        self.assertEqual(second[:4], ["shop@example.com", "other", "7d", "silent"])
        last = datetime.now(timezone.utc) - datetime.strptime(second[4] + "+0000", "%Y-%m-%dT%H:%MZ%z")
        self.assertAlmostEqual(last.total_seconds(), 3 * 3600, delta=600)
        self.assertEqual(
            printed(watch.print_unwatched, self.stack, "shop@example.com", None),
            "shop@example.com, other: no longer watched.\n",
        )
        self.assertNotIn("shop", printed(watch.print_watched, self.stack))

    def test_a_consumer_is_watched_for_how_far_it_is_behind_and_for_silence(self):
        output = printed(watch.watch_consumer, self.stack, "reader@example.com", watch.pause("1h"))

        self.assertEqual(
            output, "reader@example.com: an alarm goes off when it is 1h behind, or has not asked for so long.\n"
        )
        alarm = aws("cloudwatch", "describe-alarms")["MetricAlarms"][0]
        self.assertEqual(alarm["AlarmName"], f"prod-behind-{READER}")
        expression, points = alarm["Metrics"]
        self.assertEqual((expression["Id"], expression["Expression"]), ("all", "FILL(points, 3601)"))
        self.assertEqual((alarm["ComparisonOperator"], alarm["Threshold"]), ("GreaterThanThreshold", 3600))
        stat = points["MetricStat"]
        self.assertEqual((stat["Stat"], stat["Period"], stat["Metric"]["MetricName"]), ("Maximum", 1800, watch.BEHIND))
        self.assertEqual(stat["Metric"]["Dimensions"], [{"Name": "user_id", "Value": READER}])
        self.assertEqual(settings(alarm), settings(watch.alarm(self.stack, SHOP, "other", 3600)))

        pages = [
            f"MetricName={watch.BEHIND},Timestamp={(datetime.now(timezone.utc) - timedelta(hours=ago)).isoformat()},"
            f"Value={behind},Unit=Seconds,Dimensions=[{{Name=user_id,Value={READER}}}]"
            for ago, behind in ((2, 0), (1, 4000))
        ]
        aws("cloudwatch", "put-metric-data", "--namespace", f"ConnectorEvents/{STACK}", "--metric-data", *pages)
        printed(watch.watch, self.stack, "shop@example.com", None, 600)
        lines = printed(watch.print_watched, self.stack)
        self.assertRegex(lines, "reader@example.com +feed +1h +reads, 4000 s behind +20")
        self.assertRegex(lines, "shop@example.com +other +10m +sends ")
        with self.assertRaisesRegex(Failure, "shop@example.com is a connector: it reads no feed. Watch it with --every"):
            watch.watch_consumer(self.stack, "shop@example.com", 3600)
        self.assertEqual(
            printed(watch.print_unwatched, self.stack, "reader@example.com", None),
            "reader@example.com, feed: no longer watched.\n",
        )

    def test_a_connector_is_watched_for_how_old_its_complete_until_is(self):
        output = printed(watch.watch_complete, self.stack, "shop@example.com", watch.pause("4h"))

        self.assertEqual(
            output,
            "shop@example.com: an alarm goes off when complete_until is 4h old, or nobody says so.\n",
        )
        alarm = aws("cloudwatch", "describe-alarms")["MetricAlarms"][0]
        self.assertEqual(alarm["AlarmName"], f"prod-incomplete-{SHOP}")
        stat = alarm["Metrics"][1]["MetricStat"]
        self.assertEqual((stat["Stat"], stat["Metric"]["MetricName"]), ("Maximum", "incomplete_seconds"))
        self.assertEqual(stat["Metric"]["Dimensions"], [{"Name": "user_id", "Value": SHOP}])
        behind = watch.alarm(self.stack, READER, watch.FEED, 4 * 3600)
        for same in ("ComparisonOperator", "Threshold", "EvaluationPeriods", "TreatMissingData"):
            self.assertEqual(alarm[same], behind[same], "judged as a consumer's")
        self.assertEqual(alarm["Metrics"][0]["Expression"], behind["Metrics"][0]["Expression"])
        printed(watch.watch, self.stack, "shop@example.com", None, 600)
        self.assertRegex(printed(watch.print_watched, self.stack), "shop@example.com +complete +4h +complete +not in")
        self.assertIn("shop@example.com, complete: no longer watched.\n",
                      printed(watch.print_unwatched, self.stack, "shop@example.com", None))
        with self.assertRaisesRegex(Failure, "reader@example.com is a consumer: nothing is delivered to it"):
            watch.watch_complete(self.stack, "reader@example.com", 3600)

    def test_the_alarm_of_a_consumer_goes_off_if_it_is_stopped_or_slow_by_the_rules_of_cloudwatch(self):
        alarm = watch.alarm(self.stack, READER, watch.FEED, 3600)
        fill = int(re.fullmatch(r"FILL\(points, (\d+)\)", alarm["Metrics"][0]["Expression"])[1])
        for halves, state in (
            ([0, 0, 0], "OK"),  # at the head
            ([None, None, None], "ALARM"),  # it has never asked
            ([0, None, None], "ALARM"),  # stopped
            ([0, 0, None], "OK"),  # for half an hour
            ([0, 3601, 3700], "ALARM"),  # slow
            ([0, 0, 3601], "OK"),  # for half an hour
            ([3700, 3700, 3600], "OK"),  # it has caught up
            ([0, 3700, None], "ALARM"),  # slow, then stopped
        ):
            with self.subTest(halves):
                filled = [fill if half is None else half for half in halves]
                points = " ".join("X" if half > alarm["Threshold"] else "0" for half in filled)
                self.assertEqual(judge(points, **settings(alarm)), state)

    def test_a_connector_that_sends_too_much_is_watched_beside_its_silence(self):
        printed(watch.watch, self.stack, "shop@example.com", None, 600)
        output = printed(watch.watch_most, self.stack, "shop@example.com", None, watch.most("100000/day"))

        self.assertEqual(output, "shop@example.com, other: an alarm goes off at more new events than 100000/day.\n")
        alarms = {each["AlarmName"]: each for each in aws("cloudwatch", "describe-alarms")["MetricAlarms"]}
        alarm = alarms[f"prod-most-{SHOP}-other"]
        self.assertEqual((alarm["ComparisonOperator"], alarm["Threshold"]), ("GreaterThanThreshold", 100000))
        self.assertEqual((alarm["EvaluationPeriods"], alarm["TreatMissingData"]), (1, "notBreaching"))
        self.assertEqual((alarm["AlarmActions"], alarm["OKActions"]), ([TOPIC], [TOPIC]))
        self.assertEqual(alarm["Metrics"][0]["MetricStat"], watch.statistic(self.stack, SHOP, "other", 86400))
        lines = printed(watch.print_watched, self.stack)
        self.assertRegex(lines, "shop@example.com +other +100000/day +sends ")
        self.assertRegex(lines, "shop@example.com +other +10m +sends ")
        self.assertEqual(
            printed(watch.print_unwatched, self.stack, "shop@example.com", None),
            "shop@example.com, other: no longer watched.\n",
        )
        self.assertEqual(printed(watch.print_watched, self.stack), "Nobody is watched. operate/user --help says how.\n")

    def test_an_alarm_of_a_deleted_user_or_of_a_narrowed_scope_is_named(self):
        for user_id, provider in ((GONE, "github"), (GIT, "gitlab")):
            alarm = watch.alarm(self.stack, user_id, provider, 600)
            self.stack.call("cloudwatch", "put-metric-alarm", "--cli-input-json", watch.json.dumps(alarm))
        other = {**watch.alarm(self.stack, GIT, "github", 600), "AlarmName": f"prod-silent-{GIT}"}
        self.stack.call("cloudwatch", "put-metric-alarm", "--cli-input-json", watch.json.dumps(other))

        output = printed(watch.print_watched, self.stack)

        self.assertRegex(output, f"{re.escape(GONE)} \\(deleted\\) +github +10m +sends +not in")
        self.assertRegex(output, "git@example.com +gitlab +10m +sends; its scope does not name gitlab ")
        self.assertEqual(printed(watch.print_unwatched, self.stack, GONE, "x"), "No alarm watched it.\n")
        self.assertEqual(
            printed(watch.print_unwatched, self.stack, GONE, None), f"{GONE}, github: no longer watched.\n"
        )
        self.assertEqual(printed(watch.print_unwatched, self.stack, None, None), f"{GIT}, gitlab: no longer watched.\n")
        left = aws("cloudwatch", "describe-alarms")["MetricAlarms"]
        self.assertEqual([alarm["AlarmName"] for alarm in left], [other["AlarmName"]], "not one of these alarms")
        aws("cloudwatch", "delete-alarms", "--alarm-names", other["AlarmName"])

    def test_twice_the_longest_gap_of_two_weeks_is_suggested(self):
        count(GIT, "github", 100, 90, 89.5, 20)
        count(GIT, "gitlab", 1)
        count(GONE, "other", 5, 4)

        one = printed(watch.print_suggestions, self.stack, "git@example.com", "github")
        output = printed(watch.print_suggestions, self.stack, None, None)

        command = "\n\n  operate/user --stack prod watch git@example.com --provider github --every 140h\n"
        self.assertTrue(one.endswith(command), one)
        self.assertRegex(one, "git@example.com +github +[0-9-]+T[0-9:]+Z +69h 3[0-9]m\n")
        self.assertIn(command[2:], output)
        self.assertRegex(output, "git@example.com +gitlab +[0-9-]+T[0-9:]+Z +too few events\n")
        self.assertNotIn(GONE, output)

    def test_a_connector_is_watched_by_a_provider_that_its_scope_names(self):
        for email, provider, failure in (
            ("both@example.com", None, "--provider must say which events to watch: a, other, x"),
            ("git@example.com", "other", "scope of git@example.com does not name other: its events count as github"),
            ("shop@example.com", "github", "scope of shop@example.com does not name github: its events count as other"),
            ("reader@example.com", None, "reader@example.com is a consumer: it sends no events. Watch it with --behind"),
            ("nobody@example.com", None, "user_not_found"),
        ):
            with self.subTest(email), self.assertRaisesRegex(Failure, failure):
                watch.watch(self.stack, email, provider, 600)

    def test_a_stack_without_a_topic_gets_an_alarm_without_a_message(self):
        with patch.dict(self.stack.parameters, AlarmTopicArn=""):
            output = printed(watch.watch, self.stack, "both@example.com", "x", 600)
            self.assertIn("nobody gets a message", output)
            self.assertNotIn("another topic", printed(watch.print_watched, self.stack))
        self.assertIn("another topic", printed(watch.print_watched, self.stack))

    def watched_after_deletion(self, invoke):
        """Deletes one of two watched users. Returns the exit code, the output, and who is watched then."""
        printed(watch.watch, self.stack, "git@example.com", None, 600)
        printed(watch.watch, self.stack, "shop@example.com", None, 600)
        with patch.object(Stack, "invoke", invoke):
            code, output = run("user", "--stack", STACK, "delete", "git@example.com", "--yes")
        return code, output, {of for of, _, _ in watch.watched(self.stack, watch.all_alarms(self.stack))}

    def test_a_user_is_unwatched_after_it_is_deleted(self):
        code, output, left = self.watched_after_deletion(manage_users)

        self.assertEqual((code, left), (0, {SHOP}), output)
        self.assertIn("Its tokens have ended", output)

    def test_a_user_whose_deletion_fails_stays_watched(self):
        def fail(stack, function, event):
            if event["action"] == "delete":
                raise Failure("no answer")
            return manage_users(stack, function, event)

        code, output, left = self.watched_after_deletion(fail)

        self.assertEqual((code, left), (1, {GIT, SHOP}), output)

    def test_alarms_that_outlive_their_user_are_told_with_the_command_that_deletes_them(self):
        with patch.object(watch, "unwatch", side_effect=Failure("AccessDenied")):
            code, output, left = self.watched_after_deletion(manage_users)

        self.assertEqual((code, left), (1, {GIT, SHOP}), output)
        self.assertIn(f"AccessDenied; operate/user --stack {STACK} unwatch {GIT} deletes them", output)

    def test_the_alarm_goes_off_where_points_are_missing_by_the_rules_of_cloudwatch(self):
        printed(watch.watch, self.stack, "shop@example.com", None, 7200)
        alarm = aws("cloudwatch", "describe-alarms")["MetricAlarms"][0]

        self.assertEqual({points for points, *_ in STATES}, {points for table in AWS_TABLES for points in table[1]})
        for points, without_fill, filled, state in STATES:
            with self.subTest(points):
                self.assertEqual(points.replace("-", "X"), filled, "FILL(points, 0) < 1 where there is no point")
                self.assertEqual(judge(filled, **settings(alarm)), state)
                self.assertEqual(judge(points, **settings(alarm)), without_fill)
        self.assertEqual(judge("- - - - -", **settings(alarm)), "ALARM", "even if FILL leaves an empty metric as it is")


# Points as in AWS's tables, and the alarm's state for them; then what FILL(points, 0) makes of them, and the state.
STATES = [
    ("0 - X - X", "ALARM", "0 X X X X", "ALARM"),
    ("0 - - - -", "OK", "0 X X X X", "ALARM"),
    ("- - - - -", "ALARM", "X X X X X", "ALARM"),
    ("0 X X - X", "ALARM", "0 X X X X", "ALARM"),
    ("- - X - -", "ALARM", "X X X X X", "ALARM"),
    ("0 0 X 0 X", "OK", "0 0 X 0 X", "OK"),
    ("0 - X - -", "OK", "0 X X X X", "ALARM"),
    ("- - - - 0", "OK", "X X X X 0", "OK"),
    ("- - - X -", "ALARM", "X X X X X", "ALARM"),
]

# AWS's tables: https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
# The five latest points, the latest on the right: 0 does not breach, X does, - is missing. Then the state if missing
# points are breaching, and if they are notBreaching. Of three periods, three or two must breach.
AWS_TABLES = [
    (
        3,
        {
            "0 - X - X": ("OK", "OK"),
            "0 - - - -": ("OK", "OK"),
            "- - - - -": ("ALARM", "OK"),
            "0 X X - X": ("ALARM", "ALARM"),
            "- - X - -": ("ALARM", "OK"),
        },
    ),
    (
        2,
        {
            "0 - X - X": ("ALARM", "ALARM"),
            "0 0 X 0 X": ("ALARM", "ALARM"),
            "0 - X - -": ("ALARM", "OK"),
            "- - - - 0": ("ALARM", "OK"),
            "- - - X -": ("ALARM", "OK"),
        },
    ),
]


def settings(alarm):
    return {
        "periods": alarm["EvaluationPeriods"],
        "to_alarm": alarm["DatapointsToAlarm"],
        "missing": alarm["TreatMissingData"],
    }


def judge(points, periods, to_alarm, missing):
    """The state of an alarm with `breaching` or `notBreaching`, by the rules above AWS's tables."""
    real = [point for point in points.split() if point != "-"][-periods:]
    filled = periods - len(real)
    breaching = real.count("X") + (filled if missing == "breaching" else 0)
    return "ALARM" if breaching >= to_alarm else "OK"


class RulesTest(unittest.TestCase):
    def test_the_rules_give_the_states_of_the_tables_of_aws(self):
        for to_alarm, table in AWS_TABLES:
            for points, (breaching, not_breaching) in table.items():
                with self.subTest(points=points, to_alarm=to_alarm):
                    self.assertEqual(judge(points, 3, to_alarm, "breaching"), breaching)
                    self.assertEqual(judge(points, 3, to_alarm, "notBreaching"), not_breaching)


class UsageTest(unittest.TestCase):
    def test_wrong_use_ends_with_one_sentence(self):
        for words, sentence in (
            ("watch", "watch needs --stack: local/serve has no CloudWatch"),
            ("--stack s watch a@b.c", "watch EMAIL needs --every, --most, --complete, --behind or --suggest"),
            ("--stack s watch a@b.c --every 2h --most 5/day", "watch takes either --every or --most"),
            ("--stack s watch a@b.c --most 5", "--most needs a number such as 100000/day or 5000/hour, not 5"),
            ("--stack s watch a@b.c --every 2h --behind 2h", "watch takes either --every or --behind"),
            ("--stack s watch a@b.c --complete 2h --provider x", "watch --complete takes no --provider"),
            ("--stack s watch --behind 2h", "watch needs an e-mail address"),
            ("--stack s watch a@b.c --behind 9m", "--behind must be from 10m to 7d"),
            ("--stack s watch a@b.c --behind 2h --provider x", "watch --behind takes no --provider: the feed has all"),
            ("--stack s watch a@b.c --suggest --every 2h", "watch takes either --every or --suggest"),
            ("--stack s watch --every 2h", "watch needs an e-mail address"),
            ("--stack s watch a@b.c d@e.f --every 2h", "one EMAIL only, not also d@e.f"),
            ("--stack s watch a@b.c --every 2", "--every needs a time such as 30m, 2h or 3d, not 2"),
            ("--stack s watch a@b.c --every 8m", "--every must be from 10m to 7d, since CloudWatch looks back for"),
            ("--stack s watch a@b.c --every 8d", "--every must be from 10m to 7d, since CloudWatch looks back for"),
            ("--stack s watch a@b.c --every 15m", "--every needs an even number of minutes"),
            ("--stack s unwatch", "unwatch needs either an e-mail address or --all"),
            ("--stack s unwatch a@b.c --all", "unwatch needs either an e-mail address or --all"),
            ("--stack s unwatch --all --provider x", "unwatch --all takes no --provider"),
        ):
            with self.subTest(words):
                code, output = run("user", *words.split())
                self.assertEqual(code, 2, output)
                self.assertTrue(output.startswith(f"operate/user: {sentence}"), output)

    def test_a_suggestion_is_twice_the_gap_and_at_most_a_week(self):
        for gap, every in ((300, "10m"), (3300, "110m"), (3600, "2h"), (3900, "3h"), (90000, "50h"), (518400, "7d")):
            with self.subTest(gap):
                self.assertEqual(watch.words(watch.suggestion(gap)), every)
        self.assertEqual(watch.suggestion(watch.LONGEST), 0)
