"""CloudWatch's metrics: sums, and how late the events table's stream is.

IteratorAge is the age of the last record of each batch:
https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html
"""
import json
from datetime import datetime, timedelta, timezone

HOUR = timedelta(hours=1)


def values(target, metrics, stat, period, time):
    """By metric, one value for each period of this time up to now that has points."""
    queries = [
        {"Id": f"m{index}", "MetricStat": {"Metric": metric, "Period": period, "Stat": stat}}
        for index, metric in enumerate(metrics)
    ]
    end = datetime.now(timezone.utc)
    found = target.call(
        *("cloudwatch", "get-metric-data", "--metric-data-queries", json.dumps(queries)),
        *("--start-time", (end - time).isoformat(), "--end-time", end.isoformat()),
    )
    by_metric = [[] for _ in metrics]
    for result in found["MetricDataResults"]:
        by_metric[int(result["Id"][1:])] += result["Values"]
    return by_metric


def sums(target, metrics, time):
    """The sum of each metric in this time."""
    return [sum(each) for each in values(target, metrics, "Sum", 300, time)]


def oldest(target, time=HOUR):
    """The highest age of this time up to now, in seconds. None if Lambda called the function with no record."""
    metric = {
        "Namespace": "AWS/Lambda",
        "MetricName": "IteratorAge",
        "Dimensions": [{"Name": "FunctionName", "Value": target.output("NumberEventsFunctionName")}],
    }
    [milliseconds] = values(target, [metric], "Maximum", time // HOUR * 60, time)
    return max(milliseconds) / 1000 if milliseconds else None
