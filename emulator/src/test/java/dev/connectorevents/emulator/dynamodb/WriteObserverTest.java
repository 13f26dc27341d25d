package dev.connectorevents.emulator.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.emulator.dynamodb.WriteObserver.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.InterceptorContext;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;

class WriteObserverTest {

  private static final Map<String, AttributeValue> ITEM = Map.of("id", AttributeValue.fromS("a"));

  private static final TransactWriteItem PUT =
      TransactWriteItem.builder().put(put -> put.tableName("Events").item(ITEM)).build();

  private static final TransactWriteItem DELETE =
      TransactWriteItem.builder().delete(delete -> delete.tableName("Events").key(ITEM)).build();

  @Test
  void a_transaction_of_puts_is_one_write() {
    assertThat(writes(PUT, PUT)).containsExactly(new Write(List.of(ITEM, ITEM), true));
  }

  @Test
  void a_transaction_that_deletes_is_left_out() {
    assertThat(writes(PUT, DELETE)).isEmpty();
  }

  private static List<Write> writes(TransactWriteItem... items) {
    List<Write> writes = new ArrayList<>();
    InterceptorContext done =
        InterceptorContext.builder()
            .request(TransactWriteItemsRequest.builder().transactItems(items).build())
            .response(TransactWriteItemsResponse.builder().build())
            .build();
    WriteObserver.record(
        writes::add,
        () -> {
          new WriteObserver().afterExecution(done, new ExecutionAttributes());
          return null;
        });
    return writes;
  }
}
