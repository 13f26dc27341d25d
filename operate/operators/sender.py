"""Sends events as a connector does: docs/connectors.md#retry."""
import json, os, time
from operators.api import Api
from operators.command import Failure, progress

EVENTS = "/api/webhook-events"
MOST_EVENTS, MOST_BYTES = 100, 4_000_000  # of a batch, in bytes as Lambda counts them
PAUSES = (1, 2, 4, 8, 16, 32, 60)  # in seconds, before the next try of a request that may succeed then
LONGEST_PAUSE = 60  # in seconds: a proxy may ask for a day
AGAIN = "run the same command again: it sends nothing twice"
PASSES = 429, 500, 502, 503, 504


def credentials(parser):
    """The token that the environment has, and the body of a login: one of them is None."""
    token = os.environ.get("CONNECTOR_API_TOKEN", "").strip()
    names = {"email": "CONNECTOR_API_EMAIL", "password": "CONNECTOR_API_PASSWORD"}
    login = {name: os.environ.get(variable, "").rstrip("\r\n") for name, variable in names.items()}
    if not token and not all(login.values()):
        parser.error("CONNECTOR_API_TOKEN is not set, and not both of CONNECTOR_API_EMAIL and CONNECTOR_API_PASSWORD")
    return (token, None) if token else (None, login)


class Sender:
    """The connector's user with these credentials."""

    def __init__(self, url, credentials):
        self.api, (self.token, self.login) = Api(url), credentials
        me = self.request("GET", "/api/auth/me")
        if me.status != 200:
            raise Failure(f"the connector's credentials: {me.line()}")
        if me.json["role"] != "connector":
            raise Failure(f"the credentials are of a {me.json['role']}: events need those of the connector that sent them")
        self.id, self.email = me.json["id"], me.json["email"]

    def request(self, method, path, body=None):
        """Returns the answer to a request. After a 401, logs in, once."""
        if not self.token:
            self.log_in()
        answer = self.patiently(method, path, body, self.token)
        if answer.status == 401 and self.login:
            self.log_in()
            answer = self.patiently(method, path, body, self.token)
        return answer

    def log_in(self):
        answer = self.patiently("POST", "/api/auth/login", self.login)
        if answer.status != 200:
            raise Failure(f"login: {answer.line()}")
        self.token = answer.json["access_token"]

    def patiently(self, method, path, body, token=None):
        """Sends a request again for as long as another try may succeed. Its events have keys."""
        for pause in (*PAUSES, None):
            try:
                answer = self.api.send_once(method, path, body, token)
                if answer.status not in PASSES:
                    return answer
                problem, after = answer.line(), answer.headers.get("Retry-After") or ""
            except Failure as failure:
                problem, after = str(failure), ""
            if pause is None:
                raise Failure(f"{problem}; {AGAIN}")
            pause = max(pause, min(int(after), LONGEST_PAUSE) if after.isdigit() else 0)
            progress(f"{problem}; again in {pause} s")
            time.sleep(pause)

    def send(self, events):
        """Sends events, each an id and a text. Yields each id with its result, as a batch has it."""
        batch, size = [], 0
        for event in events:
            bytes = size_of(event[1])
            if batch and (len(batch) == MOST_EVENTS or size + bytes > MOST_BYTES):
                yield from self.send_batch(batch)
                batch, size = [], 0
            batch.append(event)
            size += bytes
        if batch:
            yield from self.send_batch(batch)

    def send_batch(self, batch):
        """As `send`. An event is sent alone if it fills a batch, or if the batch was refused, perhaps because of it."""
        if len(batch) == 1:
            [(id, text)] = batch
            yield id, result(self.request("POST", EVENTS, text))
            return
        answer = self.request("POST", f"{EVENTS}/batch", b'{"events":[%s]}' % b",".join(text for _, text in batch))
        for event, each in zip(batch, answer.json.get("results") or [{"status": PASSES[0]}] * len(batch)):
            if each["status"] in PASSES or answer.status != 200:
                yield from self.send_batch([event])
            else:
                yield event[0], each


def result(answer):
    """The result that a batch would have for an event that was sent alone."""
    if answer.status == 201:
        return {"status": 201, "event": answer.json, "replayed": answer.headers.get("Idempotency-Replayed") == "true"}
    if answer.status == 401:
        raise Failure(f"{answer.line()}; {AGAIN}")
    own = {"code": answer.status, "detail": answer.json.get("message", "")}  # API Gateway's errors have no code
    return {"status": answer.status, "problem": {**own, **answer.json}}


def text_of(key, fields, payload):
    """The text of an event, with the payload's text as it is."""
    return json.dumps({"idempotency_key": key, **fields}).encode()[:-1] + b',"payload":%s}' % payload


def size_of(text):
    """Its bytes in Lambda's event, which has the request's body as a JSON string: a quote there takes two."""
    return len(json.dumps(text.decode(), ensure_ascii=False).encode())
