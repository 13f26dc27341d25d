"""A connector without a machine: an AWS Lambda function that takes a provider's webhooks at a URL.

connector.yaml is its stack, and docs/connectors.md says what it promises. It stores an event at once. What it cannot
store in time waits in a queue, which hands it to this function again. What is refused goes to a dead-letter queue:
outbox.py has the commands for it. Python 3.13 with boto3, which Lambda's runtime has.
"""
import base64, json, logging, os, re, time, zlib
from email.message import Message
import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from outbox import REFUSED, SETTLED, Session, batches, judged, remade
from providers import Request, kind_of

# https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html
MOST_BYTES, MOST_MESSAGES = 1_048_576, 10  # of a message, and of a request with several
LOGIN = "CONNECTOR_API_EMAIL", "CONNECTOR_API_PASSWORD", "CONNECTOR_API_TOKEN"
LONGEST_START = 10  # seconds: https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html
SECRETS_FOR = 300  # seconds, until it looks for other secrets
AWAY_FOR = 10  # seconds after no answer in which no instance is kept waiting for the next one
QUEUED_WITHIN = 10  # seconds for what the queue hands over at a time. Secret or dead letter may take 14 more, of the 30
HELD_FOR = 600  # seconds in which no other command gets a message that one looks at
PATIENT = Config(connect_timeout=2, read_timeout=5, retries={"total_max_attempts": 2})
logging.getLogger().setLevel(logging.INFO)
logging.getLogger("botocore").setLevel(logging.WARNING)
born = time.monotonic()


def handle(event, context):
    """Lambda's handler, for requests to the URL and for messages of the queue."""
    global born
    now = time.monotonic()
    # The provider has waited for the start of an instance, too: of less than 10 s, or nobody has asked for it.
    begun, born = (born if born and now - born < LONGEST_START else now), None
    return connector().drain(event["Records"]) if "Records" in event else connector().receive(event, begun)


def connector():
    """The connector of this instance. After a while it is made anew if its secrets are others."""
    global current, fresh_until
    if time.monotonic() > fresh_until:
        try:
            text = boto3.client("secretsmanager", config=PATIENT).get_secret_value(
                SecretId=os.environ["SECRET"])["SecretString"]
            if not current or text != current.text:
                current = Connector(text)
        except (Exception, SystemExit) as error:  # with the last one, what is signed is kept while somebody mends it
            if not current:
                raise
            logging.error("the secret: %s", error)
        fresh_until = time.monotonic() + SECRETS_FOR
    return current


current, fresh_until = None, 0


class Connector:
    def __init__(self, text):
        self.text, settings = text, {name: each for name, each in json.loads(text).items() if each}
        kind = kind_of(os.environ["PROVIDER"])
        if kind.gives_secret or kind.gives_secrets:
            raise ValueError(f"{kind.__name__} gives secrets, for which this connector has no disk")
        self.provider = kind([settings[name].encode() for name in ("WEBHOOK_SECRET", "WEBHOOK_SECRET_2")
                              if name in settings])
        os.environ.update((name, settings.get(name, "")) for name in LOGIN)  # also what is no longer there
        self.away_until = 0
        self.session, self.sqs = Session(), boto3.client("sqs", config=PATIENT)

    def receive(self, event, begun):
        """Answers a request, in the form of a function URL:
        https://docs.aws.amazon.com/lambda/latest/dg/urls-invocation.html#urls-payloads
        """
        self.session.until = begun + float(os.environ["STORED_WITHIN"])
        http, headers = event["requestContext"]["http"], Message()
        for name, value in event["headers"].items():
            headers.add_header(name, bytes_of(value))
        body = event.get("body") or ""
        body = base64.b64decode(body) if event["isBase64Encoded"] else body.encode("utf-8", "surrogatepass")
        url = os.environ.get("WEBHOOK_URL") or f"https://{event['requestContext']['domainName']}{event['rawPath']}"
        query = "?" + event["rawQueryString"] if event["rawQueryString"] else ""
        answer = self.provider.take(Request(http["method"], url + query, headers, body), self.keep)
        if answer.log:
            logging.log(logging.INFO if answer.status == 200 else logging.ERROR, "%s for a webhook from %s: %s",
                        answer.status, http["sourceIp"], answer.log)
        return {"statusCode": answer.status, "headers": {"Content-Type": answer.type, **dict(answer.headers)},
                "body": answer.text}

    def keep(self, events, refused):
        """Stores events. What the service does not answer for goes to the queue. Returns why something is nowhere."""
        waiting, dead = [], [letter(*each) for each in refused]
        is_away = time.monotonic() < self.away_until
        for batch in [] if is_away else batches(events):
            for (key, event), result, code in judged(self.session, batch):
                if code != "stored":
                    logging.error("event %s: %s", key, result)
                if code in REFUSED:
                    dead.append(letter(key, json.dumps(result["problem"]), event))
                elif code not in SETTLED:
                    waiting.append(letter(key, None, event))
                if isinstance(result, dict) and result.get("status") == 0:
                    self.away_until = time.monotonic() + AWAY_FOR
        waiting += [letter(key, None, event) for key, event in events if is_away]
        lost = self.put(os.environ["QUEUE"], waiting) or self.put(os.environ["DEAD_LETTERS"], dead)
        return lost and f"{lost}, of {', '.join(key or 'no id' for key, *_ in [*events, *refused])}"

    def put(self, queue, letters):
        """Sends messages. Returns why not all of them are in the queue, or None."""
        size, entries = 0, []
        try:
            for each in letters:
                text = packed(each)
                if len(text) > MOST_BYTES:
                    return f"{len(text)} bytes are more than a queue takes"
                if entries and (size + len(text) > MOST_BYTES or len(entries) == MOST_MESSAGES):
                    self.put_batch(queue, entries)
                    size, entries = 0, []
                size += len(text)
                entries.append({"Id": str(len(entries)), "MessageBody": text})
            if entries:
                self.put_batch(queue, entries)
        except (BotoCoreError, ClientError, OSError) as error:
            return f"a queue: {error}"

    def put_batch(self, queue, entries):
        if failed := self.sqs.send_message_batch(QueueUrl=queue, Entries=entries).get("Failed"):
            raise OSError(f"{failed[0].get('Code')} for {len(failed)} of {len(entries)} messages")

    def drain(self, records):
        """Stores what has waited. The queue keeps what the answer names, and hands it over again."""
        self.session.until, failed = time.monotonic() + QUEUED_WITHIN, []
        for number, record in enumerate(records):
            try:
                one = unpacked(record["body"])
            except ValueError as error:
                logging.error("message %s is of nobody: %s", record["messageId"], error)
                failed.append(record)
                continue
            if not one["event"]:  # a refused body. AWS's console puts back all dead letters
                failed += [record] if self.put(os.environ["DEAD_LETTERS"], [one]) else []
                continue
            ((_, result, code),) = judged(self.session, [(one["key"], one["event"])])
            if code != "stored":
                logging.error("event %s: %s", one["key"], result)
            if code in REFUSED:
                one["answer"] = json.dumps(result["problem"])
                code = None if self.put(os.environ["DEAD_LETTERS"], [one]) else code
            if code not in SETTLED:
                failed.append(record)
            if not code:  # the service is away, for the others too
                failed += records[number + 1:]
                break
        return {"batchItemFailures": [{"itemIdentifier": each["messageId"]} for each in failed]}


def bytes_of(value):
    """A header's bytes as ISO 8859-1, as Python's server has them. AWS does not say how it reads them."""
    try:
        value.encode("iso-8859-1").decode()
        return value
    except UnicodeError:
        return value.encode("utf-8", "surrogatepass").decode("iso-8859-1")


def letter(key, answer, event, body=None, request=None):
    """What a message has: the columns of an outbox's table of refused events."""
    return {"key": key, "answer": answer, "event": event, "body": body, "request": request}


def packed(one):
    """A message of this. Not as it is: SQS takes no control characters, and a large event would not fit."""
    return base64.b64encode(zlib.compress(json.dumps(one).encode())).decode()


def unpacked(text):
    """What was packed. A ValueError, if this is something else."""
    try:
        one = letter(**json.loads(zlib.decompress(base64.b64decode(text))))
    except (zlib.error, TypeError, RecursionError):
        one = letter(None, None, None)
    if not isinstance(one["event"] or one["body"] and one["request"], str):
        raise ValueError("it has neither an event nor a body")
    return one


class DeadLetters:
    """What is refused, or was handed over too often, with the methods that outbox.py's commands use."""

    def __init__(self, url):
        region = re.match(r"https://sqs\.([a-z0-9-]+)\.", url)
        self.sqs = boto3.client("sqs", region_name=region and region[1])
        self.url, self.held = url, {}  # how to give back what was looked at, by its id

    def ask(self, action, **members):
        try:
            return getattr(self.sqs, action)(**{"QueueUrl": self.url, **members})
        except (BotoCoreError, ClientError) as error:
            raise OSError(str(error)) from None

    def all(self):
        """Each message, with what it has. They come back when the command has ended. It first looks at all: otherwise
        what is put back and refused again would be among them, without an end.
        """
        try:
            messages = []
            while some := [each for each in self.some() if each["MessageId"] not in self.held]:
                self.held.update((each["MessageId"], each["ReceiptHandle"]) for each in some)
                messages += some
            for each in messages:
                try:
                    one = unpacked(each["Body"])
                except ValueError:  # somebody else has sent it
                    body = base64.b64encode(each["Body"].encode()).decode()
                    one = letter(None, '{"reason": "it is of nobody"}', None, body,
                                 '{"method": "POST", "url": "", "headers": []}')
                yield each, one
        finally:
            for handle in filter(None, self.held.values()):
                self.ask("change_message_visibility", ReceiptHandle=handle, VisibilityTimeout=0)

    def some(self):
        return self.ask("receive_message", MaxNumberOfMessages=MOST_MESSAGES, WaitTimeSeconds=2,
                        VisibilityTimeout=HELD_FOR, MessageSystemAttributeNames=["SentTimestamp"]).get("Messages", ())

    def delete(self, message):
        self.ask("delete_message", ReceiptHandle=message["ReceiptHandle"])
        self.held[message["MessageId"]] = None

    def refused(self):
        for message, one in self.all():
            what = {"event": one["event"]} if one["event"] else {"body": one["body"], **json.loads(one["request"])}
            answer = json.loads(one["answer"] or '"handed over too often"')
            yield {"number": message["MessageId"], "at": at(message), "key": one["key"], "answer": answer, **what}

    def keep(self, rows):
        """Puts events into the queue whose dead letters these are."""
        (queue,) = self.ask("list_dead_letter_source_queues")["queueUrls"]
        for key, event in rows:
            self.ask("send_message", QueueUrl=queue, MessageBody=packed(letter(key, None, event)))

    def retry(self, provider=None):
        """Puts back the events, also those that a provider's class now makes of a body. Yields the number of what stays
        refused, and why.
        """
        for message, one in self.all():
            events, refused = [(one["key"], one["event"])] if one["event"] else [], []
            if one["body"] and provider:
                events, refused = remade(provider, at(message), one["body"], one["request"])
            if refused:
                yield message["MessageId"], json.loads(refused[0][1])["reason"]
            elif events:
                self.keep(events)
                self.delete(message)

    def drop(self, number):
        for message, _ in self.all():
            if message["MessageId"] == number:
                return self.delete(message)
        raise ValueError(f"nothing that was refused has the number {number}")


def at(message):
    sent = int(message["Attributes"]["SentTimestamp"]) / 1000
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(sent))
