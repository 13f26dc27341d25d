package dev.connectorevents.local;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.connectorevents.http.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Masks passwords and tokens. The inspector keeps only masked text. */
final class Secrets {

  static final String MASK = "•••";

  private static final Set<String> HEADERS =
      Set.of("authorization", "proxy-authorization", "cookie", "set-cookie");
  private static final Set<String> MEMBERS =
      Set.of("password", "access_token", "refresh_token", "id_token", "client_secret");
  private static final Pattern WORD = Pattern.compile("(?i)password|token|secret");

  /** A JWT: its header is a JSON object, so its first bytes are always the same. */
  private static final Pattern JWT = Pattern.compile("eyJ[\\w-]+\\.[\\w-]+\\.[\\w-]*");

  private Secrets() {}

  /** Masks header values; keeps the scheme of Authorization. */
  static Map<String, String> maskHeaders(Map<String, String> headers) {
    Map<String, String> masked = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.forEach((name, value) ->
        masked.put(
            name,
            HEADERS.contains(name.toLowerCase(Locale.ROOT))
                ? (value.startsWith("Bearer ") ? "Bearer " : "") + MASK
                : maskTokens(value)));
    return masked;
  }

  /** Masks a body or a query. Of text that is not JSON, keeps nothing after a suspicious word. */
  static String mask(String text) {
    StringBuilder masked = new StringBuilder();
    int copied = 0;
    try (JsonParser parser = Json.FACTORY.createParser(text)) {
      while (parser.nextToken() != null) {
        if (parser.currentToken() == JsonToken.FIELD_NAME && isSecret(parser.currentName())) {
          parser.nextToken();
          int start = (int) parser.currentTokenLocation().getCharOffset();
          parser.skipChildren();
          parser.finishToken();
          masked.append(text, copied, start).append('"').append(MASK).append('"');
          copied = (int) parser.currentLocation().getCharOffset();
        }
      }
      masked.append(text, copied, text.length());
    } catch (JsonProcessingException e) {
      Matcher word = WORD.matcher(text);
      masked.append(
          word.find(copied) ? text.substring(copied, word.end()) + MASK : text.substring(copied));
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory", e);
    }
    return maskTokens(masked.toString());
  }

  static String maskTokens(String text) {
    return JWT.matcher(text).replaceAll(MASK);
  }

  private static boolean isSecret(String member) {
    return MEMBERS.contains(member.toLowerCase(Locale.ROOT));
  }
}
