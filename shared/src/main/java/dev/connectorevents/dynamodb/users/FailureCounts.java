package dev.connectorevents.dynamodb.users;

import static dev.connectorevents.dynamodb.Calls.call;
import static dev.connectorevents.user.LoginAttempts.FAMILIAR;
import static dev.connectorevents.user.LoginAttempts.WINDOW;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.dynamodb.Item;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;

/**
 * The counts of failed logins in a DynamoDB table, one item each.
 *
 * <p>{@code failures} is the count, which is valid until {@code ends_at}. A successful login sets
 * {@code familiar_until}. {@code expires_at} is the table's time to live, and never before the
 * other two. All times are seconds since the epoch.
 *
 * <p>Every update has a condition on the count. So concurrent guesses get no more answers than
 * guesses one after the other.
 */
final class FailureCounts {

  private final DynamoDbClient dynamoDb;
  private final String table;
  private final InstantSource clock;

  FailureCounts(DynamoDbClient dynamoDb, String table, InstantSource clock) {
    this.dynamoDb = dynamoDb;
    this.table = table;
    this.clock = clock;
  }

  /**
   * A count, compared with its limit.
   *
   * @param toWait how long the limit forbids further tries; empty if it allows one now
   * @param isFamiliar whether a login has succeeded within {@link
   *     dev.connectorevents.user.LoginAttempts#FAMILIAR}
   */
  record Count(Optional<Duration> toWait, boolean isFamiliar) {}

  /** Reads a count. */
  Count read(String id, int max) {
    Item item =
        new Item(
            call(
                "GetItem on login attempts",
                () ->
                    dynamoDb
                        .getItem(get ->
                            get.tableName(table).key(Map.of("id", fromS(id))).consistentRead(true))
                        .item()));
    return new Count(toWait(item, max), isFamiliar(item));
  }

  /** Adds a failure; adds none if the limit is reached. */
  Count add(String id, int max) {
    Map<String, Number> values = new HashMap<>(oneMore());
    values.put(":max", max);
    try {
      return added(
          update(
              id,
              "SET ends_at = :end, expires_at = :later ADD failures :one",
              "attribute_not_exists(failures) OR (ends_at > :now AND failures < :max)",
              values));
    } catch (ConditionalCheckFailedException e) {
      Optional<Duration> toWait = toWait(new Item(e.item()), max);
      return toWait.isPresent() ? new Count(toWait, false) : startAnew(id, max);
    }
  }

  /** The old count has expired, but DynamoDB has not deleted it yet. */
  private Count startAnew(String id, int max) {
    try {
      return added(
          update(
              id,
              "SET ends_at = :end, expires_at = :later, failures = :one",
              "ends_at <= :now",
              oneMore()));
    } catch (ConditionalCheckFailedException e) {
      return add(id, max); // another request has restarted the count
    }
  }

  /** The values of an update that counts a failure. */
  private Map<String, Number> oneMore() {
    long now = now();
    return Map.of(
        ":now",
        now,
        ":end",
        now + WINDOW.toSeconds(),
        ":later",
        now + FAMILIAR.toSeconds(),
        ":one",
        1);
  }

  /** The failure that reaches the limit is still allowed. */
  private Count added(Item item) {
    return new Count(Optional.empty(), isFamiliar(item));
  }

  /**
   * Clears a count, and makes it familiar.
   *
   * @return how long to wait if the limit is reached; then nothing was cleared
   */
  Optional<Duration> clear(String id, int max) {
    long now = now();
    try {
      update(
          id,
          "SET familiar_until = :until, expires_at = :until REMOVE failures, ends_at",
          "attribute_not_exists(failures) OR ends_at <= :now OR failures < :max",
          Map.of(":until", now + FAMILIAR.toSeconds(), ":now", now, ":max", max));
      return Optional.empty();
    } catch (ConditionalCheckFailedException e) {
      return toWait(new Item(e.item()), max);
    }
  }

  private boolean isFamiliar(Item item) {
    return item.number("familiar_until", 0) > now();
  }

  private Optional<Duration> toWait(Item item, int max) {
    long seconds = item.number("ends_at", 0) - now();
    return seconds > 0 && item.number("failures", 0) >= max
        ? Optional.of(Duration.ofSeconds(seconds))
        : Optional.empty();
  }

  private Item update(String id, String change, String condition, Map<String, Number> values) {
    Item numbers = new Item();
    values.forEach(numbers::put);
    return new Item(
        call(
            "UpdateItem on login attempts",
            () ->
                dynamoDb
                    .updateItem(update ->
                        update
                            .tableName(table)
                            .key(Map.of("id", fromS(id)))
                            .updateExpression(change)
                            .conditionExpression(condition)
                            .expressionAttributeValues(numbers.attributes())
                            .returnValues(ReturnValue.ALL_NEW)
                            .returnValuesOnConditionCheckFailure(
                                ReturnValuesOnConditionCheckFailure.ALL_OLD))
                    .attributes()));
  }

  private long now() {
    return clock.instant().getEpochSecond();
  }
}
