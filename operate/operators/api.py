"""Requests to the API, as its clients send them."""
import gzip, json, time
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener
from operators.command import Failure, one_line

TIMEOUT = 60  # in seconds, for each wait for the network. API Gateway answers within 30
PAUSES = (1, 2)  # in seconds, before the next try of a request that may succeed then


class Answer:
    """An answer of the service."""

    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body
        try:
            parsed = json.loads(body)
        except ValueError:
            parsed = None
        self.json = parsed if isinstance(parsed, dict) else {}
        self.code = self.json.get("code", "")  # of API Gateway's own errors: none
        self.received = time.time()

    def date(self):
        """The time at which API Gateway answered, in seconds since 1970, by its own clock."""
        return parsedate_to_datetime(self.headers["Date"]).timestamp()

    def __str__(self):
        return f"{self.status} {self.code or self.json.get('message', '')}".strip()

    def line(self):
        """The answer with its reason, and with the id by which the log has the request."""
        detail = f": {self.json['detail']}" if "detail" in self.json else ""
        request_id = self.headers.get("apigw-requestid") or self.json.get("request_id", "unknown")
        return one_line(f"{self}{detail} (request_id {request_id})")


def answer_of(problem):
    """The answer that a problem stands for: of an event in a batch, or of a function for operators."""
    return Answer(problem["status"], {}, json.dumps(problem))


class Api:
    def __init__(self, url):
        self.url = url
        is_local = url.startswith("http://127.0.0.1:")
        self.opener = build_opener(*[ProxyHandler({})] if is_local else [])  # else as the environment says

    def send(self, method, path, body=None, token=None):
        """Returns the answer to a request. Sends it again, as a client should, if it gets a 429 or a 503.

        `body` becomes JSON, unless it is bytes. Raises Failure if there is no answer.
        """
        for pause in PAUSES:
            answer = self.send_once(method, path, body, token)
            if answer.status not in (429, 503):
                return answer
            time.sleep(pause)
        return self.send_once(method, path, body, token)

    def send_once(self, method, path, body, token):
        sent = json.dumps(body).encode() if isinstance(body, dict) else body
        headers = {"Content-Type": "application/json", "Accept-Encoding": "gzip"}
        request = Request(self.url + path, sent, headers, method=method)
        if token:
            request.add_header("Authorization", "Bearer " + token)
        try:
            with self.opener.open(request, timeout=TIMEOUT) as response:
                body = response.read()  # gzip if it is too long for Lambda without
                is_packed = response.headers["Content-Encoding"] == "gzip"
                return Answer(response.status, response.headers, gzip.decompress(body) if is_packed else body)
        except HTTPError as error:
            with error:
                return Answer(error.code, error.headers, error.read())
        except (OSError, HTTPException) as error:
            raise Failure(f"no answer from {self.url}: {getattr(error, 'reason', error)}") from None
