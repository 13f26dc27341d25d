"""Tests of the latest of each: _meta.object and _meta.version of providers.py, and the view of consumer.py."""
import contextlib, itertools, json, os, pathlib, random, sqlite3, subprocess, sys, tempfile, unittest, uuid
from unittest import mock

from running import EXAMPLES, IS_NIGHTLY, wait_until
sys.path.insert(0, EXAMPLES)
import consumer, providers
from test_providers import FORM, request

SHUFFLES = 10_000 if IS_NIGHTLY else 40  # of each sequence


def json_of(**members):
    return json.dumps(members)


def github(kind, action, updated_at, name="issue", **more):
    return ({"X-GitHub-Event": kind, "X-GitHub-Delivery": ""},
            json_of(action=action, **{name: {"id": 492700400, "updated_at": updated_at, **more}}))


def gitlab(updated_at, **more):
    return ({"X-Gitlab-Event": "Issue Hook", "Idempotency-Key": ""},
            json_of(object_kind="issue", object_attributes={"id": 301, "updated_at": updated_at, **more}))


def hubspot(change, occurred_at, **more):
    return {}, json_of(subscriptionId=1, eventId=occurred_at % 97, portalId=62515, subscriptionType="contact." + change,
                       objectId=123, occurredAt=occurred_at, **more)


def installation(action, updated_at):
    return ({"X-GitHub-Event": "installation", "X-GitHub-Delivery": ""},
            json_of(action=action, installation={"id": 16598467, "updated_at": updated_at}))


def linear(action, at, **more):
    data = {"id": "2174add1-f7c8-44e3-bbf3-2d60b5ea8bc9", "updatedAt": "2020-01-23T12:53:18.084Z", **more}
    return ({"Linear-Event": "Comment", "Linear-Delivery": ""},
            json_of(action=action, type="Comment", createdAt=at, data=data))


def mailchimp(kind, fired_at, **more):
    fields = {"type": kind, "fired_at": fired_at, "data[id]": "8a25ff1d98", "data[list_id]": "a6b5da1054", **more}
    return FORM, "&".join(f"{name}={value}" for name, value in fields.items()).replace(" ", "+")


def notion(change, timestamp):
    return {}, json_of(id="", timestamp=timestamp, type="page." + change,
                       entity={"id": "153104cd-477e-8001-935c-c4b11828dfbd", "type": "page"})


def shopify(webhook_topic, triggered_at, prefix="X-", **body):
    headers = {"Topic": webhook_topic, "Webhook-Id": "", "Triggered-At": triggered_at}
    return {f"{prefix}Shopify-{name}": value for name, value in headers.items()}, json_of(**body)


def shopify_event(action, triggered_at):
    ids = {"variantsId": "gid://shopify/ProductVariant/456", "productId": "gid://shopify/Product/788032119674292922"}
    return shopify("Product", triggered_at, "", topic="Product", action=action, query_variables=ids)


def slack(event_ts, **inner):
    return {}, json_of(event_id="", event={"type": "message", "channel": "C123ABC456", "event_ts": event_ts, **inner})


def square(change, version, **data):
    return {}, json_of(merchant_id="G7MMEBVW021Q4", type="customer." + change, event_id="", data={
        "type": "customer", "id": "QPTXM8PQNX3Q726ZYHPMNP46XC", **data, "object": {"customer": {"version": version}}})


def stripe(kind, created, **thing):
    return {}, json_of(id="", object="event", created=created, type=kind,
                       data={"object": {"id": "cus_123", "object": "customer", **thing}})


def stripe_thin(kind, created):
    related = {"id": "cus_123", "type": "customer", "url": "/v1/customers/cus_123"}
    return {}, json_of(id="", object="v2.core.event", created=created, type=kind, related_object=related)


def coupon(change, created, **event):
    thing = {"id": "SUMMER", "object": "coupon"}
    return {}, json_of(id="", object="event", created=created, type="coupon." + change, data={"object": thing}, **event)


def twilio(status, number):
    return {**FORM, "I-Twilio-Idempotency-Token": ""}, f"CallSid=CA1&CallStatus={status}&SequenceNumber={number}"


def xero(kind, at):
    return {}, json_of(events=[{"resourceId": "717f2bfc-c6d4-41fd-b238-3f2f0c0cf777", "eventDateUtc": at,
                                "eventType": kind, "eventCategory": "CONTACT"}])


def zendesk(kind, time, **detail):
    return {}, json_of(id="", account_id=12514403, type="zen:event-type:ticket." + kind, time=time,
                       subject="zen:ticket:35436", detail=detail)


def zoom(change, event_ts, kind="meeting", **thing):
    return {}, json_of(event=f"{kind}.{change}", event_ts=event_ts,
                       payload={"account_id": "a", "object": {"id": 1234567890, **thing}})


# Of each provider, what it sends of one thing, the oldest first, after the samples of its own pages (docs/connectors.md
# has the links). The last one is a deletion, if it sends any. Where two have one version, no page says which is newer.
SEQUENCES = {
    "GitHub": ("github:issue_comment:492700400", [
        github("issue_comment", "created", "2019-05-15T15:20:21Z", "comment", body="a"),
        github("issue_comment", "edited", "2019-05-15T15:20:22Z", "comment", body="b"),
        github("issue_comment", "deleted", "2019-05-15T15:20:22Z", "comment", body="b")]),
    "GitHub, in one second": ("github:issue:492700400", [
        github("issues", "opened", "2019-05-15T15:20:18Z", title="a"),
        github("issues", "edited", "2019-05-15T15:20:19Z", title="b"),
        github("issues", "edited", "2019-05-15T15:20:19Z", title="c")]),
    "GitHub, two forms of a time": ("github:installation:16598467", [
        installation("created", 1619657090), installation("suspend", "2021-04-29T02:32:50Z"),
        installation("unsuspend", "2021-04-29T02:33:50Z"), installation("deleted", 1619663700)]),
    "GitHub, moved": ("github:issue:492700400", [
        github("issues", "opened", "2019-05-15T15:20:18Z", title="a"),
        github("issues", "transferred", "2019-05-15T15:20:18Z", title="a")]),
    "GitLab": ("gitlab:issue:301", [
        gitlab("2013-12-03 17:15:43 UTC", state="opened"), gitlab("2013-12-03T17:15:44Z", state="closed"),
        gitlab("2013-12-03T19:15:45+02:00", state="reopened"), gitlab("2013-12-03 17:15:46 UTC", action="delete")]),
    "HubSpot": ("hubspot:contact:123", [
        hubspot("creation", 1564113599999), hubspot("merge", 1564113600000),
        hubspot("deletion", 1564113600001), hubspot("restore", 1564113600500),
        hubspot("privacyDeletion", 1564113601000)]),
    "HubSpot, by two kinds of subscriptions": ("hubspot:contact:123", [
        ({}, json_of(subscriptionId=1, eventId=1, portalId=62515, subscriptionType="object.creation", objectTypeId="0-1",
                     objectId=123, occurredAt=1564113599999)), hubspot("privacyDeletion", 1564113601000)]),
    "Linear": ("linear:Comment:2174add1-f7c8-44e3-bbf3-2d60b5ea8bc9", [
        linear("create", "2020-01-23T12:53:18.084Z", body="a"), linear("update", "2020-01-23T12:53:19Z", body="b"),
        linear("update", "2020-01-23T12:53:19.5Z", body="c"), linear("remove", "2020-01-23T12:53:20.001Z", body="c")]),
    "Mailchimp": ("mailchimp:contact:8a25ff1d98", [
        mailchimp("subscribe", "2009-03-26 21:35:57"), mailchimp("profile", "2009-03-26 21:36:02"),
        mailchimp("unsubscribe", "2009-03-26 21:40:57", **{"data[action]": "delete"})]),
    "Notion": ("notion:page:153104cd-477e-8001-935c-c4b11828dfbd", [
        notion("created", "2024-12-05T23:55:34.285Z"), notion("deleted", "2024-12-05T23:59:31.215Z"),
        notion("undeleted", "2024-12-06T00:00:03.356Z"), notion("deleted", "2024-12-06T00:00:04Z")]),
    "Shopify": ("shopify:Product:788032119674292922", [
        shopify("products/create", "2023-03-29T18:00:27Z", id=788032119674292922, title="a"),
        shopify("products/update", "2023-03-29T18:00:27.877041743Z", id=788032119674292922, title="b"),
        shopify("products/update", "2023-03-29T18:00:27.9Z", id=788032119674292922, title="c"),
        shopify("products/delete", "2023-03-29T18:00:28Z", id=788032119674292922)]),
    "Shopify, Events": ("shopify:Product:788032119674292922", [
        shopify_event("create", "2026-10-02T14:30:00-04:00"), shopify_event("update", "2026-10-02T18:30:00.5Z"),
        shopify_event("update", "2026-10-02T14:30:01-04:00"), shopify_event("delete", "2026-10-02T18:30:01.1Z")]),
    "Shopify, without an id": ("shopify:Company:1", [
        shopify("companies/create", "2023-03-29T18:00:27Z", admin_graphql_api_id="gid://shopify/Company/1", name="a"),
        shopify("companies/update", "2023-03-29T18:00:28Z", admin_graphql_api_id="gid://shopify/Company/1", name="b"),
        shopify("companies/delete", "2023-03-29T18:00:29Z", admin_graphql_api_id="gid://shopify/Company/1")]),
    "Shopify, of two ids": ("shopify:InventoryLevel:7:808950810", [
        shopify("inventory_levels/connect", "2023-03-29T18:00:27Z", inventory_item_id=808950810, location_id=7,
                admin_graphql_api_id="gid://shopify/InventoryLevel/9?inventory_item_id=808950810"),
        shopify("inventory_levels/disconnect", "2023-03-29T18:00:28Z", inventory_item_id=808950810, location_id=7)]),
    "Shopify, merged": ("shopify:Customer:2", [
        shopify("customers/create", "2023-03-29T18:00:27Z", id=2),
        shopify("customers/merge", "2023-03-29T18:00:28Z", status="COMPLETED",
                admin_graphql_api_customer_kept_id="gid://shopify/Customer/1",
                admin_graphql_api_customer_deleted_id="gid://shopify/Customer/2")]),
    "Slack, of a thread": ("slack:message:C123ABC456:1355517523.000005", [
        slack("1355517523.000005", ts="1355517523.000005", text="a", thread_ts="1355517523.000005"),
        slack("1358878755.000010", subtype="message_changed", ts="1358878755.000010",
              message={"ts": "1355517523.000005", "subtype": "tombstone", "text": "This message was deleted."})]),
    "Slack": ("slack:message:C123ABC456:1355517523.000005", [
        slack("1355517523.000005", ts="1355517523.000005", text="a"),
        slack("1358878755.000001", subtype="message_changed", message={"ts": "1355517523.000005", "text": "b"}),
        slack("1358878755.000010", subtype="message_deleted", deleted_ts="1355517523.000005", ts="1358878755.000010")]),
    "Square": ("square:customer:QPTXM8PQNX3Q726ZYHPMNP46XC", [
        square("created", 0), square("updated", 9), square("updated", 10), square("deleted", 11, deleted=True)]),
    "Stripe": ("stripe:customer:cus_123", [
        stripe("customer.created", 999_999_999, email="a"), stripe("customer.updated", 1_533_204_620, email="b"),
        stripe("customer.updated", 1_533_204_621, email="c"), stripe("customer.deleted", 1_533_204_622, email="c")]),
    "Stripe, in one second": ("stripe:customer:cus_123", [
        stripe("customer.created", 1_533_204_620, email="a"), stripe("customer.updated", 1_533_204_620, email="b")]),
    "Stripe, thin": ("stripe:customer:cus_123", [
        stripe_thin("v1.customer.created", "2024-09-17T06:20:52Z"),
        stripe_thin("v1.customer.updated", "2024-09-17T06:20:53.246Z"),
        stripe_thin("v1.customer.deleted", "2024-09-17T06:20:54.000Z")]),
    "Stripe, of both kinds": ("stripe:customer:cus_123", [
        stripe("customer.created", 1_726_554_052), stripe_thin("v1.customer.updated", "2024-09-17T06:20:53.999Z"),
        stripe("customer.updated", 1_726_554_053), stripe("customer.deleted", 1_726_554_054)]),
    "Stripe, made anew": ("stripe:coupon:SUMMER", [
        coupon("created", 1_533_204_620), coupon("created", 1_533_204_621), coupon("deleted", 1_533_204_621)]),
    "Stripe, a test": ("stripe:test.coupon:SUMMER", [
        coupon("created", 1_533_204_620, livemode=False), coupon("deleted", 1_533_204_621, livemode=False)]),
    "Twilio": ("twilio:call:CA1", [
        twilio("initiated", 0), twilio("ringing", 1), twilio("in-progress", 9), twilio("completed", 10)]),
    "Xero": ("xero:CONTACT:717f2bfc-c6d4-41fd-b238-3f2f0c0cf777", [
        xero("CREATE", "2025-10-21T01:15:39"), xero("UPDATE", "2025-10-21T01:15:39.902"),
        xero("UPDATE", "2025-10-21T01:15:40")]),
    "Zendesk": ("zendesk:ticket:35436", [
        zendesk("created", "2019-05-25T01:23:45Z", status="new"),
        zendesk("status_changed", "2019-05-25T01:23:45.465719851Z", status="open"),
        zendesk("soft_deleted", "2019-05-25T01:23:46Z", status="open"),
        zendesk("undeleted", "2019-05-25T01:23:46.5Z", status="open"),
        zendesk("permanently_deleted", "2019-05-25T01:23:47Z", status="open")]),
    "Zoom": ("zoom:meeting:1234567890", [
        zoom("created", 1672574400000, topic="a"), zoom("updated", 1672574400500, topic="b"),
        zoom("deleted", 1672574400900, occurrences=[{"occurrence_id": "1"}]), zoom("deleted", 1672574401000)]),
    "Zoom, all of a series": ("zoom:meeting:1234567890", [zoom("created", 1672574400000), ({}, json_of(
        event="meeting.deleted", event_ts=1672574400001, payload={
            "account_id": "a", "operation": "all", "object": {"id": 1234567890, "occurrences": [{}]}}))]),
    "Zoom, one of a series": ("zoom:meeting_instance:4444AAAiAAAAAiAiAiiAii==", [
        zoom("started", 1672574400000, uuid="4444AAAiAAAAAiAiAiiAii=="),
        zoom("ended", 1672574400500, uuid="4444AAAiAAAAAiAiAiiAii==")]),
    "Zoom, a recording": ("zoom:recording:4444AAAiAAAAAiAiAiiAii==", [
        zoom("completed", 1672574400000, "recording", uuid="4444AAAiAAAAAiAiAiiAii=="),
        zoom("trashed", 1672574400500, "recording", uuid="4444AAAiAAAAAiAiAiiAii=="),
        zoom("recovered", 1672574400600, "recording", uuid="4444AAAiAAAAAiAiAiiAii=="),
        zoom("deleted", 1672574400700, "recording", uuid="4444AAAiAAAAAiAiAiiAii==")]),
}
DELETE_NOTHING = {"GitHub, in one second", "Stripe, in one second", "Twilio", "Xero", "Zoom, one of a series"}


def event_of(name, headers, body, number):
    """The event that a connector makes of a delivery. What is empty in it gets the number."""
    sent = request(body.replace('""', f'"{number}"'), {each: headers[each] or str(number) for each in headers})
    rows, refused = getattr(providers, name.partition(",")[0])([b"hush"]).rows(sent)
    if refused:
        raise AssertionError(refused)
    return json.loads(rows[0][1], parse_int=str)


def events_of(name):
    return [event_of(name, *delivery, number) for number, delivery in enumerate(SEQUENCES[name][1], 1)]


def interleaved(sequences, random_):
    """The elements of all of them, shuffled. Those of one keep their order: an erasure comes after its event."""
    turns = [each for each in sequences for _ in each]
    random_.shuffle(turns)
    places = {id(each): iter(each) for each in sequences}
    return [next(places[id(turn)]) for turn in turns]


class Members(unittest.TestCase):
    def metas(self, name):
        return [event["payload"]["_meta"] for event in events_of(name)]

    def test_each_class_names_the_thing_and_versions_that_sort_as_they_happened(self):
        for name, (thing, _) in SEQUENCES.items():
            with self.subTest(name):
                metas = self.metas(name)
                versions = [meta["version"] for meta in metas]
                self.assertEqual({meta["object"] for meta in metas}, {thing})
                self.assertEqual(versions, sorted(versions))
                self.assertEqual({len(version) for version in versions}, {len(versions[0])})
                self.assertEqual(metas[-1].get("deleted"), None if name in DELETE_NOTHING else "true")
                self.assertNotIn("deleted", metas[0])

    def test_what_ends_something_marks_it_or_has_a_reason(self):
        for name, known in ENDS.items():
            for what, reason in known.items():
                with self.subTest(name, what=what):
                    meta = event_of(name, *ending(name, what), 1)["payload"]["_meta"]
                    self.assertEqual(meta.get("deleted"), "true" if reason is True else None)
                    self.assertEqual("object" in meta, reason not in (NO_ID, NO_TIME, PART), meta)

    def test_each_class_with_a_version_has_a_sequence(self):
        kinds = {each.__name__ for each in providers.Provider.__subclasses__() if "state" in vars(each)}
        self.assertEqual(kinds, {name.partition(",")[0] for name in SEQUENCES})

    def test_an_event_of_shopify_says_in_its_type_what_it_does(self):
        self.assertEqual([event["event_type"] for event in events_of("Shopify, Events")],
                         ["shopify.Product/" + action for action in ("create", "update", "update", "delete")])
        headers = {"Shopify-Topic": "Product", "Shopify-Webhook-Id": "1", "Shopify-Action": "delete"}
        stub = '{"payload_url":"https://a.example","payload_size_bytes":9,"expires_at":"2026-10-02T00:00:00Z"}'
        for given, topic in (headers, "Product/delete"), ({**headers, "Shopify-Action": ""}, "Product"):
            event = event_of("Shopify", given, stub, "")
            self.assertEqual(event["event_type"], "shopify." + topic)
            self.assertNotIn("object", event["payload"]["_meta"])

    def test_what_has_no_version_names_no_thing(self):
        for name, (headers, body) in {
            "GitHub": github("issues", "opened", None), "GitLab": gitlab("yesterday"),
            "Notion": notion("created", "9" * 99), "Square": square("created", 10**20),
            "Twilio": ({**FORM, "I-Twilio-Idempotency-Token": ""}, "CallStatus=a&CallSid=b"),
            "Slack": slack("1.0", type="channel_created", ts="1.0"), "HubSpot": ({}, '{"vid":1}'),
            "Mailchimp": mailchimp("subscribe", "2009-03-26 21:35:57", **{"data[id]": ""}),
            "Zoom": zoom("participant_joined", 1672574400000), "Zoom, s": zoom("created", 1672574400),
            "HubSpot, a part": hubspot("propertyChange", 1564113600000, propertyName="email"),
            "HubSpot, s": hubspot("creation", 1564113600), "Stripe": stripe("customer.created", 1_533_204_620_000),
            "Shopify, a part": shopify("discounts/redeemcode_added", "2023-03-29T18:00:27Z",
                                       admin_graphql_api_id="gid://shopify/DiscountAutomaticNode/1"),
            "Shopify, failed": shopify("customers/merge", "2023-03-29T18:00:27Z", status="failed",
                                       admin_graphql_api_customer_deleted_id="gid://shopify/Customer/2"),
            "Zendesk": zendesk("created", "2019-13-25T01:23:45Z"),
            "WooCommerce": ({"X-WC-Webhook-Topic": "a", "X-WC-Webhook-Delivery-ID": "b",
                             "X-WC-Webhook-Signature": "c"}, '{"id":1}'),
        }.items():
            with self.subTest(name):
                meta = event_of(name, headers, body, 1)["payload"]["_meta"]
                self.assertFalse({"object", "version", "deleted"} & set(meta))


# What ends something, by its providers' own lists and pages: whether it is marked, or why not.
# github.com/octokit/webhooks/tree/main/payload-schemas, github.com/hookdeck/webhook-samples, docs/connectors.md
NO_ID, NO_TIME, STATE = "it names no thing by an id", "it has no time of the thing", "the thing is still there"
PART = "it has a part of the thing, or its id is of another one"
ENDS = {
    "GitHub": {
        **dict.fromkeys("discussion/deleted discussion/transferred discussion_comment/deleted installation/deleted "
                        "issue_comment/deleted issues/deleted issues/transferred milestone/deleted project/deleted "
                        "project_card/deleted project_column/deleted projects_v2_item/deleted "
                        "pull_request_review_comment/deleted repository/deleted release/deleted "
                        "branch_protection_rule/deleted".split(), True),
        **dict.fromkeys("code_scanning_alert/closed_by_user custom_property/deleted "
                        "dependabot_alert/dismissed deploy_key/deleted label/deleted star/deleted team/deleted "
                        "meta/deleted merge_group/destroyed secret_scanning_alert/revoked "
                        "repository_vulnerability_alert/dismiss pull_request_review/dismissed".split(), NO_TIME),
        **dict.fromkeys("github_app_authorization/revoked installation_repositories/removed member/removed "
                        "marketplace_purchase/cancelled membership/removed org_block/unblocked organization/deleted "
                        "organization/member_removed security_advisory/withdrawn sponsorship/cancelled "
                        "team/removed_from_repository delete/None branch_protection_configuration/disabled".split(), NO_ID),
        **dict.fromkeys("installation/suspend issues/closed milestone/closed project/closed projects_v2_item/archived "
                        "pull_request/closed pull_request/auto_merge_disabled pull_request/review_request_removed "
                        "release/unpublished repository/archived repository/transferred".split(), STATE)},
    "Shopify": {
        **dict.fromkeys("channels/delete checkouts/delete collections/delete companies/delete "
                        "company_contacts/delete company_locations/delete customer_groups/delete customers/delete "
                        "customer_payment_methods/revoke discounts/delete domains/destroy draft_orders/delete "
                        "fulfillment_events/delete inventory_items/delete inventory_levels/disconnect locations/delete "
                        "markets/delete metaobjects/delete orders/delete payment_terms/delete products/delete "
                        "profiles/delete segments/delete selling_plan_groups/delete themes/delete".split(), True),
        **dict.fromkeys("app/uninstalled returns/cancel returns/close returns/decline".split(), PART),
        **dict.fromkeys("collection_publications/delete product_publications/delete collection_listings/remove "
                        "company_contact_roles/revoke customers/redact shop/redact "
                        "fulfillment_orders/cancelled product_listings/remove scheduled_product_listings/remove "
                        "subscription_billing_cycle_edits/delete".split(), NO_ID),
        **dict.fromkeys("customers/disable locations/deactivate orders/cancelled subscription_contracts/cancel "
                        "subscription_contracts/expire".split(), STATE)},
    "Stripe": {
        **dict.fromkeys("account.application.deauthorized account.external_account.deleted coupon.deleted "
                        "customer.deleted customer.discount.deleted customer.source.deleted customer.subscription.deleted "
                        "customer.tax_id.deleted invoice.deleted invoiceitem.deleted person.deleted plan.deleted "
                        "price.deleted product.deleted topup.deleted".split(), True),
        **dict.fromkeys("charge.expired checkout.session.expired invoice.voided payment_intent.canceled "
                        "payment_method.detached payout.canceled quote.canceled setup_intent.canceled source.canceled "
                        "subscription_schedule.canceled topup.canceled transfer.reversed".split(), STATE)},
    "Zendesk": {
        **dict.fromkeys("article.deleted organization.deleted ticket.soft_deleted ticket.permanently_deleted "
                        "user.deleted".split(), True),
        **dict.fromkeys("article.unpublished article.vote_removed ticket.marked_as_spam user.active_changed".split(), STATE),
        "user.merged": "its page does not say which of the two is gone"},
    "Zoom": {
        **dict.fromkeys("meeting.deleted meeting.permanently_deleted webinar.deleted webinar.permanently_deleted "
                        "recording.trashed recording.deleted user.deleted user.disassociated".split(), True),
        **dict.fromkeys("meeting.ended recording.stopped user.deactivated webinar.ended".split(), STATE),
        **dict.fromkeys("app_deauthorized meeting.registration_cancelled".split(), NO_ID)},
    "HubSpot": {"contact.deletion": True, "contact.privacyDeletion": True, "deal.deletion": True,
                "contact.merge": "it is about the one that is kept", "contact.associationChange": NO_ID},
    "Linear": {"Issue/remove": True, "Comment/remove": True},
    "Notion": {"page.deleted": True, "comment.deleted": True, "database.deleted": True},
    "Square": {"customer.deleted": True, "order.updated": STATE},
    "GitLab": {"issue/delete": True, "emoji/revoke": True, "issue/close": STATE, "milestone/close": STATE},
    "Slack": {"message_deleted": True, "tombstone": True, "channel_archive": NO_ID},
    "Mailchimp": {"delete": True, "unsub": STATE, "cleaned": NO_ID, "upemail": NO_ID},
}
ID = {"id": 7, "updated_at": "2023-03-29T18:00:27Z"}


def ending(name, what):
    """What a provider sends when this happens, as far as a class reads it. What has no id or time there, has none here."""
    kind, _, action = what.replace(".", "/", 1).partition("/") if name in ("Notion", "Zoom") else what.partition("/")
    reason = ENDS[name][what]
    if name == "GitHub":
        names = {"issues": "issue", "branch_protection_rule": "rule"}
        thing = "comment" if kind.endswith("_comment") else names.get(kind, kind)
        body = {thing: {"id": 7} if reason == NO_TIME else ID} if reason != NO_ID else {}
        return ({"X-GitHub-Event": kind, "X-GitHub-Delivery": ""}, json_of(action=action, **body))
    if name == "Shopify":
        gid = {"admin_graphql_api_id": "gid://shopify/Thing/7"}
        level = {"inventory_item_id": 1, "location_id": 2}
        return shopify(what, "2023-03-29T18:00:27Z", **({} if reason == NO_ID else {**gid, **level}))
    if name == "Stripe":
        return {}, json_of(id="", object="event", created=1_533_204_620, type=what,
                           data={"object": {"id": "x_1", "object": "thing"}})
    if name == "Zendesk":
        return {}, json_of(id="", account_id=1, type="zen:event-type:" + what, time="2019-05-25T01:23:45Z",
                           subject="zen:thing:7")
    if name == "Zoom":
        return zoom(action, 1672574400000, kind, uuid="u") if action else (
            {}, json_of(event=what, event_ts=1672574400000, payload={"account_id": "a"}))
    if name == "HubSpot":
        body = {} if reason == NO_ID else {"objectId": 123}
        return {}, json_of(subscriptionId=1, eventId=1, portalId=1, subscriptionType=what, occurredAt=1564113600000, **body)
    if name == "Linear":
        return linear(action, "2020-01-23T12:53:18.084Z")
    if name == "Notion":
        return {}, json_of(id="", timestamp="2024-12-05T23:55:34.285Z", type=what, entity={"id": "1", "type": kind})
    if name == "Square":
        return square(what.partition(".")[2], 1, **{"deleted": True} if reason is True else {})
    if name == "GitLab":
        return gitlab("2013-12-03T17:15:44Z", action=action)
    if name == "Mailchimp":
        return {"delete": lambda: mailchimp("unsubscribe", "2009-03-26 21:40:57", **{"data[action]": "delete"}),
                "unsub": lambda: mailchimp("unsubscribe", "2009-03-26 21:40:57", **{"data[action]": "unsub"})}.get(
                    what, lambda: mailchimp(what, "2009-03-26 21:40:57", **{"data[id]": ""}))()
    inner = {"message_deleted": {"subtype": what, "deleted_ts": "1355517523.000005"},
             "tombstone": {"subtype": "message_changed", "message": {"ts": "1355517523.000005", "subtype": what}}}
    return slack("1358878755.000010", **inner.get(what, {"type": what}))


SHOWN = "SELECT brand_id, object, is_deleted, is_tied, state FROM latest"


class Wrong(Exception):
    """What the consumer shows is not the latest."""


def judge(brand, events, row, stay):
    """Judges the row that a consumer shows of a brand: thing, deletion, tie, state.

    These events of a sequence stay: the place, and the time at which the event was stored.
    """
    if (row is None) != (not stay):
        raise Wrong(f"{brand} has a row: {bool(row)}, and these events: {stay}")
    if row is None:
        return
    metas = [event["payload"]["_meta"] for event in events]
    newest = metas[max(stay)[0]].get("version")
    latest = [("deleted" in metas[each], stored, each) for each, stored in stay if metas[each].get("version") == newest]
    is_deletion, place = max(latest)[0], int(json.loads(row[3])["place"])
    if row[0] != metas[0]["object"] or bool(row[1]) != is_deletion:
        raise Wrong(f"{brand}: {row} of {stay}")
    rivals = {each for deleted, _, each in latest if deleted == is_deletion}
    is_anew = any(is_deletion and not deleted and stored >= max(latest)[1] for deleted, stored, _ in latest)
    if place not in rivals or bool(row[2]) != (len(rivals) > 1 or is_anew):
        raise Wrong(f"{brand}: {place} of {stay}, tied: {row[2]}")


class Files(unittest.TestCase):
    def test_a_long_reader_stops_nothing_and_what_is_erased_is_in_no_file(self):
        def page(number, *events):
            return {"events": list(events), "next": f"0-{number}", "head": number, "more": False}

        asked, name = "2026-11-20T13:00:00.000Z", "x" * 3_000
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "file")
            signals = consumer.Signals(file, None, None)
            self.addCleanup(signals.database.close)
            one = event_of("Stripe", *stripe("customer.created", 1_533_204_620, name=name), 1)
            entry = {"id": "1", "created_at": asked, **one}
            signals.take(page(1, consumer.described(entry, entry["payload"])), asked)
            with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as reader:
                reader.execute("BEGIN")
                self.assertIn(name, reader.execute("SELECT state FROM latest").fetchone()[0])
                with mock.patch.object(consumer, "PATIENCE", 0):
                    signals.take(page(2, {"id": "1", "erased_at": asked}), asked)
                self.assertEqual(signals.database.execute("SELECT * FROM latest").fetchall(), [])
                self.assertTrue(self.has(folder, name))  # the reader still sees it
            signals.take(page(3), asked)
            self.assertFalse(self.has(folder, name))

    def test_what_is_erased_is_in_no_unused_place_of_the_file(self):
        """SQLite moves rows between pages of its file. After these, a deletion alone leaves a copy of the last one."""
        pages, asked = ("2:500 4:500 6:200 7:500", "8:200", "11:500", "12:900 -7 -8 13:500 -4 14:200", "17:2500 18:500 -2",
                        "21:900", "28:900 -6 -17", "-14"), "2026-11-20T13:00:00.000Z"
        with tempfile.TemporaryDirectory() as folder:
            signals = consumer.Signals(os.path.join(folder, "file"), None, None)
            self.addCleanup(signals.database.close)
            for number, page in enumerate(pages, 1):
                entries = [self.entry(*map(int, each.split(":"))) for each in page.split(" ")]
                signals.take({"events": entries, "next": f"0-{number}", "head": len(pages), "more": False}, asked)
            self.assertFalse(self.has(folder, "MARK00000014X"))
            self.assertTrue(self.has(folder, "MARK00000012X"))

    @staticmethod
    def entry(number, padding=0):
        """The row of an event, or the erasure of one."""
        name = f"{abs(number) * 2654435761 % 2**32:08x}-0000-4000-8000-{abs(number):012x}"
        if number < 0:
            return {"id": name, "erased_at": "2026-11-20T13:00:00.000Z"}
        state = '{"email":"MARK%08dX"}' % number + " " * padding
        return {"id": name, "created_at": f"2026-11-20T12:00:00.{number:03}Z", "brand_id": "acme.myshopify.com",
                "event_type": "shopify.customers/update", "object": f"shopify:Customer:{number}", "state": state,
                "version": f"2026-11-20T12:00:00.{number:09}Z", "is_deleted": 0, "total": None}

    @staticmethod
    def has(folder, text):
        return any(text.encode() in each.read_bytes() for each in pathlib.Path(folder).iterdir())


class Latest(unittest.TestCase):
    """Shuffled, doubled and late deliveries of each sequence, to a brand of its own; some of them are erased."""

    def entries(self, name, events, random_, numbers):
        """The feed's entries of one shuffle, and the places in the sequence of the events that stay."""
        brand, entries, stay = f"{name}-{next(numbers)}", [], []
        for place, event in enumerate(events):
            for _ in range(random_.choice([0, 1, 1, 1, 2])):  # two connectors give one delivery two ids
                moment, received = (f"2026-11-20T12:00:{random_.randrange(60):02}.000Z" for _ in range(2))
                meta = {**event["payload"]["_meta"], "brand_id": brand, "place": str(place), "received_at": received}
                entry = {"id": f"{brand}-{next(numbers)}", "created_at": moment, "event_type": event["event_type"],
                         "payload": {**event["payload"], "place": str(place), "_meta": meta}}
                its = [entry] * random_.choice([1, 1, 2])  # a restored event comes twice
                if random_.random() < 0.2:
                    its.append({"id": entry["id"], "erased_at": moment})
                else:
                    stay.append((place, moment))
                entries.append(its)
        return brand, interleaved(entries, random_), stay

    def test_of_any_order_the_latest_is_shown_or_a_tie(self):
        random_, numbers = random.Random(74), itertools.count(1)
        recorded = {name: events_of(name) for name in SEQUENCES}
        plays = [(name, *self.entries(name, recorded[name], random_, numbers))
                 for name in SEQUENCES for _ in range(SHUFFLES)]
        with tempfile.TemporaryDirectory() as folder:
            signals = consumer.Signals(os.path.join(folder, "file"), None, None)
            signals.database.execute("PRAGMA synchronous = OFF")
            entries = interleaved([entries for _, _, entries, _ in plays], random_)
            for start in range(0, len(entries), 100):
                events = [each if "erased_at" in each else consumer.described(each, each["payload"])
                          for each in entries[start:start + 100]]
                page = {"events": events, "next": f"0-{start + 1}", "head": len(entries), "more": False}
                signals.take(page, "2026-11-20T13:00:00.000Z")
            shown = {row[0]: row[1:] for row in signals.database.execute(SHOWN)}
            for name, brand, _, stay in plays:
                judge(brand, recorded[name], shown.get(brand), stay)
            signals.database.close()

    def test_two_runs_in_another_order_show_the_same_also_of_a_tie(self):
        name, seen = "Stripe, in one second", set()
        event = events_of(name)
        entries = [{"id": str(place), "created_at": f"2026-11-20T12:00:0{place}.000Z", **each}
                   for place, each in enumerate(event)]
        for order in itertools.permutations(entries):
            with tempfile.TemporaryDirectory() as folder:
                signals = consumer.Signals(os.path.join(folder, "file"), None, None)
                events = [consumer.described(each, each["payload"]) for each in order]
                signals.take({"events": events, "next": "0-1", "head": 1, "more": False}, "2026-11-20T13:00:00.000Z")
                seen.update(signals.database.execute("SELECT id, is_tied FROM latest"))
        self.assertEqual(seen, {("1", 1)})

    def test_a_tie_is_also_what_was_made_anew_within_the_version_of_its_deletion(self):
        deleted, anew = ({**event_of("Stripe", *coupon(change, 1_533_204_621), 1), "id": change}
                         for change in ("deleted", "created"))
        for first, second, is_tied in (deleted, anew, 1), (anew, deleted, 0):
            with tempfile.TemporaryDirectory() as folder:
                signals = consumer.Signals(os.path.join(folder, "file"), None, None)
                events = [consumer.described({**each, "created_at": f"2026-11-20T12:00:0{place}.000Z"}, each["payload"])
                          for place, each in enumerate((first, second))]
                signals.take({"events": events, "next": "0-1", "head": 1, "more": False}, "2026-11-20T13:00:00.000Z")
                self.assertEqual(signals.database.execute("SELECT id, is_deleted, is_tied FROM latest").fetchall(),
                                 [("deleted", 1, is_tied)])
                signals.database.close()

    def test_the_work_grows_with_the_states_not_with_their_square(self):
        def steps(states):
            with contextlib.closing(sqlite3.connect(":memory:")) as database:
                database.executescript(consumer.TABLES)
                database.executemany("INSERT INTO events VALUES (?, '', 'b', 't', 'o', '1', 0, 's', NULL)",
                                     [(str(number),) for number in range(states)])
                count = itertools.count()
                database.set_progress_handler(lambda: next(count) < 0, 100)
                self.assertEqual(len(database.execute("SELECT * FROM latest").fetchall()), 1)
                return next(count)

        self.assertLess(steps(2_000), 3 * steps(1_000))


@unittest.skipUnless("PORT" in os.environ, "PORT is that of a local/serve")
class Served(unittest.TestCase):
    """The same through the service: shuffled, in batches, some erased, while two shares read."""

    def setUp(self):
        sys.path.insert(0, os.path.join(EXAMPLES, "../operate"))
        from operators import api, command
        self.local = command.LocalServe(int(os.environ["PORT"]))
        self.api = api.Api(self.local.url)
        self.addCleanup(sys.path.remove, os.path.join(EXAMPLES, "../operate"))

    def token(self, role):
        email = f"{uuid.uuid4()}@example.com"
        for more in {"action": "create", "role": role}, {"action": "issue-static-token"}:
            answer = self.local.invoke("ManageUsersFunction", {"email": email, **more})
        return answer["token"]["access_token"]

    def start(self, share, file):
        own = {name: value for name, value in os.environ.items() if not name.startswith("CONSUMER_")}
        process = subprocess.Popen(
            [sys.executable, "-B", os.path.join(EXAMPLES, "consumer.py"), "--share", share, file],
            env={**own, "API_URL": self.local.url, "CONSUMER_TOKEN": self.token("consumer"), "PAUSE": "0.1"})
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)

    def send(self, events):
        """The ids of the stored events, in their order."""
        token, ids = self.token("connector"), []
        for start in range(0, len(events), 100):
            batch = [{**event, "idempotency_key": f"{uuid.uuid4()}"} for event in events[start:start + 100]]
            while not all(ids[start:]) or len(ids) == start:  # a busy machine answers some events 503
                answer = self.api.send("POST", "/api/webhook-events/batch", {"events": batch}, token)
                ids[start:] = [each.get("event", {}).get("id") for each in answer.json["results"]]
        return ids

    def erase(self, ids):
        for start in range(0, len(ids), 100):
            event = {"ids": ids[start:start + 100], "reason": "a request"}
            while not (answer := self.local.invoke("EraseEventsFunction", event))["complete"]:
                event["next"] = answer["next"]

    def test_two_shares_show_the_latest_of_each(self):
        random_, run = random.Random(74), f"{uuid.uuid4()}"
        events, places = [], []
        for name in SEQUENCES:
            for number in range(100 if IS_NIGHTLY else 4):
                brand = f"{run}/{name}-{number}"
                for place, event in enumerate(events_of(name)):
                    meta = {**event["payload"]["_meta"], "brand_id": brand}
                    its = {**event, "payload": {**event["payload"], "place": str(place), "_meta": meta}}
                    for _ in range(random_.choice([0, 1, 1, 1, 2])):
                        events.append(its)
        random_.shuffle(events)
        with tempfile.TemporaryDirectory() as folder:
            files = [os.path.join(folder, f"{part}-of-2") for part in (1, 2)]
            for part, file in enumerate(files, 1):
                self.start(f"{part}/2", file)
            ids = self.send(events)
            erased = set(random_.sample(ids, len(ids) // 5))
            self.erase(sorted(erased))
            expected = set(ids) - erased
            stored = f"SELECT id, created_at FROM events WHERE brand_id LIKE '{run}/%'"
            wait_until(lambda: {each for each, _ in self.rows(files, stored)} == expected, "the last event")
            shown, times, stay = self.rows(files, SHOWN), dict(self.rows(files, stored)), {}
            for event, its in zip(events, ids):
                payload = event["payload"]
                places = stay.setdefault(payload["_meta"]["brand_id"], [])
                places.extend([] if its in erased else [(int(payload["place"]), times[its])])
        self.assertEqual(len(shown), len({row[0] for row in shown}))  # a brand is in one share
        shown = {row[0]: row[1:] for row in shown if row[0].startswith(run)}
        for brand, places in stay.items():
            name = brand.partition("/")[2].rpartition("-")[0]
            judge(brand, events_of(name), shown.get(brand), places)
        self.assertGreater(len(shown), len(SEQUENCES))

    def rows(self, files, query):
        """Those of all files, sorted. A file is made by its consumer."""
        rows = []
        for file in files:
            with contextlib.suppress(sqlite3.OperationalError), contextlib.closing(sqlite3.connect(file)) as database:
                rows += database.execute(query).fetchall()
        return sorted(rows)


if __name__ == "__main__":
    unittest.main()
