package dev.connectorevents.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.emulator.CommandOnPath;
import dev.connectorevents.emulator.CommandOnPath.Result;
import dev.connectorevents.emulator.SdkSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** The README's lines for a shell, run as they stand there, where the AWS CLI is installed. */
@TestMethodOrder(OrderAnnotation.class) // a second run meets the user of the first
class ReadmeTest {

  private static final Path REPOSITORY = Path.of("..");

  /** An indented line that begins with a function or an assignment, or with curl. */
  private static final Pattern SHELL =
      Pattern.compile(
          "^ +((?:manage\\(\\)|value\\(\\)|PASSWORD=|TOKEN=|curl -i).*\n)", Pattern.MULTILINE);

  private static final Pattern STATIC_TOKEN =
      Pattern.compile("^ +(CONNECTOR_API_TOKEN=.*\n)", Pattern.MULTILINE);

  @AutoClose private static RunningService service;
  private static String readme;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    CommandOnPath.assumeWorks("aws", "--version");
    CommandOnPath.assumeWorks("bash", "-c", "curl --version");
    readme = Files.readString(REPOSITORY.resolve("README.md"));
    service = RunningService.start();
  }

  @Test
  @Order(1)
  void from_a_fresh_deploy_they_lead_to_an_event() throws Exception {
    Result result = run(lines(SHELL));

    assertThat(result.exitCode()).as(result.output()).isZero();
    assertThat(result.output()).contains("HTTP/1.1 201").contains("\"event_type\":\"shopify.");
  }

  @Test
  @Order(2)
  void where_the_user_exists_they_show_the_services_answer_and_send_nothing() throws Exception {
    Result result = run(lines(SHELL));

    assertThat(result.exitCode()).as(result.output()).isNotZero();
    assertThat(result.output()).startsWith("{").contains("\"code\":\"address_taken\"");
    assertThat(result.output()).doesNotContain("HTTP/1.1").doesNotContain("invalid_credentials");
  }

  @Test
  @Order(3)
  void a_new_password_takes_one_other_word() throws Exception {
    Result result = run(lines(SHELL).replace("manage create", "manage reset-password"));

    assertThat(result.output()).contains("HTTP/1.1 201");
  }

  @Test
  @Order(4)
  void a_static_token_is_one_more_line() throws Exception {
    Result result =
        run(
            lines(SHELL).lines().limit(2).collect(joining("\n", "", "\n"))
                + lines(STATIC_TOKEN)
                + "curl -i $URL/api/auth/me -H \"Authorization: Bearer $CONNECTOR_API_TOKEN\"\n");

    assertThat(result.output()).contains("HTTP/1.1 200").contains("shop@example.com");
  }

  private static String lines(Pattern which) {
    return which.matcher(readme).results().map(line -> line.group(1)).collect(joining());
  }

  private static Result run(String lines) throws IOException, InterruptedException {
    assertThat(lines).isNotEmpty();
    ProcessBuilder builder =
        new ProcessBuilder("bash", "-c", lines)
            .directory(REPOSITORY.toFile())
            .redirectErrorStream(true);
    String url = service.service().baseUrl().toString();
    builder
        .environment()
        .putAll(
            Map.of(
                "FUNCTION",
                "ManageUsersFunction",
                "URL",
                url,
                "JSON",
                "Content-Type: application/json",
                "AWS_ENDPOINT_URL_LAMBDA",
                url,
                "AWS_DEFAULT_REGION",
                SdkSettings.REGION,
                "AWS_ACCESS_KEY_ID",
                SdkSettings.KEY,
                "AWS_SECRET_ACCESS_KEY",
                SdkSettings.KEY));
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Result(process.waitFor(), output);
  }
}
