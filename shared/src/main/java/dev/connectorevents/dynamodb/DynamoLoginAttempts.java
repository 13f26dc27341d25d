package dev.connectorevents.dynamodb;

import static dev.connectorevents.dynamodb.Calls.call;
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
 * Counts failed logins in a DynamoDB table: one item per address and source, one per address, and
 * one per source.
 *
 * <p>{@code failures} is the count, which is valid until {@code ends_at}. A successful login sets
 * {@code familiar_until}. {@code expires_at} is the table's time to live, and never before the
 * other two. All times are seconds since the epoch.
 *
 * <p>Every update has a condition on the count. So concurrent guesses get no more answers than
 * guesses one after the other.
 */
public final class DynamoLoginAttempts implements LoginAttempts {

  private static final String ANY = "";

  private final DynamoDbClient dynamoDb;
  private final String table;
  private final InstantSource clock;

  public DynamoLoginAttempts(DynamoDbClient dynamoDb, String table, InstantSource clock) {
    this.dynamoDb = dynamoDb;
    this.table = table;
    this.clock = clock;
  }

  @Override
  public Optional<Duration> toWait(Email email, String source) {
    Item here = read(key(email.value(), source));
    Optional<Duration> toWait = toWait(here, MAX_FAILURES);
    if (toWait.isPresent() || isFamiliar(here)) {
      return toWait;
    }
    return toWait(read(key(email.value(), ANY)), MAX_FAILURES_AT_ADDRESS)
        .or(() -> toWait(read(key(ANY, source)), MAX_FAILURES_FROM_SOURCE));
  }

  @Override
  public Optional<Duration> failed(Email email, String source) {
    Counted here = count(key(email.value(), source), MAX_FAILURES);
    if (here.toWait().isPresent() || here.isFamiliar()) {
      return here.toWait();
    }
    Counted atAddress = count(key(email.value(), ANY), MAX_FAILURES_AT_ADDRESS);
    Counted fromSource = count(key(ANY, source), MAX_FAILURES_FROM_SOURCE);
    return atAddress.toWait().or(fromSource::toWait);
  }

  @Override
  public Optional<Duration> succeeded(Email email, String source) {
    Optional<Duration> toWait = toWait(email, source);
    return toWait.isPresent() ? toWait : clear(email, source);
  }

  private Optional<Duration> clear(Email email, String source) {
    long now = now();
    try {
      update(
          key(email.value(), source),
          "SET familiar_until = :until, expires_at = :until REMOVE failures, ends_at",
          "attribute_not_exists(failures) OR ends_at <= :now OR failures < :max",
          Map.of(":until", now + FAMILIAR.toSeconds(), ":now", now, ":max", MAX_FAILURES));
      return Optional.empty();
    } catch (ConditionalCheckFailedException e) {
      return toWait(new Item(e.item()), MAX_FAILURES);
    }
  }

  private record Counted(Optional<Duration> toWait, boolean isFamiliar) {}

  private Counted count(String id, int max) {
    long now = now();
    try {
      return counted(
          update(
              id,
              "SET ends_at = :end, expires_at = :later ADD failures :one",
              "attribute_not_exists(failures) OR (ends_at > :now AND failures < :max)",
              Map.of(
                  ":now",
                  now,
                  ":end",
                  now + WINDOW.toSeconds(),
                  ":later",
                  now + FAMILIAR.toSeconds(),
                  ":one",
                  1,
                  ":max",
                  max)));
    } catch (ConditionalCheckFailedException e) {
      Optional<Duration> toWait = toWait(new Item(e.item()), max);
      return toWait.isPresent() ? new Counted(toWait, false) : startAnew(id, max);
    }
  }

  /** The old count has expired, but DynamoDB has not deleted it yet. */
  private Counted startAnew(String id, int max) {
    long now = now();
    try {
      return counted(
          update(
              id,
              "SET ends_at = :end, expires_at = :later, failures = :one",
              "ends_at <= :now",
              Map.of(
                  ":now",
                  now,
                  ":end",
                  now + WINDOW.toSeconds(),
                  ":later",
                  now + FAMILIAR.toSeconds(),
                  ":one",
                  1)));
    } catch (ConditionalCheckFailedException e) {
      return count(id, max); // another request has restarted the count
    }
  }

  private Counted counted(Item item) {
    return new Counted(Optional.empty(), isFamiliar(item));
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

  private Item read(String id) {
    return new Item(
        call(
            "GetItem on login attempts",
            () ->
                dynamoDb
                    .getItem(get ->
                        get.tableName(table).key(Map.of("id", fromS(id))).consistentRead(true))
                    .item()));
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

  /** A hash, so that the table does not show who tried, and keys are short. */
  private static String key(String email, String source) {
    return HexFormat.of().formatHex(Sha256.of((email + "\n" + source).getBytes(UTF_8)));
  }
}
