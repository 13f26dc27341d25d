package dev.connectorevents.functions.resilience;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A wrong clock is noted if it is certain that it is wrong by more than two seconds. */
class ClockCheckTest {

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      textBlock =
          """
          # sent,       received,      Date of the answer,              noted
          12:00:00.000, 12:00:00.010, "Fri, 20 Nov 2026 12:00:00 GMT",
          12:00:03.000, 12:00:03.010, "Fri, 20 Nov 2026 12:00:00 GMT",
          12:00:03.001, 12:00:03.010, "Fri, 20 Nov 2026 12:00:00 GMT",  2001
          11:59:57.000, 11:59:58.000, "Fri, 20 Nov 2026 12:00:00 GMT",
          11:59:57.000, 11:59:57.999, "Fri, 20 Nov 2026 12:00:00 GMT", -2001
          11:59:30.000, 12:00:30.000, "Fri, 20 Nov 2026 12:00:00 GMT",
          13:00:00.000, 13:00:00.010, "2026-11-20T12:00:00Z",
          13:00:00.000, 13:00:00.010, ,
          """)
  void a_clock_that_is_wrong_for_certain_is_noted(
      String sent, String received, @Nullable String date, @Nullable Long noted) {
    TimeNotes notes = new TimeNotes();

    call(date, List.of(sent, received), notes);

    assertThat(notes.members().get("clock_skew_ms")).isEqualTo(noted);
  }

  @ParameterizedTest
  @CsvSource({"12:00:05.000, 11:59:55.000, -5000", "12:00:06.000, 11:59:55.000, 5000"})
  void of_several_differences_the_worst_is_noted(String fast, String slow, long noted) {
    TimeNotes notes = new TimeNotes();

    for (String time : List.of(fast, slow, "12:00:00.000")) {
      call("Fri, 20 Nov 2026 12:00:00 GMT", List.of(time, time), notes);
    }

    assertThat(notes.members()).isEqualTo(Map.of("clock_skew_ms", noted, "times_off", 1L));
  }

  private static void call(@Nullable String date, List<String> times, TimeNotes notes) {
    Queue<String> clock = new ArrayDeque<>(times);
    try (DynamoDbClient client =
        DynamoDbClient.builder()
            .region(Region.US_EAST_1)
            .credentialsProvider(AnonymousCredentialsProvider.create())
            .endpointOverride(URI.create("http://127.0.0.1"))
            .httpClient(new Answering(date))
            .overrideConfiguration(override ->
                override.addExecutionInterceptor(
                    new ClockCheck(() -> Instant.parse("2026-11-20T" + clock.remove() + "Z"))))
            .build()) {
      Map<String, AttributeValue> key = Map.of("id", AttributeValue.fromS("i"));
      RequestDeadline.within(
          Duration.ofHours(1), notes, () -> client.getItem(get -> get.tableName("t").key(key)));
    }
  }

  /** Answers every call, with this {@code Date} if it is not null. */
  private record Answering(@Nullable String date) implements SdkHttpClient {

    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
      return new ExecutableHttpRequest() {
        @Override
        public HttpExecuteResponse call() {
          SdkHttpResponse.Builder response = SdkHttpResponse.builder().statusCode(200);
          if (date != null) {
            response.putHeader("Date", date);
          }
          return HttpExecuteResponse.builder()
              .response(response.build())
              .responseBody(
                  AbortableInputStream.create(new ByteArrayInputStream("{}".getBytes(UTF_8))))
              .build();
        }

        @Override
        public void abort() {}
      };
    }

    @Override
    public void close() {}
  }
}
