package dev.connectorevents.emulator.http;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.util.Optional;

/** Reads what a client sends, up to a limit. */
public final class RequestBody {
  // A client that is still sending would get a reset connection instead of its answer.
  private static final long READ_ON = 256L << 20;

  private RequestBody() {}

  /**
   * The whole body; empty when it is longer than the limit, and then it is not kept.
   *
   * @param limit in bytes
   */
  public static Optional<byte[]> read(HttpExchange exchange, int limit) throws IOException {
    var in = exchange.getRequestBody();
    var body = in.readNBytes(limit + 1);
    if (body.length <= limit) {
      return Optional.of(body);
    }
    discard(exchange);
    return Optional.empty();
  }

  /** Reads what is left, for an answer that does not depend on it. */
  public static void discard(HttpExchange exchange) throws IOException {
    var in = exchange.getRequestBody();
    var discarded = new byte[1 << 16];
    for (long total = 0; total < READ_ON; ) {
      int read = in.read(discarded);
      if (read < 0) {
        break;
      }
      total += read;
    }
  }
}
