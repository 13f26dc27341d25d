package dev.connectorevents.acceptance.oracle;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The failed logins of one source: ten for an address in 15 minutes are too many. */
final class Attempts {

  private static final int MOST = 10;
  private static final int MOST_OF_A_SOURCE = 100;
  private static final Duration WINDOW = Duration.ofMinutes(15);

  /**
   * A failed login.
   *
   * @param isSure false if it may not count, or twice, since a call to AWS failed meanwhile
   */
  private record Failure(Instant at, boolean isSure) {}

  private final Map<String, List<Failure>> failures = new HashMap<>();
  private int all;

  void failed(String email, Instant now, boolean isSure) {
    failures.computeIfAbsent(email, any -> new ArrayList<>()).add(new Failure(now, isSure));
    all += isSure ? 1 : 2;
  }

  void succeeded(String email, boolean isSure) {
    if (isSure) {
      failures.remove(email);
    } else {
      failures.computeIfPresent(
          email, (any, list) -> new ArrayList<>(list.stream().map(Attempts::unsure).toList()));
    }
  }

  private static Failure unsure(Failure failure) {
    return new Failure(failure.at, false);
  }

  /** Whether the next login must wait. */
  boolean areTooMany(String email, Instant now) {
    return of(email).stream()
            .filter(each -> each.isSure && now.isBefore(each.at.plus(WINDOW).minusSeconds(1)))
            .count()
        >= MOST;
  }

  /** Whether the next login may have to wait. */
  boolean mayBeTooMany(String email, Instant now) {
    List<Failure> here = of(email);
    int most = here.stream().mapToInt(each -> each.isSure ? 1 : 2).sum();
    return all >= MOST_OF_A_SOURCE
        || (most >= MOST && !now.isAfter(here.getLast().at.plus(WINDOW).plusSeconds(1)));
  }

  private List<Failure> of(String email) {
    return failures.getOrDefault(email, List.of());
  }
}
