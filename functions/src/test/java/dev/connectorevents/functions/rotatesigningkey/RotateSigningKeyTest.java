package dev.connectorevents.functions.rotatesigningkey;

import static dev.connectorevents.functions.rotatesigningkey.RotationOutcome.ALREADY_CREATED;
import static dev.connectorevents.functions.rotatesigningkey.RotationOutcome.ALREADY_FINISHED;
import static dev.connectorevents.functions.rotatesigningkey.RotationOutcome.CREATED;
import static dev.connectorevents.functions.rotatesigningkey.RotationOutcome.FINISHED;
import static dev.connectorevents.functions.rotatesigningkey.RotationOutcome.MADE_KNOWN;
import static dev.connectorevents.functions.rotatesigningkey.RotationOutcome.NOTHING_TO_TEST;
import static dev.connectorevents.functions.rotatesigningkey.RotationOutcome.TESTED;
import static dev.connectorevents.functions.rotatesigningkey.RotationStep.CREATE;
import static dev.connectorevents.functions.rotatesigningkey.RotationStep.FINISH;
import static dev.connectorevents.functions.rotatesigningkey.RotationStep.SET;
import static dev.connectorevents.functions.rotatesigningkey.RotationStep.TEST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.connectorevents.AdjustableClock;
import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.Promise;
import dev.connectorevents.functions.rotatesigningkey.InMemoryVersions.Failure;
import dev.connectorevents.token.KeyRing;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RotateSigningKeyTest {

  private static final String KEY_PATTERN = "[A-Za-z0-9]{64}";

  private final AdjustableClock clock = new AdjustableClock("2026-11-20T12:00:00Z");
  private final InMemoryVersions versions = new InMemoryVersions();
  private final List<Duration> waits = new ArrayList<>();
  private final RotateSigningKey rotate =
      new RotateSigningKey(versions, new SecureRandom(), clock, waits::add);

  @Test
  @Promise("It calls `RotateSigningKeyFunction` for each of the four steps.")
  void four_steps_replace_the_key_and_keep_the_old_one() {
    versions.stage("v2");

    assertThat(rotate.take(CREATE, "v2")).isEqualTo(CREATED);
    assertThat(rotate.take(SET, "v2")).isEqualTo(MADE_KNOWN);
    assertThat(rotate.take(TEST, "v2")).isEqualTo(TESTED);
    assertThat(versions.labels).containsEntry("AWSCURRENT", "v1");
    assertThat(rotate.take(FINISH, "v2")).isEqualTo(FINISHED);

    assertRotated("v2", "v1");
    assertThat(waits).containsExactly(KeyRing.TIME_TO_LEARN);
  }

  @Test
  void a_repeated_step_changes_nothing() {
    versions.stage("v2");
    rotate.take(CREATE, "v2");
    String key = versions.keys.get("v2");

    assertThat(rotate.take(CREATE, "v2")).isEqualTo(ALREADY_CREATED);
    for (RotationStep step : List.of(SET, SET, TEST, CREATE, TEST, FINISH)) {
      rotate.take(step, "v2");
    }
    for (RotationStep step : RotationStep.values()) {
      assertThat(rotate.take(step, "v2")).isEqualTo(ALREADY_FINISHED);
    }

    assertThat(versions.keys).containsEntry("v2", key);
    assertRotated("v2", "v1");
  }

  @ParameterizedTest
  @EnumSource
  @Promise("Each step is repeatable")
  void repeated_steps_end_in_one_rotation_whichever_call_fails(Failure failure) {
    int calls = rotateAndCountCalls("v2");
    String before = "v2";
    assertThat(calls).isEqualTo(9); // four reads of the state, three of the key, two writes
    for (int call = 1; call <= calls; call++) {
      String version = failure + " " + call;
      versions.stage(version);
      versions.failAt(call, failure);

      assertThatExceptionOfType(DependencyUnavailableException.class)
          .isThrownBy(() -> takeAllSteps(version));
      takeAllSteps(version);

      assertRotated(version, before);
      before = version;
    }
  }

  @Test
  void a_test_call_before_there_is_a_key_succeeds() {
    versions.stage("v2"); // as Secrets Manager does when a deploy changes the schedule

    assertThat(rotate.take(TEST, "v2")).isEqualTo(NOTHING_TO_TEST);

    assertThat(versions.labels).isEqualTo(Map.of("AWSCURRENT", "v1", "AWSPENDING", "v2"));
  }

  @Test
  void a_test_call_without_a_pending_version_succeeds() {
    assertThat(rotate.take(TEST, "v2")).isEqualTo(NOTHING_TO_TEST);
  }

  @ParameterizedTest
  @EnumSource(names = {"CREATE", "SET", "FINISH"})
  void every_other_step_without_a_pending_version_fails(RotationStep step) {
    assertThatIllegalStateException().isThrownBy(() -> rotate.take(step, "v2"));

    assertThat(versions.labels).isEqualTo(Map.of("AWSCURRENT", "v1"));
  }

  @Test
  void the_last_step_fails_and_changes_nothing_if_there_is_no_key() {
    versions.stage("v2");

    assertThatIllegalStateException().isThrownBy(() -> rotate.take(FINISH, "v2"));

    assertThat(versions.labels).isEqualTo(Map.of("AWSCURRENT", "v1", "AWSPENDING", "v2"));
  }

  @Test
  void the_last_step_fails_and_changes_nothing_if_no_version_is_current() {
    versions.stage("v2");
    rotate.take(CREATE, "v2");
    versions.labels.remove("AWSCURRENT");

    assertThatIllegalStateException()
        .isThrownBy(() -> rotate.take(FINISH, "v2"))
        .withMessage("no version is current");

    assertThat(versions.labels).isEqualTo(Map.of("AWSPENDING", "v2"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        " ",
        "short",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 ä",
      })
  void a_weak_key_never_becomes_current(String key) {
    versions.stage("v2");
    versions.keys.put("v2", key);

    assertThatIllegalStateException().isThrownBy(() -> rotate.take(TEST, "v2"));
    assertThatIllegalStateException().isThrownBy(() -> rotate.take(FINISH, "v2"));

    assertThat(versions.labels).containsEntry("AWSCURRENT", "v1");
  }

  @ParameterizedTest
  @EnumSource
  void a_version_that_is_not_pending_is_refused(RotationStep step) {
    versions.stage("v2");

    assertThatIllegalStateException().isThrownBy(() -> rotate.take(step, "v3"));
    assertThat(versions.keys).containsOnlyKeys("v1");
  }

  @ParameterizedTest
  @EnumSource
  void a_secret_without_rotation_is_not_changed(RotationStep step) {
    versions.stage("v2");
    versions.enabled = false;

    assertThatIllegalStateException().isThrownBy(() -> rotate.take(step, "v2"));
    assertThat(versions.keys).containsOnlyKeys("v1");
  }

  private int rotateAndCountCalls(String version) {
    versions.stage(version);
    takeAllSteps(version);
    return versions.calls();
  }

  private void takeAllSteps(String version) {
    for (RotationStep step : RotationStep.values()) {
      rotate.take(step, version);
    }
  }

  private void assertRotated(String current, String previous) {
    assertThat(versions.labels)
        .isEqualTo(Map.of("AWSCURRENT", current, "AWSPREVIOUS", previous, "AWSPENDING", current));
    assertThat(versions.keys.get(current)).matches(KEY_PATTERN);
  }
}
