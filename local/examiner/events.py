"""Rows about single webhooks: each is stored once, as it came, or is answered 2xx if it can never be stored."""
import time
from .cases import case
from .judge import Failed, NotAsked
from .webhooks import Webhook, cut, shortened

TEXTS = (
    '"n":1.0,"big":820982911946154508,"text":"<&>"',
    r'"text":"Zoë 😀 \u00eb \ud83d\ude00 a\/b \u003c"',
    '"huge":1E400,"exact":0.1234567890123456789012345678901,"minus":-0',
    '"same":1,"same":2,"Same":3,"SAME":4',
    '" spaced " : [ 1 ,\r\n\t{ } ]',
    r'"half":"\ud83d","other half":"\ude00","control":"\u0000\u2028"',
    '"digits":' + "1" * 5_000,
    r'"looks like one":"\"_meta\":{}}","_META":1,"deeper":{"_meta":[]}',
)
TOPICS = {"orders/create": "orders/create", "orders/crêate": "orders/cr%C3%AAate", "/data//Change/": "data/Change",
          'a*b,c"d\\e': "a%2Ab%2Cc%22d%5Ce", "a /b/ c": "a%20/b/%20c", "a b#[c]$d%": "a b#[c]$d%"}
FIELDS = '"text":"<&> + % é 😀","n":"1.0","empty":""'


@case("a webhook is stored, whatever the case of its headers' names", "send-an-event")
def accepts(course):
    webhook, lower = course.webhooks(2)
    course.until_taken(webhook, 5)  # the first login, or a compiler, may take long
    headers = [(name.lower(), value) for name, value in lower.headers(course.secret, course.connector.url)]
    status = course.deliver(lower, headers).status
    if 400 <= status < 500:
        raise Failed(f"with the names of its headers in lower case, as HTTP/2 has them, a webhook got {status}")
    course.take([webhook, lower])


@case("the same webhook twice is stored once", "send-an-event", "id")
def twice(course):
    webhook = course.webhook()
    course.take([webhook])
    course.deliver_until_taken([webhook, webhook], 1)
    course.settle()
    is_once(course, webhook)


@case("the same webhook five times at once is stored once", "send-an-event", "id")
def five_at_once(course):
    webhook = course.webhook()
    course.deliver_all([webhook] * 5, 5)
    course.take([webhook])
    course.settle()
    is_once(course, webhook)


def is_once(course, webhook):
    if course.service.count(webhook.mark) != course.expected.get(webhook.mark, 1):
        raise Failed(f"the event is doubled: it is stored {course.service.count(webhook.mark)} times, under"
                     " different keys or without one", course.gateway.of([webhook.mark]))


@case("a late delivery under the same id, with another text, holds up nothing, and is not stored",
      "a-reused-key", "id", "other text")
def other_text(course):
    webhook = course.webhook()
    course.take([webhook])
    are_let_go(course, webhook.again('"attempt":2'))
    is_once(course, webhook)


def are_let_go(course, *webhooks, are_gone=False):
    """Of what can never be stored, the provider gets 2xx at once. Until its end, the exam watches for further tries.

    A connector that keeps nothing answers so only if the event is gone anyway: else the provider has the only copy.
    """
    begun = time.monotonic()
    for webhook in webhooks:
        delivery = course.deliver(webhook)
        may_fail = delivery.status and course.options.keeps_nothing and not are_gone
        if not 200 <= delivery.status < 300 and not may_fail:
            raise Failed(f"the provider got {delivery.status or 'no answer'}, so it delivers it again and again, and in"
                         " the end disables the webhook", course.gateway.of([webhook.mark], begun))
        course.watched[webhook.mark] = begun
    course.settle()


def are_kept(course, *webhooks):
    """What the service has refused is with the connector, as far as --kept shows it, or with the provider."""
    if not course.options.kept and not course.options.keeps_nothing:
        return
    for webhook in webhooks:
        is_lost = course.is_taken(webhook) and not course.service.count(webhook.mark)
        if is_lost and not (course.options.kept and course.keeps(webhook)):
            raise Failed("it was answered 2xx, is not stored, and is not whole in what --kept prints: it is lost",
                         course.gateway.of([webhook.mark]))


@case("what the service refuses is not lost", "refused-events", "id", "other text", "kept")
def refused(course):
    webhook = course.webhook()
    course.take([webhook])
    late = webhook.again('"changed":true,"long":"' + "whole " * 500 + '"')
    if course.options.keeps_nothing:
        if 200 <= course.deliver(late).status < 300:
            raise Failed("the service has refused it, and the provider got 2xx: it is lost",
                         course.gateway.of([late.mark]))
        return
    course.deliver_until_taken([late])
    course.settle()
    if not course.keeps(late):
        raise Failed("the service has refused it, the provider got 2xx, and --kept does not print all of it: it is lost",
                     course.gateway.of([late.mark]))


@case("two deliveries with one text and two ids are two events", "by-provider", "id of the delivery")
def same_text(course):
    first = course.webhook()
    second = Webhook(first.template, first.mark, {**first.values, "id": first.values["id"][::-1]})
    course.expected[first.mark] = 2
    course.deliver_until_taken([first, second])
    course.settle()
    course.wait_for([first])
    if course.service.count(first.mark) < 2:
        raise Failed("one of them is lost: the key is not the delivery's id, but made of its text",
                     course.gateway.of([first.mark]))


@case("the payload is stored byte for byte", "send-an-event")
def bytes_as_they_came(course):
    for text in (FIELDS,) if course.template.is_form else TEXTS:
        try:
            course.take([course.webhook(text)])
        except Failed as failed:
            raise Failed(f"of {{{shortened(text)}}}: {failed.text}", failed.shown) from None


@case("a webhook of 5 MB is stored", "answer-the-provider", "JSON")
def large(course):
    course.take([course.webhook('"large":"' + "abcdefgh" * 625_000 + '"')])


@case("a payload with a _meta of its own is stored, wrapped", "send-an-event", "JSON", "whole")
def own_meta(course):
    webhooks = [course.webhook(text) for text in ('"_meta":{"source":"theirs"}', '"_meta" :1.0', r'"\u005fmeta":[]')]
    course.take(webhooks)


@case("the events say whose they are, in _meta.brand_id", "by-provider", "brand")
def brand(course):
    webhook = course.webhook(brand="brand.example.com")
    course.take([webhook])
    _, meta = cut(course.service.events[webhook.mark][0].payload)
    if meta.get("brand_id") != "brand.example.com":
        raise Failed(f"_meta.brand_id is {meta.get('brand_id')}, not brand.example.com: nobody can list or erase the"
                     " events of an owner", course.gateway.of([webhook.mark]))


@case("a topic with any character makes an event type, or holds up nothing", "by-provider", "topic")
def topics(course):
    webhooks = {course.webhook(topic=each): expected for each, expected in TOPICS.items()}
    course.take([*webhooks])
    for webhook, expected in webhooks.items():
        (stored, *_) = course.service.events[webhook.mark]
        if stored.event_type.partition(".")[2] != expected:
            raise Failed(f"the topic {webhook.values['topic']} has the event type {stored.event_type}, not ….{expected}",
                         course.gateway.of([webhook.mark]))
    too_long = course.webhook(topic="t" * 300)
    are_let_go(course, too_long)
    are_kept(course, too_long)


@case("no two ids get the same key", "send-an-event", "any id")
def ids(course):
    own = f"x{course.random.randrange(10**6)}"
    ends = "é", "%C3%A9", "%25C3%25A9", " b", "x" * 300, "x" * 300 + "y", "'\""
    course.take([course.webhook(id=own + each) for each in ends])


@case("a webhook without an id holds up nothing, and is not lost", "answer-the-provider",
      "id to leave out")
def no_id(course):
    for place in "id", "number":
        template = course.template.without(place)
        if template.body != course.template.body or template.headers != course.template.headers:
            webhook = course.webhook(template=template)
            course.any_count.add(webhook.mark)  # a key of its own is right too
            are_let_go(course, webhook)
            are_kept(course, webhook)


@case("a webhook that is no JSON holds up nothing, and is not lost", "answer-the-provider",
      "JSON", "untimed")
def no_json(course):
    webhooks = [course.webhook() for _ in range(3)]
    webhooks = [each.with_body(each.body[:-1] + end) for each, end in zip(webhooks, (b"", b"]", b"}}"))]
    are_let_go(course, *webhooks)
    are_kept(course, *webhooks)


@case("a payload of 1,200 levels, which the service refuses, holds up nothing, and is not lost", "answer-the-provider",
      "JSON")
def deep(course):
    webhook = course.webhook('"deep":' + "[" * 1_200 + "]" * 1_200)
    are_let_go(course, webhook)
    are_kept(course, webhook)


@case("a webhook that is too large for the service holds up nothing, and is not lost", "answer-the-provider", "JSON")
def too_large(course):
    webhooks = [course.webhook(f'"large":"{text}"') for text in ("a" * 7_000_000, '\\"' * 1_600_000)]
    if len(webhooks[0].body) > course.options.most:
        raise NotAsked(f"its URL takes at most {course.options.most} bytes")
    are_let_go(course, *webhooks)  # the second one is large when its quotes are counted twice, as Lambda does
    are_kept(course, *webhooks)


@case("an erased event that is delivered again is answered 2xx, and stays erased", "answer-the-provider", "id")
def erased(course):
    webhook = course.webhook()
    course.take([webhook])
    course.service.erase([each.id for each in course.service.events[webhook.mark]])
    are_let_go(course, webhook, are_gone=True)
    if course.service.count(webhook.mark) > 1:
        raise Failed("the erased event was stored again, under another key", course.gateway.of([webhook.mark]))


@case("webhooks that come in reverse are all stored", "which-state-is-newer")
def reverse(course):
    now = int(time.time())
    webhooks = [course.webhook(happened=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now - each)))
                for each in range(5)]
    for each in webhooks:
        course.deliver_until_taken([each])
    course.take(webhooks)
