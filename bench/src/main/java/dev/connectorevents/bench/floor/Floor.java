package dev.connectorevents.bench.floor;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** A bare function: shows what Java on Lambda costs at least. It reads the event and ignores it. */
public final class Floor implements RequestStreamHandler {

  @Override
  public void handleRequest(InputStream input, OutputStream output, Context context)
      throws IOException {
    input.readAllBytes();
    output.write("{\"statusCode\":200}".getBytes(UTF_8));
  }
}
