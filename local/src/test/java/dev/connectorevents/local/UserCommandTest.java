package dev.connectorevents.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.connectorevents.emulator.CommandOnPath;
import dev.connectorevents.emulator.CommandOnPath.Result;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs the command {@code operate/user} on a local service: directly, and through a fake AWS CLI
 * that calls the same service.
 */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "these tests need bash")
@SuppressWarnings("NullAway.Init")
class UserCommandTest {

  private static final Pattern COMMAND = Pattern.compile("(?m)^  (curl .*|operate/user .*)$");

  /**
   * A fake AWS CLI. Prints the stack's outputs, and passes an event to the local service as {@code
   * aws lambda invoke} would.
   */
  private static final String AWS =
      """
      #!/usr/bin/env bash
      echo "$@" >>"${0%/*}/calls"
      case $1-$2 in
        cloudformation-describe-stacks)
          [[ $4 == connector-events-dev ]] || { echo "Stack with id $4 does not exist" >&2; exit 254; }
          echo '{"Stacks": [{"Outputs": [
            {"OutputKey": "ManageUsersFunctionName", "OutputValue": "ManageUsersFunction"},
            {"OutputKey": "ApiUrl", "OutputValue": "'"$URL"'"}]}]}' ;;
        lambda-invoke)
          curl -sS "$URL/2015-03-31/functions/$4/invocations" --data-binary @- >"$7"
          echo '{"StatusCode": 200}' ;;
      esac
      """;

  @RegisterExtension private static final SharedService shared = new SharedService();
  @RegisterExtension private static final ForkedCommands commands = new ForkedCommands();

  private final ServedLocally service = shared.service();

  @TempDir private Path folder;

  @Test
  void a_created_user_logs_in_with_the_command_that_is_printed() throws Exception {
    Result created = user("create new@example.com --name 'A \"new\" shop'");

    assertThat(created.exitCode()).isZero();
    assertThat(created.output())
        .startsWith("new@example.com, a connector, is active.\n\n  password  ");
    assertThat(shell(command(created))).contains("\"access_token\"");
    assertThat(user("show new@example.com").output()).contains("name               A \"new\" shop");
  }

  @Test
  void an_address_with_a_quote_is_quoted_in_the_command() throws Exception {
    Result created = user("create \"o'brien@example.com\"");

    assertThat(shell(command(created))).contains("\"access_token\"");
    assertThat(command(user("disable \"o'brien@example.com\""))).endsWith("o\\'brien@example.com");
  }

  @Test
  void a_static_token_posts_an_event_with_the_command_that_is_printed() throws Exception {
    Result issued = user("token " + ServedLocally.EMAIL + " --days 1");

    assertThat(issued.output()).contains("  token  eyJ");
    assertThat(shell(command(issued))).startsWith("HTTP/1.1 201").contains("shopify.orders/create");
  }

  @Test
  void a_consumers_token_lists_events_with_the_command_that_is_printed() throws Exception {
    user("create reads@example.com --role consumer");

    Result issued = user("token reads@example.com");

    assertThat(shell(command(issued))).startsWith("HTTP/1.1 200").contains("\"complete_until\"");
  }

  @Test
  void a_static_token_is_printed_with_the_time_at_which_it_ends() throws Exception {
    String output = user("token " + ServedLocally.EMAIL + " --days 3").output();

    Matcher token =
        Pattern.compile("token  \\S+\\.(\\S+)\\.\\S+\n  ends   (\\S+)\n").matcher(output);
    assertThat(token.find()).as(output).isTrue();
    String claims = new String(Base64.getUrlDecoder().decode(token.group(1)), UTF_8);
    assertThat(Instant.parse(token.group(2)))
        .isCloseTo(
            Instant.ofEpochSecond(ServedLocally.read(claims).get("exp").longValue()),
            within(10, ChronoUnit.SECONDS));
  }

  @Test
  void a_disabled_user_is_enabled_with_the_command_that_is_printed() throws Exception {
    user("create switched@example.com");

    Result disabled = user("disable switched@example.com");

    assertThat(disabled.output()).startsWith("switched@example.com, a connector, is disabled.");
    assertThat(command(disabled))
        .isEqualTo(
            "operate/user --port " + service.url().getPort() + " enable switched@example.com");
    assertThat(commands.run(command(disabled).replace("operate/user", "./user"), Map.of()).output())
        .startsWith("switched@example.com, a connector, is active.");
    assertThat(user("reset-password switched@example.com").output()).contains("  password  ");
    assertThat(user("revoke switched@example.com").output()).contains("Its tokens have ended.");
  }

  @ParameterizedTest
  @CsvSource({"y, 0", "'', 1"})
  void a_user_is_deleted_after_a_question_that_names_the_usual_end(String typed, int exitCode)
      throws Exception {
    String address = "deleted" + exitCode + "@example.com";
    user("create " + address);
    String port = "--port " + service.url().getPort();

    Result deleted =
        commands.runOnTerminal(typed, "./user " + port + " delete " + address, Map.of());

    assertThat(deleted.output())
        .contains(
            address + ", a connector, is active. Nobody can undo",
            "  operate/user " + port + " disable " + address,
            "Delete it? [y/N] ");
    assertThat(deleted.output().contains(address + ", a connector, is deleted.\r\nIts tokens"))
        .isEqualTo(exitCode == 0);
    assertThat(deleted.exitCode()).isEqualTo(exitCode);
    assertThat(user("show " + address).exitCode()).isEqualTo(1 - exitCode);
    assertThat(user("delete " + address + " --yes").exitCode()).isEqualTo(1 - exitCode);
  }

  @Test
  void a_user_becomes_a_consumer() throws Exception {
    user("create reader@example.com --role consumer");
    user("create both@example.com");

    assertThat(user("show reader@example.com").output())
        .startsWith("reader@example.com, a consumer,");
    assertThat(user("set-role both@example.com --role consumer").output())
        .startsWith("both@example.com, a consumer, is active.\nIts tokens have ended.");
  }

  @Test
  void a_users_event_types_are_set_shown_and_lifted() throws Exception {
    user("create scoped@example.com --event-types 'shopify.*, gitlab.Push *, posthog.$identify'");
    assertThat(user("show scoped@example.com").output())
        .contains("\n  event types        shopify.*, gitlab.Push *, posthog.$identify\n");

    assertThat(user("scope scoped@example.com --event-types github.push").output())
        .isEqualTo(
            """
            scoped@example.com, a connector, is active.
            It may use the event types github.push.
            """);
    assertThat(user("list").output()).containsPattern("scoped@example.com.* github.push\n");

    assertThat(user("scope scoped@example.com --all-event-types").output())
        .endsWith("It may use the event types *.\n");
  }

  @Test
  void a_deployed_stack_is_managed_through_the_aws_cli() throws Exception {
    Result created = deployed("--stack connector-events-dev create stack@example.com");

    assertThat(created.exitCode()).isZero();
    assertThat(shell(command(created))).contains("\"access_token\"");
    assertThat(deployed("disable stack@example.com --stack connector-events-dev").output())
        .contains("operate/user --stack connector-events-dev enable stack@example.com");
    assertThat(Files.readString(folder.resolve("calls")))
        .contains("lambda invoke --function-name ManageUsersFunction --payload fileb:///dev/stdin");
  }

  @Test
  void the_readmes_commands_create_a_user_and_a_static_token() throws Exception {
    List<String> commands =
        Files.readString(Path.of("../README.md"))
            .lines()
            .filter(line -> line.startsWith("    operate/user --stack "))
            .map(line ->
                line.strip()
                    .substring("operate/user ".length())
                    .replace(ServedLocally.EMAIL, "readme@example.com"))
            .toList();

    assertThat(commands).hasSize(2);
    assertThat(shell(command(deployed(commands.getFirst())))).contains("\"access_token\"");
    assertThat(shell(command(deployed(commands.getLast())))).startsWith("HTTP/1.1 201");
  }

  @Test
  void every_aws_cli_passes_on_the_event_of_the_operators_page() throws Exception {
    CommandOnPath.assumeWorks("aws", "--version");
    user("create page@example.com");
    String page = Files.readString(Path.of("../docs/users.md"));
    int start = page.indexOf("    echo '{\"action\":\"show\"");
    String command = page.substring(start, page.indexOf("\n\n", start)).replace("shop@", "page@");

    Result shown =
        bash(
            "export FUNCTION=ManageUsersFunction AWS_ACCESS_KEY_ID=local"
                + " AWS_SECRET_ACCESS_KEY=local AWS_ENDPOINT_URL_LAMBDA="
                + (service.url() + "\n" + command));

    assertThat(shown.output()).contains("\"email\":\"page@example.com\"");
    assertThat(command).as("AWS CLI 1 rejects it").doesNotContain("--cli-binary-format");
  }

  @Test
  void a_stack_that_does_not_exist_is_a_failure() throws Exception {
    Result failed = deployed("--stack none create stack@example.com");

    assertThat(failed.exitCode()).isNotZero();
    assertThat(failed.output()).contains("Stack with id none does not exist");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          show nobody@example.com          | 1 | operate/user: user_not_found: No user has this e-mail address. operate/user --port
          create shop@example.com          | 1 | operate/user: address_taken: A user has this e-mail address already.
          create 'a"b'                     | 1 | operate/user: validation_failed: /email: required: an e-mail address
          token shop@example.com --days 0  | 1 | operate/user: validation_failed: /days: an integer from 1 to
          token shop@example.com --days x  | 2 | operate/user: --days needs a number, not x
          create                           | 2 | operate/user: create needs an e-mail address
          create a@b.c d@e.f               | 2 | operate/user: one EMAIL only, not also d@e.f; create takes --event-types, --name, --role
          set-role a@b.c consumer          | 2 | operate/user: one EMAIL only, not also consumer; set-role takes --role
          --stack prod show a@b.c          | 2 | operate/user: --port and --stack exclude each other
          make a@b.c                       | 2 | operate/user: unknown command make; there are create, show, list,
          create a@b.c --roles x           | 2 | operate/user: unknown option --roles; there are --all, --all-event-types, --days,
          create a@b.c --role x            | 1 | operate/user: validation_failed: /role: one of connector, consumer
          set-role a@b.c                   | 1 | operate/user: validation_failed: /role: required: one of connector, consumer
          create a@b.c --name              | 2 | operate/user: --name needs a value
          create a@b.c --name ''           | 2 | operate/user: --name needs a value
          scope a@b.c                      | 2 | operate/user: scope needs either --event-types or --all-event-types
          scope a@b.c --event-types x.y --all-event-types | 2 | operate/user: scope needs either
          create a@b.c --all-event-types   | 2 | operate/user: create takes no --all-event-types
          create a@b.c --days 0            | 2 | operate/user: create takes no --days; it takes --event-types, --name, --role
          create a@b.c --role consumer --role connector | 2 | operate/user: --role may be given only once
          token a@b.c --event-types x.y    | 2 | operate/user: token takes no --event-types
          set-role a@b.c --role consumer --event-types x.y | 2 | operate/user: set-role takes no --event-types
          scope a@b.c --event-types x.y --role consumer | 2 | operate/user: scope takes no --role
          show a@b.c --name x              | 2 | operate/user: show takes no --name; it takes no option
          reset-password a@b.c --days 1    | 2 | operate/user: reset-password takes no --days
          revoke a@b.c --yes               | 2 | operate/user: revoke takes no --yes
          disable a@b.c --yes              | 2 | operate/user: disable takes no --yes
          enable a@b.c --role consumer     | 2 | operate/user: enable takes no --role
          list --event-types x.y           | 2 | operate/user: list takes no --event-types
          delete a@b.c --name x --yes      | 2 | operate/user: delete takes no --name
          delete shop@example.com          | 2 | operate/user: without a terminal, --yes is necessary
          delete nobody@example.com --yes  | 1 | operate/user: user_not_found: No user has this e-mail address.
          create a@b.c --event-types 'x.y,x' | 1 | operate/user: validation_failed: /event_types/1: a pattern that is in the array once
          list shop@example.com            | 2 | operate/user: list takes no EMAIL, such as shop@example.com
          """)
  void a_mistake_is_named(String arguments, int exitCode, String message) throws Exception {
    Result failed = user(arguments);

    assertThat(failed.output()).startsWith(message);
    assertThat(failed.exitCode()).isEqualTo(exitCode);
  }

  @Test
  void a_control_character_is_refused() throws Exception {
    Result failed = commands.run("./user create 'a\tb@c.d'", Map.of());

    assertThat(failed.output()).isEqualTo("operate/user: control characters are not allowed\n");
    assertThat(failed.exitCode()).isEqualTo(2);
  }

  @Test
  void a_service_that_does_not_run_is_named() throws Exception {
    Result failed = commands.run("./user --port 1 show a@b.c", Map.of());

    assertThat(failed.exitCode()).isEqualTo(1);
    assertThat(failed.output()).contains("local/serve does not answer on port 1");
  }

  @Test
  void the_usage_names_every_command() throws Exception {
    assertThat(bash("../operate/user --help").output())
        .contains(
            "create",
            "show",
            "list",
            "token",
            "reset-password",
            "revoke",
            "scope",
            "disable",
            "enable");
  }

  @Test
  void the_usage_and_the_readme_name_the_rights_that_a_stack_needs() throws Exception {
    String[] rights = {"cloudformation:DescribeStacks", "lambda:InvokeFunction"};

    assertThat(commands.run("./user --help", Map.of()).output()).contains(rights);
    assertThat(Files.readString(Path.of("../README.md"))).contains(rights);
  }

  private Result user(String arguments) throws IOException {
    return commands.run(
        "./user --port %d %s".formatted(service.url().getPort(), arguments), Map.of());
  }

  private Result deployed(String arguments) throws IOException, InterruptedException {
    return commands.run(
        "./user " + arguments,
        FakeAws.in(folder, AWS).environment(Map.of("URL", service.url().toString())));
  }

  /** The first {@code curl} or {@code operate/user} command that {@code operate/user} printed. */
  private static String command(Result result) {
    Matcher command = COMMAND.matcher(result.output());
    assertThat(command.find()).as(result.output()).isTrue();
    return command.group(1);
  }

  private static String shell(String command) throws IOException, InterruptedException {
    return bash(command).output();
  }

  private static Result bash(String command) throws IOException, InterruptedException {
    return CommandOnPath.of("bash", "-c", command).run(Redirect.INHERIT);
  }
}
