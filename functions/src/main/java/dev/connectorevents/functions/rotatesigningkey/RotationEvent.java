package dev.connectorevents.functions.rotatesigningkey;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.http.Json;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;

/**
 * The event of a rotation step (AWS Secrets Manager User Guide, "Rotation by Lambda function").
 *
 * @param version the VersionId of the new key, called ClientRequestToken in the event
 */
record RotationEvent(RotationStep step, String secretId, String version) {

  static RotationEvent read(InputStream input) throws IOException {
    Map<String, String> members =
        Json.readStrings(new String(input.readAllBytes(), UTF_8))
            .orElseThrow(() -> new IllegalArgumentException("the event is not a JSON object"));
    return new RotationEvent(
        RotationStep.of(required(members, "Step")),
        required(members, "SecretId"),
        required(members, "ClientRequestToken"));
  }

  private static String required(Map<String, String> members, String name) {
    String value = members.get(name);
    if (value == null) {
      throw new IllegalArgumentException("the event has no " + name);
    }
    return value;
  }
}
