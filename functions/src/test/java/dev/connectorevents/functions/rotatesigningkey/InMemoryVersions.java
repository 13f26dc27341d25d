package dev.connectorevents.functions.rotatesigningkey;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.token.RotationState;
import dev.connectorevents.token.SigningKey;
import dev.connectorevents.token.SigningKeyRotation;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The versions of the signing key in memory, with Secrets Manager's labels. A test can make any
 * call fail.
 */
final class InMemoryVersions implements SigningKeyRotation {

  /** How a call fails: before its effect, or after its effect, so that only the answer is lost. */
  enum Failure {
    REQUEST_LOST,
    ANSWER_LOST
  }

  final Map<String, String> keys = new HashMap<>();
  final Map<String, String> labels = new HashMap<>();
  boolean enabled = true;
  private int calls;
  private int failingCall;
  private Failure failure = Failure.REQUEST_LOST;

  InMemoryVersions() {
    keys.put("v1", "first");
    labels.put("AWSCURRENT", "v1");
  }

  /** Makes a version pending, as RotateSecret does at the start of a rotation. */
  void stage(String version) {
    labels.put("AWSPENDING", version);
  }

  /** Makes one call fail: the next call is number 1. */
  void failAt(int call, Failure how) {
    failingCall = calls + call;
    failure = how;
  }

  int calls() {
    return calls;
  }

  @Override
  public RotationState state() {
    return called(() ->
        new RotationState(
            enabled,
            Optional.ofNullable(labels.get("AWSCURRENT")),
            Optional.ofNullable(labels.get("AWSPENDING"))));
  }

  @Override
  public Optional<SigningKey> pending(String version) {
    return called(() ->
        Optional.ofNullable(keys.get(version))
            .filter(text -> version.equals(labels.get("AWSPENDING")))
            .map(text -> new SigningKey(version, key(text))));
  }

  @Override
  public void store(String version, String keyText) {
    called(() -> {
      if (keys.putIfAbsent(version, keyText) != null) {
        throw new DependencyUnavailableException("the version already has a key");
      }
      return labels.put("AWSPENDING", version);
    });
  }

  @Override
  public void makeCurrent(String version, String before) {
    called(() -> {
      if (!labels.replace("AWSCURRENT", before, version)) {
        throw new DependencyUnavailableException("AWSCURRENT is on another version");
      }
      return labels.put("AWSPREVIOUS", before);
    });
  }

  private static SecretKeySpec key(String text) {
    return new SecretKeySpec(text.getBytes(UTF_8), "HmacSHA256");
  }

  private interface Operation<T extends @Nullable Object> {
    T run();
  }

  private <T extends @Nullable Object> T called(Operation<T> call) {
    calls++;
    if (calls == failingCall && failure == Failure.REQUEST_LOST) {
      throw new DependencyUnavailableException("request lost", new IOException("no route"));
    }
    T answer = call.run();
    if (calls == failingCall) {
      throw new DependencyUnavailableException("answer lost");
    }
    return answer;
  }
}
