package dev.connectorevents.local.inspector;

import static dev.connectorevents.local.inspector.InspectedService.order;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.local.ServedLocally;
import dev.connectorevents.local.SharedService;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A page gets each kept request as a row, then each new one once. */
@ResourceLock(SharedService.LOCK)
class RowStreamTest {

  @RegisterExtension private static final InspectedService inspector = new InspectedService();

  @Test
  void the_stream_begins_with_what_is_kept_and_goes_on() throws IOException {
    String before = inspector.sendEvent(order("{}"));
    try (Stream stream = new Stream(inspector.service().url("/_inspector/stream"))) {
      List<String> kept = ids(stream.next());
      String after = inspector.sendEvent(order("{}"));

      assertThat(kept).contains(before).doesNotContain(after);
      assertThat(ids(stream.next())).containsExactly(after);
    }
  }

  private static List<String> ids(JsonNode rows) {
    return rows.valueStream().map(row -> row.at("/exchange/id").asText()).toList();
  }

  /** Reads the stream as a page does. */
  record Stream(BufferedReader lines) implements AutoCloseable {

    Stream(URI stream) throws IOException {
      this(new BufferedReader(new InputStreamReader(stream.toURL().openStream(), UTF_8)));
    }

    /** The rows of the next message. */
    JsonNode next() throws IOException {
      String line = lines.readLine();
      while (!line.startsWith("data: ")) {
        line = lines.readLine();
      }
      return ServedLocally.read(line.substring("data: ".length()));
    }

    @Override
    public void close() throws IOException {
      lines.close();
    }
  }
}
