package dev.connectorevents.acceptance.oracle;

import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.user.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The contract as a program: which replies are allowed to the next request, given all earlier
 * answers. A reply is a status and a code, such as {@code 401 revoked_token}. This class judges who
 * may do something at all; {@link SessionRules}, {@link EventRules}, {@link ReadRules}, {@link
 * ListRules} and {@link OperatorRules} judge the rest.
 */
final class Oracle {

  static final String OK = "200";
  static final String UNAVAILABLE = "503 temporarily_unavailable";
  static final String REVOKED = "401 revoked_token";
  static final String FORBIDDEN = "403 forbidden";

  /** How long 503 may go on after a read of the signing keys has failed. */
  private static final Duration PAUSE = Duration.ofSeconds(5);

  private static final Duration CLOCK_SKEW = Duration.ofSeconds(30);

  /** A token that passes its own checks. It is no reply. */
  private static final String VALID = "valid";

  /**
   * A request of a user.
   *
   * @param role the role that the route is for
   * @param lags whether the route may go by a standing that changed less than 5 s ago
   * @param mayUse whether a user with this standing may use what the request is about
   * @param outside the reply if not
   * @param inside the allowed replies if so
   */
  record Ask(
      KnownToken token,
      Optional<Role> role,
      boolean lags,
      Predicate<Standing> mayUse,
      String outside,
      Set<String> inside) {}

  private final Supplier<Instant> clock;
  private final Deque<Begun> steps = new ArrayDeque<>();
  private Instant mayFailUntil = Instant.MIN;
  private int requests;

  final KnownKeys keys = new KnownKeys();
  final List<KnownUser> users = new ArrayList<>();
  final List<KnownToken> tokens = new ArrayList<>();
  final List<Slot> slots = new ArrayList<>();

  /** When the stream was to be numbered, and whether all of it was. */
  private final NavigableMap<Instant, Boolean> numberings = new TreeMap<>();

  /** What an answer has shown at a position of the feed. */
  final Map<Long, String> positions = new HashMap<>();

  /** The largest {@code head} of an answer. */
  long head;

  /** A step that has begun: the last one is made now, a call of each other one waits. */
  private static final class Begun {

    final Instant at;
    final Trouble trouble;
    final Hold hold;
    final SortedSet<String> seen = new TreeSet<>();
    List<Slot> about = List.of();

    Begun(Instant at, Trouble trouble, Hold hold) {
      this.at = at;
      this.trouble = trouble;
      this.hold = hold;
    }
  }

  Oracle(Supplier<Instant> clock) {
    this.clock = clock;
  }

  Instant now() {
    return clock.get();
  }

  /** A step begins. Its calls to AWS may fail. */
  void begin(Trouble trouble, Hold hold) {
    mayGoOnFailing();
    steps.push(new Begun(now(), trouble, hold));
  }

  /** The current step ends. Returns its replies. */
  Set<String> end() {
    mayGoOnFailing();
    return steps.pop().seen;
  }

  private Begun current() {
    return steps.getFirst();
  }

  /** When the current step has begun: its request, if the step stores events. */
  Instant begun() {
    return current().at;
  }

  /** Whether a call of the current step may wait, or has waited, while others were made. */
  boolean isHeld() {
    return !current().hold.isNone();
  }

  /** The earliest time at which the current request may have been judged. */
  private Instant since() {
    return isHeld() ? begun() : now();
  }

  /** Whether no call of a step waits. */
  boolean isAlone() {
    return steps.size() == 1;
  }

  /** The current step is about these. */
  void about(List<Slot> slots) {
    current().about = List.copyOf(slots);
  }

  /**
   * Chooses one of these. If a step waits that is about some of them, it is mostly one of these.
   */
  Slot any(int number, List<Slot> slots) {
    List<Slot> met =
        slots.stream()
            .filter(slot -> steps.stream().skip(1).anyMatch(step -> step.about.contains(slot)))
            .toList();
    return Step.any(number, met.isEmpty() || number % 4 == 0 ? slots : met);
  }

  /** Counts a request. Of two sessions, the one with the smaller number began first. */
  int nextRequest() {
    return ++requests;
  }

  private void mayGoOnFailing() {
    if (!steps.isEmpty() && isTroubled()) {
      mayFailUntil = now().plus(PAUSE);
    }
  }

  /** Whether calls of the current step to AWS may fail. */
  boolean isTroubled() {
    return !current().trouble.isNone();
  }

  /** Whether the service may answer 503: a call to AWS fails now, or has failed a moment ago. */
  private boolean mayFail() {
    return isTroubled() || !now().isAfter(mayFailUntil);
  }

  /**
   * When something may have got its position.
   *
   * @param isSure whether it has one by now
   */
  record Numbering(List<Instant> times, boolean isSure) {}

  void numbering(boolean isWhole) {
    numberings.merge(since(), false, Boolean::logicalOr);
    numberings.merge(now(), isWhole, Boolean::logicalOr);
  }

  /** Of what was stored between these times. */
  Numbering numberingOf(Instant earliest, Instant latest) {
    List<Instant> times = new ArrayList<>();
    for (Map.Entry<Instant, Boolean> each : numberings.tailMap(earliest, true).entrySet()) {
      times.add(each.getKey());
      // What has waited for a numbering may be stored after it, but at the same moment.
      if (each.getValue() && each.getKey().isAfter(latest)) {
        return new Numbering(times, true);
      }
    }
    return new Numbering(times, false);
  }

  static String reply(Answer answer) {
    String code = answer.code().isEmpty() ? "" : " " + answer.code();
    return answer.status()
        + code
        + (answer.header("Idempotency-Replayed").isEmpty() ? "" : " replayed");
  }

  static void require(boolean isAllowed, String otherwise) {
    if (!isAllowed) {
      throw new AssertionError(otherwise);
    }
  }

  /**
   * Fails unless the reply is one of the allowed ones, or a 503 for a reason.
   *
   * @return whether the request had an outcome; false after a 503
   */
  boolean isSettled(String reply, Set<String> allowed) {
    current().seen.add(reply);
    if (reply.equals(UNAVAILABLE)) {
      require(mayFail(), "503 though no call to AWS failed");
      return false;
    }
    require(allowed.contains(reply), "the reply was %s, allowed: %s".formatted(reply, allowed));
    return true;
  }

  /** As above, for a request with a token. Learns from the reply how the user stands. */
  boolean isSettled(String reply, Ask ask) {
    boolean isSettled = isSettled(reply, allowed(ask));
    if (isSettled && isValid(ask.token) && !lagging(ask).contains(reply)) {
      ask.token.user().learn(each -> replies(each, ask).contains(reply), now());
    }
    return isSettled;
  }

  Set<String> allowed(Ask ask) {
    Set<String> allowed = ofToken(ask.token);
    if (allowed.remove(VALID)) {
      ask.token.user().possible().forEach(each -> allowed.addAll(replies(each, ask)));
      allowed.addAll(lagging(ask));
    }
    return allowed;
  }

  /**
   * The replies by a standing of some seconds ago. What it refuses is read again. If the user is
   * gone by then, or has another role, the refusal by its scope stands.
   */
  private Set<String> lagging(Ask ask) {
    KnownUser user = ask.token.user();
    Set<String> replies = new LinkedHashSet<>();
    user.lagging(since())
        .filter(each -> ask.lags && lets(each, ask))
        .filter(each -> ask.mayUse.test(each) || !user.surely(it -> lets(it, ask)))
        .forEach(each -> replies.addAll(replies(each, ask)));
    return replies;
  }

  private static boolean lets(Standing standing, Ask ask) {
    return standing.admits(ask.token) && ask.role.filter(it -> it != standing.role()).isEmpty();
  }

  private static Set<String> replies(Standing standing, Ask ask) {
    if (!standing.admits(ask.token)) {
      return Set.of(REVOKED);
    }
    if (!lets(standing, ask)) {
      return Set.of(FORBIDDEN);
    }
    return ask.mayUse.test(standing) ? ask.inside : Set.of(ask.outside);
  }

  /** The standings by which the routes for events may judge a user now. */
  Stream<Standing> standings(KnownUser user) {
    return Stream.concat(user.possible(), user.lagging(since()));
  }

  /** Whether this token surely passes all checks but those of its user. */
  boolean isValid(KnownToken token) {
    return ofToken(token).equals(Set.of(VALID));
  }

  private Set<String> ofToken(KnownToken token) {
    if (token.flaw().isPresent()) {
      return new LinkedHashSet<>(Set.of(token.flaw().get()));
    }
    Set<String> replies = ofToken(token, now());
    replies.addAll(ofToken(token, since()));
    return replies;
  }

  private Set<String> ofToken(KnownToken token, Instant now) {
    Set<String> replies = new LinkedHashSet<>();
    if (keys.mayBeGone(token.key(), now)) {
      replies.add("401 invalid_token");
    }
    if (keys.isGone(token.key(), now)) {
      return replies;
    }
    if (now.isAfter(token.expires().minusSeconds(1))) {
      replies.add("401 expired_token");
    }
    if (now.isBefore(token.expires().plus(CLOCK_SKEW).plusSeconds(1))) {
      replies.add(VALID);
    }
    return replies;
  }
}
