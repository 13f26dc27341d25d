"""Rows about what strangers send, and about floods."""
import resource, time
from contextlib import ExitStack
from .cases import case
from .judge import Failed, Patience

SLOW, LONGEST_FLOOD = 300, 20  # sockets; seconds
OLD = 600  # seconds


@case("a wrong signature gets 401, and nothing of it is stored", "when-a-signature-is-wrong", "signature")
def forged(course):
    url, (wrong, bare) = course.connector.url, course.webhooks(2)
    is_refused(course, wrong, wrong.headers("not " + course.secret, url), "with a wrong signature")
    is_refused(course, bare, bare.unsigned(bare.headers(course.secret, url)), "without a signature")
    is_not_stored(course, [wrong, bare])


@case("a body that was altered after signing gets 401", "when-a-signature-is-wrong", "mac")
def altered(course):
    webhook = course.webhook()
    headers = webhook.headers(course.secret, course.connector.url)
    sent = webhook.with_body(webhook.body.replace(b"exam", b"Exam", 1) + b" ")
    is_refused(course, sent, headers, "whose body was altered after signing")
    is_not_stored(course, [webhook])


@case("a signature of ten minutes ago gets 401", "when-a-signature-is-wrong", "time")
def old(course):
    then = time.time() - OLD
    webhook = course.webhook(milliseconds=f"{int(then)}000")
    is_refused(course, webhook, webhook.headers(course.secret, course.connector.url, then), "signed ten minutes ago")
    is_not_stored(course, [webhook])


def is_refused(course, webhook, headers, what):
    delivery = course.deliver(webhook, headers)
    if delivery.status not in (400, 401, 403):
        raise Failed(f"a webhook {what} got {delivery.status or 'no answer'}, not 401",
                     course.gateway.of([webhook.mark]))


def is_not_stored(course, webhooks):
    course.settle()
    for each in webhooks:
        if course.service.count(each.mark):
            raise Failed("a webhook that the provider did not send is stored", course.gateway.of([each.mark]))


@case(f"{SLOW} slow sockets keep no webhook away", "strangers")
def slow_sockets(course):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < 2 * SLOW:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4_000) if hard > 0 else 4_000, hard))
    with ExitStack() as stack:
        for _ in range(SLOW):
            try:
                stack.enter_context(course.connector.begin())
            except OSError:
                break  # it takes no more
        patience, webhook = Patience(course), course.webhook()
        course.is_in_time([course.deliver(webhook)], patience)
    course.take([webhook])


@case("all of a flood of webhooks are stored, each once", "send-many-events")
def flood(course):
    webhooks, begun = course.webhooks(course.options.flood), time.monotonic()
    for start in range(0, len(webhooks), 100):
        if time.monotonic() < begun + LONGEST_FLOOD:
            course.deliver_all(webhooks[start:start + 100], 20)
    course.take([each for each in webhooks if each.mark in course.delivered], 20)
