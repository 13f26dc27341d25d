"""The rows of an exam, in their order. Each has a name, a title, what it needs, and where the page helps."""
from collections import namedtuple

Case = namedtuple("Case", "name title section needs ask")
CASES = []  # in the order of their definition; the modules below add theirs

# Why a row is not asked if the webhooks have not what it needs.
NEEDS = {
    "id": "the webhooks have no {{id}}",
    "id to leave out": "the webhooks have no {{id}}",
    "id of the delivery": "the id is not in a header of its own",
    "any id": "the webhooks have no {{id}}",
    "other text": "another text is another event here",
    "topic": "the webhooks have no {{topic=…}}",
    "brand": "the webhooks have no {{brand=…}}",
    "JSON": "the webhooks are forms",
    "whole": "a webhook is not one JSON object",
    "untimed": "what is no JSON has no time, so it is not signed",
    "signature": "nothing is signed",
    "mac": "the signature is the secret itself",
    "time": "no time is signed",
    "command": "it needs --command",
    "kept": "no --kept shows what the connector keeps, and it has no --keeps-nothing",
}


def case(title, section, *needs, among=CASES):
    def add(ask):
        among.append(Case(ask.__name__.replace("_", "-"), title, section, needs, ask))
        return ask

    return add
