package dev.connectorevents.acceptance.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.connectorevents.eventformat.EventListRequest;
import dev.connectorevents.http.Request;
import java.util.Map;

/** Fuzzes the parser of a list's query, with its cursor. */
class ListFuzzTest {

  @FuzzTest
  void a_query_is_valid_or_refused(byte[] bytes) {
    String raw = new String(bytes, UTF_8);
    Request request = new Request("", "", "", Map.of(), Map.of(), raw, "", false);
    Budget.spend(
        bytes,
        () ->
            request
                .query()
                .ifPresent(query -> {
                  if (EventListRequest.read(query) instanceof EventListRequest.Valid.OfFeed list) {
                    assertThat(list.limit()).isBetween(1, 1_000);
                    list.window()
                        .cursor()
                        .ifPresent(cursor ->
                            assertThat(query.get("cursor")).containsExactly(cursor.text()));
                  }
                }));
  }
}
