package dev.connectorevents.emulator;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Returns its event's body. Some bodies are commands instead: {@code throw}, {@code sleep}, and
 * {@code answer N bytes}.
 */
public final class AnswerFunction implements RequestStreamHandler {
  private static final Pattern BYTES = Pattern.compile("answer (\\d+) bytes");

  public AnswerFunction(Map<String, String> environment) {}

  @Override
  public void handleRequest(InputStream in, OutputStream out, Context context) throws IOException {
    String body = new ObjectMapper().readTree(in).path("body").asText();
    switch (body) {
      case "throw" -> throw new IllegalStateException("the event asked for an exception");
      case "sleep" -> sleep();
      default -> out.write(answer(body).getBytes(StandardCharsets.UTF_8));
    }
  }

  private static String answer(String body) {
    Matcher bytes = BYTES.matcher(body);
    return bytes.matches() ? "x".repeat(Integer.parseInt(bytes.group(1))) : body;
  }

  private static void sleep() {
    try {
      Thread.sleep(10_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
