package dev.connectorevents.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.emulator.CommandOnPath;
import dev.connectorevents.emulator.CommandOnPath.Result;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The greeting of {@code local/serve}: its commands and settings work as they are printed. */
@SuppressWarnings("NullAway.Init")
class GreetingTest {

  @AutoClose private static final ServedLocally service = ServedLocally.start();

  @TempDir private Path directory;

  @Test
  void it_names_the_services_own_port_to_local_user() {
    assertThat(service.greeting())
        .contains("operate/user --port " + service.url().getPort() + " create");
  }

  @Test
  void the_aws_cli_finds_tables_streams_secrets_and_functions_by_what_the_greeting_exports()
      throws IOException, InterruptedException {
    CommandOnPath.assumeWorks("aws", "--version");
    assertThat(aws("dynamodb list-tables").path("TableNames"))
        .extracting(JsonNode::textValue)
        .contains("EventsTable");
    assertThat(aws("dynamodbstreams list-streams").at("/Streams/0/TableName").textValue())
        .isEqualTo("EventsTable");
    assertThat(aws("secretsmanager list-secrets").at("/SecretList/0/Name").textValue())
        .isEqualTo("SigningKeySecret");
    Path answer = directory.resolve("answer.json");
    aws(
        "lambda invoke --function-name ManageUsersFunction"
            + " --payload fileb://../events/manage-users.show.json "
            + answer);
    assertThat(answer).content().contains("\"user\"");
  }

  @Test
  void its_commands_log_in_and_post_an_event() throws IOException, InterruptedException {
    CommandOnPath.assumeWorks("curl", "--version");
    String commands =
        Stream.concat(greetingLines("TOKEN=$(curl"), greetingLines("curl -si"))
            .collect(Collectors.joining("\n"));

    assertThat(CommandOnPath.of("bash", "-c", commands).run(Redirect.INHERIT).output())
        .startsWith("HTTP/1.1 201 Created");
  }

  private static Stream<String> greetingLines(String part) {
    return service.greeting().lines().filter(line -> line.contains(part));
  }

  /**
   * Runs an AWS CLI command in a shell, after the greeting's {@code export} lines. These lines must
   * override a user's settings of endpoints: otherwise the command would call AWS, or refuse to.
   */
  private JsonNode aws(String command) throws IOException, InterruptedException {
    String exports = greetingLines("  export ").collect(Collectors.joining("\n"));
    Result result =
        CommandOnPath.of(
                "bash",
                "-c",
                "export AWS_IGNORE_CONFIGURED_ENDPOINT_URLS=true AWS_USE_FIPS_ENDPOINT=true\n"
                    + "%s\naws --output json %s".formatted(exports, command))
            .run(Redirect.INHERIT);
    assertThat(result.exitCode()).isZero();
    return ServedLocally.read(result.output());
  }
}
