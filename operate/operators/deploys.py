"""The last deploy of a stack, from CloudFormation's events."""
from operators.watch import minute, time_of

MOST_EVENTS = "1000"  # more than a deploy of this template makes
BEGINS = ("CREATE_IN_PROGRESS", "UPDATE_IN_PROGRESS", "DELETE_IN_PROGRESS")
CANCELLED = "cancelled"  # CloudFormation says this of what it stopped because something else had failed


def last(target):
    """The events of the last deploy, the latest first."""
    words = ("cloudformation", "describe-stack-events", "--stack-name", target.name, "--max-items", MOST_EVENTS)
    events = target.call(*words)["StackEvents"]
    of_stack = [index for index, event in enumerate(events) if event["PhysicalResourceId"] == event["StackId"]]
    begin = next((index for index in of_stack if events[index]["ResourceStatus"] in BEGINS), len(events))
    return events[: begin + 1], events[of_stack[0]]["ResourceStatus"]


def cause(events):
    """What failed first, of its own accord."""
    failed = [event for event in reversed(events) if event["ResourceStatus"].endswith("_FAILED")]
    own = [event for event in failed if CANCELLED not in event.get("ResourceStatusReason", "").lower()]
    return (own or failed or [None])[0]


def show(screen, target):
    events, state = last(target)
    when = minute(time_of(events[0]["Timestamp"]))
    if "ROLLBACK" not in state and not state.endswith("_FAILED"):
        return screen.fine("deploy", f"{state}, {when}")
    first = cause(events) or {"LogicalResourceId": "no resource failed"}
    why = f"{first['LogicalResourceId']}: {first.get('ResourceStatusReason', 'no reason')}"
    screen.wrong("deploy", f"{state}, {when}: {why}.", "deploying.md#why-a-deploy-has-failed")
