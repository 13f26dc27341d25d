package dev.connectorevents.functions.resilience;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.connectorevents.SideBySide;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/** The retries of an SDK client whose calls fail, and the deadline that ends them. */
class RetriesTest {

  private static final Duration LONGEST_CALL = Duration.ofSeconds(3);
  private static final String CANCELED =
      """
      {"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
      "CancellationReasons":[{"Code":"None"},{"Code":"%s"}]}\
      """;

  private static final Map<String, AttributeValue> ITEM = Map.of("id", AttributeValue.fromS("i"));
  private static final TransactGetItem GET =
      TransactGetItem.builder().get(get -> get.tableName("t").key(ITEM)).build();
  private static final TransactWriteItem PUT =
      TransactWriteItem.builder().put(put -> put.tableName("t").item(ITEM)).build();

  /** The upper bounds of the random waits, in milliseconds. */
  private final List<Long> waits = new ArrayList<>();

  private int tries;

  @ParameterizedTest
  @CsvSource({"ThrottlingException, 1000, 2000", "InternalServerError, 50, 100"})
  void a_call_is_tried_three_times_and_the_second_wait_is_up_to_twice_the_first(
      String failure, long first, long second) {
    assertThatThrownBy(() -> read(client(type(failure), Map.of())))
        .isInstanceOf(DynamoDbException.class);

    assertThat(tries).isEqualTo(3);
    assertThat(waits).containsExactly(first, second);
  }

  @ParameterizedTest
  @CsvSource({
    "WRITES, TransactionConflict, 50",
    "WRITES, ThrottlingError, 1000",
    "READS, TransactionConflict, 50",
    "READS, ThrottlingError, 1000",
  })
  void a_canceled_transaction_is_retried_whichever_item_was_the_cause(
      Transaction transaction, String reason, long firstWait) {
    DynamoDbClient client = client(CANCELED.formatted(reason), Map.of());
    assertThatThrownBy(() -> transaction.run(client)).isInstanceOf(DynamoDbException.class);

    assertThat(tries).isEqualTo(3);
    assertThat(waits.getFirst()).isEqualTo(firstWait);
  }

  @Test
  void a_transaction_whose_condition_failed_is_not_retried() {
    DynamoDbClient client = client(CANCELED.formatted("ConditionalCheckFailed"), Map.of());
    assertThatThrownBy(() -> Transaction.WRITES.run(client)).isInstanceOf(DynamoDbException.class);

    assertThat(tries).isEqualTo(1);
  }

  @Test
  @Timeout(30) // the fake DynamoDB asks for a wait of a minute
  void no_wait_passes_the_deadline_and_the_call_fails_with_the_services_error() {
    DynamoDbClient client = client(type("ThrottlingException"), Map.of("Retry-After", "60"));

    assertThatThrownBy(() -> RequestDeadline.within(Duration.ofSeconds(20), () -> read(client)))
        .isInstanceOf(DynamoDbException.class)
        .hasMessageContaining("ThrottlingException");

    assertThat(tries).isEqualTo(1);
  }

  @Test
  void a_retry_that_would_end_after_the_deadline_does_not_begin() {
    assertThatThrownBy(() ->
            RequestDeadline.within(
                Duration.ofSeconds(20),
                () -> read(client(type("ThrottlingException"), Map.of(), 19_000))))
        .isInstanceOf(DynamoDbException.class);

    assertThat(tries).isEqualTo(1);
  }

  @Test
  void a_call_in_another_thread_has_the_deadline_of_its_request() {
    assertThatThrownBy(
            () -> RequestDeadline.within(LONGEST_CALL.dividedBy(2), this::readInAnotherThread))
        .isInstanceOf(SdkClientException.class)
        .hasMessageContaining("no time is left");

    assertThat(tries).isZero();
  }

  @Test
  void a_call_in_another_thread_has_no_deadline_outside_of_a_request() {
    assertThatThrownBy(this::readInAnotherThread).isInstanceOf(DynamoDbException.class);

    assertThat(tries).isEqualTo(3);
  }

  private List<Object> readInAnotherThread() {
    DynamoDbClient client = client(type("ThrottlingException"), Map.of());
    return new SideBySide(RequestDeadline.executor(Thread::startVirtualThread), 1)
        .run(List.of(client), RetriesTest::read);
  }

  private static String type(String failure) {
    return "{\"__type\":\"com.amazonaws.dynamodb.v20120810#%s\",\"message\":\"%s\"}"
        .formatted(failure, failure);
  }

  private static Object read(DynamoDbClient client) {
    return client.getItem(get -> get.tableName("t").key(ITEM));
  }

  /** A transaction of two items; login reads in one. */
  enum Transaction {
    READS,
    WRITES;

    void run(DynamoDbClient client) {
      switch (this) {
        case READS -> client.transactGetItems(read -> read.transactItems(GET, GET));
        case WRITES -> client.transactWriteItems(write -> write.transactItems(PUT, PUT));
      }
    }
  }

  private DynamoDbClient client(String answer, Map<String, String> headers) {
    return client(answer, headers, 0);
  }

  private DynamoDbClient client(String answer, Map<String, String> headers, long wait) {
    RequestDeadline deadline = new RequestDeadline(LONGEST_CALL);
    return DynamoDbClient.builder()
        .region(Region.US_EAST_1)
        .credentialsProvider(AnonymousCredentialsProvider.create())
        .endpointOverride(URI.create("http://127.0.0.1"))
        .httpClient(answering(answer, headers))
        .overrideConfiguration(override ->
            override
                .addExecutionInterceptor(deadline)
                .retryStrategy(new Retries(deadline, new RecordedWaits(waits, wait))))
        .build();
  }

  private static int status(String answer) {
    return answer.contains("InternalServerError") ? 500 : 400;
  }

  private SdkHttpClient answering(String answer, Map<String, String> headers) {
    return new SdkHttpClient() {
      @Override
      public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
        tries++;
        return new ExecutableHttpRequest() {
          @Override
          public HttpExecuteResponse call() {
            SdkHttpResponse.Builder response = SdkHttpResponse.builder().statusCode(status(answer));
            headers.forEach(response::putHeader);
            return HttpExecuteResponse.builder()
                .response(response.build())
                .responseBody(
                    AbortableInputStream.create(new ByteArrayInputStream(answer.getBytes(UTF_8))))
                .build();
          }

          @Override
          public void abort() {}
        };
      }

      @Override
      public void close() {}
    };
  }

  /**
   * A random generator that always chooses the same wait, in milliseconds. Records the upper bounds
   * of the waits.
   */
  private record RecordedWaits(List<Long> bounds, long millis) implements RandomGenerator {
    @Override
    public long nextLong(long bound) {
      bounds.add(bound);
      return millis;
    }

    @Override
    public long nextLong() {
      return millis;
    }
  }
}
