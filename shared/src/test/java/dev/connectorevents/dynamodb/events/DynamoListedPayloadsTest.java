package dev.connectorevents.dynamodb.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Json;
import dev.connectorevents.Promise;
import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.event.EventOrder;
import dev.connectorevents.event.ListEntry;
import dev.connectorevents.event.PageRoom;
import dev.connectorevents.event.Payloads;
import dev.connectorevents.event.TestQuery;
import dev.connectorevents.feed.EventFeed;
import dev.connectorevents.feed.FeedCursor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which payloads a page shows. */
class DynamoListedPayloadsTest {

  @AutoClose private static final Stores service = Endpoint.stores(Path.of("../template.yaml"));

  private final FollowedFeed feed = new FollowedFeed(service, service.dynamoDb());

  @Test
  @Promise({
    "With `include=payload`, an event has its `payload`, byte for byte.",
    "An event has `payload_at` instead"
  })
  void a_page_shows_payloads_byte_for_byte_or_says_nothing_of_what_no_page_can_have() {
    List<String> payloads =
        List.of(
            "{\"é\": 1.0 , \"a\":\"\\u0041\"}",
            "{\"a\":\"" + "x".repeat(9_000) + "\"}",
            Payloads.random(2_000_000), // has further items
            "{\"a\":\"" + "\\\\".repeat(1_100_000) + "\"}"); // 4.4 MB with its escapes
    payloads.forEach(this::store);
    for (EventOrder order : EventOrder.values()) {
      assertThat(texts(TestQuery.ofTypes("*").withPayloads().order(order)))
          .containsExactlyInAnyOrder(
              Optional.of(payloads.get(0)),
              Optional.of(payloads.get(1)),
              Optional.empty(),
              Optional.empty());
    }
    assertThat(texts(TestQuery.ofTypes("*"))).containsOnly(Optional.empty());
  }

  /** A payload of quotes, and one of backslashes: both double inside a JSON string, twice. */
  @ParameterizedTest
  @ValueSource(strings = {"\\\"", "\\\\"})
  @Promise("A page has at most 4 MB, entries included, as Lambda counts them")
  void a_page_ends_early_rather_than_leave_a_payload_out(String escaped) {
    List<String> payloads = new ArrayList<>();
    for (int power = 10; power <= 20; power++) {
      for (int size = (1 << power) - 1; size <= (1 << power) + 1; size++) {
        payloads.add(ofSizeInString(size, escaped));
      }
    }
    // What an entry takes without its payload: a larger one can be in no page.
    long mostAlone = PageRoom.BYTES - withoutPayload();
    for (long size = mostAlone - 1; size <= mostAlone + 1; size++) {
      payloads.add(ofSizeInString(size, escaped));
    }
    for (int i = 0; i < payloads.size(); i++) {
      store(payloads.get(i));
    }
    List<Optional<String>> shown = new ArrayList<>();
    payloads.addFirst("{}");
    Optional<FeedCursor> next = Optional.empty();
    int pages = 0;
    EventFeed.Outcome.Page page;
    do {
      page = feed.page(TestQuery.ofTypes("*").withPayloads().order(EventOrder.ASC), next, 100);
      List<Optional<String>> texts = texts(page);
      assertThat(page.entries().stream().mapToLong(ListEntry::size).sum())
          .isLessThanOrEqualTo(PageRoom.BYTES);
      assertThat(texts).isNotEmpty();
      shown.addAll(texts);
      next = page.next();
      pages++;
    } while (page.hasMore());

    assertThat(shown.removeLast()).as("a byte too much for any page").isEmpty();
    payloads.removeLast();
    assertThat(shown).isEqualTo(payloads.stream().map(Optional::of).toList());
    assertThat(pages).isLessThan(9);
  }

  @Test
  @Promise("It unpacks 64 million characters of payloads")
  void a_page_ends_early_rather_than_unpack_much_that_it_cannot_show() {
    String large = "{\"a\":\"" + "x".repeat(6_000_000) + "\"}";
    for (int i = 0; i < 12; i++) {
      store(large);
    }
    TestQuery query = TestQuery.ofTypes("*").withPayloads().order(EventOrder.ASC);
    EventFeed.Outcome.Page page = feed.page(query, Optional.empty(), 100);
    EventFeed.Outcome.Page rest = feed.page(query, page.next(), 100);

    assertThat(page.entries()).hasSize(11);
    assertThat(page.hasMore()).isTrue();
    assertThat(texts(rest)).containsExactly(Optional.empty());
    assertThat(rest.hasMore()).isFalse();
  }

  private long withoutPayload() {
    store("{}");
    EventFeed.Outcome.Page page = feed.page(TestQuery.ofTypes("*"), Optional.empty(), 1);
    return page.entries().getFirst().size();
  }

  /** A JSON object that takes so many bytes inside a JSON string. */
  private static String ofSizeInString(long size, String escaped) {
    String text = "{\"a\":\"" + escaped.repeat((int) (size - 20) / 4) + "\"}";
    return text.substring(0, text.length() - 2)
        + "x".repeat((int) (size - Json.sizeInString(text)))
        + "\"}";
  }

  private void store(String payload) {
    feed.storeWithPayload("a.b", payload);
  }

  private List<Optional<String>> texts(TestQuery query) {
    return texts(feed.page(query, Optional.empty(), 100));
  }

  private static List<Optional<String>> texts(EventFeed.Outcome.Page page) {
    return page.entries().stream().map(entry -> ((ListEntry.OfEvent) entry).payload()).toList();
  }
}
