"""Tests operate/now: on the local service, on moto, with rights that are missing, and what its calls ask of AWS."""
import json, unittest
from datetime import datetime, timedelta, timezone
from unittest.mock import patch
from erasing import API, EVENTS, store, token
from moto import STACK, TOPIC, MotoTest, aws, create_clidriver, mistake
from operators import command, deploys, logs, watch
from running import LOCAL, PORT, run
from test_watch import READER, SHOP, USERS, manage_users

POST = {"route": "POST /api/webhook-events"}
ANSWERS = {  # by a part of the query
    "client_errors": [
        {**POST, "user_id": SHOP, "status": "422", "code": "x", "refused": "3", "failed": "0"},
        {**POST, "status": "503", "code": "y", "refused": "0", "failed": "2"},
        {**POST, "user_id": SHOP, "status": "200", "refused": "1", "failed": "0"},
    ],
    "source_ip": [{"status": "429", "route": "GET /api/webhook-events", "source_ip": "203.0.113.7", "answers": "40"}],
    "counted_as": [{"user_id": SHOP, "new": "12"}],
    "behind_seconds": [{"user_id": READER, "seconds": "4000", "positions": "7"}],
}


def lines_of(output, mark):
    return [line[2:] for line in output.splitlines() if line.startswith(mark + " ")]


class LocalTest(unittest.TestCase):
    def test_it_shows_what_the_local_service_refused_stored_and_read_by_user(self):
        store(3)
        email = API.send("GET", "/api/auth/me", token=token("connector")).json["email"]
        for _ in range(2):
            API.send("POST", EVENTS, {"event_type": "none"}, token("connector"))
        API.send("GET", f"{EVENTS}?order=asc", token=token("consumer"))
        API.send("DELETE", "/no-route")

        code, output = run("now", "--port", PORT)

        self.assertEqual(code, 0, output)
        refused = rf"2 × POST /api/webhook-events, {email}: 422 validation_failed\. See docs/"
        self.assertRegex(output, "! 4xx        " + refused)
        self.assertRegex(output, rf"(?m)^  events     \d+ new ones today: .*{email} \d+")
        self.assertRegex(output, r"(?m)^  readers    [1-9]\d* asked for a page of the feed in the last hour")
        self.assertRegex(output, r"(?m)^  feed       its last position is \d+, given 20")
        self.assertNotIn("no-route", output)

    def test_without_an_access_log_it_calls_only_the_functions_answers_right(self):
        with patch.object(logs, "lines", lambda *_, **__: []):
            _, output = run("now", "--port", PORT)

        self.assertIn("\n  answers    no 4xx, no 429 and no 5xx of the functions in the last hour\n", output)
        self.assertIn("? gateway    local/serve has no access log", output)

    def test_a_question_is_answered_as_its_words_say(self):
        lines = [
            {"route": "a", "n": 1, "user_id": "u"},
            {"route": "a", "n": 2, "error": "-"},
            {"route": "b", "n": 5, "error": "x"},
            {"route": "c", "error": "x"},
        ]
        for where, rows in (
            ("n > 0", [("b", "5", "5", "1"), ("a", "3", "2", "2")]),
            ('ispresent(user_id) or error = "x" and n > 4', [("b", "5", "5", "1"), ("a", "1", "1", "1")]),
            ('error != "x" and n > 1', [("a", "2", "2", "1")]),
            ("ispresent(route)", [("b", "5", "5", "1"), ("a", "3", "2", "2")]),
            ("n > 7", []),
        ):
            with self.subTest(where):
                stats = "stats sum(n) as all, latest(n) as last, count(*) as lines by route"
                found = logs.answer(f"filter {where} | {stats} | sort all desc | limit 2", lines)
                self.assertEqual([tuple(row.values()) for row in found], rows)

    def test_without_a_service_nothing_can_be_read(self):
        code, output = run("now", "--port", "1")

        self.assertEqual(code, 1)
        self.assertIn("? feed       local/serve does not answer on port 1", output)
        self.assertTrue(output.endswith("operate/now: nothing could be read\n"), output)

    def test_wrong_use_ends_with_one_sentence(self):
        self.assertEqual(run("now", "show"), (2, "operate/now: unknown word show; it takes --port or --stack\n"))


def event(resource, status, minutes, reason=None):
    at = datetime.now(timezone.utc) - timedelta(minutes=minutes)
    members = {"ResourceStatus": status, "Timestamp": at.isoformat(), "LogicalResourceId": resource}
    if reason:
        members["ResourceStatusReason"] = reason
    return {"StackId": "arn", "PhysicalResourceId": "arn" if resource == STACK else resource, **members}


FAILED_DEPLOY = [
    event(STACK, "UPDATE_ROLLBACK_COMPLETE", 1),
    event("Other", "UPDATE_FAILED", 2, "Resource update cancelled"),
    event("LoginFunctionVersion", "CREATE_FAILED", 3, "it did not start"),
    event(STACK, "UPDATE_IN_PROGRESS", 4),
    event("Old", "CREATE_FAILED", 99, "of an earlier deploy"),
    event(STACK, "CREATE_IN_PROGRESS", 100),
]
DEPLOYED = [event(STACK, "UPDATE_COMPLETE", 1), *FAILED_DEPLOY[3:]]
TABLE = {
    "Namespace": "AWS/DynamoDB",
    "MetricName": "WriteThrottleEvents",
    "Dimensions": [{"Name": "TableName", "Value": "prod-Events"}],
}
THROTTLED = {
    "AlarmName": f"{STACK}-TablesThrottled-1ABC",
    "AlarmDescription": "DynamoDB throttled a table. See docs/alarms.md#answer-an-alarm",
    "ComparisonOperator": "GreaterThanThreshold",
    "Threshold": 0,
    "EvaluationPeriods": 1,
    "Metrics": [{"Id": "m", "MetricStat": {"Metric": TABLE, "Period": 60, "Stat": "Sum"}}],
}


class StackTest(MotoTest):
    """moto answers all but the functions, the queries of logs, and the events of deploys."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        aws("sns", "create-topic", "--name", TOPIC.rpartition(":")[2])
        cls.stack = command.Stack(STACK)
        silent = watch.alarm(cls.stack, SHOP, "other", 7200)
        for alarm in (THROTTLED, silent):
            aws("cloudwatch", "put-metric-alarm", "--cli-input-json", json.dumps(alarm))
            state = ("--state-value", "ALARM", "--state-reason", "test")
            aws("cloudwatch", "set-alarm-state", "--alarm-name", alarm["AlarmName"], *state)
        point = {"Timestamp": (datetime.now(timezone.utc) - timedelta(minutes=2)).isoformat(), "Value": 30}
        data = [{name: value for name, value in {**TABLE, **point}.items() if name != "Namespace"}]
        aws("cloudwatch", "put-metric-data", "--namespace", TABLE["Namespace"], "--metric-data", json.dumps(data))

    def now(self, denied=None, events=FAILED_DEPLOY, answers=ANSWERS, **replaced):
        """Runs the command without this right. Returns its exit code, its output, and what it asked of AWS."""
        answered, asked = command.aws, []

        def guarded(*words, **more):
            operation = " ".join(words[:2])
            asked.append(words)
            if operation == denied:
                raise command.Failure(f"An error occurred: x is not authorized to perform: {':'.join(words[:2])} on y")
            if operation == "logs start-query":
                query = words[words.index("--query-string") + 1]
                return json.dumps({"queryId": next(each for each in ANSWERS if each in query)})
            if operation == "logs get-query-results":
                rows = [[{"field": name, "value": row[name]} for name in row] for row in answers.get(words[3], [])]
                return json.dumps({"status": "Complete", "results": rows})
            if operation == "cloudformation describe-stack-events":
                return json.dumps({"StackEvents": events})
            return json.dumps(replaced[words[1]]) if words[1] in replaced else answered(*words, **more)

        def invoke(target, function, request):
            if function == "FindEventsFunction":
                return {"feed": {"head": 12, "numbered_at": "2026-11-20T12:00:00Z"}}
            users = manage_users(target, function, request)["users"]
            return {"users": [{**user, "state": "active"} for user in users]}

        outputs = {**self.stack.outputs, "FunctionLogsName": "functions"}
        described = {"Stacks": [{"Outputs": [{"OutputKey": k, "OutputValue": v} for k, v in outputs.items()]}]}
        described["Stacks"][0]["Parameters"] = [{"ParameterKey": "AlarmTopicArn", "ParameterValue": TOPIC}]
        replaced.setdefault("describe-stacks", described)
        with patch.object(command, "aws", guarded), patch.object(command.Stack, "invoke", invoke):
            return *run("now", "--stack", STACK), asked

    def test_it_shows_the_worst_first_with_the_page_that_says_what_to_do(self):
        code, output, _ = self.now()

        self.assertEqual(code, 0, output)
        expected = (
            r"alarm      TablesThrottled, since 20\S+Z: DynamoDB throttled a table\. See docs/alarms\.md#answer",
            r"alarm      shop@example\.com, since 20\S+Z: It has sent no new event \(other\) for 2h\. See docs/ala",
            r"deploy     UPDATE_ROLLBACK_COMPLETE, 20\S+Z: LoginFunctionVersion: it did not start\. See docs/dep",
            r"5xx        2 × POST /api/webhook-events, no user: 503 y\. See",
            r"throttled  30 writes of prod-Events\. See",
            r"reader     reader@example\.com is 4000 s and 7 positions behind\. See",
            r"429        40 × GET /api/webhook-events, from 203\.0\.113\.7: 429 of API Gateway\. See",
            r"4xx        3 × POST /api/webhook-events, shop@example\.com: 422 x\. See",
            r"4xx        1 × POST /api/webhook-events, shop@example\.com: in batches\. See",
            rf"messages   nobody gets one: {TOPIC} has no confirmed subscription",
            r"unwatched  both@example\.com, git@example\.com, reader@example\.com\. See",
        )
        self.assertEqual(len(lines_of(output, "!")), len(expected), output)
        for line, pattern in zip(lines_of(output, "!"), expected):
            self.assertRegex(line, f"^{pattern}")
        self.assertIn("\n  events     12 new ones today; 0 came to the feed: shop@example.com 12\n", output)
        self.assertIn("\n             none today of both@example.com, git@example.com\n", output)
        self.assertEqual(lines_of(output, "?"), [])
        self.assertLess(len(output.splitlines()), 24, "one screen")

    def test_what_a_right_is_missing_for_is_named_and_the_rest_is_shown(self):
        asked = {" ".join(words[:2]) for words in self.now()[2]}
        for operation in asked - {"cloudformation describe-stacks"}:
            with self.subTest(operation):
                code, output, _ = self.now(operation)

                self.assertEqual(code, 0, output)
                unread = lines_of(output, "?")
                self.assertTrue(unread and all("needs the right " + operation.replace(" ", ":") in it for it in unread))
                self.assertGreater(len(lines_of(output, "!")), 4)

    @unittest.skipUnless(create_clidriver, "version 1 of the AWS CLI is not installed")
    def test_each_call_is_one_of_the_services(self):
        asked = self.now()[2]
        self.assertGreater(len(asked), 12)
        for words in asked:
            with self.subTest(" ".join(words[:2])):
                self.assertIsNone(mistake(["aws", *words]))

    def test_of_a_stack_where_all_is_well_no_line_is_wrong(self):
        alarms = [{**THROTTLED, "StateValue": "OK"}]
        for user in USERS:
            of = watch.FEED if user["role"] == "consumer" else "x"
            alarms.append({**watch.alarm(self.stack, user["id"], of, 7200), "StateValue": "OK"})
        confirmed = {"Attributes": {"SubscriptionsConfirmed": "1", "SubscriptionsPending": "0"}}
        replaced = {"describe-alarms": {"MetricAlarms": alarms}, "get-topic-attributes": confirmed}

        code, output, _ = self.now(
            events=DEPLOYED, answers={}, **replaced, **{"get-metric-data": {"MetricDataResults": []}}
        )

        self.assertEqual((code, lines_of(output, "!"), lines_of(output, "?")), (0, [], []), output)
        self.assertIn("  answers    no 4xx, no 429 and no 5xx in the last hour\n", output)

    def test_the_cause_of_a_failed_deploy_is_what_failed_first_of_its_own_accord(self):
        for events, state, first in (
            (FAILED_DEPLOY, "UPDATE_ROLLBACK_COMPLETE", "LoginFunctionVersion"),
            (FAILED_DEPLOY[4:], "CREATE_IN_PROGRESS", "Old"),
            (DEPLOYED, "UPDATE_COMPLETE", None),
        ):
            with self.subTest(state), patch.object(command.Stack, "call", lambda *_, it=events: {"StackEvents": it}):
                found, ended = deploys.last(self.stack)

                self.assertEqual(ended, state)
                self.assertEqual((deploys.cause(found) or {}).get("LogicalResourceId"), first)


if __name__ == "__main__":
    unittest.main()
