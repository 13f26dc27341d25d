package dev.connectorevents.emulator.http;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.Request;
import java.net.URI;
import java.util.List;

/**
 * A request's target that begins with //, such as //x/y: it is a path, but {@link URI} reads x as a
 * host. If no slash follows, as in //x, that leaves an empty path: the JDK's server answers 404
 * before any handler, since no context can have this path.
 */
final class DoubleSlashes {

  private static final Filter FILTER =
      Filter.adaptRequest("reads //x/y as a path", DoubleSlashes::withPath);

  private DoubleSlashes() {}

  /** Makes a handler that gets such a target as a path. */
  static HttpHandler asPath(HttpHandler handler) {
    return exchange -> FILTER.doFilter(exchange, new Filter.Chain(List.of(), handler));
  }

  private static Request withPath(Request sent) {
    String target = sent.getRequestURI().toString();
    if (!target.startsWith("//")) {
      return sent;
    }
    // A host may have brackets and, before a zone (RFC 4007), a single "%"; a path may not.
    String escaped =
        target.replace("[", "%5B").replace("]", "%5D").replaceAll("%(?!\\p{XDigit}{2})", "%25");
    URI path = URI.create("http://localhost" + escaped);
    return new Request() {
      @Override
      public URI getRequestURI() {
        return path;
      }

      @Override
      public String getRequestMethod() {
        return sent.getRequestMethod();
      }

      @Override
      public Headers getRequestHeaders() {
        return sent.getRequestHeaders();
      }
    };
  }
}
