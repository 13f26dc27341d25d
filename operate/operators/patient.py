"""Calls a function until it answers."""
import time
from operators.command import Failure, Refusal, progress

PAUSES = (1, 2, 4, 8, 16, 32)  # in seconds, between two tries of a call


class Patient:
    """A service that gets the same call again if it was not available, or if the answer was lost.

    A service that has never answered is not asked again: it may be the wrong one. Each call may be repeated.
    """

    def __init__(self, service):
        self.service, self.url = service, service.url
        self.has_answered = self.has_lost = False  # an answer, with what only it has counted and named

    def invoke(self, function, event):
        for pause in PAUSES:
            try:
                return self.invoke_once(function, event)
            except Failure as failure:
                if not self.may_pass(failure):
                    raise
                self.has_lost |= not isinstance(failure, Refusal)
                progress(f"{failure}; again in {pause} s")
                time.sleep(pause)
        return self.invoke_once(function, event)

    def invoke_once(self, function, event):
        answer = self.service.invoke(function, event)
        self.has_answered = True
        return answer

    def may_pass(self, failure):
        if isinstance(failure, Refusal):
            return failure.code == "temporarily_unavailable"
        return self.has_answered
