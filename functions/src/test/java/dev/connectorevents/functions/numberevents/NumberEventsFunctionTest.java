package dev.connectorevents.functions.numberevents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.AdjustableClock;
import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.Promise;
import dev.connectorevents.feed.InMemoryFeed;
import dev.connectorevents.feed.MarkNote;
import dev.connectorevents.feed.SequenceNumber;
import dev.connectorevents.functions.RecordingContext;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NumberEventsFunctionTest {

  private static final String EVENT =
      """
      "event_type":{"S":"github.push"},"payload":{"S":"{}"},\
      "created_at":{"S":"2026-11-20T11:59:58.000Z"},"user_id":{"B":"AAAAAAAAAAAAAAAAAAAAAA=="}\
      """;

  private static final String TOMBSTONE = "\"erased_at\":{\"S\":\"2026-11-20T11:59:58.000Z\"}";
  private static final String MARK =
      "\"id\":{\"S\":\"mark#63\"},\"mark\":{\"N\":\"7\"},\"at\":{\"S\":\"2026-11-20T11:59:59.000Z\"}";

  private static final String LATER_MARK = MARK.replace("\"7\"", "\"8\"");

  private static final String PART = "\"payload\":{\"B\":\"AAAA\"}";
  private static final String DAMAGED =
      "\"event_type\":{\"S\":\"secret\"},\"created_at\":{\"S\":\"secret\"}";

  private final AdjustableClock clock = new AdjustableClock("2026-11-20T12:00:00Z");
  private final InMemoryFeed feed = new InMemoryFeed();
  private final RecordingContext context = new RecordingContext();
  private final NumberEventsFunction function = function("");

  private NumberEventsFunction function(String onlyShard) {
    NumberEvents numberEvents = new NumberEvents(feed, new Random(1), clock, wait -> {});
    return new NumberEventsFunction(numberEvents, onlyShard, clock);
  }

  @Test
  @Promise("Every stored event and every erasure gets a position: 1, 2, 3 and so on, without a gap")
  void events_and_erasures_get_their_positions_and_a_part_gets_none() {
    assertThat(call(batch("a", EVENT, PART, TOMBSTONE))).isEqualTo("{\"state\":{}}");

    assertThat(feed.segments().getFirst().entries())
        .extracting(entry -> entry.version().id())
        .containsExactly(new UUID(0, 1), new UUID(0, 3));
  }

  @Test
  void marks_are_noted_when_all_before_them_is_numbered_and_get_no_position() {
    feed.beforeAppend = () -> assertThat(feed.notes()).isEmpty();

    call(batch("a", EVENT, MARK, LATER_MARK, EVENT));

    assertThat(feed.notes()).as("of two beats, the last").containsExactly(note(8, "a"));
    assertThat(feed.segments().getFirst().entries()).hasSize(2);
    assertThat(context.lines().getLast()).contains("\"marks\":1");
  }

  private static MarkNote note(long beat, String shard) {
    return new MarkNote(63, beat, Instant.parse("2026-11-20T11:59:59Z"), shard, "");
  }

  @Test
  void a_mark_is_noted_though_all_was_numbered_before_and_though_it_is_alone() {
    feed.beforeAppend = () -> assertThat(feed.segments()).isEmpty();
    call(batch("b", MARK));
    assertThat(feed.notes()).containsExactly(note(7, "b"));
    assertThat(feed.segments()).isEmpty();
    assertThat(feed.tail("b").progress()).isEmpty();

    call(batch("a", EVENT));
    call(batch("a", EVENT, MARK));
    assertThat(feed.notes()).containsExactly(note(7, "a"));
  }

  @Test
  void no_mark_is_noted_if_what_was_before_it_could_not_be_numbered() {
    feed.beforeAppend = NumberEventsFunctionTest::fail;

    assertThatExceptionOfType(DependencyUnavailableException.class)
        .isThrownBy(() -> call(batch("a", EVENT, MARK)));

    assertThat(feed.notes()).isEmpty();
  }

  @Test
  void a_call_logs_what_it_has_numbered_and_how_late() {
    call(batch("a", EVENT, TOMBSTONE));
    assertThat(context.lines().getLast())
        .isEqualTo(
            "{\"request_id\":\"00000000-0000-4000-8000-000000000000\",\"function_name\":\"test\","
                + "\"numbered\":2,\"first_position\":1,\"age_ms\":1500}\n");

    call(batch("a", EVENT, TOMBSTONE));
    assertThat(context.lines().getLast()).endsWith(",\"numbered\":0,\"age_ms\":1500}\n");

    feed.beforeAppend =
        () -> {
          feed.beforeAppend = () -> {};
          call(batch("b", EVENT));
        };
    call(batch("a", EVENT, TOMBSTONE, EVENT));
    assertThat(context.lines().getLast())
        .endsWith(",\"numbered\":1,\"first_position\":4,\"age_ms\":1500,\"conflicts\":1}\n");
  }

  @Test
  @Promise("and `unreadable` what the feed left out.")
  void an_image_that_cannot_be_read_is_named_and_stops_nothing() throws IOException {
    List<String> images = new ArrayList<>(Collections.nCopies(11, DAMAGED));
    images.add(EVENT);

    call(batch("a", images.toArray(String[]::new)));

    JsonNode line = new ObjectMapper().readTree(context.lines().getFirst());
    assertThat(line.get("numbered").intValue()).isEqualTo(1);
    assertThat(line.get("unreadable").intValue()).isEqualTo(11);
    assertThat(line.get("unreadable_ids")).hasSize(10);
    assertThat(line.at("/unreadable_ids/0").textValue()).isEqualTo(new UUID(0, 1).toString());
    assertThat(line.get("error").textValue()).contains("Exception at ").doesNotContain("secret");
  }

  /** Lambda ends a window with such a call. */
  @ParameterizedTest
  @ValueSource(strings = {"", "\"Records\":[],", "\"Records\":null,"})
  void a_call_without_records_gets_its_answer_and_writes_no_line(String records) {
    feed.beforeRead = NumberEventsFunctionTest::fail;

    assertThat(
            call(
                "{%s\"shardId\":\"a\",\"state\":{},\"isFinalInvokeForWindow\":true}"
                    .formatted(records)))
        .isEqualTo("{\"state\":{}}");
    assertThat(context.lines()).isEmpty();
  }

  @Test
  void a_feed_that_fails_gets_no_answer_so_that_lambda_calls_again() {
    feed.beforeAppend = NumberEventsFunctionTest::fail;
    ByteArrayOutputStream answer = new ByteArrayOutputStream();

    assertThatExceptionOfType(DependencyUnavailableException.class)
        .isThrownBy(() -> function.handleRequest(input(batch("a", EVENT)), answer, context));

    assertThat(answer.size()).isZero();
    assertThat(context.lines())
        .singleElement()
        .asString()
        .contains("\"error\":\"DependencyUnavailableException: the feed is down\"");
  }

  @Test
  void a_defect_is_logged_without_its_message_and_gets_no_answer_either() {
    feed.beforeAppend =
        () -> {
          throw new IllegalStateException("secret");
        };

    assertThatThrownBy(() -> call(batch("a", EVENT))).isInstanceOf(IllegalStateException.class);

    assertThat(context.lines())
        .singleElement()
        .asString()
        .contains("\"error\":\"java.lang.IllegalStateException at ")
        .doesNotContain("secret");
  }

  /** Emulators know no tumbling window, so their events name no shard. */
  @Test
  void an_emulators_event_is_numbered_if_a_variable_names_its_shard_and_refused_if_not()
      throws IOException {
    String event = batch("a", EVENT).replace("\"shardId\":\"a\",", "");
    assertThat(event).doesNotContain("shardId");

    assertThatIOException()
        .isThrownBy(
            () -> function.handleRequest(input(event), new ByteArrayOutputStream(), context))
        .withMessageContaining("on an emulator the function needs the variable ONLY_SHARD");
    assertThat(feed.segments()).isEmpty();

    function("only").handleRequest(input(event), new ByteArrayOutputStream(), context);
    function("only").handleRequest(input(event), new ByteArrayOutputStream(), context);
    assertThat(feed.segments().getFirst().entries()).hasSize(1);
    assertThat(feed.tail("only").progress()).hasValue(new SequenceNumber("1"));

    function("only").handleRequest(input(batch("a", EVENT)), new ByteArrayOutputStream(), context);
    assertThat(feed.tail("a").progress()).as("the event's own name is used").isPresent();
  }

  private static void fail() {
    throw new DependencyUnavailableException("the feed is down");
  }

  private String call(String batch) {
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    try {
      function.handleRequest(input(batch), answer, context);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return answer.toString(UTF_8);
  }

  private static InputStream input(String batch) {
    return new ByteArrayInputStream(batch.getBytes(UTF_8));
  }

  /** A batch of a shard. Its records, and the ids of the images, are numbered from 1. */
  private static String batch(String shard, String... images) {
    return IntStream.rangeClosed(1, images.length)
        .mapToObj(i -> record(i, images[i - 1]))
        .collect(
            Collectors.joining(
                ",", "{\"shardId\":\"" + shard + "\",\"Records\":[", "],\"state\":{}}"));
  }

  /** A record that was written a second and a half ago. */
  private static String record(int number, String image) {
    return """
    {"eventName":"INSERT","dynamodb":{"ApproximateCreationDateTime":1.7951759985E9,\
    "SequenceNumber":"%d","NewImage":{"id":{"S":"%s"},%s}}}\
    """
        .formatted(number, new UUID(0, number), image);
  }
}
