"""The questions of docs/only-aws.md, which only a deployed stack can answer: its text is what operate/first-day runs."""
import re, shlex, textwrap
from pathlib import Path
from operators import command

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/only-aws.md"
NAMES = ROOT / "docs/operating.md"

QUESTION = re.compile(r"^## (\d+)\. ([^\n]+)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
PART = re.compile(r"^\*(By hand|Expected|Left|Undo)\*:", re.MULTILINE)
BLOCK = re.compile(r"(?:^ {4,}\S.*\n|^\n(?= {4}))+", re.MULTILINE)
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
PHYSICAL = re.compile(r"^ {4}physical\(\) \{\n(?: {4}.*\n)*? {4}\}\n", re.MULTILINE)


class Question:
    """A question of the page. `commands` and `undo` are scripts for bash; the other parts are prose."""

    def __init__(self, number, title, body):
        first, *parts = PART.split(body)
        named = dict(zip(parts[::2], parts[1::2]))
        self.number, self.title = int(number), title
        reason, _, text = named.get("By hand", "").partition("\n\n")
        self.by_hand = prose(reason)  # why first-day does not run it; empty if it does
        self.commands = script(first + "\n\n" + text)
        self.expected, self.left = prose(named.get("Expected", "")), prose(named.get("Left", ""))
        self.undo = script(named.get("Undo", ""))


def require_version_2():
    """Version 1 of the AWS CLI has no `aws logs tail`: nearly every question would end in errors."""
    version = command.aws("--version").partition(" ")[0]
    if not version.startswith("aws-cli/2."):
        raise command.Failure(f"needs version 2 of the AWS CLI, and `aws` is {version or 'something else'}")


def questions():
    """All questions, in the order of the page."""
    return [Question(*match) for match in QUESTION.findall(PAGE.read_text(encoding="utf-8"))]


def prelude(stack):
    """What the page's commands need: the stack's name, and `physical`."""
    return f"STACK={shlex.quote(stack)}\n" + textwrap.dedent(PHYSICAL.search(NAMES.read_text(encoding="utf-8"))[0])


def script(text):
    return "\n".join(textwrap.dedent(block).strip("\n") for block in BLOCK.findall(text))


def prose(text):
    return LINK.sub(r"\1", " ".join(BLOCK.sub("", text).split()))
