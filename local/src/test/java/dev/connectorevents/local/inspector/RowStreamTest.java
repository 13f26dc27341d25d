package dev.connectorevents.local.inspector;

import static dev.connectorevents.local.inspector.InspectedService.order;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.emulator.Fixtures;
import dev.connectorevents.local.ServedLocally;
import dev.connectorevents.local.SharedService;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A page gets each kept request once, as a row, also after it has lost the connection. */
@ResourceLock(SharedService.LOCK)
class RowStreamTest {

  @RegisterExtension private static final InspectedService inspector = new InspectedService();

  @Test
  void the_stream_begins_with_what_is_kept_and_goes_on() throws Exception {
    String before = inspector.sendEvent(order("{}"));
    try (Stream stream = new Stream("")) {
      List<String> kept = stream.nextIds();
      String after = inspector.sendEvent(order("{}"));

      assertThat(kept).contains(before).doesNotContain(after);
      assertThat(stream.nextIds()).containsExactly(after);
    }
  }

  @Test
  void a_page_that_connects_again_gets_what_it_has_missed() throws Exception {
    inspector.sendEvent(order("{}"));
    String position;
    try (Stream stream = new Stream("")) {
      stream.nextIds();
      position = stream.position;
    }
    String missed = inspector.sendEvent(order("{}"));

    try (Stream again = new Stream(position);
        Stream afterRestart = new Stream("of-another-process 3")) {
      assertThat(again.nextIds()).containsExactly(missed);
      assertThat(afterRestart.nextIds()).hasSizeGreaterThan(1).contains(missed);
    }
  }

  /**
   * After a restart of the service, a page must drop its rows at once, even if no request follows.
   */
  @Test
  @Timeout(10) // without this message, the stream would be silent for 15 seconds
  void a_page_that_connects_again_gets_a_message_at_once() throws Exception {
    inspector.sendEvent(order("{}"));
    try (Stream stream = new Stream("")) {
      stream.nextIds();
      try (Stream again = new Stream(stream.position)) {
        assertThat(again.nextIds()).isEmpty();
        assertThat(again.position).isEqualTo(stream.position);
      }
    }
  }

  /** Reads the stream as a page does. */
  private static final class Stream implements AutoCloseable {

    private final BufferedReader lines;
    private String position = "";

    Stream(String lastEventId) throws IOException, InterruptedException {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(inspector.service().url("/_inspector/stream"));
      if (!lastEventId.isEmpty()) {
        request.header("Last-Event-ID", lastEventId);
      }
      InputStream stream = Fixtures.HTTP.send(request.build(), BodyHandlers.ofInputStream()).body();
      lines = new BufferedReader(new InputStreamReader(stream, UTF_8));
    }

    /** The ids of the next message's rows. */
    List<String> nextIds() throws IOException {
      String line = lines.readLine();
      while (!line.startsWith("data: ")) {
        position = line.startsWith("id: ") ? line.substring(4) : position;
        line = lines.readLine();
      }
      List<String> ids = new ArrayList<>();
      ServedLocally.read(line.substring(6))
          .forEach(row -> ids.add(row.at("/exchange/id").asText()));
      return ids;
    }

    @Override
    public void close() throws IOException {
      lines.close();
    }
  }
}
