package dev.connectorevents.dynamodb.users;

import dev.connectorevents.dynamodb.users.FailureCounts.Count;
import dev.connectorevents.event.Sha256;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.LoginAttempts;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Limits failed logins by their counts in a DynamoDB table: one per e-mail address and source, one
 * per e-mail address, and one per source (an IP address).
 */
public final class DynamoLoginAttempts implements LoginAttempts {

  private static final String ANY = "";

  private final FailureCounts counts;

  public DynamoLoginAttempts(DynamoDbClient dynamoDb, String table, InstantSource clock) {
    this.counts = new FailureCounts(dynamoDb, table, clock);
  }

  @Override
  public Optional<Duration> toWait(Email email, String source) {
    Count here = counts.read(key(email.value(), source), MAX_FAILURES);
    if (here.toWait().isPresent() || here.isFamiliar()) {
      return here.toWait();
    }
    Count atAddress = counts.read(key(email.value(), ANY), MAX_FAILURES_AT_ADDRESS);
    return atAddress
        .toWait()
        .or(() -> counts.read(key(ANY, source), MAX_FAILURES_FROM_SOURCE).toWait());
  }

  @Override
  public Optional<Duration> failed(Email email, String source) {
    Count here = counts.add(key(email.value(), source), MAX_FAILURES);
    if (here.toWait().isPresent() || here.isFamiliar()) {
      return here.toWait();
    }
    Count atAddress = counts.add(key(email.value(), ANY), MAX_FAILURES_AT_ADDRESS);
    Count fromSource = counts.add(key(ANY, source), MAX_FAILURES_FROM_SOURCE);
    return atAddress.toWait().or(fromSource::toWait);
  }

  @Override
  public Optional<Duration> succeeded(Email email, String source) {
    Optional<Duration> toWait = toWait(email, source);
    return toWait.isPresent() ? toWait : counts.clear(key(email.value(), source), MAX_FAILURES);
  }

  /** A hash, so that the table does not show who tried, and keys are short. */
  static String key(String email, String source) {
    return Sha256.hex(email + "\n" + source);
  }
}
