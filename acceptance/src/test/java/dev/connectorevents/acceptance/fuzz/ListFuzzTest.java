package dev.connectorevents.acceptance.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.connectorevents.eventformat.EventListRequest;
import java.util.HashMap;
import java.util.Map;

/** Fuzzes the parser of a list's query, with its cursor. */
class ListFuzzTest {

  @FuzzTest
  void a_query_is_valid_or_refused(byte[] bytes) {
    Map<String, String> query = new HashMap<>();
    for (String parameter : new String(bytes, UTF_8).split("&", 10)) {
      String[] parts = parameter.split("=", 2);
      query.put(parts[0], parts[parts.length - 1]);
    }
    Budget.spend(
        bytes,
        () -> {
          if (EventListRequest.read(query) instanceof EventListRequest.Valid valid) {
            assertThat(valid.limit()).isBetween(1, 100);
            valid
                .cursor()
                .ifPresent(cursor ->
                    assertThat(cursor.text(valid.query())).isEqualTo(query.get("cursor")));
          }
        });
  }
}
