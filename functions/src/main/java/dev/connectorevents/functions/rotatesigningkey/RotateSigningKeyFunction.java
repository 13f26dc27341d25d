package dev.connectorevents.functions.rotatesigningkey;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.connectorevents.functions.lambda.LogLine;
import dev.connectorevents.functions.wiring.Wiring;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;

/**
 * The Lambda function for {@link RotateSigningKey}. It logs and rethrows each failure, so that
 * Secrets Manager retries.
 */
public final class RotateSigningKeyFunction implements RequestStreamHandler {

  private final String secretId;
  private final RotateSigningKey rotate;

  public RotateSigningKeyFunction() {
    this(System.getenv());
  }

  public RotateSigningKeyFunction(Map<String, String> environment) {
    this(new Wiring(environment));
  }

  public RotateSigningKeyFunction(Wiring wiring) {
    this(
        wiring.signingKeySecretId(),
        new RotateSigningKey(
            wiring.signingKeyRotation(), wiring.random(), wiring.clock(), wiring.waiting()));
  }

  RotateSigningKeyFunction(String secretId, RotateSigningKey rotate) {
    this.secretId = secretId;
    this.rotate = rotate;
  }

  @Override
  public void handleRequest(InputStream input, OutputStream output, Context context)
      throws IOException {
    Map<String, Object> line = LogLine.begin(context);
    try {
      line.put("outcome", take(RotationEvent.read(input), line).toString());
    } catch (RuntimeException e) {
      line.put("outcome", "failed");
      line.put("error", LogLine.causes(e)); // the runtime logs the exception, with its stack
      throw e;
    } finally {
      context.getLogger().log(LogLine.of(line));
    }
  }

  private RotationOutcome take(RotationEvent event, Map<String, Object> line) {
    line.put("step", event.step().toString());
    line.put("version", event.version());
    if (!event.secretId().equals(secretId)) {
      throw new IllegalArgumentException("the secret is not the signing key's");
    }
    return rotate.take(event.step(), event.version());
  }
}
