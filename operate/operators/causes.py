"""Why a step of `operate/check` fails, and what to do: from its answer and, on a stack, from what the AWS CLI shows."""
import base64, json, re, time
from operators.api import Answer
from operators.command import Failure, Refusal, Stack, aws, one_line
from operators.leftovers import address

SKEW = 30  # in seconds: as much as the service allows
LOG_PAUSES = (0, 5, 5, 5)  # in seconds: CloudWatch shows a line some seconds after it was written
INDEXES = ("by_brand", "by_time")
CHECK = "docs/operating.md#check-a-stack"
LOG, ERRORS = "docs/operating.md#read-the-log", "docs/api.md#errors"


class Wrong(Exception):
    """A step fails. `advice` is what to do, a line each; without it, the answer tells."""

    def __init__(self, message, answer=None, advice=()):
        super().__init__(message)
        self.answer, self.advice = answer, list(advice)


def advice(target, failure):
    """What to do about a failure, a line each, and the page at last."""
    if getattr(failure, "advice", None):
        return failure.advice
    answer = getattr(failure, "answer", None)
    if isinstance(failure, Refusal):
        answer = Answer(failure.function, failure.problem["status"], {}, json.dumps(failure.problem))
    if answer is None:
        return [CHECK]
    if answer.status < 400:
        return ["The service works otherwise than its pages say: perhaps another version is deployed.", "docs/api.md"]
    if not answer.code:
        return of_gateway(target, answer)
    explain = BY_CODE.get(answer.code)
    return explain(target, answer) if explain else [one_line(answer.json.get("detail", "")), ERRORS]


def unavailable(target, answer):
    error = logged_error(target, answer)
    denied = re.search(r"not authorized to perform: (\S+) on resource: (\S+)", error)
    if denied:
        lines = [
            f"{answer.function} has no right to {denied.group(1)} on {denied.group(2)}.",
            "Compare its Policies in template.yaml with its role, and deploy the template again.",
        ]
    elif error:
        lines = [f"{answer.function} logs: {error}"]
    else:
        lines = [
            f"A call of {answer.function} to DynamoDB or Secrets Manager failed. Probably its role lacks a right to a",
            "table or to the secret, or AWS throttles it. The log line of this request says which:",
            where_it_is_logged(target, answer),
        ]
    return [*lines, LOG]


def defect(target, answer):
    if answer.function == "ListEventsFunction":
        lines = missing_indexes(target)
        if lines:
            return [*lines, CHECK]
    return ["The log line of this request has the place of the defect:", where_it_is_logged(target, answer), LOG]


def missing_indexes(target):
    if not isinstance(target, Stack):
        return ["Probably EventsTable lacks an index. template.yaml has both: " + " and ".join(INDEXES)]
    table = target.table("EventsTable")
    found = json.loads(aws("dynamodb", "describe-table", "--table-name", table, "--output", "json"))["Table"]
    status = {index["IndexName"]: index["IndexStatus"] for index in found.get("GlobalSecondaryIndexes", [])}
    lines = [f"{table} has no index {name}." for name in INDEXES if name not in status]
    if lines:
        lines.append("Create it again, with the keys of template.yaml: aws dynamodb update-table")
    lines += [f"The index {name} is {status[name]}: wait." for name in status if status[name] != "ACTIVE"]
    return lines


def unknown_key(target, answer):
    """A token that the service has just issued is unknown: its key has lost its label."""
    key = json.loads(base64.urlsafe_b64decode(answer.token.partition(".")[0] + "=="))["kid"]
    page = "docs/users.md#rotate-the-signing-key"
    if not isinstance(target, Stack):
        return ["Probably the key was rotated during this run, and its secret has no AWSPREVIOUS.", page]
    secret = target.output("SigningKeySecretArn")
    described = json.loads(aws("secretsmanager", "describe-secret", "--secret-id", secret, "--output", "json"))
    labels = described["VersionIdsToStages"]
    if not any("AWSPREVIOUS" in each for each in labels.values()):
        return [
            "The secret has no AWSPREVIOUS, and the key of this token is no longer AWSCURRENT. Put the label back:",
            f"aws secretsmanager update-secret-version-stage --secret-id {secret} --version-stage AWSPREVIOUS"
            f" --move-to-version-id {key}",
            page,
        ]
    return [f"The key of this token has the labels {labels.get(key, [])}: was the key rotated twice?", page]


def forbidden(target, answer):
    if "user's role is" in answer.json["detail"]:
        return changed_user(target, answer)
    return [one_line(answer.json["detail"]), "docs/api.md#scopes"]


def changed_user(target, answer):
    probably = "Probably somebody has changed a user of this run."
    return [one_line(answer.json["detail"]), probably, "docs/operating.md#who-did-what"]


def user_changed(target, run_id):
    return [
        "Somebody has changed this user after its creation:",
        f"operate/user {target.option}show {address(run_id, 'connector')}",
        "docs/operating.md#who-did-what",
    ]


def clocks_differ(machine, gateway, service):
    """A sentence, advice and a page if one of three clocks is wrong, else nothing. Times in seconds since 1970."""
    if abs(service - gateway) > SKEW:
        return [
            f"the clock of CreateEventFunction is {ahead(service - gateway)} API Gateway's",
            "Lambda sets it: deploy again for new instances. Tokens and complete_until rest on it.",
            CHECK,
        ]
    if abs(machine - gateway) > SKEW:
        return [
            f"this machine's clock is {ahead(machine - gateway)} API Gateway's",
            "Set it. The service does not need it, but AWS may refuse calls that it signs.",
            CHECK,
        ]
    return []


def ahead(seconds):
    return f"{abs(seconds):.0f} s {'ahead of' if seconds > 0 else 'behind'}"


def of_gateway(target, answer):
    lines = {
        404: ["API Gateway has no such route: probably an older version is deployed."],
        429: ["API Gateway throttles the route: others use it up, or its limit is too low."],
        500: [f"{answer.function} crashed or ran out of time, or API Gateway may not invoke it. Its log says which."],
        503: [f"No instance of {answer.function} was free: probably its concurrency, or the account's, is too low."],
    }.get(answer.status, ["The service gives no such answer: probably something is between it and this machine."])
    return [*lines, "docs/api.md#errors-of-api-gateway"]


def where_it_is_logged(target, answer):
    if not isinstance(target, Stack):
        return f"{target.url}/_inspector has it, in the request that got {answer}"
    pattern = f'{{ $.request_id = "{answer.request_id}" }}'
    group = target.output("FunctionLogsName")
    return f"aws logs tail {group} --since 1h --format short --filter-pattern '{pattern}'"


def logged_error(target, answer):
    """The error in the function's log line, as far as the AWS CLI shows it."""
    if not isinstance(target, Stack):
        return ""
    since = int((answer.date() if answer.headers else time.time()) - 300) * 1000
    pattern = f'{{ $.request_id = "{answer.request_id}" }}'
    words = ("--log-group-name", target.output("FunctionLogsName"), "--start-time", str(since), "--output", "json")
    for pause in LOG_PAUSES:
        time.sleep(pause)
        try:
            events = json.loads(aws("logs", "filter-log-events", "--filter-pattern", pattern, *words))["events"]
        except Failure:
            return ""  # without the right to read the log
        if events:
            return one_line(json.loads(events[0]["message"]).get("error", ""))
    return ""


BY_CODE = {
    "temporarily_unavailable": unavailable,
    "internal_error": defect,
    "invalid_token": unknown_key,
    "forbidden": forbidden,
    "revoked_token": changed_user,
    "invalid_credentials": changed_user,
}
