package dev.connectorevents.functions.rotatesigningkey;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.connectorevents.AdjustableClock;
import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.functions.RecordingContext;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RotateSigningKeyFunctionTest {

  private static final String SECRET =
      "arn:aws:secretsmanager:eu-west-1:123456789012:secret:SigningKeySecret-AbCdEf";
  private static final String VERSION = "8f6d0f3e-2f1c-4c8e-9d59-3b1f4f5f2a10";

  private final InMemoryVersions versions = new InMemoryVersions();
  private final RecordingContext context = new RecordingContext();
  private final ByteArrayOutputStream answer = new ByteArrayOutputStream();
  private final RotateSigningKeyFunction function =
      new RotateSigningKeyFunction(
          SECRET,
          new RotateSigningKey(
              versions,
              new SecureRandom(),
              new AdjustableClock("2026-11-20T12:00:00Z"),
              duration -> {}));

  @Test
  void a_rotation_logs_one_line_per_step_and_never_the_key() throws IOException {
    versions.stage(VERSION);
    String event = Files.readString(Path.of("../events/rotate-signing-key.json"));

    for (String step : List.of("createSecret", "setSecret", "testSecret", "finishSecret")) {
      invoke(event.replace("createSecret", step));
    }

    assertThat(versions.labels).containsEntry("AWSCURRENT", VERSION);
    assertThat(context.lines()).hasSize(4);
    assertThat(context.lines().getLast())
        .contains("\"step\":\"finishSecret\"", VERSION, "\"outcome\":\"finished\"");
    assertThat(String.join("", context.lines())).doesNotContain(versions.keys.values());
    assertThat(answer.toString(UTF_8)).isEmpty();
  }

  @Test
  void a_step_that_fails_is_logged_and_thrown() {
    versions.stage(VERSION);

    assertThatIllegalStateException().isThrownBy(() -> invoke(event("finishSecret", SECRET)));

    assertThat(context.lines()).hasSize(1);
    assertThat(context.lines().getFirst())
        .contains("\"step\":\"finishSecret\"", "\"outcome\":\"failed\"", "has no key yet");
  }

  @Test
  void the_log_names_the_cause_of_a_failure_too() {
    versions.failAt(1, InMemoryVersions.Failure.REQUEST_LOST);

    assertThatExceptionOfType(DependencyUnavailableException.class)
        .isThrownBy(() -> invoke(event("createSecret", SECRET)));

    assertThat(context.lines().getFirst())
        .contains("DependencyUnavailableException: request lost <- IOException: no route");
  }

  @Test
  void another_secret_is_refused() {
    versions.stage(VERSION);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> invoke(event("createSecret", SECRET + "2")))
        .withMessage("the secret is not the signing key's");
    assertThat(versions.calls()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{}",
        "{\"Step\":\"dropSecret\",\"SecretId\":\"a\",\"ClientRequestToken\":\"b\"}",
        "{\"Step\":\"createSecret\",\"SecretId\":\"a\"}",
        "{\"Step\":1,\"SecretId\":\"a\",\"ClientRequestToken\":\"b\"}",
      })
  void an_event_that_is_not_a_rotation_step_is_refused(String event) {
    assertThatIllegalArgumentException().isThrownBy(() -> invoke(event));

    assertThat(versions.calls()).isZero();
    assertThat(context.lines()).hasSize(1);
  }

  @Test
  void the_log_says_what_is_wrong_with_an_event_that_cannot_be_read() {
    String reason = "The body has a member twice: line 1";

    assertThatIllegalArgumentException()
        .isThrownBy(() -> invoke("{\"Step\":\"setSecret\",\"Step\":\"b\"}"))
        .withMessageStartingWith("the event cannot be read: " + reason);

    assertThat(context.lines().getFirst()).contains(reason);
  }

  private static String event(String step, String secret) {
    return "{\"Step\":\"%s\",\"SecretId\":\"%s\",\"ClientRequestToken\":\"%s\"}"
        .formatted(step, secret, VERSION);
  }

  private void invoke(String event) throws IOException {
    function.handleRequest(new ByteArrayInputStream(event.getBytes(UTF_8)), answer, context);
  }
}
