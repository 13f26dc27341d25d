package dev.connectorevents.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandLineTest {
  @Test
  void without_options_the_service_runs_on_port_3000_in_memory() {
    assertThat(parse("--template template.yaml"))
        .isEqualTo(CommandLine.parse(List.of()))
        .isEqualTo(
            new CommandLine.Run(
                Path.of("template.yaml"),
                3000,
                Optional.empty(),
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                true,
                false));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--port 4110 --data d --parameter A=b=c --template t --endpoint http://localhost:1"
            + " --lambda http://localhost:2 --no-throttling --log json",
        "--port=4110 --data=d --parameter=A=b=c --template=t --endpoint=http://localhost:1"
            + " --lambda=http://localhost:2 --no-throttling --log=json",
      })
  void a_value_follows_its_option_or_an_equals_sign(String line) {
    assertThat(parse(line))
        .isEqualTo(
            new CommandLine.Run(
                Path.of("t"),
                4110,
                Optional.of(Path.of("d")),
                Map.of("A", "b=c"),
                Optional.of(URI.create("http://localhost:1")),
                Optional.of(URI.create("http://localhost:2")),
                false,
                true));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--help", "-h", "--port 1 --help", "--bogus --help"})
  void help_is_given_whatever_else_is_asked_for(String line) {
    assertThat(parse(line)).isEqualTo(new CommandLine.Help());
  }

  @ParameterizedTest
  @CsvSource({
    "--bogus, unknown option --bogus",
    "--bogus=1, unknown option --bogus=1",
    "--no-throttling=yes, unknown option --no-throttling=yes",
    "x, unknown option x",
    "--port, --port needs a value",
    "--port=, --port needs a value",
    "--port x, '--port needs a number from 0 to 65533, not x'",
    "--port=-1, '--port needs a number from 0 to 65533, not -1'",
    "--port 65534, '--port needs a number from 0 to 65533, not 65534'",
    "--log xml, '--log needs text or json, not xml'",
    "--parameter A, '--parameter needs NAME=VALUE, not A'",
    "--parameter =b, '--parameter needs NAME=VALUE, not =b'",
    "--endpoint x, '--endpoint needs a URL such as http://localhost:4566, not x'",
    "--endpoint http://[, '--endpoint needs a URL such as http://localhost:4566, not http://['",
    "--endpoint localhost:1, '--endpoint needs a URL such as http://localhost:4566, not localhost:1'",
    "--endpoint //a, '--endpoint needs a URL such as http://localhost:4566, not //a'",
    "--lambda x, '--lambda needs a URL such as http://localhost:4566, not x'",
    "--endpoint ftp://a, '--endpoint needs a URL such as http://localhost:4566, not ftp://a'",
  })
  void a_mistake_is_named(String line, String message) {
    assertThat(parse(line)).isEqualTo(new CommandLine.Mistake(message));
  }

  @Test
  void the_usage_names_every_option() {
    assertThat(CommandLine.USAGE)
        .contains(CommandLine.WITH_VALUE)
        .contains(CommandLine.PARAMETER, CommandLine.NO_THROTTLING, "--help");
  }

  private static CommandLine parse(String line) {
    return CommandLine.parse(List.of(line.split(" ", -1)));
  }
}
