"""How late the events table's stream is: the metric IteratorAge, the age of the last record of each batch.

https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html
"""
import json
from datetime import datetime, timedelta, timezone

HOUR = timedelta(hours=1)


def oldest(target, time=HOUR):
    """The highest age of this time up to now, in seconds. None if Lambda called the function with no record."""
    end = datetime.now(timezone.utc)
    metric = {
        "Namespace": "AWS/Lambda",
        "MetricName": "IteratorAge",
        "Dimensions": [{"Name": "FunctionName", "Value": target.output("NumberEventsFunctionName")}],
    }
    queries = [{"Id": "age", "MetricStat": {"Metric": metric, "Period": time // HOUR * 60, "Stat": "Maximum"}}]
    found = target.call(
        *("cloudwatch", "get-metric-data", "--metric-data-queries", json.dumps(queries)),
        *("--start-time", (end - time).isoformat(), "--end-time", end.isoformat()),
    )
    milliseconds = [value for result in found["MetricDataResults"] for value in result["Values"]]
    return max(milliseconds) / 1000 if milliseconds else None
