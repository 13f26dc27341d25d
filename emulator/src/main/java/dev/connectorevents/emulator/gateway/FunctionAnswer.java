package dev.connectorevents.emulator.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.emulator.http.HttpAnswer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A function's answer in payload format 2.0. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record FunctionAnswer(
    int statusCode,
    @Nullable Map<String, String> headers,
    @Nullable JsonNode body,
    boolean isBase64Encoded) {

  private static final ObjectMapper JSON = new ObjectMapper();

  // API Gateway renames these headers, since it sets them itself.
  private static final Set<String> REMAPPED =
      Set.of("connection", "content-length", "date", "server", "www-authenticate");

  /** The HTTP answer; empty when API Gateway would answer 500. */
  public static Optional<HttpAnswer> read(byte[] payload) {
    try {
      // Ours always have a status. API Gateway would take any other JSON as the body of a 200.
      return Optional.ofNullable(JSON.readValue(payload, FunctionAnswer.class))
          .flatMap(FunctionAnswer::http);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private Optional<HttpAnswer> http() {
    String text = body == null || body.isNull() ? "" : body.textValue();
    if (text == null || statusCode < 100 || statusCode > 599) {
      return Optional.empty();
    }
    try {
      byte[] bytes = isBase64Encoded ? Base64.getDecoder().decode(text) : text.getBytes(UTF_8);
      return Optional.of(new HttpAnswer(statusCode, httpHeaders(), bytes));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private List<Map.Entry<String, String>> httpHeaders() {
    List<Map.Entry<String, String>> all = new ArrayList<>();
    if (headers != null) {
      headers.forEach((name, value) -> all.add(Map.entry(httpName(name), String.valueOf(value))));
    }
    if (all.stream().noneMatch(header -> header.getKey().equals("content-type"))) {
      all.add(Map.entry("content-type", "text/plain;charset=UTF-8"));
    }
    return all;
  }

  private static String httpName(String written) {
    String name = written.toLowerCase(Locale.ROOT);
    return REMAPPED.contains(name) ? "x-amzn-remapped-" + name : name;
  }
}
