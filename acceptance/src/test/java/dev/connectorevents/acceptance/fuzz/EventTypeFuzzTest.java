package dev.connectorevents.acceptance.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.connectorevents.Promise;
import dev.connectorevents.event.EventType;
import java.util.stream.Stream;

/** Fuzzes the parser of event types. */
class EventTypeFuzzTest {

  /** The characters of event types: a provider, a dot, and printable ASCII but four. */
  private static final String CHARACTERS = "[a-z0-9][a-z0-9_-]*\\.[ -~&&[^*,\"\\\\]]+";

  @FuzzTest
  @Promise("The provider ends at the first dot")
  void a_type_is_parsed_exactly_if_it_follows_the_rule(byte[] bytes) {
    String text = new String(bytes, UTF_8);
    Budget.spend(
        bytes,
        () ->
            assertThat(EventType.parse(text).isPresent())
                .isEqualTo(
                    text.length() <= EventType.MAX_LENGTH
                        && text.matches(CHARACTERS)
                        && Stream.of(text.substring(text.indexOf('.') + 1).split("/", -1))
                            .noneMatch(part -> part.isEmpty() || !part.equals(part.strip()))));
  }
}
