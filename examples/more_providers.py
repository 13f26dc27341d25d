"""Four more providers, each with what no class of providers.py does. To take one, copy its class there, with what it
imports, and its form into providers.json. And what is known of seven more.

They are written after the providers' pages, and tried against requests of our own. docs/connectors.md explains the
rules.
"""
import hmac, json, re
from xml.etree import ElementTree
from providers import FORMS, Answer, Provider, elements, recent

FORMS.update({
    "Asana": {
        "page": "https://developers.asana.com/docs/establish-a-webhook",
        "signature": {"X-Hook-Signature": "{{hex}}"},
        "topic": ["{{.resource.resource_type}}/{{.action}}"],
        "key": ["{{sha256}}"]
    },
    "EventGrid": {
        "page": "https://learn.microsoft.com/en-us/azure/event-grid/webhook-event-delivery",
        "topic": ["{{.type}}"],
        "key": ["{{.id}}"],
        "brand": ["{{.source}}"]
    },
    "Salesforce": {
        "page": "http://www.salesforce.com/us/developer/docs/api/Content/sforce_api_om_outboundmessaging_wsdl.htm",
        "topic": ["outbound-message"],
        "key": ["{{.id}}"],
        "brand": ["{{.org}}"]
    },
    "Vonage": {
        "page": "https://developer.vonage.com/messaging/sms/guides/inbound-sms",
        "topic": ["inbound/{{.type}}"],
        "key": ["{{.messageId}}"],
        "brand": ["{{.api-key}}"]
    }
})

# Of these, a form has to say how they sign, and perhaps a class; in the comments what is never the key.
UNFINISHED = {
    "Adyen": {  # pspReference alone, the payment. A platform's webhook, which has a type, has no key: make a UUID
        "page": "https://docs.adyen.com/development-resources/webhooks/handle-webhook-events",
        "topic": ["{{.eventCode}}", "{{.type}}"],
        "key": ["{{.eventCode}}-{{.pspReference}}"],
        "brand": ["{{.merchantAccountCode}}", "{{.data.balancePlatform}}"]
    },
    "BigCommerce": {  # data.id; the hash alone: the page does not say whether it includes the time
        "page": "https://github.com/bigcommerce/docs/blob/HEAD/docs/integrations/webhooks/events/index.mdx",
        "topic": ["{{.scope}}"],
        "key": ["{{.hash}}-{{.created_at}}"],
        "brand": ["{{.producer}}"]
    },
    "Jira": {  # issue.id. Put the site's host, which is the brand, before the key
        "page": "https://developer.atlassian.com/cloud/jira/platform/webhooks",
        "topic": ["{{.webhookEvent}}"],
        "key": ["{{X-Atlassian-Webhook-Identifier}}"]
    },
    "PayPal": {  # resource.id. RSA, with https://pypi.org/project/cryptography/ or PayPal's API; brand: your name for it
        "page": "https://developer.paypal.com/api/rest/webhooks/rest/",
        "topic": ["{{.event_type}}"],
        "key": ["{{.id}}"]
    },
    "PostHog": {  # distinct_id
        "page": "https://github.com/PostHog/posthog-js",
        "topic": ["{{.event}}"],
        "key": ["{{.uuid}}"]
    },
    "SendGrid": {  # sg_message_id. An array; ECDSA, as github.com/sendgrid/sendgrid-python has it in EventWebhook
        "page": "https://github.com/sendgrid/docs/blob/HEAD/content/docs/for-developers/tracking-events/event.md",
        "topic": ["{{.event}}"],
        "key": ["{{.sg_event_id}}"]
    },
    "Wise": {  # subscription_id, data.resource.id. The id is of an attempt: a late delivery may be stored again. RSA
        "page": "https://docs.wise.com/api-docs/webhooks-notifications/event-types",
        "topic": ["{{.event_type}}"],
        "key": ["{{X-Delivery-Id}}"],
        "brand": ["{{.data.resource.profile_id}}"]
    }
}


class Asana(Provider):  # register the URL with ?secret= and WEBHOOK_SECRET: each webhook then brings one of its own
    gives_secrets = True

    def handshake(self, request, is_signed):
        secret = request.header("X-Hook-Secret")
        if secret:
            answer = self.keep_secret(secret, self.has_secret(request.parameter("secret")))
            return answer._replace(headers=[("X-Hook-Secret", secret)]) if answer.status == 200 else answer

    def events(self, request):
        return elements(request.text, "events")


class EventGrid(Provider):  # the URL has ?secret= and WEBHOOK_SECRET; CloudEvents, whose test is an OPTIONS
    def is_signed(self, request):
        return self.has_secret(request.parameter("secret"))

    def handshake(self, request, is_signed):
        if request.method == "OPTIONS" and is_signed:
            return Answer(200, headers=[("WebHook-Allowed-Origin", request.header("WebHook-Request-Origin"))])


class Salesforce(EventGrid):  # XML, of which it makes JSON; it wants its answer in XML
    def events(self, request):
        out, root = "{http://soap.sforce.com/2005/09/outbound}", ElementTree.fromstring(request.body)
        for each in root.iter(out + "Notification"):
            fields = {member.tag.rpartition("}")[2]: member.text for member in each.find(out + "sObject")}
            org = root.findtext(f".//{out}OrganizationId")
            yield json.dumps({"id": each.findtext(out + "Id"), "org": org, **fields})

    def acknowledgement(self, request):
        ack = ('<notificationsResponse xmlns="http://soap.sforce.com/2005/09/outbound"><Ack>true</Ack>'
               "</notificationsResponse>")
        soap = "http://schemas.xmlsoap.org/soap/envelope/"
        return Answer(200, f'<e:Envelope xmlns:e="{soap}"><e:Body>{ack}</e:Body></e:Envelope>', "text/xml")


class Vonage(Provider):  # an SMS comes by GET, and its signature is a field
    methods = ("GET",)

    def is_signed(self, request):
        fields = dict(request.fields)
        if len(fields) < len(request.fields):  # it signs one of each name
            return False
        sent = fields.pop("sig").lower().encode()
        text = "".join(f"&{name}={re.sub('[&=]', '_', fields[name])}" for name in sorted(fields)).encode()
        macs = [hmac.new(secret, text, "sha256").hexdigest().encode() for secret in self.secrets]
        return bool(recent(fields["timestamp"])) and any([hmac.compare_digest(mac, sent) for mac in macs])
