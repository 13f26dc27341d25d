"""Rows about what strangers send, and about floods."""
import resource, threading, time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from .cases import case
from .judge import Failed, NotAsked, Patience
from .webhooks import FORM

SLOW, LONGEST_FLOOD = 300, 20  # sockets; seconds
OLD = 600  # seconds
FORGERIES = {"empty": lambda text: "", "cut": lambda text: text[:len(text) // 2], "longer": lambda text: text + text,
             "another one": lambda text: text[::-1]}
LONG = 60_000  # characters of a header; many servers take 64 KB
HOSTILE, LARGE, MANY = 20, 20_000_000, 4  # requests of each kind; bytes of a body, and how many of them
MOST_SECONDS, MOST_MEMORY = 2, 5  # of all of a kind, and times the bodies' own size


@case("a wrong signature gets 401, and nothing of it is stored", "when-a-signature-is-wrong", "signature")
def forged(course):
    url, (wrong, bare, *others) = course.connector.url, course.webhooks(2 + len(FORGERIES))
    is_refused(course, wrong, wrong.headers("not " + course.secret, url), "with a wrong signature")
    is_refused(course, bare, bare.unsigned(bare.headers(course.secret, url)), "without a signature")
    for each, (what, forge) in zip(others, FORGERIES.items()):
        is_refused(course, each, each.headers(course.secret, url, forge=forge), "whose signature is " + what)
    is_not_stored(course, [wrong, bare, *others])


@case("while a secret is being replaced, both are good", "register-the-webhook", "signature")
def two_secrets(course):
    webhooks = course.webhooks(4)
    for each, secret in zip(webhooks, [course.secret, course.secret_2] * 2):
        delivery = course.deliver(each, each.headers(secret, course.connector.url))
        if delivery.status in (401, 403):
            which = "WEBHOOK_SECRET" if secret == course.secret else "WEBHOOK_SECRET_2"
            raise Failed(f"a webhook that is signed with {which} got {delivery.status}")
    course.take(webhooks)


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


@case("unsigned requests whose headers are made to take time take none", "strangers", "signature")
def hostile_headers(course):
    """Some parsers of headers, and some charsets, take the square of the time."""
    url, webhook = course.connector.url, course.webhook()
    headers = webhook.unsigned(webhook.headers(course.secret, url))
    signing = [name for name, _ in course.template.sign.headers]
    form = FORM + "; charset=punycode"
    kinds = [
        ("a Content-Type of 60 KB", [*without(headers, "content-type"), ("Content-Type", FORM + ";" * LONG)], b"a=1"),
        ("a multipart type of 60 KB",
         [*without(headers, "content-type"), ("Content-Type", 'multipart/x;"' + ";" * LONG)], b"a=1"),
        ("a form in punycode", [*without(headers, "content-type"), ("Content-Type", form)], b"a=" + b"b-" * 600_000),
        ("signatures of 60 KB", [*headers, *((name, "t=1," + "," * LONG) for name in signing)], webhook.body),
        ("signatures of 60 KB", [*headers, *((name, "v1,a " * (LONG // 5)) for name in signing)], webhook.body),
        ("headers of 600 KB", [*headers, *((f"X-Long-{number}", "a" * LONG) for number in range(10))], webhook.body)]
    for what, headers, body in kinds:
        patience = Patience(course)
        with ThreadPoolExecutor(HOSTILE) as strangers:
            sent = [strangers.submit(course.connector.post, body, headers) for _ in range(HOSTILE)]
            good = course.webhook()
            course.is_in_time([course.deliver(good)], patience)
        if any(200 <= each.result().status < 300 for each in sent):
            raise Failed(f"an unsigned webhook with {what} got 2xx")
        if patience.seconds > MOST_SECONDS:
            raise Failed(f"{HOSTILE} unsigned webhooks with {what} took it {patience.seconds:.0f} s")
        course.take([good])


def without(headers, name):
    return [each for each in headers if each[0].lower() != name]


@case("large unsigned bodies take memory in proportion to their size", "strangers", "signature", "command")
def unsigned_bodies(course):
    """Of the provider's own type: a form or JSON that is read takes many times its size."""
    webhook = course.webhook()
    headers = webhook.headers("not " + course.secret, course.connector.url)
    body = b"&a=1" * (LARGE // 4) if course.template.is_form else b'{"a":[' + b"{}," * (LARGE // 3) + b"{}]}"
    before, most, is_over = course.connector.memory(), [0], threading.Event()
    if not before:
        raise NotAsked("this system does not show the memory of a process")

    def watch():
        while not is_over.wait(0.02):
            most[0] = max(most[0], course.connector.memory() or 0)

    def send():
        with ThreadPoolExecutor(MANY) as strangers:
            list(strangers.map(lambda _: course.connector.post(body, headers), range(MANY)))
        is_over.set()

    course.meanwhile(send, watch)
    taken = most[0] - before
    if taken > MOST_MEMORY * MANY * LARGE:
        raise Failed(f"{MANY} unsigned bodies of {LARGE // 1_000_000} MB took {taken // 1_000_000} MB of memory")
    course.take([course.webhook()])


@case("all of a flood of webhooks are stored, each once", "send-many-events")
def flood(course):
    webhooks, begun = course.webhooks(course.options.flood), time.monotonic()
    for start in range(0, len(webhooks), 100):
        if time.monotonic() < begun + LONGEST_FLOOD:
            course.deliver_all(webhooks[start:start + 100], 20)
    course.take([each for each in webhooks if each.mark in course.delivered], 20)
