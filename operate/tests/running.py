"""Runs the operators' commands for their tests. The build sets PORT: that of a local service, which it has started."""
import io, json, os, pty, runpy, sys, time
from contextlib import redirect_stderr, redirect_stdout
from datetime import datetime, timedelta, timezone
from unittest.mock import patch
from operators import command, logs

PORT = os.environ.get("PORT", "3000")
LOCAL = command.LocalServe(int(PORT))
FUNCTIONS = (
    *("ManageUsersFunction", "FindEventsFunction", "EraseEventsFunction", "RestoreEventsFunction"),
    "NumberEventsFunction",
)
OUTPUTS = {"ApiUrl": LOCAL.url, "FunctionLogsName": "logs", **{f"{name}Name": name for name in FUNCTIONS}}
TOPIC = [{"ParameterKey": "AlarmTopicArn", "ParameterValue": "arn:aws:sns:us-east-1:123456789012:alarms"}]
DAYS = [{"ParameterKey": f"{name}Days", "ParameterValue": days} for name, days in (("Backup", "35"), ("LogRetention", "90"))]
STACK = {
    "Parameters": TOPIC + DAYS,
    "Outputs": [{"OutputKey": name, "OutputValue": value} for name, value in OUTPUTS.items()],
}
DEPLOYED = {"StackId": "arn", "PhysicalResourceId": "arn", "ResourceStatus": "UPDATE_COMPLETE"}
TABLE = {
    "Namespace": "AWS/DynamoDB",
    "MetricName": "WriteThrottleEvents",
    "Dimensions": [{"Name": "TableName", "Value": "prod-Events"}],
}
THROTTLED = {
    "AlarmName": "prod-TablesThrottled-1ABC",
    "AlarmDescription": "DynamoDB throttled a table. See docs/alarms.md#answer-an-alarm",
    "StateValue": "OK",
    "Metrics": [{"Id": "m", "MetricStat": {"Metric": TABLE, "Period": 60, "Stat": "Sum"}}],
}
OF_AWS = {
    "describe-stack-events": {"StackEvents": [{**DEPLOYED, "Timestamp": "2026-11-20T12:00:00Z"}]},
    "describe-alarms": {"MetricAlarms": [THROTTLED]},
    "get-metric-data": {"MetricDataResults": []},
    "get-topic-attributes": {"Attributes": {"SubscriptionsConfirmed": "1"}},
    "start-query": {"queryId": "1"},
    "get-query-results": {"status": "Complete", "results": []},
    "batch-get-item": {"Responses": {}},
}
def aged(lines):
    """Lines of the log, each with its age in seconds, with their times instead; the oldest first."""
    now = datetime.now(timezone.utc)
    return [(logs.milliseconds(now - timedelta(seconds=age)), line) for age, line in sorted(lines, key=lambda it: -it[0])]


def logged(test, *lines):
    """Lets local/serve have logged these lines, each with its age in seconds."""
    text = "".join(f"{at} {json.dumps(json.dumps(line))}\n" for at, line in aged(lines))
    request = patch.object(command.LocalServe, "request", lambda *_: text.encode())
    request.start()
    test.addCleanup(request.stop)


class Insights:
    """Answers the commands' queries as CloudWatch Logs Insights does, about these lines, each with its age in seconds."""

    def __init__(self, *lines):
        self.lines, self.queries = aged(lines), []

    def answer(self, words):
        """The answer to a call of the AWS CLI."""
        if words[1] == "start-query":
            self.queries.append([words[words.index(option) + 1] for option in ("--query-string", "--start-time")])
            return {"queryId": str(len(self.queries) - 1)}
        query, since = self.queries[int(words[3])]
        rows = self.rows(query, [(logs.text(at), line) for at, line in self.lines if at >= int(since) * 1000])
        return {
            "status": "Complete",
            "results": [[{"field": name, "value": value} for name, value in row.items()] for row in rows],
        }

    @staticmethod
    def rows(query, lines):
        if not query.startswith("fields @timestamp, @message | "):
            return logs.answer(query, lines)
        where, _, limit = (part.partition(" ")[2] for part in query.split(" | ")[1:])
        found = [(at, line) for at, line in lines if logs.matches(line, where)][: -int(limit) - 1 : -1]
        return [{"@timestamp": at[:-1].replace("T", " "), "@message": json.dumps(line)} for at, line in found]


QUICKER = 100  # times, are the pauses of commands
sleep = time.sleep


def run(name, *words):
    """Runs a command in this process, without a terminal. Returns its exit code, and all that it printed."""
    output = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with redirect_stdout(output), redirect_stderr(output), patch.object(sys, "stdin", io.StringIO()):
        code = execute(name, words)
    return code, output.buffer.getvalue().decode()


def execute(name, words):
    """Runs a command, whose pauses are shortened."""
    named = patch.object(command, "NAME", f"operate/{name}")
    quick = patch("time.sleep", lambda seconds: sleep(seconds / QUICKER))
    with named, quick, patch.object(sys, "argv", [name, *words]):
        try:
            runpy.run_path(name, run_name="__main__")
        except SystemExit as end:
            if not isinstance(end.code, str):
                return end.code or 0
            print(end.code, file=sys.stderr)
        return 1


def run_on_terminal(typed, name, *words):
    """As `run`, but in a process with a terminal, on which a line is typed."""
    child, terminal = start_on_terminal(name, words)
    os.write(terminal, typed.encode() + b"\n")
    output = b""
    try:
        while True:
            output += os.read(terminal, 1000)
    except OSError:  # the command has closed its end
        os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), output.decode().replace("\r\n", "\n")


def start_on_terminal(name, words):
    """Returns the process's id, and this side of its terminal."""
    sys.stdout.flush()
    child, terminal = pty.fork()
    if child == 0:
        code = None
        try:
            sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")
            code = execute(name, words)
            sys.stdout.flush()
        finally:
            os._exit(70 if code is None else code)  # else the child would go on with the parent's tests
    return child, terminal


def aws_cli(stack=STACK, answer=None):
    """Stands in for the AWS CLI: every stack is this one, and a function gives this answer, or the local service's."""

    def aws(*words, stdin=""):
        if words == ("--version",):
            return "aws-cli/2.31.0 Python/3.13.7 Linux\n"
        if words[1] in OF_AWS:
            return json.dumps(OF_AWS[words[1]])
        if words[0] == "cloudformation":
            return json.dumps({"Stacks": [stack]})
        function, path = words[3], words[6]
        with open(path, "w") as file:
            file.write(answer or json.dumps(LOCAL.invoke(function, json.loads(stdin))))
        return ""

    return patch.object(command, "aws", aws)


def answering(test, *answers):
    """Lets the functions answer a test with these, one after the other. Returns their calls."""
    calls = []
    left = list(answers)

    def invoke(_, function, event):
        calls.append((function, event))
        answer = left.pop(0)
        if isinstance(answer, BaseException):
            raise answer
        return answer

    invoked = patch.object(command.LocalServe, "invoke", invoke)
    invoked.start()
    test.addCleanup(invoked.stop)
    return calls
