package dev.connectorevents.emulator.http;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

/** Reads what a client sends, up to a limit. */
public final class RequestBody {

  private RequestBody() {}

  /**
   * The whole body; empty when it is longer than the limit.
   *
   * @param limit in bytes
   */
  public static Optional<byte[]> read(HttpExchange exchange, int limit) throws IOException {
    byte[] body = exchange.getRequestBody().readNBytes(limit + 1);
    if (body.length <= limit) {
      return Optional.of(body);
    }
    discard(exchange);
    return Optional.empty();
  }

  /** Reads the rest: a client that still sends would get a connection reset, not the answer. */
  public static void discard(HttpExchange exchange) throws IOException {
    exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
  }
}
