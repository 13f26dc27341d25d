"""A run of `operate/check`: its users, its events, and the requests that it sends."""
import secrets
from operators.api import Api
from operators.command import Failure
from operators.leftovers import MANAGE, address, brand_of, type_of
from operators.stopping import stopping

# Whoever parses this payload and writes it again changes it.
PAYLOAD = '{"b": 1.0, "a":1E400,"text":"\\u00e9 / \\/", "b":{},"_meta":{"brand_id":"%s"}}'


class Wrong(Failure):
    """A step fails. The answer that it got tells more."""

    def __init__(self, message, answer=None):
        super().__init__(message)
        self.answer = answer


class Run:
    """A run of the command: its users and its events, and what its steps have found out."""

    def __init__(self, target):
        self.target, self.api = target, Api(target.url)
        self.id = secrets.token_hex(6)
        self.payload = PAYLOAD % brand_of(self.id)
        self.users, self.tokens, self.stored = {}, {}, []  # stored: events with their payloads
        self.dead, self.to_erase = [], set()  # killed runs, and the runs that may have events
        self.feed_stands = False  # then erasures must not wait for it

    def manage(self, action, user, **members):
        with stopping.held():  # else the user may be created after it was to be deleted
            return self.target.invoke(MANAGE, {"action": action, "email": address(self.id, user), **members})

    def send(self, expected, method, path, body=None, role="connector"):
        """Sends a request with the role's token. Raises Wrong if the answer does not begin with what is expected."""
        return expect_answer(expected, self.api.send(method, path, body, self.tokens.get(role)))

    def log_in(self, role):
        login = {"email": address(self.id, role), "password": self.users[role]["password"]}
        self.tokens[role] = self.send("200", "POST", "/api/auth/login", login, role=None).json["access_token"]

    def post(self, expected, path, body):
        """Sends events. A 4xx says that this request has stored none."""
        before = set(self.to_erase)
        self.to_erase.add(self.id)
        with stopping.held():  # else it may be stored after its erasure
            answer = self.api.send("POST", path, body.encode(), self.tokens["connector"])
        if 400 <= answer.status < 500:
            self.to_erase = before
        return expect_answer(expected, answer)

    def event(self, key, payload, event_type=None):
        """The text of an event. The payload is not parsed."""
        return f'{{"idempotency_key":"{key}","event_type":"{event_type or type_of(self.id)}","payload":{payload}}}'


def expect_answer(expected, answer):
    expect(str(answer).startswith(expected), f"{answer}, not {expected}", answer)
    return answer


def expect(condition, message, answer=None):
    if not condition:
        raise Wrong(message, answer)
