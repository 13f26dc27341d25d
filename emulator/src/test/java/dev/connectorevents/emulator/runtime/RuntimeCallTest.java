package dev.connectorevents.emulator.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RuntimeCallTest {

  private final ByteArrayOutputStream client = new ByteArrayOutputStream();

  @Test
  void a_request_without_a_body_is_its_operation() throws IOException {
    assertThat(read(sent("GET /2018-06-01/runtime/invocation/next HTTP/1.1", "")))
        .contains(new RuntimeCall("invocation/next", "", client));
  }

  @Test
  void a_body_is_as_many_bytes_as_its_length_says() throws IOException {
    InputStream input =
        sent("POST /2018-06-01/runtime/a HTTP/1.1", "content-length: 2", "", "éGET");

    assertThat(read(input)).contains(new RuntimeCall("a", "é", client));
    assertThat(input.readAllBytes()).startsWith("GET".getBytes(UTF_8));
  }

  @Test
  void requests_of_a_connection_are_read_one_by_one() throws IOException {
    InputStream input =
        sent(
            "POST /2018-06-01/runtime/a HTTP/1.1",
            "Content-Length: 3",
            "",
            "abcGET /2018-06-01/runtime/b HTTP/1.1",
            "");

    assertThat(read(input)).contains(new RuntimeCall("a", "abc", client));
    assertThat(read(input)).contains(new RuntimeCall("b", "", client));
  }

  @Test
  void there_is_no_request_at_the_end_of_a_connection() throws IOException {
    assertThat(read(InputStream.nullInputStream())).isEmpty();
  }

  @Test
  void a_connection_that_ends_within_a_body_is_no_request() {
    assertThatIOException()
        .isThrownBy(
            () -> read(sent("POST /2018-06-01/runtime/a HTTP/1.1", "Content-Length: 99", "", "a")));
  }

  @Test
  void a_body_in_chunks_is_refused_instead_of_being_left_unread() {
    assertThatIOException()
        .isThrownBy(() ->
            read(sent("POST /2018-06-01/runtime/a HTTP/1.1", "Transfer-Encoding: chunked", "")))
        .withMessageContaining("Transfer-Encoding: chunked");
  }

  @Test
  void a_path_outside_of_the_runtime_api_is_refused() {
    assertThatIOException()
        .isThrownBy(() -> read(sent("GET /2018-06-02/runtime/a HTTP/1.1", "")))
        .withMessageContaining("GET /2018-06-02");
  }

  @Test
  void an_answer_has_the_length_of_its_bytes() throws IOException {
    new RuntimeCall("invocation/next", "", client)
        .answer("200 OK", "A: b\r\n", "\"é\"".getBytes(UTF_8));

    assertThat(client.toString(UTF_8))
        .isEqualTo(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 4\r\n"
                + "A: b\r\n\r\n\"é\"");
  }

  private Optional<RuntimeCall> read(InputStream input) throws IOException {
    return RuntimeCall.read(input, client);
  }

  private static InputStream sent(String... lines) {
    return new ByteArrayInputStream((String.join("\r\n", lines) + "\r\n").getBytes(UTF_8));
  }
}
