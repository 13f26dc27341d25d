package dev.connectorevents.acceptance.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.user.Role;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;

/** Makes the calls of operators, and lets the oracle judge the answers. */
final class Operators {

  private static final int ADDRESSES = 7;
  private static final int STATIC_TOKEN_DAYS = 2;

  private final World world;
  private final Oracle oracle;
  private final OperatorRules rules;
  private int passwords;

  Operators(World world, Oracle oracle, SessionRules sessions) {
    this.world = world;
    this.oracle = oracle;
    rules = new OperatorRules(oracle, sessions);
  }

  Optional<KnownUser> holder(String email) {
    return rules.holder(email);
  }

  void begin() {
    String token = world.client().token();
    oracle.keys.rotated(SessionRules.keyId(token), oracle.now());
    for (Role role : List.of(Role.CONNECTOR, Role.CONNECTOR, Role.CONNECTOR, Role.CONSUMER)) {
      create(email(oracle.users.size()), role, Reach.UNLIMITED);
    }
    create(email(oracle.users.size()), Role.CONSUMER, Reach.SHOPIFY);
  }

  private static String email(int number) {
    return "user" + number % ADDRESSES + "@example.com";
  }

  /** A consumer without a scope, whom no step has changed. */
  KnownUser newConsumer() {
    create("reader@example.com", Role.CONSUMER, Reach.UNLIMITED);
    return oracle.users.getLast();
  }

  void manage(Step step) {
    KnownUser user = Step.any(step.who(), oracle.users);
    KnownUser current = rules.holder(user.email).orElseThrow();
    switch (step.move()) {
      case CREATE ->
          create(email(step.who()), Step.any(step.how(), ROLES), Step.any(step.what(), Reach.ALL));
      case DISABLE -> change(current, "disable", member(), it -> it.active(false), true);
      case ENABLE -> change(current, "enable", member(), it -> it.active(true), false);
      case RESET_PASSWORD -> {
        String password = password();
        ObjectNode members = member().put("password", password);
        change(current, "reset-password", members, it -> it.password(password), true);
      }
      case REVOKE_TOKENS ->
          change(current, "revoke-tokens", member(), UnaryOperator.identity(), true);
      case SET_ROLE -> {
        Role role = Step.any(step.how(), ROLES);
        ObjectNode members = member().put("role", role.text());
        change(current, "set-role", members, it -> it.role(role), true);
      }
      case SET_SCOPE -> {
        Reach reach = Step.any(step.how(), Reach.ALL);
        ObjectNode members = member().putRawValue("event_types", new RawValue(reach.json()));
        change(current, "set-scope", members, it -> it.reach(reach), false);
      }
      case DELETE -> change(current, "delete", member(), Standing::deleted, false);
      case ISSUE_STATIC_TOKEN -> {
        ObjectNode members = member().put("days", STATIC_TOKEN_DAYS);
        JsonNode answer = invoke("issue-static-token", current.email, members);
        rules.issueStaticToken(current, Duration.ofDays(STATIC_TOKEN_DAYS), answer);
      }
      case LOGIN,
          GUESS,
          REFRESH,
          OUTSTAY,
          ME,
          POST,
          RETRY,
          POST_WRONG,
          BATCH,
          MISSING,
          READ,
          LIST,
          ERASE,
          ROTATE,
          NUMBER,
          PASS,
          KILL ->
          throw new IllegalArgumentException("no action: " + step);
    }
  }

  private static final List<Role> ROLES = List.of(Role.values());

  private static ObjectNode member() {
    return JsonNodeFactory.instance.objectNode();
  }

  private String password() {
    return "password number " + passwords++;
  }

  private void create(String email, Role role, Reach reach) {
    String password = password();
    ObjectNode members = member().put("role", role.text()).put("password", password);
    members.putRawValue("event_types", new RawValue(reach.json()));
    rules.create(
        email,
        new Standing(true, true, role, reach, password, 0),
        invoke("create", email, members));
  }

  private void change(
      KnownUser user,
      String action,
      ObjectNode members,
      UnaryOperator<Standing> change,
      boolean endsSessions) {
    rules.change(user, change, endsSessions, invoke(action, user.email, members));
  }

  private JsonNode invoke(String action, String email, ObjectNode members) {
    members.put("action", action).put("email", email);
    return world.operator().invoke("ManageUsersFunction", members.toString());
  }

  /** Rotates the signing key. No call to AWS fails meanwhile. */
  void rotate() {
    try (SecretsManagerClient secrets = world.settings().secretsManagerClient()) {
      String id = world.operator().rotate(secrets);
      oracle.keys.rotated(id, oracle.now());
    }
  }
}
