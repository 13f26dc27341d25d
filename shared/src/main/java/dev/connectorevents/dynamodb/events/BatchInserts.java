package dev.connectorevents.dynamodb.events;

import static dev.connectorevents.dynamodb.Calls.call;
import static java.util.stream.Collectors.joining;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.dynamodb.Item;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchExecuteStatementResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementResponse;

/**
 * Inserts several items into a table with one call, by PartiQL. Each {@code INSERT} succeeds or
 * fails by itself; it fails if the item exists.
 *
 * @see <a
 *     href="https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-reference.insert.html">
 *     PartiQL insert statements for DynamoDB</a>
 */
final class BatchInserts {

  private final DynamoDbClient dynamoDb;
  private final String table;

  BatchInserts(DynamoDbClient dynamoDb, String table) {
    this.dynamoDb = dynamoDb;
    this.table = table;
  }

  /**
   * The most items in a call (DynamoDB API Reference, <a
   * href="https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchExecuteStatement.html">
   * BatchExecuteStatement</a>).
   */
  static final int MOST_ITEMS = 25;

  /** The most bytes of items in a call. Our choice: one try of a call has 2.5 s. */
  static final long MOST_BYTES = 4 * 1024 * 1024;

  /**
   * Makes the call.
   *
   * @param items with different ids
   * @return an answer for each item, in their order
   * @throws AwsServiceException if DynamoDB finds the call invalid; it has then inserted nothing
   * @throws DependencyUnavailableException if the call fails for any other reason
   */
  List<BatchStatementResponse> insert(List<Item> items) {
    List<BatchStatementRequest> statements = items.stream().map(this::statement).toList();
    BatchExecuteStatementResponse answer =
        call(
            "BatchExecuteStatement on events",
            () -> dynamoDb.batchExecuteStatement(batch -> batch.statements(statements)));
    if (answer.responses().size() < items.size()) {
      throw new DependencyUnavailableException(
          "BatchExecuteStatement on events returns too little");
    }
    return answer.responses();
  }

  /** Its text depends on the names of the attributes only. What a sender wrote is a parameter. */
  private BatchStatementRequest statement(Item item) {
    Map<String, AttributeValue> attributes = new TreeMap<>(item.attributes());
    String members =
        attributes.keySet().stream().map(name -> "'" + name + "': ?").collect(joining(", "));
    return BatchStatementRequest.builder()
        .statement("INSERT INTO \"" + table + "\" VALUE {" + members + "}")
        .parameters(attributes.values())
        .build();
  }
}
