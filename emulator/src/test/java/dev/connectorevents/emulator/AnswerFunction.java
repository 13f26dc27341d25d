package dev.connectorevents.emulator;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;

/** Returns its event's body as its answer, or throws or sleeps if the body says so. */
public final class AnswerFunction implements RequestStreamHandler {
  public AnswerFunction(Map<String, String> environment) {}

  @Override
  public void handleRequest(InputStream in, OutputStream out, Context context) throws IOException {
    var body = new ObjectMapper().readTree(in).path("body").asText();
    switch (body) {
      case "throw" -> throw new IllegalStateException("as asked");
      case "sleep" -> sleep();
      default -> out.write(body.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
  }

  private static void sleep() {
    try {
      Thread.sleep(10_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
