package dev.connectorevents.access;

import dev.connectorevents.http.Request;
import java.util.Set;
import java.util.regex.Pattern;

/** Says what is wrong with an invalid token. Clients often send it in the wrong form. */
final class TokenMistakes {

  /** The authentication scheme in front of a token (RFC 6750, 2.1), in any case. */
  static final String SCHEME = "Bearer ";

  /** What JavaScript, Java and Python write for a variable without a value. */
  private static final Set<String> NO_VALUES = Set.of("undefined", "null", "None");

  /** API Gateway joins headers of one name by commas. */
  private static final Pattern SECOND = Pattern.compile("(?i),\\s*bearer ");

  private static final String TWICE = "The header Authorization is there twice: send it once.";

  private TokenMistakes() {}

  static boolean beginsWithScheme(String text) {
    return text.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
  }

  /** Why a request has no token. */
  static String describeMissing(Request request) {
    String header = request.header("authorization").map(String::strip).orElse("");
    if (header.equalsIgnoreCase("bearer")) {
      return "No token follows Bearer: a variable has no value. Log in, and send access_token.";
    }
    return SECOND.matcher(header).find() ? TWICE : "Send Authorization: Bearer <token>.";
  }

  /** Quotes nothing of the token. */
  static String describe(String token) {
    if (beginsWithScheme(token)) {
      return "The token begins with Bearer again: send that word once, as in Authorization: Bearer"
          + " <token>.";
    }
    if (token.contains(",")) {
      return TWICE;
    }
    if (token.startsWith("\"") || token.startsWith("'")) {
      return "The token is in quotes: send it without them.";
    }
    if (NO_VALUES.contains(token)) {
      return "The token is the word undefined, null or None: a variable has no value. Log in, and"
          + " send access_token.";
    }
    return "The token is incomplete, changed or not from this service. Send access_token as it was"
        + " received, or log in again.";
  }
}
