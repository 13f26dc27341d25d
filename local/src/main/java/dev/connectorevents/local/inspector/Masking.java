package dev.connectorevents.local.inspector;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.connectorevents.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Masks passwords and tokens. The inspector keeps only masked text.
 *
 * <p>A payload may name its own secrets in any way: those of other names, such as {@code token},
 * stay.
 */
final class Masking {

  static final String MASK = "•••";

  private static final Set<String> MEMBERS =
      Set.of(
          "password",
          "passwd",
          "access_token",
          "refresh_token",
          "id_token",
          "api_token",
          "api_key",
          "client_secret");
  private static final Pattern HEADER =
      Pattern.compile("(?i)authorization|cookie|password|token|secret|api-?key");
  private static final Pattern WORD = Pattern.compile("(?i)passw|token|secret");

  /**
   * A JWT: its header is a JSON object, so its first characters are always the same. Possessive, so
   * that base64 of JSON takes no quadratic time.
   */
  private static final Pattern JWT =
      Pattern.compile("eyJ(?:(?!eyJ)[\\w-])++\\.[\\w-]++\\.[\\w-]*+");

  private Masking() {}

  /** Masks header values; keeps the scheme of Authorization. */
  static Map<String, String> maskHeaders(Map<String, String> headers) {
    Map<String, String> masked = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.forEach((name, value) ->
        masked.put(
            name,
            HEADER.matcher(name).find()
                ? (value.startsWith("Bearer ") ? "Bearer " : "") + MASK
                : maskTokens(value)));
    return masked;
  }

  /**
   * Masks the body of a request. Of a login, it keeps only the address: people look at logins that
   * are slightly wrong.
   */
  static String maskBody(String path, String body) {
    return path.endsWith("/login")
        ? masked(body, name -> !name.equals("email")).orElse(body.isEmpty() ? "" : MASK)
        : mask(body);
  }

  /** Masks a text. If it is not JSON, keeps nothing after a suspicious word. */
  static String mask(String text) {
    return maskTokens(
        masked(text, Masking::isSecret)
            .orElseGet(() -> {
              Matcher word = WORD.matcher(text);
              return word.find() ? text.substring(0, word.end()) + MASK : text;
            }));
  }

  /** Compares without a change of case, which takes quadratic time for some long names. */
  private static boolean isSecret(String name) {
    String stripped = name.strip();
    return MEMBERS.stream().anyMatch(stripped::equalsIgnoreCase);
  }

  static String maskTokens(String text) {
    return JWT.matcher(text).replaceAll(MASK);
  }

  /** Masks the members of these names, at any depth; empty if the text is no object or array. */
  private static Optional<String> masked(String text, Predicate<String> isSecret) {
    StringBuilder masked = new StringBuilder();
    int copied = 0;
    try (JsonParser parser = Json.FACTORY.createParser(text)) {
      if (parser.nextToken() == null || !parser.currentToken().isStructStart()) {
        return Optional.empty();
      }
      while (parser.nextToken() != null) {
        if (parser.currentToken() == JsonToken.FIELD_NAME && isSecret.test(parser.currentName())) {
          parser.nextToken();
          int start = (int) parser.currentTokenLocation().getCharOffset();
          parser.skipChildren();
          parser.finishToken();
          masked.append(text, copied, start).append('"').append(MASK).append('"');
          copied = (int) parser.currentLocation().getCharOffset();
        }
      }
    } catch (JsonProcessingException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory", e);
    }
    return Optional.of(masked.append(text, copied, text.length()).toString());
  }
}
