package dev.connectorevents.emulator.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Refuses requests of other sites' web pages in the user's browser.
 *
 * <p>A site can resolve its host name to 127.0.0.1 and read the answers (DNS rebinding). Then
 * {@code Host} contains that name. If a page calls 127.0.0.1 itself, {@code Origin} contains the
 * page's site. Programs other than browsers send no {@code Origin}.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc6454#section-7">RFC 6454, the Origin header</a>
 */
public final class LoopbackOnly {
  private static final String OCTET = "(25[0-5]|2[0-4]\\d|1?\\d?\\d)";
  private static final Pattern LOOPBACK =
      Pattern.compile(
          "(localhost|127(\\.%s){3}|\\[::1])(:\\d{1,5})?".formatted(OCTET),
          Pattern.CASE_INSENSITIVE);

  private LoopbackOnly() {}

  /**
   * A 403 with the reason; empty when the request is allowed.
   *
   * @param hosts the values of {@code Host}
   * @param origins the values of {@code Origin}
   */
  public static Optional<HttpAnswer> refusal(List<String> hosts, List<String> origins) {
    if (hosts.size() != 1) {
      return forbidden("The request needs one Host header, not " + hosts.size() + ".");
    }
    String host = hosts.getFirst();
    if (!LOOPBACK.matcher(host).matches()) {
      return forbidden(
          "Host is '%s', but this service is called localhost or %s."
              .formatted(host, InetAddress.getLoopbackAddress().getHostAddress()));
    }
    return origins.stream()
        .filter(origin -> !origin.equalsIgnoreCase("http://" + host))
        .findFirst()
        .flatMap(
            origin -> forbidden("Origin is '" + origin + "': pages of other sites are refused."));
  }

  private static Optional<HttpAnswer> forbidden(String message) {
    String body = JsonNodeFactory.instance.objectNode().put("message", message).toString();
    return Optional.of(HttpAnswer.json(403, body));
  }
}
