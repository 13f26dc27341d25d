"""What operate/now prints: what is wrong, the worst first, what could not be read, and what is right."""
import re
from operators.command import Failure, Refusal, progress

MOST = 5  # lines of a kind, and names in a line
WORST_FIRST = ("alarm", "deploy", "5xx", "service", "feed", "erasure", "throttled", "reader", "429", "4xx", "messages", "unwatched")


class Screen:
    def __init__(self):
        self.problems, self.unread, self.right = {}, [], []

    def wrong(self, kind, sentence, page):
        self.problems.setdefault(kind, []).append(f"{sentence} See docs/{page}" if page else sentence)

    def fine(self, kind, sentence):
        self.right.append((kind, sentence))

    def read(self, what, act, *arguments):
        """Returns what an act returns. If it fails, a line says why, and it is None.

        A refusal is no lack of a right: the service fails, as without one of its tables.
        """
        progress(f"reads {what}")
        try:
            return act(*arguments)
        except Refusal as refusal:
            self.wrong("service", f"{what}: {refusal}", "alarms.md#answer-an-alarm")
        except Failure as failure:
            missing = re.search(r"not authorized to perform: (\S+)", str(failure))
            self.unread.append((what, f"needs the right {missing[1]}" if missing else str(failure)))
        except Exception as surprise:  # of an answer that is not as expected: the other lines are as true as before
            self.unread.append((what, f"an unexpected answer: {surprise!r}"))

    def show(self):
        progress("")
        for kind in sorted(self.problems, key=lambda kind: (*WORST_FIRST, kind).index(kind)):
            sentences = self.problems[kind]
            more = [f"and {len(sentences) - MOST} more"] if len(sentences) > MOST else []
            for sentence in sentences[:MOST] + more:
                print(f"! {kind:<10} {sentence}")
        for mark, lines in (("?", self.unread), (" ", self.right)):
            for what, sentence in lines:
                print(f"{mark} {what:<10} {sentence}")
        if not self.problems and not self.right:
            raise Failure("nothing could be read")


def some(words):
    """The first of these words."""
    more = f" and {len(words) - MOST} more" if len(words) > MOST else ""
    return ", ".join(words[:MOST]) + more
