package dev.connectorevents.functions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.connectorevents.functions.createevent.CreateEventFunction;
import dev.connectorevents.functions.login.LoginFunction;
import dev.connectorevents.functions.manageusers.ManageUsersFunction;
import dev.connectorevents.functions.me.MeFunction;
import dev.connectorevents.functions.refresh.RefreshFunction;
import dev.connectorevents.functions.rotatesigningkey.RotateSigningKeyFunction;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WiringTest {

  private static final Map<String, Function<Map<String, String>, Object>> FUNCTIONS =
      Map.of(
          "login", LoginFunction::new,
          "refresh", RefreshFunction::new,
          "me", MeFunction::new,
          "createevent", CreateEventFunction::new,
          "manageusers", ManageUsersFunction::new,
          "rotatesigningkey", RotateSigningKeyFunction::new);

  private static final Map<String, String> COMPLETE =
      Map.of(
          "USERS_TABLE", "users",
          "LOGIN_ATTEMPTS_TABLE", "attempts",
          "EVENTS_TABLE", "events",
          "EVENT_RETENTION_DAYS", "0",
          "SIGNING_KEY_SECRET_ARN", "arn",
          "TOKEN_ISSUER", "issuer",
          "TOKEN_LIFETIME_SECONDS", "3600",
          "SESSION_LIFETIME_DAYS", "7",
          "BCRYPT_COST", "12",
          "KEY_ROTATION_DAYS", "30");

  @BeforeEach
  void chooseARegion() {
    System.setProperty("aws.region", "us-east-1");
  }

  @AfterEach
  void forgetTheRegion() {
    System.clearProperty("aws.region");
  }

  @ParameterizedTest
  @CsvSource({
    "login, USERS_TABLE LOGIN_ATTEMPTS_TABLE SIGNING_KEY_SECRET_ARN TOKEN_ISSUER"
        + " TOKEN_LIFETIME_SECONDS BCRYPT_COST",
    "refresh, USERS_TABLE SIGNING_KEY_SECRET_ARN TOKEN_ISSUER TOKEN_LIFETIME_SECONDS"
        + " SESSION_LIFETIME_DAYS",
    "me, USERS_TABLE SIGNING_KEY_SECRET_ARN TOKEN_ISSUER",
    "createevent, USERS_TABLE SIGNING_KEY_SECRET_ARN TOKEN_ISSUER EVENTS_TABLE EVENT_RETENTION_DAYS",
    "manageusers, USERS_TABLE SIGNING_KEY_SECRET_ARN TOKEN_ISSUER BCRYPT_COST"
        + " KEY_ROTATION_DAYS",
    "rotatesigningkey, SIGNING_KEY_SECRET_ARN",
  })
  void a_function_starts_with_its_variables_and_names_the_one_that_is_missing(
      String function, String variables) {
    Map<String, String> environment = new HashMap<>(COMPLETE);
    environment.keySet().retainAll(java.util.List.of(variables.split(" ", -1)));
    assertThat(start(function, environment)).isNotNull();

    for (String variable : variables.split(" ", -1)) {
      Map<String, String> incomplete = new HashMap<>(environment);
      incomplete.remove(variable);
      assertThatIllegalStateException()
          .isThrownBy(() -> start(function, incomplete))
          .withMessage("the environment variable " + variable + " is not set");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "login, TOKEN_LIFETIME_SECONDS",
    "login, BCRYPT_COST",
    "refresh, SESSION_LIFETIME_DAYS",
    "manageusers, KEY_ROTATION_DAYS"
  })
  void a_number_that_is_none_is_named(String function, String variable) {
    Map<String, String> environment = new HashMap<>(COMPLETE);
    environment.put(variable, "soon");

    assertThatIllegalStateException()
        .isThrownBy(() -> start(function, environment))
        .withMessage("the environment variable " + variable + " is no whole number");
  }

  private static Object start(String function, Map<String, String> environment) {
    Function<Map<String, String>, Object> start = FUNCTIONS.get(function);
    if (start == null) {
      throw new IllegalArgumentException(function);
    }
    return start.apply(environment);
  }
}
