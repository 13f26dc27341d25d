package dev.connectorevents.functions.refresh;

import dev.connectorevents.access.Caller;
import dev.connectorevents.functions.refresh.RefreshOutcome.NotRefreshable;
import dev.connectorevents.functions.refresh.RefreshOutcome.Refreshed;
import dev.connectorevents.functions.refresh.RefreshOutcome.SessionEnded;
import dev.connectorevents.token.Tokens;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** Issues a new token for a session that has not ended. */
final class Refresh {

  private final Tokens tokens;
  private final Duration tokenLifetime;
  private final Duration sessionLifetime;
  private final Clock clock;

  Refresh(Tokens tokens, Duration tokenLifetime, Duration sessionLifetime, Clock clock) {
    this.tokens = tokens;
    this.tokenLifetime = tokenLifetime;
    this.sessionLifetime = sessionLifetime;
    this.clock = clock;
  }

  RefreshOutcome refresh(Caller caller) {
    Instant authTime = caller.claims().authTime();
    if (authTime == null) {
      return new NotRefreshable();
    }
    if (!clock.instant().isBefore(authTime.plus(sessionLifetime))) {
      return new SessionEnded();
    }
    return new Refreshed(tokens.issue(caller.user(), authTime, tokenLifetime));
  }
}
