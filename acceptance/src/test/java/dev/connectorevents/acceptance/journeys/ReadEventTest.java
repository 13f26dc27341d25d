package dev.connectorevents.acceptance.journeys;

import static dev.connectorevents.acceptance.service.ApiClient.EVENTS;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.Texts;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.emulator.Endpoint;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A consumer reads an event by its id. */
class ReadEventTest {

  @AutoClose private static final World service = World.start();
  private static String connector = "";
  private static String consumer = "";

  @BeforeAll
  static void logIn() {
    connector = service.client().token();
    consumer = service.operator().consumerToken();
  }

  /** {@code StoredPayloadTest} tries more sizes, with the store alone. */
  @ParameterizedTest
  @ValueSource(ints = {10, 10_000, 300_000, 5_000_000})
  @Promise({
    "The service stores the payload **byte for byte**",
    "returns exactly the stored bytes of the payload, `_meta` included."
  })
  void a_payload_comes_back_byte_for_byte(int characters) {
    assumeFalse(Endpoint.isMoto() && characters > 300_000, Endpoint.MOTO_ITEM_SIZE);
    String payload =
        "{\"text\":\"%s\",\"odd\":%s,\"_meta\":{}}".formatted(noise(characters), Texts.ODD);
    Answer created =
        store(
            "{\"event_type\":\"a.b\",\"payload\":" + payload + "}",
            "Content-Type",
            "application/json");

    Answer read = get(created.header("location") + "/payload");

    assertThat(read.status()).isEqualTo(200);
    assertThat(read.header("content-type")).isEqualTo("application/json");
    assertThat(read.text()).isEqualTo(payload);
  }

  @Test
  @Promise("A longer answer is compressed if the request has `Accept-Encoding: gzip`")
  void an_answer_over_6_megabytes_is_compressed_for_those_who_accept_it() throws IOException {
    // Without Content-Type, API Gateway passes the body in base64: shorter here than escaped text.
    String payload = "{\"text\":\"" + "\\\"".repeat(1_600_000) + "\",\"_meta\":{}}";
    String path = store("{\"event_type\":\"a.b\",\"payload\":" + payload + "}").header("location");

    Answer refused = get(path + "/payload");
    Answer compressed = get(path + "/payload", "Accept-Encoding", "br, gzip");

    assertThat(refused.status()).isEqualTo(406);
    assertThat(refused.code()).isEqualTo("not_acceptable");
    assertThat(compressed.status()).isEqualTo(200);
    assertThat(compressed.header("content-encoding")).isEqualTo("gzip");
    assertThat(compressed.header("vary")).isEqualTo("Accept-Encoding");
    assertThat(
            new GZIPInputStream(new ByteArrayInputStream(compressed.response().body()))
                .readAllBytes())
        .asString(UTF_8)
        .isEqualTo(payload);
    assertThat(get(path).status()).isEqualTo(406);
    assertThat(get(path, "Accept-Encoding", "gzip").header("content-encoding")).isEqualTo("gzip");
  }

  @Test
  @Promise("A request with this tag in `If-None-Match` gets 304 without a body.")
  void a_reader_that_has_the_answer_gets_none() {
    String path = store("{\"event_type\":\"a.b\",\"payload\":{}}").header("location");
    String tag = get(path).header("etag");

    Answer again = get(path, "If-None-Match", tag);

    assertThat(again.status()).isEqualTo(304);
    assertThat(again.header("etag")).isEqualTo(tag);
    assertThat(again.response().body()).isEmpty();
    assertThat(get(path + "/payload").header("etag")).isNotEqualTo(tag).isNotEmpty();
    assertThat(get(path + "/payload", "If-None-Match", tag).status()).isEqualTo(200);
    assertThat(get(path, "If-None-Match", "\"another\"").status()).isEqualTo(200);
    String payloadTag = get(path + "/payload").header("etag");
    assertThat(get(path + "/payload", "If-None-Match", payloadTag).status()).isEqualTo(304);
  }

  @ParameterizedTest
  @CsvSource({
    "00000000-0000-0000-0000-000000000000",
    "01A1FF6D-0000-7000-8000-000000000000",
    "1-1-1-1-1",
    "x",
    "%00",
    "%F0%9F%98%80",
    "..%2F..%2Fme",
    "00000000-0000-0000-0000-000000000000%231",
    "a OR 1=1",
    "00000000-0000-0000-0000-00000000000000000000000000000000000000",
  })
  @Promise("So does an id that is not a UUID in lower case; `detail` then says so.")
  void an_id_that_no_event_has_is_not_found(String id) {
    for (String path : new String[] {"", "/payload"}) {
      Answer answer = get(EVENTS + "/" + id.replace(" ", "%20") + path);

      assertThat(answer.status()).isEqualTo(404);
      assertThat(answer.code()).isEqualTo("not_found");
    }
  }

  private static Answer store(String body, String... headers) {
    Answer created = service.client().post(EVENTS, body, with(connector, headers));
    assertThat(created.status()).as(created.body().toString()).isEqualTo(201);
    return created;
  }

  private static Answer get(String path, String... headers) {
    return service.client().send("GET", path, BodyPublishers.noBody(), with(consumer, headers));
  }

  private static String[] with(String token, String... headers) {
    return Stream.concat(Stream.of("Authorization", "Bearer " + token), Stream.of(headers))
        .toArray(String[]::new);
  }

  /** Letters that gzip shrinks to a little more than half. */
  private static String noise(int characters) {
    return new Random(characters)
        .ints(characters, 'a', 'a' + 16)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }
}
