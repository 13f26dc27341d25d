package dev.connectorevents.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.connectorevents.DependencyUnavailableException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;
import software.amazon.awssdk.services.dynamodb.model.TransactionInProgressException;

class TransactionsTest {

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          # reasons,                                       retried, throttled, an answer
          TransactionConflict,                               true,    false,     false
          None TransactionConflict,                          true,    false,     false
          None None TransactionConflict,                     true,    false,     false
          ThrottlingError None,                              true,    true,      false
          None ProvisionedThroughputExceeded,                true,    true,      false
          TransactionConflict ThrottlingError,               true,    true,      false
          ConditionalCheckFailed,                            false,   false,     true
          ConditionalCheckFailed None,                       false,   false,     true
          None ConditionalCheckFailed,                       false,   false,     true
          ConditionalCheckFailed TransactionConflict,        false,   false,     true
          ThrottlingError ConditionalCheckFailed,            false,   false,     true
          None ItemCollectionSizeLimitExceeded,              false,   false,     false
          None,                                              false,   false,     false
          '',                                                false,   false,     false
          """)
  void a_canceled_transaction_is_retried_if_that_may_help(
      String reasons, boolean isRetried, boolean isThrottled, boolean isAnswer) {
    TransactionCanceledException canceled = canceled(reasons);

    assertThat(Transactions.isRetryable(canceled)).isEqualTo(isRetried);
    assertThat(Transactions.isThrottled(canceled)).isEqualTo(isThrottled);
    assertThatThrownBy(() ->
            Calls.call(
                "call",
                () -> {
                  throw canceled;
                }))
        .isInstanceOf(
            isAnswer ? TransactionCanceledException.class : DependencyUnavailableException.class);
  }

  @Test
  void a_write_that_conflicts_with_another_one_is_retried() {
    assertThat(Transactions.isRetryable(TransactionConflictException.builder().build())).isTrue();
    assertThat(Transactions.isRetryable(TransactionInProgressException.builder().build())).isTrue();
    assertThat(Transactions.isRetryable(new IllegalStateException())).isFalse();
  }

  @Test
  void a_canceled_transaction_without_reasons_is_not_retried() {
    TransactionCanceledException canceled = TransactionCanceledException.builder().build();

    assertThat(Transactions.failedCondition(canceled)).isEmpty();
    assertThat(Transactions.isRetryable(canceled)).isFalse();
  }

  private static TransactionCanceledException canceled(String codes) {
    List<CancellationReason> reasons =
        Stream.of(codes.split(" ", -1))
            .filter(code -> !code.isEmpty())
            .map(code -> CancellationReason.builder().code(code).build())
            .toList();
    return TransactionCanceledException.builder().cancellationReasons(reasons).build();
  }
}
