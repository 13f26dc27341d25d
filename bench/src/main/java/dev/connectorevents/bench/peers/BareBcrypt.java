package dev.connectorevents.bench.peers;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.connectorevents.user.PasswordHash;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * A function that only checks a password, with the bcrypt code and the bcrypt cost of the service.
 */
public final class BareBcrypt implements RequestStreamHandler {

  private static final String PASSWORD = "correct horse battery staple";

  private final PasswordHash hash =
      PasswordHash.of(PASSWORD, Integer.parseInt(System.getenv("BCRYPT_COST")));

  @Override
  public void handleRequest(InputStream input, OutputStream output, Context context)
      throws IOException {
    input.readAllBytes();
    if (!hash.matches(PASSWORD)) {
      throw new IllegalStateException("the password does not match its own hash");
    }
    output.write("{\"statusCode\":200}".getBytes(UTF_8));
  }
}
