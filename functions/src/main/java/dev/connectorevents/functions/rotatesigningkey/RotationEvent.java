package dev.connectorevents.functions.rotatesigningkey;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.json.Body;
import dev.connectorevents.json.BodyReader;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;

/**
 * The event of a rotation step.
 *
 * @param version the VersionId of the new key, called ClientRequestToken in the event
 * @see <a
 *     href="https://docs.aws.amazon.com/secretsmanager/latest/userguide/rotate-secrets_lambda-functions.html">Rotation
 *     by Lambda function</a>
 */
record RotationEvent(RotationStep step, String secretId, String version) {

  static RotationEvent read(InputStream input) throws IOException {
    String text = new String(input.readAllBytes(), UTF_8);
    return switch (BodyReader.readStrings(text, "{\"Step\": …}", RotationEvent::of)) {
      case Body.Read<RotationEvent>(RotationEvent event) -> event;
      case Body.Refused<?> refused ->
          throw new IllegalArgumentException(
              "the event cannot be read: " + refused.reason().detail());
    };
  }

  private static Body.Read<RotationEvent> of(Map<String, String> members) {
    return new Body.Read<>(
        new RotationEvent(
            RotationStep.of(required(members, "Step")),
            required(members, "SecretId"),
            required(members, "ClientRequestToken")));
  }

  private static String required(Map<String, String> members, String name) {
    String value = members.get(name);
    if (value == null) {
      throw new IllegalArgumentException("the event has no " + name);
    }
    return value;
  }
}
