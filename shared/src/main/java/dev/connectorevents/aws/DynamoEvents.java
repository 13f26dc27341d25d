package dev.connectorevents.aws;

import static dev.connectorevents.aws.DependencyUnavailableException.calling;
import static software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure.ALL_OLD;

import dev.connectorevents.event.Events;
import dev.connectorevents.event.StoreOutcome;
import dev.connectorevents.event.Submission;
import dev.connectorevents.event.WebhookEvent;
import java.util.random.RandomGenerator;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/**
 * Events in a DynamoDB table, each by one conditional write.
 *
 * <p>The id is fixed before the write. So a write whose answer was lost and which the SDK tries
 * again, as well as a request that a client sends again, find the first one in their place.
 */
public final class DynamoEvents implements Events {

  /** Enough to tell the writes apart that meet at one id. */
  private static final int NONCE_BYTES = 4;

  private final DynamoDbClient dynamoDb;
  private final String table;
  private final RandomGenerator random;

  public DynamoEvents(DynamoDbClient dynamoDb, String table, RandomGenerator random) {
    this.dynamoDb = dynamoDb;
    this.table = table;
    this.random = random;
  }

  @Override
  public StoreOutcome store(Submission submission) {
    byte[] nonce = nonce();
    Item item = EventItem.of(submission, nonce);
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
      return alreadyThere(submission, new Item(e.item()), nonce);
    }
  }

  private static StoreOutcome alreadyThere(Submission submission, Item there, byte[] nonce) {
    if (!EventItem.fingerprint(there).equals(submission.fingerprint())) {
      return new StoreOutcome.KeyReused();
    }
    WebhookEvent first = EventItem.event(there);
    // The SDK's second try has met its first.
    return EventItem.isWrittenWith(nonce, there)
        ? new StoreOutcome.Stored(first)
        : new StoreOutcome.Replayed(first);
  }

  private byte[] nonce() {
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    return nonce;
  }
}
