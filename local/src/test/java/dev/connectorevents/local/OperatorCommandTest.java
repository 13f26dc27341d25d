package dev.connectorevents.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.emulator.CommandOnPath.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * How the operators' commands call a stack through the AWS CLI, and what they print when the stack,
 * a function or the CLI fails. Shown with {@code operate/user}.
 */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "these tests need bash")
@SuppressWarnings("NullAway.Init")
class OperatorCommandTest {

  private static final String STACK =
      """
      {"Stacks": [{"Outputs": [
        {"OutputKey": "ManageUsersFunctionName", "OutputValue": "stack-ManageUsersFunction-1"},
        {"OutputKey": "ApiUrl", "OutputValue": "https://api.example"}]}]}
      """;

  /**
   * A fake AWS CLI. Writes its calls to the file {@code calls}, and the function's event to {@code
   * event}. Its answers are the files {@code stack} and {@code answer}.
   */
  private static final String AWS =
      """
      #!/usr/bin/env bash
      cd "$(dirname "$0")"
      echo "$@" >>calls
      case $1-$2 in
        cloudformation-describe-stacks) cat stack ;;
        lambda-invoke) cat >event && cat answer >"$7" ;;
      esac
      """;

  @RegisterExtension private static final ForkedCommands commands = new ForkedCommands();

  @TempDir private Path folder;
  private FakeAws aws;

  @BeforeEach
  void makeAws() throws IOException, InterruptedException {
    aws = FakeAws.in(folder, AWS);
    Files.writeString(folder.resolve("stack"), STACK);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          {"code":"user_not_found","detail":"No such user."} | user_not_found: No such user. operate/user --stack prod list shows all
          {"code":"temporarily_unavailable","detail":"Try again.","errors":[]} | temporarily_unavailable: Try again.
          {"code":"c","detail":"d","errors":[{"pointer":"/a","detail":"x"},{"pointer":"/b","detail":"y"}]} | c: /a: x; /b: y
          {"errorMessage":"Task timed out\\nafter 15 s","errorType":"Sandbox.Timedout"} | ManageUsersFunction failed: Task timed out after 15 s
          {"errorMessage":null,"errorType":"java.lang.Error"} | ManageUsersFunction failed: java.lang.Error
          {"user": | the answer of ManageUsersFunction is not a JSON object
          []       | the answer of ManageUsersFunction is not a JSON object
          """)
  void a_failure_of_the_function_is_one_sentence(String answer, String sentence) throws Exception {
    Files.writeString(folder.resolve("answer"), answer);

    assertFails(run("show a@b.c"), sentence);
  }

  @Test
  void a_stack_without_the_output_is_named() throws Exception {
    Files.writeString(folder.resolve("stack"), "{\"Stacks\":[{\"StackName\":\"other\"}]}");

    assertFails(run("show a@b.c"), "the stack prod has no output ApiUrl");
  }

  @Test
  void a_message_of_the_aws_cli_becomes_one_line() throws Exception {
    FakeAws.in(
        folder, "#!/bin/sh\nprintf '\\nAn error occurred:\\n  ExpiredToken\\n' >&2; exit 254\n");

    assertFails(run("show a@b.c"), "An error occurred: ExpiredToken");
  }

  @Test
  void a_failure_of_the_aws_cli_without_a_message_has_its_exit_code() throws Exception {
    FakeAws.in(folder, "#!/bin/sh\nexit 130\n");

    assertFails(run("show a@b.c"), "the AWS CLI ended with exit code 130");
  }

  @Test
  void a_missing_aws_cli_is_reported() throws Exception {
    Map<String, String> nothingOnPath =
        Map.of("PATH", Files.createDirectory(folder.resolve("empty")).toString());

    assertFails(
        commands.run("./user --stack prod show a@b.c", nothingOnPath),
        "--stack needs the AWS CLI, and `aws` does not start: No such file or directory");
  }

  @Test
  void a_command_asks_for_the_outputs_once_and_sends_the_event_as_json() throws Exception {
    Files.writeString(folder.resolve("answer"), "{\"code\":\"c\",\"detail\":\"d\"}");

    run("create a@b.c --name 'A \"new\" shöp \\'");

    assertThat(Files.readAllLines(folder.resolve("calls")))
        .satisfiesExactly(
            first ->
                assertThat(first)
                    .isEqualTo("cloudformation describe-stacks --stack-name prod --output json"),
            second -> assertThat(second).startsWith("lambda invoke "));
    assertThat(ServedLocally.read(Files.readString(folder.resolve("event"))))
        .isEqualTo(
            ServedLocally.read(
                "{\"action\":\"create\",\"email\":\"a@b.c\",\"name\":\"A \\\"new\\\" shöp \\\\\"}"));
  }

  private static void assertFails(Result failed, String sentence) {
    assertThat(failed).isEqualTo(new Result(1, "operate/user: " + sentence + "\n"));
  }

  private Result run(String arguments) throws IOException {
    return commands.run("./user --stack prod " + arguments, aws.environment(Map.of()));
  }
}
