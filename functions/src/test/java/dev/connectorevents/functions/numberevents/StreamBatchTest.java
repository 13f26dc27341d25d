package dev.connectorevents.functions.numberevents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.connectorevents.event.EventType;
import dev.connectorevents.feed.BrandHash;
import dev.connectorevents.feed.FeedEntry;
import dev.connectorevents.feed.ItemVersion;
import dev.connectorevents.feed.MarkNote;
import dev.connectorevents.feed.SequenceNumber;
import dev.connectorevents.functions.numberevents.StreamBatch.Image;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StreamBatchTest {

  private static final UUID ID = UUID.fromString("db919ee2-cb8d-8e7d-97d4-dc6145b6ea5f");
  private static final Instant CREATED = Instant.parse("2026-11-20T12:00:00.123Z");
  private static final String CREATED_AT = "\"created_at\":{\"S\":\"2026-11-20T12:00:00.123Z\"}";
  private static final String EVENT =
      CREATED_AT
          + ",\"event_type\":{\"S\":\"a.b\"},\"user_id\":{\"B\":\"AAAAAAAAAAAAAAAAAAAABw==\"},"
          + "\"payload\":{\"S\":\"{\\\"event_type\\\":{}}\"},\"attempts\":{\"N\":\"1\"}";

  private static StreamBatch batch(String... images) throws IOException {
    StringBuilder records = new StringBuilder();
    for (String image : images) {
      records
          .append(records.isEmpty() ? "" : ",")
          .append(
              """
              {"eventID":"1","eventName":"INSERT","eventSource":"aws:dynamodb","eventSourceARN":"arn:s","dynamodb":{
              "ApproximateCreationDateTime":1.763640000123E9,"Keys":{"id":{"S":"x"}},
              "SequenceNumber":"%d","SizeBytes":7,"StreamViewType":"NEW_IMAGE"%s}}
              """
                  .formatted(records.length() + 1, image));
    }
    return StreamBatch.read(
        ("{\"state\":{\"a\":[1]},\"Records\":["
                + records
                + "],\"shardId\":\"shardId-1\","
                + "\"isFinalInvokeForWindow\":false}")
            .getBytes(UTF_8),
        "");
  }

  private static String image(String id, String attributes) {
    return ",\"NewImage\":{\"id\":{\"S\":\"%s\"},%s}".formatted(id, attributes);
  }

  private static Optional<Image> only(String attributes) throws IOException {
    return batch(image(ID + "", attributes)).records().getFirst().image();
  }

  private static ItemVersion version(String renumberedAt) {
    return new ItemVersion(
        ID, CREATED, Optional.of(renumberedAt).filter(it -> !it.isEmpty()).map(Instant::parse));
  }

  @Test
  void an_image_of_an_event_has_what_the_feed_keeps() throws IOException {
    StreamBatch batch = batch(image(ID + "", EVENT));

    assertThat(batch.shard()).isEqualTo("shardId-1");
    assertThat(batch.records())
        .containsExactly(
            new StreamBatch.StreamRecord(
                new SequenceNumber("1"),
                Instant.parse("2025-11-20T12:00:00.123Z"),
                Optional.of(new Image.Kept(event("", Optional.empty())))));
    assertThat(only(EVENT + ",\"brand_key\":{\"S\":\"a#b#7\"}"))
        .hasValue(new Image.Kept(event("", Optional.of(BrandHash.of("a#b")))));
    assertThat(only(EVENT + ",\"renumbered_at\":{\"S\":\"2026-11-21T12:00:00.000Z\"}"))
        .hasValue(new Image.Kept(event("2026-11-21T12:00:00Z", Optional.empty())));
  }

  private static FeedEntry event(String renumberedAt, Optional<BrandHash> brand) {
    return new FeedEntry.OfEvent(
        version(renumberedAt), new EventType("a.b"), new UUID(0, 7), brand);
  }

  @Test
  void an_image_of_a_tombstone_is_an_erasure() throws IOException {
    assertThat(
            only("\"erased_at\":{\"S\":\"2026-11-20T12:00:00.123Z\"},\"erasure_id\":{\"S\":\"x\"}"))
        .hasValue(new Image.Kept(new FeedEntry.OfErasure(version(""))));
  }

  @Test
  void an_image_of_a_mark_says_which_it_is_and_of_which_shard_and_stream() throws IOException {
    String mark = "\"mark\":{\"N\":\"7\"},\"at\":{\"S\":\"2026-11-20T12:00:00.123Z\"}";
    StreamBatch batch = batch(image("mark#63", mark));

    assertThat(batch.records().getFirst().image())
        .hasValue(
            new Image.Marked(
                new MarkNote(
                    63, 7, Instant.parse("2026-11-20T12:00:00.123Z"), batch.shard(), "arn:s")));
  }

  @Test
  void what_is_none_of_these_has_no_image() throws IOException {
    StreamBatch batch = batch(image(ID + "#1", "\"payload\":{\"B\":\"AA==\"}"), ",\"OldImage\":{}");

    assertThat(batch.records())
        .extracting(StreamBatch.StreamRecord::image)
        .containsOnly(Optional.empty());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"event_type\":{\"S\":\"a.b\"}",
        "\"event_type\":{\"S\":\"none\"},\"created_at\":{\"S\":\"2026-11-20T12:00:00.123Z\"}",
        "\"event_type\":{\"S\":\"a.b\"},\"created_at\":{\"S\":\"yesterday\"}",
        "\"erased_at\":{\"S\":\"\"}",
        "\"mark\":{\"N\":\"7\"}",
      })
  void an_image_that_cannot_be_read_leaves_the_others_alone(String attributes) throws IOException {
    List<StreamBatch.StreamRecord> records =
        batch(image("odd", attributes), image(ID + "", EVENT)).records();

    assertThat(records.getFirst().image().orElseThrow())
        .isInstanceOfSatisfying(Image.Unreadable.class, it -> assertThat(it.id()).isEqualTo("odd"));
    assertThat(records.getLast().image()).containsInstanceOf(Image.Kept.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"Records\":[]}",
        "[]",
        "{\"shardId\":\"s\",\"Records\":[{\"dynamodb\":{}}]}",
        "{\"shardId\":\"s\",\"Records\":[{\"dynamodb\":7}]}",
      })
  void an_event_without_a_shard_or_a_number_is_none(String event) {
    assertThatIOException().isThrownBy(() -> StreamBatch.read(event.getBytes(UTF_8), ""));
  }

  @ParameterizedTest
  @CsvSource({
    "1, 2, -1",
    "9, 10, -1",
    "7, 7, 0",
    "100000000000000000000000000000000000000, 99999999999999999999999999999999999999, 1",
  })
  void sequence_numbers_are_compared_as_numbers(String one, String other, int sign) {
    assertThat(Integer.signum(new SequenceNumber(one).compareTo(new SequenceNumber(other))))
        .isEqualTo(sign);
    assertThatIllegalArgumentException().isThrownBy(() -> new SequenceNumber(one + "x"));
  }
}
