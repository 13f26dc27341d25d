package dev.connectorevents.bench.coldstart;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;

class RuntimeRequestTest {

  @Test
  void a_request_without_a_body_is_its_operation() throws IOException {
    assertThat(RuntimeRequest.read(sent("GET /2018-06-01/runtime/invocation/next HTTP/1.1", "")))
        .contains(new RuntimeRequest("invocation/next", ""));
  }

  @Test
  void a_body_is_as_many_bytes_as_its_length_says() throws IOException {
    InputStream input =
        sent("POST /2018-06-01/runtime/a HTTP/1.1", "content-length: 2", "", "éGET");

    assertThat(RuntimeRequest.read(input)).contains(new RuntimeRequest("a", "é"));
    assertThat(input.readAllBytes()).startsWith("GET".getBytes(UTF_8));
  }

  @Test
  void a_body_in_chunks_is_put_together() throws IOException {
    InputStream input =
        sent(
            "POST /2018-06-01/runtime/a HTTP/1.1",
            "Transfer-Encoding: chunked",
            "",
            "3",
            "abc",
            "A",
            "0123456789",
            "0",
            "",
            "GET /2018-06-01/runtime/b HTTP/1.1",
            "");

    assertThat(RuntimeRequest.read(input)).contains(new RuntimeRequest("a", "abc0123456789"));
    assertThat(RuntimeRequest.read(input)).contains(new RuntimeRequest("b", ""));
  }

  @Test
  void there_is_no_request_at_the_end_of_a_connection() throws IOException {
    assertThat(RuntimeRequest.read(InputStream.nullInputStream())).isEmpty();
  }

  @Test
  void a_connection_that_ends_within_a_body_is_no_request() {
    assertThatIOException()
        .isThrownBy(() ->
            RuntimeRequest.read(
                sent("POST /2018-06-01/runtime/a HTTP/1.1", "Content-Length: 99", "", "abc")));
  }

  @Test
  void a_path_outside_of_the_runtime_api_is_refused() {
    assertThatIOException()
        .isThrownBy(() -> RuntimeRequest.read(sent("GET /2018-06-02/runtime/a HTTP/1.1", "")))
        .withMessageContaining("GET /2018-06-02");
  }

  private static InputStream sent(String... lines) {
    return new ByteArrayInputStream((String.join("\r\n", lines) + "\r\n").getBytes(UTF_8));
  }
}
