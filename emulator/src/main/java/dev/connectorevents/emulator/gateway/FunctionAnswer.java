package dev.connectorevents.emulator.gateway;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.emulator.http.Answer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a function wrote, as API Gateway turns it into an HTTP answer. */
public final class FunctionAnswer {
  private static final ObjectMapper JSON = new ObjectMapper();
  // Names that API Gateway keeps for itself; it passes a function's own on under another one.
  private static final Set<String> REMAPPED =
      Set.of("connection", "content-length", "date", "server", "www-authenticate");

  private FunctionAnswer() {}

  /** Empty when the function wrote something that API Gateway answers with 500. */
  public static Optional<Answer> read(byte[] payload) {
    JsonNode written;
    try {
      written = JSON.readTree(payload);
    } catch (IOException e) {
      return Optional.empty();
    }
    if (!written.has("statusCode")) {
      return inferred(written);
    }
    var status = written.get("statusCode").asInt();
    var body = body(written);
    var headers = headers(written);
    return status >= 100 && status <= 599 && body.isPresent() && headers.isPresent()
        ? Optional.of(new Answer(status, headers.get(), body.get()))
        : Optional.empty();
  }

  /** Format 2.0 takes any JSON without a status as the body of a 200. */
  private static Optional<Answer> inferred(JsonNode written) {
    if (written.isMissingNode()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          Answer.json(
              200, written.isTextual() ? written.textValue() : JSON.writeValueAsString(written)));
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  private static Optional<byte[]> body(JsonNode written) {
    var body = written.path("body");
    if (body.isMissingNode() || body.isNull()) {
      return Optional.of(new byte[0]);
    }
    if (!body.isTextual()) {
      return Optional.empty();
    }
    if (!written.path("isBase64Encoded").asBoolean()) {
      return Optional.of(body.textValue().getBytes(StandardCharsets.UTF_8));
    }
    try {
      return Optional.of(Base64.getDecoder().decode(body.textValue()));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static Optional<List<Map.Entry<String, String>>> headers(JsonNode written) {
    var headers = new ArrayList<Map.Entry<String, String>>();
    for (var header : written.path("headers").properties()) {
      if (!header.getValue().isValueNode()) {
        return Optional.empty();
      }
      headers.add(Map.entry(name(header.getKey()), header.getValue().asText()));
    }
    for (var cookie : written.path("cookies")) {
      headers.add(Map.entry("Set-Cookie", cookie.asText()));
    }
    if (headers.stream().noneMatch(header -> header.getKey().equals("content-type"))) {
      headers.add(Map.entry("content-type", "text/plain;charset=UTF-8"));
    }
    return Optional.of(headers);
  }

  private static String name(String written) {
    var name = written.toLowerCase(Locale.ROOT);
    return REMAPPED.contains(name) ? "x-amzn-remapped-" + name : name;
  }
}
