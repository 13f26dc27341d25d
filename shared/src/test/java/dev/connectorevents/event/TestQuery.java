package dev.connectorevents.event;

import java.time.Instant;
import java.util.Optional;

/** Makes the query of a list; what is not set is as a request without parameters has it. */
public final class TestQuery {

  private Optional<EventTypes> types = Optional.empty();
  private Optional<String> brand = Optional.empty();
  private Optional<Share> share = Optional.empty();
  private EventOrder order = EventOrder.DESC;
  private Optional<Instant> from = Optional.empty();
  private Optional<Instant> to = Optional.empty();
  private boolean hasPayloads;
  private boolean hasErasures;

  /** A list of these event types. */
  public static TestQuery ofTypes(String patterns) {
    TestQuery query = new TestQuery();
    query.types = EventTypes.parse(patterns);
    return query;
  }

  public TestQuery brand(String of) {
    brand = Optional.of(of);
    return this;
  }

  /** A part of the feed. */
  public TestQuery share(int part, int parts) {
    share = Optional.of(new Share(part, parts));
    return order(EventOrder.ASC);
  }

  public TestQuery order(EventOrder as) {
    order = as;
    return this;
  }

  public TestQuery from(Instant time) {
    from = Optional.of(time);
    return this;
  }

  public TestQuery to(Instant time) {
    to = Optional.of(time);
    return this;
  }

  public TestQuery withPayloads() {
    hasPayloads = true;
    return this;
  }

  public TestQuery withErasures() {
    hasErasures = true;
    return this;
  }

  public EventQuery get() {
    return new EventQuery(types, brand, share, order, from, to, hasPayloads, hasErasures);
  }
}
