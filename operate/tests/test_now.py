"""Tests operate/now: on the local service, on moto, with rights that are missing, and what its calls ask of AWS."""
import json, unittest
from datetime import datetime, timedelta, timezone
from unittest.mock import patch
from erasing import API, EVENTS, store, token
from moto import STACK, TOPIC, MotoTest, aws, create_clidriver, mistake
from operators import command, deploys, leftovers, logs, watch
from operators.consumer import Reader
from running import LOCAL, PORT, TABLE, THROTTLED, Insights, run, sleep
from test_feed import LOST, MINUTE, SINCE, beat
from test_reads import new_user
from test_watch import READER, SHOP, USERS, manage_users

POST, LIST, ME = ({"route": route} for route in (f"POST {EVENTS}", f"GET {EVENTS}", "GET /api/auth/me"))
CHECK = leftovers.type_of("0123456789ab")


def answered(route, status, age=MINUTE, **members):
    """The line of an answer so many seconds ago, and its age."""
    kind = {"4": {"client_errors": 1}, "5": {"server_errors": 1}}.get(str(status)[0], {})
    return age, {"request_id": "r", **route, "status": status, "bytes": 9, "duration_ms": 1.5, **kind, **members}


def stored(user_id=SHOP, count=1, age=1, **members):
    return answered(POST, 201, age, user_id=user_id, stored=count, counted_as="other", event_type="a.b", **members)


def page(behind, seconds, age=MINUTE, user_id=READER, **members):
    place = {"next": 12 - behind, "behind": behind, "behind_seconds": seconds}
    return answered(LIST, 200, age, user_id=user_id, **{**place, **members})


def erasing(minutes, erasure_id, **members):
    return minutes * MINUTE, {"selector": "ids", "erasure_id": erasure_id, "matched": 1, "erased": 1, **members}


UNAVAILABLE = {"code": "temporarily_unavailable"}
THROTTLED_BY_GATEWAY = {"status": "429", "route": f"GET {EVENTS}", "source_ip": "203.0.113.7", "error": "Too Many Requests"}
LINES = [
    *[answered(POST, 422, user_id=SHOP, code="x")] * 3,
    *[answered(POST, 503, code="y", error="DynamoDb (Service: DynamoDb, Request ID: %d)" % number) for number in (1, 2)],
    answered(POST, 503, code="y", error="another"),
    answered(POST, 200, user_id=SHOP, client_errors=1),
    answered(ME, 401, code="revoked_token", user_id=SHOP),
    stored(count=12),
    page(7, 4000),
    beat(20 * MINUTE, lost_from=LOST, whole_since=SINCE),
]


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

        for _ in range(300):  # until a beat has come
            code, output = run("now", "--port", PORT)
            if "\n  feed " in output:
                break
            sleep(0.2)

        self.assertEqual(code, 0, output)
        refused = rf"2 × POST /api/webhook-events, {email}: 422 validation_failed\. See docs/"
        self.assertRegex(output, "! 4xx        " + refused)
        self.assertRegex(output, rf"(?m)^  events     \d+ new ones today: .*({email} \d+| and \d+ more)")
        self.assertRegex(output, r"(?m)^  readers    [1-9]\d* asked for a page of the feed in the last hour")
        held = r"The feed holds all that was stored before \S+, \d+ s ago\. Its last position is \d+"
        self.assertRegex(output, rf"(?m)^  feed       {held}$")
        self.assertNotIn("no-route", output)

    def test_who_asks_for_the_end_of_the_feed_alone_is_not_behind(self):
        """As `operate/user reads` does, with a consumer that an operator made."""
        store(3)
        user, consumer = new_user("consumer")
        Reader(LOCAL.url, consumer).end()

        self.assertNotIn(user["email"], "".join(lines_of(run("now", "--port", PORT)[1], "!")))

    def test_without_an_access_log_it_calls_only_the_functions_answers_right(self):
        with patch.object(logs, "lines", lambda *_, **__: []):
            _, output = run("now", "--port", PORT)

        self.assertIn("\n  answers    no 4xx, no 429 and no 5xx of the functions in the last hour\n", output)
        self.assertIn("? gateway    local/serve has no access log", output)

    def test_a_question_is_answered_as_its_words_say(self):
        members = (
            {"route": "a", "n": 1, "user_id": "u"},
            {"route": "a", "n": 2, "error": "-"},
            {"route": "b", "n": 5, "error": "x"},
            {"route": "c", "error": "x"},
        )
        lines = [(f"1970-01-01T00:00:0{second}.000Z", line) for second, line in enumerate(members)]
        for where, rows in (
            ("n > 0", [("b", "5", "5", "1", "2000"), ("a", "3", "2", "2", "1000")]),
            ('ispresent(user_id) or error = "x" and n > 4', [("b", "5", "5", "1", "2000"), ("a", "1", "1", "1", "0")]),
            ('error != "x" and n > 1', [("a", "2", "2", "1", "1000")]),
            ("ispresent(route)", [("b", "5", "5", "1", "2000"), ("a", "3", "2", "2", "1000")]),
            ("not ispresent(`error`) and n > 0", [("a", "1", "1", "1", "0")]),
            ("error like /^-|y$/", [("a", "2", "2", "1", "1000")]),
            ("n > 7", []),
        ):
            with self.subTest(where):
                stats = "stats sum(n) as all, latest(n) as last, count(*) as lines, max(@timestamp) as at by route"
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
WATCHED = {**THROTTLED, "ComparisonOperator": "GreaterThanThreshold", "Threshold": 0, "EvaluationPeriods": 1}
WATCHED.pop("StateValue")


class StackTest(MotoTest):
    """moto answers all but the functions, the queries of logs, and the events of deploys."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        aws("sns", "create-topic", "--name", TOPIC.rpartition(":")[2])
        cls.stack = command.Stack(STACK)
        silent = watch.alarm(cls.stack, SHOP, "other", 7200)
        for alarm in (WATCHED, silent):
            aws("cloudwatch", "put-metric-alarm", "--cli-input-json", json.dumps(alarm))
            state = ("--state-value", "ALARM", "--state-reason", "test")
            aws("cloudwatch", "set-alarm-state", "--alarm-name", alarm["AlarmName"], *state)
        point = {"Timestamp": (datetime.now(timezone.utc) - timedelta(minutes=2)).isoformat(), "Value": 30}
        data = [{name: value for name, value in {**TABLE, **point}.items() if name != "Namespace"}]
        aws("cloudwatch", "put-metric-data", "--namespace", TABLE["Namespace"], "--metric-data", json.dumps(data))

    def now(self, denied=None, events=FAILED_DEPLOY, lines=LINES, gateway=(THROTTLED_BY_GATEWAY,) * 40, **replaced):
        """Runs the command without this right. Returns its exit code, its output, and what it asked of AWS."""
        answered, asked = command.aws, []
        functions, access = Insights(*lines), Insights(*[(MINUTE, line) for line in gateway])

        def guarded(*words, **more):
            operation = " ".join(words[:2])
            asked.append(words)
            if operation == denied:
                raise command.Failure(f"An error occurred: x is not authorized to perform: {':'.join(words[:2])} on y")
            if operation == "logs start-query":
                log = access if "/aws/vendedlogs/apigateway/prod" in words else functions
                return json.dumps({"queryId": log.answer(words)["queryId"] + ("a" if log is access else "f")})
            if operation == "logs get-query-results":
                log = access if words[3].endswith("a") else functions
                return json.dumps(log.answer([*words[:3], words[3][:-1]]))
            if operation == "cloudformation describe-stack-events":
                return json.dumps({"StackEvents": events})
            return json.dumps(replaced[words[1]]) if words[1] in replaced else answered(*words, **more)

        def invoke(target, function, request):
            self.assertEqual(function, watch.FUNCTION, "a right to personal data")
            if "refused" in replaced:
                raise command.Refusal(replaced["refused"])
            users = manage_users(target, function, request)["users"]
            return {"users": [{**user, "state": "active"} for user in [*users, *replaced.get("users", ())]]}

        outputs = {**self.stack.outputs, "FunctionLogsName": "functions"}
        described = {"Stacks": [{"Outputs": [{"OutputKey": k, "OutputValue": v} for k, v in outputs.items()]}]}
        described["Stacks"][0]["Parameters"] = [{"ParameterKey": "AlarmTopicArn", "ParameterValue": TOPIC}]
        replaced.setdefault("describe-stacks", described)
        with patch.object(command, "aws", guarded), patch.object(command.Stack, "invoke", invoke):
            return *run("now", "--stack", STACK), asked

    def well(self, lines, throttled=0, gateway=(), **replaced):
        """Runs the command on a stack where nothing but what these lines tell is wrong. Returns its output."""
        alarms = [THROTTLED]
        for user in USERS:
            of = watch.FEED if user["role"] == "consumer" else "x"
            alarms.append({**watch.alarm(self.stack, user["id"], of, 7200), "StateValue": "OK"})
        given = {
            "describe-alarms": {"MetricAlarms": alarms},
            "get-topic-attributes": {"Attributes": {"SubscriptionsConfirmed": "1", "SubscriptionsPending": "0"}},
            "get-metric-data": {"MetricDataResults": [{"Id": "m0", "Values": [throttled]}]},
            **replaced,
        }
        code, output, _ = self.now(events=DEPLOYED, lines=lines, gateway=gateway, **given)
        self.assertEqual(code, 0, output)
        return output

    def test_it_shows_the_worst_first_with_the_page_that_says_what_to_do(self):
        code, output, _ = self.now()

        self.assertEqual(code, 0, output)
        expected = (
            r"alarm      TablesThrottled, since 20\S+Z: DynamoDB throttled a table\. See docs/alarms\.md#answer",
            r"alarm      shop@example\.com, since 20\S+Z: It has sent no new event \(other\) for 2h\. See docs/ala",
            r"deploy     UPDATE_ROLLBACK_COMPLETE, 20\S+Z: LoginFunctionVersion: it did not start\. See docs/dep",
            r"5xx        3 × POST /api/webhook-events, no user: 503 y\. Mostly: DynamoDb \(Service: DynamoDb\)\. See",
            r"feed       nobody says how far it is: BeatFeedFunction ran last at \S+, 2\d minutes ago\. Its schedule",
            r"feed       it is behind: only what was stored before \S+, 2\d minutes ago, is sure to be there\. See",
            rf"feed       it may lack what .* to {SINCE}: operate/feed --stack prod fill --from {LOST} brings it back\.",
            r"throttled  30 writes of prod-Events\. See",
            r"reader     reader@example\.com is 67 minutes and 7 positions behind\. It asked last 60 s ago\. See",
            r"429        40 × GET /api/webhook-events, from 203\.0\.113\.7: 429 of API Gateway\. See",
            r"4xx        3 × POST /api/webhook-events, shop@example\.com: 422 x\. See",
            r"4xx        1 × POST /api/webhook-events, shop@example\.com: in batches\. See",
            r"4xx        1 × GET /api/auth/me, shop@example\.com: 401 revoked_token\. See",
            rf"messages   nobody gets one: {TOPIC} has no confirmed subscription",
            r"unwatched  both@example\.com, git@example\.com, reader@example\.com\. See",
        )
        self.assertEqual(len(lines_of(output, "!")), len(expected), output)
        for line, pattern in zip(lines_of(output, "!"), expected):
            self.assertRegex(line, f"^{pattern}")
        self.assertIn("\n  events     12 new ones today: shop@example.com 12\n", output)
        self.assertIn("\n             none today of both@example.com, git@example.com\n", output)
        self.assertEqual(lines_of(output, "?"), [])
        self.assertLess(len(output.splitlines()), 25, "one screen")

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

    def test_each_state_has_its_lines_and_no_other_is_wrong(self):
        none = "no 4xx, no 429 and no 5xx in the last hour"
        old = {"whole_until": "2026-11-20T12:00:00.000Z"}
        gone = "TableException <- ResourceNotFoundException: Requested resource not found"
        unavailable = {**UNAVAILABLE, "detail": "A service that this one depends on does not answer."}
        failing = [answered(POST, 503, **UNAVAILABLE, error=gone), answered(LIST, 503, **UNAVAILABLE, error=gone)]
        for state, lines, more, wrong, right in (
            ("all is well", [stored(), page(0, 0)], {}, [], [none, "The feed holds all that was stored before ", " 1 asked"]),
            (
                "a shard of the feed stands",
                [stored(), *[beat(age * MINUTE, **old) for age in range(1, 12)]],
                {},
                [r"feed +it is behind: only what was stored before 2026-11-20T12:00:00\.000Z, \d+ \w+ ago, is sure"],
                [],
            ),
            (
                "the mapping is gone, and nothing was ever numbered",
                [stored(), (MINUTE, {"function_name": "prod-BeatFeedFunction-1ABC", "beat": 9, "marks": 64, "head": 0})],
                {},
                ["feed +nobody knows what it holds"],
                [],
            ),
            (
                "the table of users is gone",
                [beat(), *failing],
                {"refused": unavailable},
                [
                    rf"5xx +1 × POST {EVENTS}, no user: 503 temporarily_unavailable\. Mostly: {gone}\.",
                    rf"5xx +1 × GET {EVENTS}, no user: 503 temporarily_unavailable\. Mostly: {gone}\.",
                    "service +users: temporarily_unavailable: A service that this one depends on does not answer",
                ],
                [],
            ),
            (
                "the table of the feed is gone",
                [stored(), beat(5 * MINUTE), (MINUTE, {"function_name": "prod-BeatFeedFunction-1ABC", "error": gone})],
                {},
                [f"feed +BeatFeedFunction fails: {gone}"],
                [],
            ),
            (
                "a reader stopped",
                [stored(), beat(), page(16_000, 10, 40 * MINUTE)],
                {},
                [r"reader +reader@example\.com is 40 minutes and 16000 positions behind\. It asked last 40 minutes ago"],
                [],
            ),
            ("a reader stands at the head", [stored(), beat(), page(0, 0, 40 * MINUTE)], {}, [], [" 1 asked for a page"]),
            (
                "a reader is away for hours, and was behind",
                [stored(), beat(), page(9, 9, 7 * 60 * MINUTE)],
                {},
                [r"reader +reader@example\.com is 7 hours and 9 positions behind\. It asked last 7 hours ago"],
                [" 0 asked for a page of the feed in the last hour; none of reader@example.com"],
            ),
            (
                "a reader stopped at the head, and events have come",
                [stored(), beat(head=411), page(0, 0, 40 * MINUTE, next=40)],
                {},
                [r"reader +reader@example\.com is 40 minutes and 371 positions behind\. It asked last 40 minutes ago"],
                [],
            ),
            ("a reader asks rarely", [stored(), beat(head=411), page(0, 0, 9 * MINUTE, next=40)], {}, [], [" 1 asked"]),
            ("a reader is away", [stored(), beat(), page(0, 0, 70 * MINUTE)], {}, [], [" 0 asked", "none of reader@ex"]),
            ("a reader was deleted", [stored(), beat(), page(9, 9, 120 * MINUTE, "gone")], {}, [], [" 0 asked"]),
            ("a reader catches up", [stored(), beat(), page(9, 9999, 99), page(0, 0)], {}, [], [" 1 asked for a page"]),
            ("a reader looks back", [stored(), beat(), page(9, 9999, has_from=True)], {}, [], [" 0 asked for a page"]),
            (
                "a connector gets 5xx",
                [beat(), answered(POST, 500, code="internal_error", error="Bug at A.java:1", user_id=SHOP)],
                {},
                [rf"5xx +1 × POST {EVENTS}, shop@example\.com: 500 internal_error\. Mostly: Bug at A\.java:1\. See"],
                [],
            ),
            (
                "a connector gets 4xx",
                [stored(), beat(), answered(POST, 403, code="forbidden", user_id=SHOP)],
                {},
                [rf"4xx +1 × POST {EVENTS}, shop@example\.com: 403 forbidden\. See"],
                [],
            ),
            (
                "an erasure has stopped, one has ended incomplete, one runs, and one was refused",
                [stored(), beat(), *(erasing(age, id) for age in (50, 40) for id in ("e1", "e2"))]
                + [erasing(39, "e2", complete=False), erasing(50, "e3"), erasing(9, "e3"), erasing(40, "e4", code="x")],
                {},
                [r"erasure +e1 has not ended, and went on last 40 minutes ago\. See"],
                ["  erasures   that have ended in the last day: 1\n"],
            ),
            ("a table throttles", [stored(), beat()], {"throttled": 30}, [r"throttled +30 writes of prod-Events\."], [none]),
            (
                "the schedule is off",
                [stored(), beat(90 * MINUTE)],
                {},
                ["feed +nobody says how far it is: BeatFeedFunction has logged nothing in 60 minutes. Its schedule is off"],
                [],
            ),
            (
                "operate/check has run, and its users are deleted",
                [
                    *[stored(), beat(), answered(POST, 201, user_id="gone", event_type=CHECK, stored=1, counted_as="check")],
                    answered(POST, 422, user_id="gone", code="idempotency_key_reused"),
                    answered(ME, 401, user_id="gone", code="revoked_token"),
                ],
                {},
                [],
                [none, "1 new ones today: shop@example.com 1"],
            ),
            (
                "operate/check runs",
                [stored(), beat(), page(3, 99, user_id="c"), answered(POST, 422, user_id="c", code="x")],
                {"users": [{"id": "c", "email": leftovers.address("0123456789ab", "consumer"), "role": "consumer"}]},
                [],
                [none, " 0 asked for a page of the feed in the last hour; none of reader@example.com"],
            ),
        ):
            with self.subTest(state):
                is_known = any("BeatFeed" in line.get("function_name", "") for _, line in lines)
                output = self.well(lines if is_known else [*lines, beat()], **more)

                found = lines_of(output, "!")
                self.assertEqual(len(found), len(wrong), output)
                for line, pattern in zip(found, wrong):
                    self.assertRegex(line, f"^{pattern}")
                self.assertEqual(lines_of(output, "?"), [], output)
                for line in right:
                    self.assertIn(line, output)

    def test_a_count_that_the_limit_of_a_query_has_cut_says_so(self):
        lines = [beat(), *[stored(f"user {number}") for number in range(10_001)], page(0, 0)]

        output = self.well(lines)

        self.assertIn("\n  events     at least 10000 new ones today: user ", output)
        self.assertNotIn("none today of", output)

    def test_a_row_without_a_sum_and_an_unexpected_one_end_nothing(self):
        answer, lacking = logs.answer, {"failed": "sum(client_errors)", "last": "max(@timestamp)"}

        def lacks(query, lines):
            """As Logs Insights may answer: AWS does not say whether a sum of nothing is 0 or absent."""
            absent = {name for name, figure in lacking.items() if figure in query}
            return [{name: value for name, value in row.items() if name not in absent} for row in answer(query, lines)]

        odd = {**THROTTLED_BY_GATEWAY, "status": "-"}
        with patch.object(logs, "answer", lacks):
            output = self.well([beat(), stored(), answered(POST, 422, user_id=SHOP, code="x"), page(1, 1)], gateway=[odd])

        self.assertRegex(output, rf"! 4xx +1 × POST {EVENTS}, shop@example\.com: 422 x\.")
        self.assertIn("! -xx        1 × ", output)
        self.assertIn("? readers    an unexpected answer: KeyError('last')\n", output)
        self.assertIn("\n  events     1 new ones today", output)

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
