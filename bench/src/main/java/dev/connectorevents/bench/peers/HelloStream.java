package dev.connectorevents.bench.peers;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** The smallest function that gets a raw stream: it reads the event and ignores it. */
public final class HelloStream implements RequestStreamHandler {

  @Override
  public void handleRequest(InputStream input, OutputStream output, Context context)
      throws IOException {
    input.readAllBytes();
    output.write("{\"statusCode\":200,\"body\":\"hello\"}".getBytes(UTF_8));
  }
}
