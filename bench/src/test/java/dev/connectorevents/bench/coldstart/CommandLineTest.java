package dev.connectorevents.bench.coldstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandLineTest {

  @Test
  void nothing_asked_for_is_everything_over_plain_http() {
    CommandLine asked = CommandLine.parse(List.of());

    assertThat(asked.runs()).isEqualTo(5);
    assertThat(asked.invokes()).isEqualTo(20_000);
    assertThat(asked.only().matcher("any").find()).isTrue();
    assertThat(asked.plot()).isEmpty();
    assertThat(asked.certificate()).isEmpty();
    assertThat(asked.isPinned()).isFalse();
  }

  @Test
  void options_come_in_any_order() {
    CommandLine asked =
        CommandLine.parse(List.of("--only", "^me$", "--pinned", "--plot", "a.svg", "--runs", "3"));

    assertThat(asked.runs()).isEqualTo(3);
    assertThat(asked.only().matcher("me, from a snapshot").find()).isFalse();
    assertThat(asked.plot()).contains(Path.of("a.svg"));
    assertThat(asked.isPinned()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--runs 0", "--runs", "--invokes many", "--only (", "--other 1", "file"})
  void a_mistake_is_refused(String arguments) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CommandLine.parse(List.of(arguments.split(" ", -1))));
  }
}
