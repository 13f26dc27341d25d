package dev.connectorevents.aws;

import static dev.connectorevents.aws.DependencyUnavailableException.calling;
import static software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure.ALL_OLD;

import dev.connectorevents.event.Events;
import dev.connectorevents.event.StoreOutcome;
import dev.connectorevents.event.Submission;
import dev.connectorevents.event.WebhookEvent;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/**
 * Events in a DynamoDB table, each by one conditional write.
 *
 * <p>The id is fixed before the write. So a write whose answer was lost and which the SDK tries
 * again, as well as a request that a client sends again, find the first one in their place.
 */
public final class DynamoEvents implements Events {

  private final DynamoDbClient dynamoDb;
  private final String table;

  public DynamoEvents(DynamoDbClient dynamoDb, String table) {
    this.dynamoDb = dynamoDb;
    this.table = table;
  }

  @Override
  public StoreOutcome store(Submission submission) {
    Item item = EventItem.of(submission);
    long bytes = ItemSize.of(item);
    if (bytes > ItemSize.LIMIT) {
      return new StoreOutcome.TooLarge(bytes, ItemSize.LIMIT);
    }
    try {
      calling(
          "PutItem on events",
          () ->
              dynamoDb.putItem(put ->
                  put.tableName(table)
                      .item(item.attributes())
                      .conditionExpression("attribute_not_exists(id)")
                      .returnValuesOnConditionCheckFailure(ALL_OLD)));
      return new StoreOutcome.Stored(submission.event());
    } catch (ConditionalCheckFailedException e) {
      return alreadyThere(submission, new Item(e.item()));
    }
  }

  private static StoreOutcome alreadyThere(Submission submission, Item old) {
    if (!EventItem.fingerprint(old).equals(submission.fingerprint())) {
      return new StoreOutcome.KeyReused();
    }
    WebhookEvent first = EventItem.event(old);
    // What is there is what this call tried to write: the SDK's own second try met its first.
    return first.equals(submission.event())
        ? new StoreOutcome.Stored(first)
        : new StoreOutcome.Replayed(first);
  }
}
