package dev.connectorevents.emulator.stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.emulator.SdkSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Record;

/**
 * The events with which Lambda calls a function that reads a table's stream in tumbling windows.
 *
 * @see <a
 *     href="https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-windows.html">Implementing
 *     stateful DynamoDB stream processing in Lambda</a>
 */
public final class StreamEvent {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private StreamEvent() {}

  /** A record as a member of an event. */
  public static ObjectNode record(String streamArn, Record record) {
    ObjectNode json =
        JSON.objectNode()
            .put("eventID", record.eventID())
            .put("eventName", record.eventNameAsString())
            .put("eventVersion", record.eventVersion())
            .put("eventSource", "aws:dynamodb")
            .put("awsRegion", SdkSettings.REGION)
            .put("eventSourceARN", streamArn);
    ObjectNode change =
        json.putObject("dynamodb")
            .put(
                "ApproximateCreationDateTime",
                record.dynamodb().approximateCreationDateTime().toEpochMilli() / 1e3)
            .put("SequenceNumber", record.dynamodb().sequenceNumber())
            .put("SizeBytes", record.dynamodb().sizeBytes())
            .put("StreamViewType", record.dynamodb().streamViewTypeAsString());
    change.set("Keys", item(record.dynamodb().keys()));
    if (record.dynamodb().hasNewImage()) {
      change.set("NewImage", item(record.dynamodb().newImage()));
    }
    return json;
  }

  /**
   * An event.
   *
   * @param records of one shard, in its order; none in the last call of a window
   * @param state what the function has answered before in the window
   */
  public static ObjectNode of(
      String streamArn,
      String shard,
      List<? extends JsonNode> records,
      Instant windowStart,
      Duration window,
      JsonNode state) {
    ObjectNode event = JSON.objectNode();
    event.putArray("Records").addAll(records);
    event
        .put("shardId", shard)
        .put("eventSourceARN", streamArn)
        .put("isFinalInvokeForWindow", records.isEmpty())
        .put("isWindowTerminatedEarly", false)
        .set("state", state);
    event
        .putObject("window")
        .put("start", windowStart.toString())
        .put("end", windowStart.plus(window).toString());
    return event;
  }

  private static ObjectNode item(Map<String, AttributeValue> item) {
    ObjectNode json = JSON.objectNode();
    item.forEach((name, value) -> json.set(name, attribute(value)));
    return json;
  }

  private static ObjectNode attribute(AttributeValue value) {
    ObjectNode json = JSON.objectNode();
    switch (value.type()) {
      case S -> json.put("S", value.s());
      case N -> json.put("N", value.n());
      case B -> json.put("B", value.b().asByteArray());
      case BOOL -> json.put("BOOL", value.bool());
      case NUL -> json.put("NULL", true);
      case M -> json.set("M", item(value.m()));
      case L -> value.l().stream().map(StreamEvent::attribute).forEach(json.putArray("L")::add);
      case SS -> value.ss().forEach(json.putArray("SS")::add);
      case NS -> value.ns().forEach(json.putArray("NS")::add);
      case BS -> {
        ArrayNode all = json.putArray("BS");
        value.bs().stream().map(SdkBytes::asByteArray).forEach(all::add);
      }
      case UNKNOWN_TO_SDK_VERSION -> throw new IllegalArgumentException("unknown: " + value);
    }
    return json;
  }
}
