package dev.connectorevents.acceptance.oracle;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * A step of a walk. Its numbers choose among what exists when the step is made, so it has a meaning
 * whatever steps are left out before it.
 *
 * @param who chooses a user or a token
 * @param what chooses an event, or a value
 * @param how chooses a variant
 */
record Step(Move move, int who, int what, int how, Trouble trouble) {

  /**
   * The kinds of steps, and at which calls they may be in trouble. A batch may be at its {@code
   * INSERT}s only: of its other writes, which run side by side, chance would choose the first one.
   */
  enum Move {
    LOGIN(8, "UsersTable", "LoginAttemptsTable", "AWSCURRENT"),
    GUESS(1, "LoginAttemptsTable"),
    REFRESH(5, "UsersTable", "AWSCURRENT"),
    OUTSTAY(2),
    ME(7, "UsersTable", "AWSCURRENT"),
    POST(26, "EventsTable", "EventsTable", "UsersTable", "AWSCURRENT"),
    RETRY(26, "EventsTable", "EventsTable", "UsersTable"),
    POST_WRONG(3),
    BATCH(14, "BatchExecuteStatement", "BatchExecuteStatement", "UsersTable"),
    MISSING(8, "EventsTable", "UsersTable"),
    READ(16, "EventsTable", "UsersTable", "AWSCURRENT"),
    NUMBER(12, "FeedTable"),
    LIST(12, "EventsTable", "FeedTable", "UsersTable"),
    ERASE(7, "EventsTable", "ErasuresTable"),
    CREATE(2),
    DISABLE(4, "UsersTable"),
    ENABLE(4, "UsersTable"),
    RESET_PASSWORD(2, "UsersTable"),
    REVOKE_TOKENS(4, "UsersTable"),
    SET_ROLE(2, "UsersTable"),
    SET_SCOPE(7, "UsersTable"),
    DELETE(1, "UsersTable"),
    ISSUE_STATIC_TOKEN(5, "UsersTable", "AWSCURRENT"),
    ROTATE(3),
    PASS(12),
    KILL(1);

    /** How often the move is drawn, compared with others. */
    private final int weight;

    @SuppressWarnings("ImmutableEnumChecker") // it is immutable
    private final List<String> places;

    Move(int weight, String... places) {
      this.weight = weight;
      this.places = List.of(places);
    }
  }

  /** Draws steps. In every 200 or so, each move comes as often as its weight says. */
  static List<Step> draw(long seed, int number) {
    Random random = new Random(seed);
    List<Move> moves = new ArrayList<>();
    while (moves.size() < number) {
      moves.addAll(shuffled(random));
    }
    return moves.stream().limit(number).map(move -> draw(move, random)).toList();
  }

  private static List<Move> shuffled(Random random) {
    List<Move> moves = new ArrayList<>();
    for (Move move : Move.values()) {
      moves.addAll(Collections.nCopies(move.weight, move));
    }
    Collections.shuffle(moves, random);
    return moves;
  }

  private static Step draw(Move move, Random random) {
    int who = random.nextInt(1_000);
    int what = random.nextInt(1_000);
    int how = random.nextInt(1_000);
    return new Step(move, who, what, how, Trouble.draw(random, move.places));
  }

  /** Chooses one of these. */
  static <T> T any(int number, List<T> all) {
    return all.get(number % all.size());
  }

  @Override
  public String toString() {
    return "%s %d %d %d%s".formatted(move, who, what, how, trouble);
  }
}
