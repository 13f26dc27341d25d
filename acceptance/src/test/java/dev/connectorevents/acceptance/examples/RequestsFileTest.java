package dev.connectorevents.acceptance.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.World;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Sends the requests of {@code examples/requests.http} and of {@code docs/connectors.md}, in their
 * order.
 */
class RequestsFileTest {

  private static final Path FILE = Path.of("../examples/requests.http");

  /**
   * A request of {@link #FILE}: title, expected status, method, path, headers and, if there is one,
   * body.
   */
  private static final Pattern REQUEST =
      Pattern.compile(
          "### (.+)\n# → (\\d+)\n(GET|POST) \\{\\{url}}(\\S+)\n((?:\\S+: .+\n)*)(?:\n([^#]*))?");

  /** The parts of an answer that differ each time: ids and times. */
  private static final Pattern VARIABLE =
      Pattern.compile(
          "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|Date: .*|\\d{4}-\\d\\d-\\d\\dT[0-9:.]{12}Z");

  @AutoClose private static final World service = World.start();

  @Test
  void each_request_gets_the_status_that_its_comment_promises() throws IOException {
    String text =
        Files.readString(FILE)
            .replace("{{email}}", World.EMAIL)
            .replace("{{password}}", World.PASSWORD)
            .replace("{{token}}", service.client().token())
            .replace("{{consumer_token}}", service.operator().consumerToken())
            .replace("{{id}}", service.store());
    List<MatchResult> requests = REQUEST.matcher(text).results().toList();
    assertThat(requests).hasSize((int) text.lines().filter(line -> line.startsWith("###")).count());

    for (MatchResult request : requests) {
      Answer answer = send(request);

      String title = request.group(1);
      assertThat(answer.status()).as(title).isEqualTo(Integer.parseInt(request.group(2)));
      assertThat(answer.code().isEmpty() || title.contains(": " + answer.code())).isTrue();
      assertThat(answer.header("idempotency-replayed"))
          .isEqualTo(title.contains("Idempotency-Replayed is true") ? "true" : "");
    }
  }

  private static Answer send(MatchResult request) {
    List<String> headers = new ArrayList<>();
    for (String header : request.group(5).lines().toList()) {
      headers.addAll(List.of(header.split(": ", 2)));
    }
    String body = request.group(6);
    return service
        .client()
        .send(
            requireNonNull(request.group(3)),
            requireNonNull(request.group(4)),
            body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body),
            headers.toArray(String[]::new));
  }

  @Test
  void the_page_shows_requests_and_answers_as_they_go_over_the_wire() throws IOException {
    List<String> messages = Page.of("connectors.md").messages();
    assertThat(messages).hasSize(2);

    for (int i = 0; i < messages.size(); i += 2) {
      String answer = exchange(messages.get(i));

      assertThat(masked(answer)).isEqualTo(masked(messages.get(i + 1)));
    }
  }

  private static String exchange(String request) throws IOException {
    URI url = service.baseUrl();
    String[] headAndBody =
        request
            .replace("127.0.0.1:3000", url.getAuthority())
            .replace("eyJ…", service.client().token())
            .split("\n\n", 2);
    try (Socket socket = new Socket(url.getHost(), url.getPort())) {
      socket.setSoTimeout(15_000);
      String sent = headAndBody[0].replace("\n", "\r\n") + "\r\n\r\n" + headAndBody[1];
      socket.getOutputStream().write(sent.getBytes(UTF_8));
      socket.shutdownOutput();
      return new String(socket.getInputStream().readAllBytes(), UTF_8).replace("\r\n", "\n");
    }
  }

  private static String masked(String answer) {
    return VARIABLE.matcher(answer).replaceAll("…");
  }
}
