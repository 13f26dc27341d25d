"""Webhooks of the providers that an exam knows. How each signs them stands in examples/providers.json.

The webhooks are samples of what the providers send, written after their own pages, not after that file: a place that is
wrong in it makes a connector miss the topic or the id.
"""
import hashlib, json, os
from .webhooks import TIMES, Sign, Template, places

FORMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples", "providers.json")
with open(FORMS, encoding="utf-8") as file:
    FORMS = {name.lower(): form for name, form in json.load(file).items()}
SIGNS = {"none": Sign([]), **{
    name: Sign(list(form.get("signature", {}).items()), form.get("signed", "{{body}}"), form.get("digest", "sha256"),
               name == "standardwebhooks") for name, form in FORMS.items()}}

WEBHOOKS = {
    "github": """\
X-GitHub-Event: {{topic=push}}
X-GitHub-Delivery: {{id}}

{"ref":"refs/heads/main","repository":{"full_name":"{{brand=octo/hub}}"},{{more}}}""",
    "gitlab": """\
X-Gitlab-Event: {{topic=Push Hook}}
Idempotency-Key: {{id}}

{"object_kind":"push","project":{"path_with_namespace":"{{brand=octo/hub}}"},{{more}}}""",
    "hubspot": """\
Content-Type: application/json

[{"eventId":{{number}},"subscriptionId":7,"portalId":62515,"occurredAt":1564113600000,\
"subscriptionType":"{{topic=contact.creation}}","objectId":123,{{more}}}]""",
    "linear": """\
Linear-Event: Issue
Linear-Delivery: {{id}}

{"action":"create","type":"Issue","data":{"id":"2174add1"},"organizationId":"{{brand=c1}}",\
"webhookTimestamp":{{milliseconds}},{{more}}}""",
    "mailchimp": """\
Content-Type: application/x-www-form-urlencoded

type={{topic=subscribe}}&fired_at=2026-11-20+12:00:00&data[id]=8a25ff1d98&data[list_id]={{brand=a6b5da1054}}{{more}}""",
    "notion": """\
Content-Type: application/json

{"id":"{{id}}","type":"{{topic=page.created}}","workspace_id":"{{brand=w1}}","entity":{"id":"p1","type":"page"},{{more}}}""",
    "okta": """\
Content-Type: application/json

{"source":"https://{{brand=example.okta.com}}/api/v1/eventHooks/1","data":{"events":[{"uuid":"{{id}}",\
"eventType":"{{topic=user.lifecycle.create}}",{{more}}}]}}""",
    "shopify": """\
X-Shopify-Topic: {{topic=orders/create}}
X-Shopify-Webhook-Id: {{id}}
X-Shopify-Shop-Domain: {{brand=example.myshopify.com}}
X-Shopify-Triggered-At: {{happened=2026-11-20T12:00:00Z}}

{"id":820982911946154508,"total_price":"398.00",{{more}}}""",
    "slack": """\
Content-Type: application/json

{"type":"event_callback","event_id":"{{id}}","team_id":"{{brand=T1}}","event":{"type":"{{topic=app_mention}}","ts":"1.2"},\
{{more}}}""",
    "square": """\
Content-Type: application/json

{"merchant_id":"{{brand=M1}}","type":"{{topic=payment.updated}}","event_id":"{{id}}","data":{"id":"p1"},{{more}}}""",
    "standardwebhooks": """\
Content-Type: application/json

{"type":"{{topic=invoice.paid}}","timestamp":"2026-11-20T12:00:00Z","data":{"id":"in_1"},{{more}}}""",
    "stripe": """\
Content-Type: application/json

{"id":"evt_{{id}}","object":"event","account":"{{brand=acct_1}}","type":"{{topic=charge.succeeded}}","created":1533204620,\
"data":{"object":{"id":"ch_1","object":"charge"}},{{more}}}""",
    "twilio": """\
Content-Type: application/x-www-form-urlencoded
I-Twilio-Idempotency-Token: {{id}}

AccountSid={{brand=AC1}}&MessageSid=SM1&MessageStatus=delivered{{more}}""",
    "woocommerce": """\
X-WC-Webhook-Topic: {{topic=order.created}}
X-WC-Webhook-Delivery-ID: {{id}}
X-WC-Webhook-Source: https://{{brand=shop.example.com}}/

{"id":7,"status":"processing",{{more}}}""",
    "xero": """\
Content-Type: application/json

{"events":[{"eventCategory":"INVOICE","eventType":"CREATE","resourceId":"r1","tenantId":"{{brand=t1}}",\
"eventDateUtc":"2026-11-20T12:00:00.000",{{more}}}],"firstEventSequence":1,"lastEventSequence":1}""",
    "zendesk": """\
Content-Type: application/json

{"id":"{{id}}","type":"zen:event-type:user.created","account_id":"{{brand=123}}","subject":"zen:user:1",{{more}}}""",
    "zoom": """\
Content-Type: application/json

{"event":"{{topic=meeting.started}}","event_ts":1626230691572,"payload":{"account_id":"{{brand=a1}}","object":{"id":"m1"}},\
{{more}}}""",
}


def of_provider(name, sign=None):
    """The template of a provider's webhooks, perhaps with the signature of another."""
    form = FORMS[name]
    macs = [name for name, value in form["signature"].items() if {"hex", "base64"} & places(value)]
    text_is_key = form["key"][0] == "{{sha256}}" or any("{{%s}}" % each in form["key"][0] for each in macs)
    return Template(WEBHOOKS[name], SIGNS[sign or name], text_is_key)


def of_file(text, sign=None, signed=None, digest=None):
    """The template in a file. Its own headers may have the signature."""
    template = Template(text, SIGNS[sign] if sign else Sign([]))
    if not sign:
        own = [each for each in template.headers if places(each[1]) & {"hex", "base64", "secret", *TIMES}]
        template.headers = [each for each in template.headers if each not in own]
        hashlib.new(digest or "sha256")
        template.sign = Sign(own, signed or "{{body}}", digest or "sha256")
    return template
