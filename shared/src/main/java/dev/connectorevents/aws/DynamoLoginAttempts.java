package dev.connectorevents.aws;

import static dev.connectorevents.aws.DependencyUnavailableException.calling;
import static java.nio.charset.StandardCharsets.UTF_8;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.event.Sha256;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.LoginAttempts;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;

/**
 * Login attempts in a DynamoDB table: an item for each address and source, one for each address.
 *
 * <p>{@code failures} counts up to {@code ends_at}, in seconds since the epoch. One conditional
 * update counts and checks at once, so that a burst cannot slip through between the two.
 */
public final class DynamoLoginAttempts implements LoginAttempts {

  private final DynamoDbClient dynamoDb;
  private final String table;
  private final InstantSource clock;

  public DynamoLoginAttempts(DynamoDbClient dynamoDb, String table, InstantSource clock) {
    this.dynamoDb = dynamoDb;
    this.table = table;
    this.clock = clock;
  }

  @Override
  public Optional<Duration> begin(Email email, String source) {
    Counted bySource = count(key(email, source), MAX_PER_SOURCE);
    return bySource.toWait().isPresent() || bySource.isFamiliar()
        ? bySource.toWait()
        : count(key(email), MAX_PER_ADDRESS).toWait();
  }

  @Override
  public void succeeded(Email email, String source) {
    long until = now() + FAMILIAR.toSeconds();
    Item familiar =
        new Item()
            .put("id", key(email, source))
            .put("familiar_until", until)
            .put("expires_at", until);
    calling(
        "PutItem on login attempts",
        () -> dynamoDb.putItem(put -> put.tableName(table).item(familiar.attributes())));
  }

  private record Counted(Optional<Duration> toWait, boolean isFamiliar) {}

  private Counted count(String id, int max) {
    long now = now();
    try {
      return counted(
          update(
              id,
              "SET ends_at = :end, expires_at = if_not_exists(familiar_until, :end)"
                  + " ADD failures :one",
              "attribute_not_exists(failures) OR (ends_at > :now AND failures < :max)",
              Map.of(":now", now, ":end", now + WINDOW.toSeconds(), ":one", 1, ":max", max)));
    } catch (ConditionalCheckFailedException e) {
      long endsAt = new Item(e.item()).number("ends_at");
      return endsAt > now
          ? new Counted(Optional.of(Duration.ofSeconds(endsAt - now)), false)
          : startAnew(id, max);
    }
  }

  /** The old count is over, though DynamoDB has not deleted it yet. */
  private Counted startAnew(String id, int max) {
    long now = now();
    try {
      return counted(
          update(
              id,
              "SET ends_at = :end, expires_at = if_not_exists(familiar_until, :end),"
                  + " failures = :one",
              "ends_at <= :now",
              Map.of(":now", now, ":end", now + WINDOW.toSeconds(), ":one", 1)));
    } catch (ConditionalCheckFailedException e) {
      return count(id, max); // somebody else was faster, and the count runs again
    }
  }

  private Counted counted(Item item) {
    Long familiarUntil = item.optional("familiar_until", Long::valueOf);
    return new Counted(Optional.empty(), familiarUntil != null && familiarUntil > now());
  }

  private Item update(String id, String change, String condition, Map<String, Number> values) {
    Item numbers = new Item();
    values.forEach(numbers::put);
    return new Item(
        calling(
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

  /** Hashed: the table says nothing of who tried, and a key stays short. */
  private static String key(Email email, String... source) {
    String name = email.value() + "\n" + String.join("\n", source);
    return HexFormat.of().formatHex(Sha256.of(name.getBytes(UTF_8)));
  }
}
