package dev.connectorevents.bench.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

class BenchTest {

  private static final String COLD_START = "--root . coldstart --folder x --conditions alone ";

  private final CommandLine bench = Bench.commandLine(new PrintStream(new ByteArrayOutputStream()));

  @Test
  void nothing_asked_for_is_everything_over_plain_http() {
    ParseResult asked = parse(COLD_START);

    assertThat(value(asked, "--runs")).isEqualTo(5);
    assertThat(value(asked, "--invokes")).isEqualTo(10_000);
    assertThat(((Pattern) value(asked, "--only")).matcher("any").find()).isTrue();
    assertThat(value(asked, "--trust-store")).isEqualTo(Optional.empty());
    assertThat(value(asked, "--launcher")).isEqualTo(Optional.empty());
  }

  @Test
  void options_come_in_any_order() {
    ParseResult asked = parse(COLD_START + "--only ^me$ --trust-store a.p12 --runs 3");

    assertThat(value(asked, "--runs")).isEqualTo(3);
    assertThat(((Pattern) value(asked, "--only")).matcher("me, from a snapshot").find()).isFalse();
    assertThat(value(asked, "--trust-store")).isEqualTo(Optional.of(Path.of("a.p12")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "logins",
        "--root . unknown",
        "--root . logins 30",
        COLD_START + "--runs",
        COLD_START + "--invokes many",
        COLD_START + "--only (",
        COLD_START + "--other 1",
        COLD_START + "file"
      })
  void a_mistake_is_refused(String arguments) {
    assertThatExceptionOfType(ParameterException.class).isThrownBy(() -> parse(arguments));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--runs 0", "--invokes 0", "--runs many"})
  void a_mistake_ends_with_2(String arguments) {
    List<String> words = List.of((COLD_START + arguments).split(" ", -1));

    assertThat(bench.execute(words.toArray(String[]::new))).isEqualTo(2);
  }

  private ParseResult parse(String arguments) {
    return bench.parseArgs(arguments.strip().split(" ", -1)).subcommand();
  }

  private static Object value(ParseResult asked, String option) {
    return asked.commandSpec().findOption(option).getValue();
  }
}
