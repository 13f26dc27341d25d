package dev.connectorevents.access;

import dev.connectorevents.http.Response;
import dev.connectorevents.token.AccessToken;
import java.util.LinkedHashMap;
import java.util.Map;

/** The answer of login and refresh (RFC 6749, 5.1). */
public final class TokenResponse {

  private TokenResponse() {}

  public static Response of(AccessToken token) {
    return Response.json(200, body(token));
  }

  /** The body of {@link #of}, for functions without a route. */
  public static Map<String, Object> body(AccessToken token) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("access_token", token.value());
    body.put("token_type", "bearer");
    body.put("expires_in", token.lifetime().toSeconds());
    return body;
  }
}
