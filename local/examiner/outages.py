"""Rows about a service that fails: nothing is lost, nothing doubled, and the provider gets an answer in time."""
import json, threading, time
from .cases import case
from .gateway import CUT, FORWARD, LOGIN, LOSE, STALL, Answer
from .judge import Failed, Patience
from .events import is_once

OUTAGE, LAST, MOST_LAST = 9, 5, 8  # seconds; then how many tries of an event are enough in so many seconds
HTML, JSON, PROBLEM = "text/html", "application/json", "application/problem+json"
FOREIGN = (  # what others answer in the service's place: none of it says that an event is stored, or refused
    (200, HTML, "<p>maintenance"),
    (200, JSON, '{"message":"maintenance"}'),
    (200, JSON, "[]"),
    (200, JSON, '{"results":[]}'),
    (200, JSON, '{"results":[{"status":201}]}'),
    (201, JSON, "{}"),
    (201, JSON, '{"id":"1"'),
    (201, JSON, '{"id":"1","event_type":"another.type"}'),
    (202, HTML, "<p>accepted"),
    (302, HTML, "<p>elsewhere"),
    (307, HTML, "<p>elsewhere"),
    (400, HTML, "<p>bad request, with Authorization: Bearer TOKEN"),
    (403, HTML, "<p>refused by a firewall"),
    (404, JSON, '{"message":"Not Found"}'),
    (410, HTML, "<p>gone"),
    (413, JSON, '{"message":"Request Entity Too Large"}'),
    (422, HTML, "<p>unprocessable"),
    (422, JSON, '{"code":"validation_failed"}'),
    (422, PROBLEM, '{"code":"refused_by_somebody","detail":"Bearer TOKEN"}'),
    (500, PROBLEM, '{"code":"internal_error"}'),
)


class First:
    """A rule for the first requests only. A connector that sends batches may need one request for all."""

    def __init__(self, answer, times):
        self.answer, self.left, self.lock = answer, times, threading.Lock()

    def __call__(self, call):
        with self.lock:
            self.left -= 1
            return self.answer if self.left >= 0 else FORWARD

    @property
    def is_used(self):
        return self.left <= 0


def answers(status, body, **headers):
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status, {"Content-Type": JSON, **named}, body.encode())


def breaks(course, rule, count):
    """Delivers webhooks while the rule holds. Afterwards all are stored, once."""
    webhooks = course.webhooks(count)
    with course.gateway.ruled(rule):
        deliver_in_outage(course, webhooks)
        course.take(webhooks)  # the rule ends by itself
    course.settle()
    for each in webhooks:
        is_once(course, each)


def deliver_in_outage(course, webhooks):
    """The provider shall get an answer in time: that it should come again, but not that its webhook is wrong."""
    patience = Patience(course)
    deliveries = course.deliver_all(webhooks)
    course.is_in_time(deliveries, patience, course.gateway.of([each.mark for each in webhooks]))
    for webhook, delivery in zip(webhooks, deliveries):
        if 400 <= delivery.status < 500:
            raise Failed(f"the provider got {delivery.status}, as if its webhook was wrong: some then never deliver it"
                         " again", course.gateway.of([webhook.mark]))


@case("in a long outage it goes on trying, and less and less often", "retry")
def long_outage(course):
    webhooks, seen = course.webhooks(5), []
    with course.gateway.ruled(lambda call: answers(503, '{"message":"Service Unavailable"}')):
        deliver_in_outage(course, webhooks)
        for seconds in OUTAGE, LAST:
            patience, before = Patience(course), tries(course, webhooks)
            while patience.seconds < seconds:
                for each in webhooks:
                    if not course.is_taken(each):
                        course.deliver(each)
                patience.check("it waits for further tries", (), float("inf"))
                time.sleep(0.2)
            seen.append(tries(course, webhooks) - before)
        has_outbox = all(map(course.is_taken, webhooks))
    course.take(webhooks)
    for each in webhooks:
        is_once(course, each)
    if has_outbox and seen[-1] > MOST_LAST * len(webhooks):
        raise Failed(f"after {OUTAGE} s of an outage, it sent {len(webhooks)} events {seen[-1]} times in {LAST} s",
                     course.gateway.of([webhooks[0].mark])[-3:])


def tries(course, webhooks):
    return sum(len(course.gateway.of([each.mark])) for each in webhooks)


@case("while the service is gone, nothing is lost", "retry")
def down(course):
    webhooks = course.webhooks(5)
    with course.gateway.down():
        deliver_in_outage(course, webhooks)
    course.take(webhooks)


@case("after a 503, the event is sent again", "retry")
def unavailable(course):
    breaks(course, First(answers(503, '{"message":"Service Unavailable"}'), 3), 5)


@case("what a batch's result says is not stored is sent again", "send-many-events")
def batch_results(course):
    webhooks, batches = course.webhooks(6), []

    def rule(call):
        if batches or not call.path.endswith("/batch"):
            return FORWARD
        batches.append(call)
        problem = {"type": "about:blank", "title": "Service Unavailable", "status": 503,
                   "code": "temporarily_unavailable", "detail": "exam", "request_id": "exam"}
        return answers(200, json.dumps({"results": [{"status": 503, "problem": problem}] * len(call.marks)}))

    with course.gateway.ruled(rule):
        with course.gateway.down():
            deliver_in_outage(course, webhooks)
        course.take(webhooks)


@case("after a 429 without Retry-After, the event is sent again", "retry")
def throttled(course):
    breaks(course, First(answers(429, '{"message":"Too Many Requests"}'), 3), 5)


@case("after a lost answer, the event is sent again under the same key", "retry", "id")
def lost_answer(course):
    breaks(course, First(LOSE, 2), 4)


@case("after a connection that was cut, the event is sent again", "retry")
def cut_connection(course):
    breaks(course, First(CUT, 2), 4)


@case("a proxy that says Retry-After: 86400 stops nobody for a day", "retry")
def a_day(course):
    breaks(course, First(answers(503, "<p>maintenance", Retry_After="86400", Content_Type=HTML), 2), 3)


@case("another server in the service's place settles no event, and gets no token", "send-an-event")
def elsewhere(course):
    for status, kind, body in FOREIGN:
        answer = answers(status, body, Content_Type=kind, Location=course.gateway.elsewhere.url)
        rule, webhook = First(answer, 1), course.webhook()
        try:
            with course.gateway.ruled(rule):
                course.deliver(webhook)
                course.wait(lambda: rule.is_used, "the event is not sent")
            course.take([webhook])
        except Failed as failed:
            raise Failed(f"after the answer {status} {body}: {failed.text}", failed.shown) from None
    if course.gateway.elsewhere.requests:
        raise Failed("it follows redirects: another host would get the token", course.gateway.elsewhere.requests)


@case("a login that fails settles no event, and is tried again", "authenticate")
def login_elsewhere(course):
    for status, body, headers in (401, '{"message":"Unauthorized"}', {}), (200, "<p>TOKEN", {"Content_Type": HTML}), (
            503, "<p>maintenance", {"Content_Type": HTML, "Retry_After": "86400"}):
        rule, webhook = First(answers(status, body, **headers), 1), course.webhook()
        course.gateway.expire_all()
        with course.gateway.ruled(rule, LOGIN):
            course.deliver(webhook)
            course.take([webhook])


@case("while the service is slow, or its answer does not end, the provider gets its answer in time", "retry")
def slow(course):
    most, webhooks = course.options.waits, course.webhooks(2)
    held = set()

    def hold(call):
        if call.marks <= held:
            return FORWARD
        held.update(call.marks)
        if webhooks[0].mark in call.marks:
            return STALL
        course.gateway.goes_on.wait(most + 3)
        return FORWARD

    with course.gateway.ruled(hold):
        deliver_in_outage(course, webhooks)
    course.take(webhooks)
