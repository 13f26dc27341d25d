package dev.connectorevents.functions.numberevents;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.connectorevents.Json;
import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.dynamodb.events.DynamoMarkedEvents;
import dev.connectorevents.dynamodb.events.FeedImage;
import dev.connectorevents.feed.FeedEntry;
import dev.connectorevents.feed.MarkNote;
import dev.connectorevents.feed.SequenceNumber;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Some records of one shard of the events table's stream, as Lambda hands them over. Reads only
 * what the feed keeps of an image: payloads are skipped.
 *
 * @see <a
 *     href="https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-windows.html">Implementing
 *     stateful DynamoDB stream processing in Lambda</a>: only with a tumbling window does Lambda
 *     name the shard
 */
record StreamBatch(String shard, List<StreamRecord> records) {

  StreamBatch {
    records = List.copyOf(records);
  }

  /**
   * A record.
   *
   * @param writtenAt when the item was written, about
   * @param image what was written; empty if it is neither an event nor a tombstone nor a mark, such
   *     as a part of a payload or the end of an item
   */
  record StreamRecord(SequenceNumber number, Instant writtenAt, Optional<Image> image) {}

  /** What was written. */
  sealed interface Image {

    record Kept(FeedEntry entry) implements Image {}

    record Marked(MarkNote note) implements Image {}

    /** A defect of ours, or an item that somebody else has written. */
    record Unreadable(String id, RuntimeException failure) implements Image {}
  }

  /**
   * Reads Lambda's event.
   *
   * @param onlyShard the shard of an event that names none; empty if each event must name its own
   * @throws IOException if it is no event of a stream, or has no shard
   */
  static StreamBatch read(byte[] event, String onlyShard) throws IOException {
    try (JsonParser parser = Json.FACTORY.createParser(event)) {
      Reader reader = new Reader(parser, onlyShard);
      parser.nextToken();
      reader.readObject(reader::readEvent);
      if (reader.shard.isEmpty()) {
        throw new IOException(
            "the event names no shard: on AWS the mapping needs a tumbling window,"
                + " on an emulator the function needs the variable ONLY_SHARD");
      }
      return new StreamBatch(
          reader.shard,
          reader.records.stream()
              .map(it ->
                  new StreamRecord(
                      it.number(), it.writtenAt(), image(it.image(), reader.shard, reader.stream)))
              .toList());
    }
  }

  /** A record; the shard's name comes after it. */
  private record Read(SequenceNumber number, Instant writtenAt, Item image) {}

  private static final class Reader {
    private final JsonParser parser;
    private final List<Read> records = new ArrayList<>();
    private String shard;
    private @Nullable SequenceNumber number;
    private Instant writtenAt = Instant.EPOCH;
    private Item image = new Item();
    private String stream = "";

    Reader(JsonParser parser, String onlyShard) {
      this.parser = parser;
      this.shard = onlyShard;
    }

    void readEvent(String name) throws IOException {
      switch (name) {
        case "shardId" -> shard = parser.getText();
        case "Records" -> readRecords();
        default -> parser.skipChildren();
      }
    }

    private void readRecords() throws IOException {
      if (parser.currentToken() == JsonToken.VALUE_NULL) {
        return;
      }
      while (parser.nextToken() == JsonToken.START_OBJECT) {
        number = null;
        image = new Item();
        readObject(this::readRecord);
        if (number == null) {
          throw new IOException("a record of the stream has no number");
        }
        records.add(new Read(number, writtenAt, image));
      }
    }

    private void readRecord(String name) throws IOException {
      switch (name) {
        case "eventSourceARN" -> stream = parser.getText();
        case "dynamodb" -> readObject(this::readChange);
        default -> parser.skipChildren();
      }
    }

    private void readChange(String name) throws IOException {
      switch (name) {
        case "SequenceNumber" -> number = new SequenceNumber(parser.getText());
        case "ApproximateCreationDateTime" ->
            writtenAt =
                Instant.ofEpochMilli(
                    new BigDecimal(parser.getText()).movePointRight(3).longValue());
        case "NewImage" -> readObject(this::readAttribute);
        default -> parser.skipChildren();
      }
    }

    private void readAttribute(String attribute) throws IOException {
      readObject(type -> {
        if (!FeedImage.ATTRIBUTES.contains(attribute)
            && !DynamoMarkedEvents.ATTRIBUTES.contains(attribute)) {
          parser.skipChildren();
          return;
        }
        switch (type) {
          case "S" -> image.put(attribute, parser.getText());
          case "N" -> image.put(attribute, Long.valueOf(parser.getText()));
          case "B" -> image.put(attribute, parser.getBinaryValue());
          default -> parser.skipChildren();
        }
      });
    }

    /** Reads the members of the object whose start was just read. */
    void readObject(Json.MemberReader reader) throws IOException {
      if (parser.currentToken() != JsonToken.START_OBJECT) {
        throw new IOException("the event is not one of a DynamoDB stream");
      }
      Json.readMembers(parser, reader);
    }
  }

  private static Optional<Image> image(Item item, String shard, String stream) {
    try {
      return DynamoMarkedEvents.isMark(item)
          ? Optional.of(new Image.Marked(DynamoMarkedEvents.note(item, shard, stream)))
          : FeedImage.entry(item).map(Image.Kept::new);
    } catch (RuntimeException e) {
      String id = item.has("id") ? item.text("id") : "";
      return Optional.of(new Image.Unreadable(id, e));
    }
  }
}
