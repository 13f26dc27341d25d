package dev.connectorevents.access;

import dev.connectorevents.event.EventType;
import dev.connectorevents.event.EventTypes;
import dev.connectorevents.http.ProblemCode;
import dev.connectorevents.http.Reason;
import dev.connectorevents.token.Claims;
import dev.connectorevents.user.User;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The user who sent a request, and the claims of its token; {@link Guard} has checked both. It
 * serves one thread.
 */
public final class Caller {

  private final Claims claims;
  private final Supplier<Optional<User>> current;

  private User user;
  private boolean isCurrent;

  /**
   * @param user perhaps a cached state
   * @param current reads the user's current state; empty if the guard would refuse it
   */
  Caller(User user, Claims claims, Supplier<Optional<User>> current) {
    this.user = user;
    this.claims = claims;
    this.current = current;
  }

  public User user() {
    return user;
  }

  public Claims claims() {
    return claims;
  }

  /** Whether the user's scope contains events of this type. */
  public boolean mayUse(EventType type) {
    return may(it -> it.mayUse(type));
  }

  /** Whether the user's scope contains every event, also one whose type nobody knows any more. */
  public boolean mayUseAll() {
    return may(User::mayUseAll);
  }

  /** The event types that the user may use; empty: all. */
  public Optional<EventTypes> scope() {
    return mayUseAll() ? Optional.empty() : Optional.ofNullable(user.scope());
  }

  /** Why none of these event types is for the user: a 403. */
  public Reason outOfScope(EventTypes types) {
    return outOfScope("No event type among them matches " + types.text() + ".");
  }

  /** Why {@link #mayUse} refused this type: a 403. */
  public Reason outOfScope(EventType type) {
    return outOfScope("The event type %s is not among them.".formatted(type.value()));
  }

  private Reason outOfScope(String what) {
    List<String> scope = Objects.requireNonNull(user.scope()).values();
    return new Reason(
        ProblemCode.FORBIDDEN,
        "The user's event types are %s. %s".formatted(String.join(", ", scope), what));
  }

  /**
   * A cached state that would refuse does not suffice: once per request, reads the current one.
   * Otherwise a wider scope would not count until the cache expires.
   */
  private boolean may(Predicate<User> use) {
    if (!use.test(user) && !isCurrent) {
      user = current.get().orElse(user);
      isCurrent = true;
    }
    return use.test(user);
  }
}
