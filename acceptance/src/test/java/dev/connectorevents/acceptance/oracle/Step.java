package dev.connectorevents.acceptance.oracle;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/**
 * A step of a walk. Its numbers choose among what exists when the step is made, so it has a meaning
 * whatever steps are left out before it.
 *
 * @param who chooses a user or a token
 * @param what chooses an event, or a value
 * @param how chooses a variant
 * @param hold of its calls to AWS; a step with trouble has none
 */
record Step(Move move, int who, int what, int how, Trouble trouble, Hold hold) {

  /** The kinds of steps, and at which calls they may be in trouble. */
  enum Move {
    LOGIN(8, "UsersTable", "LoginAttemptsTable", "AWSCURRENT"),
    GUESS(1, "LoginAttemptsTable"),
    REFRESH(5, "UsersTable", "AWSCURRENT"),
    OUTSTAY(2),
    ME(7, "UsersTable", "AWSCURRENT"),
    POST(26, Hold.OF_AN_EVENT, "EventsTable", "EventsTable", "UsersTable", "AWSCURRENT"),
    RETRY(26, Hold.OF_AN_EVENT, "EventsTable", "EventsTable", "UsersTable"),
    POST_WRONG(3),
    BATCH(14, Hold.OF_AN_EVENT, "EventsTable", "PutItem EventsTable", "UsersTable"),
    MISSING(8, "EventsTable", "UsersTable"),
    READ(16, Hold.OF_A_READ, "EventsTable", "UsersTable", "AWSCURRENT"),
    NUMBER(12, Hold.OF_A_NUMBERING, "FeedTable"),
    LIST(12, "EventsTable", "FeedTable", "UsersTable"),
    ERASE(7, Hold.OF_AN_ERASURE, "EventsTable", "ErasuresTable"),
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
    private final List<String> held;

    @SuppressWarnings("ImmutableEnumChecker") // it is immutable
    private final List<String> places;

    Move(int weight, String... places) {
      this(weight, List.of(), places);
    }

    Move(int weight, List<String> held, String... places) {
      this.weight = weight;
      this.held = held;
      this.places = List.of(places);
    }
  }

  /** What is mostly made while a call waits: it changes or shows what that call is about. */
  private static final List<Move> MEANWHILE =
      List.of(Move.RETRY, Move.RETRY, Move.BATCH, Move.READ, Move.ERASE, Move.ERASE, Move.LIST);

  /**
   * Draws steps. In every 200 or so, each move comes as often as its weight says, besides those
   * that are made while a call waits.
   */
  static List<Step> draw(long seed, int number) {
    Random random = new Random(seed);
    Deque<Move> moves = new ArrayDeque<>();
    List<Step> steps = new ArrayList<>();
    int meanwhile = 0;
    while (steps.size() < number) {
      if (moves.isEmpty()) {
        moves.addAll(shuffled(random));
      }
      boolean isMeanwhile = meanwhile > 0 && random.nextInt(4) > 0;
      Step step = draw(isMeanwhile ? any(random.nextInt(100), MEANWHILE) : moves.remove(), random);
      steps.add(step);
      meanwhile = step.hold.isNone() ? meanwhile - 1 : step.hold.steps();
    }
    return steps;
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
    Trouble trouble = Trouble.draw(random, move.places, move == Move.BATCH);
    Hold hold = trouble.isNone() ? Hold.draw(random, move.held) : Hold.NONE;
    return new Step(move, who, what, how, trouble, hold);
  }

  /** Chooses one of these. */
  static <T> T any(int number, List<T> all) {
    return all.get(number % all.size());
  }

  @Override
  public String toString() {
    return "%s %d %d %d%s%s".formatted(move, who, what, how, trouble, hold);
  }
}
