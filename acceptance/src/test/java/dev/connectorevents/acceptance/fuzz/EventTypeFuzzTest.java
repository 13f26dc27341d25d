package dev.connectorevents.acceptance.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.connectorevents.event.EventType;

/** Fuzzes the parser of event types. */
class EventTypeFuzzTest {

  /** The API's rule for event types as a pattern. The pattern does not limit the length. */
  private static final String RULE = "[a-z0-9][a-z0-9_-]*\\.[A-Za-z0-9._:-]+(?:/[A-Za-z0-9._:-]+)*";

  @FuzzTest
  void a_type_is_parsed_exactly_if_it_follows_the_rule(byte[] bytes) {
    String text = new String(bytes, UTF_8);
    Budget.spend(
        bytes,
        () ->
            assertThat(EventType.parse(text).isPresent())
                .isEqualTo(text.length() <= EventType.MAX_LENGTH && text.matches(RULE)));
  }
}
