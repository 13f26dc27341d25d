package dev.connectorevents.acceptance.oracle;

import dev.connectorevents.acceptance.service.World;
import java.time.Duration;
import java.util.List;

/** Makes the steps of a walk. */
final class Walker {

  private static final List<Duration> PASSING =
      List.of(
          Duration.ofSeconds(1),
          Duration.ofSeconds(4),
          Duration.ofSeconds(6),
          Duration.ofSeconds(6),
          Duration.ofSeconds(20),
          Duration.ofSeconds(61),
          Duration.ofSeconds(61),
          Duration.ofSeconds(310),
          Duration.ofSeconds(310),
          Duration.ofMinutes(16),
          Duration.ofHours(1),
          Duration.ofHours(9),
          Duration.ofDays(1));

  private final World world;
  private final Oracle oracle;
  private final Operators operators;
  private final Sessions sessions;
  private final Connectors connectors;
  private final Consumers consumers;

  Walker(World world, Oracle oracle) {
    this.world = world;
    this.oracle = oracle;
    SessionRules rules = new SessionRules(oracle);
    operators = new Operators(world, oracle, rules);
    sessions = new Sessions(world, oracle, rules, operators);
    connectors = new Connectors(world, oracle, sessions);
    consumers = new Consumers(world, oracle, sessions, operators);
  }

  /** Creates the first users: the steps would have nobody else to begin with. */
  void begin() {
    operators.begin();
  }

  /** Lets the schedule find out what the feed holds, if hours have passed. */
  void beat() {
    if (consumers.isBeatDue()) {
      consumers.beat();
    }
  }

  /** Reads all events, as a new consumer, and looks for what is left of erased ones. */
  void end() {
    consumers.readAll();
    consumers.inspectParts();
  }

  /** Lists all events of each brand, as a new consumer. */
  void listBrands() {
    consumers.listBrands();
  }

  void make(Step step) {
    switch (step.move()) {
      case LOGIN -> sessions.login(step);
      case GUESS -> sessions.guess(step);
      case REFRESH -> sessions.refresh(step);
      case OUTSTAY -> sessions.outstay(step);
      case ME -> sessions.me(step);
      case POST -> connectors.post(step);
      case RETRY -> connectors.retry(step);
      case POST_WRONG -> connectors.postWrong(step);
      case BATCH -> connectors.batch(step);
      case MISSING -> connectors.missing(step);
      case READ -> consumers.read(step);
      case NUMBER -> consumers.number();
      case LIST -> consumers.list(step);
      case ERASE -> consumers.erase(step);
      case CREATE,
          DISABLE,
          ENABLE,
          RESET_PASSWORD,
          REVOKE_TOKENS,
          SET_ROLE,
          SET_SCOPE,
          DELETE,
          ISSUE_STATIC_TOKEN ->
          operators.manage(step);
      case ROTATE -> operators.rotate();
      case PASS -> world.clock().pass(Step.any(step.how(), PASSING));
      case KILL -> {
        if (oracle.isAlone()) { // to kill the service waits until its calls have ended
          world.kill();
        }
      }
    }
  }
}
