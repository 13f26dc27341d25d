package dev.connectorevents.local.inspector;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;

/**
 * Sends rows to a page: all that are kept, then each as it arrives. A page that reads too slowly
 * misses rows, and delays nothing.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/server-sent-events.html">Server-sent
 *     events</a>
 */
record RowStream(History history) {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** A comment after this time finds out whether the page is still there. */
  private static final Duration HEARTBEAT = Duration.ofSeconds(15);

  /** Under load, rows are sent together. */
  private static final Duration PAUSE = Duration.ofMillis(50);

  void send(HttpExchange exchange) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    exchange.sendResponseHeaders(200, 0);
    OutputStream page = exchange.getResponseBody();
    write(page, "retry: 1000\n\n");
    try {
      History.Batch batch = history.after(0, Duration.ZERO);
      write(page, message(batch));
      while (true) {
        Thread.sleep(PAUSE);
        batch = history.after(batch.position(), HEARTBEAT);
        write(page, batch.requests().isEmpty() ? ":\n\n" : message(batch));
      }
    } catch (InterruptedException e) {
      throw new InterruptedIOException("the service stops");
    }
  }

  private String message(History.Batch batch) throws IOException {
    String rows =
        JSON.writeValueAsString(batch.requests().stream().map(RecordedExchange::row).toList());
    return "data: %s\n\n".formatted(rows);
  }

  private static void write(OutputStream page, String text) throws IOException {
    page.write(text.getBytes(UTF_8));
    page.flush();
  }
}
