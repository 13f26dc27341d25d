package dev.connectorevents.functions.operators.users;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.AdjustableClock;
import dev.connectorevents.Promise;
import dev.connectorevents.functions.TestService;
import dev.connectorevents.token.CheckedToken;
import dev.connectorevents.user.UserState;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A revocation ends all earlier sessions, and the next login succeeds. */
class RevocationTest {

  private final ManagingOperator operator = new ManagingOperator();

  @Test
  @Promise("Lets the user log in again.")
  void a_disabled_user_is_enabled_again_without_its_old_sessions() {
    assertThat(operator.act("disable", ManagingOperator.ADDRESS).at("/user/state").textValue())
        .isEqualTo("disabled");
    assertThat(operator.user(ManagingOperator.ADDRESS).state()).isEqualTo(UserState.DISABLED);

    assertThat(operator.act("enable", ManagingOperator.ADDRESS).at("/user/state").textValue())
        .isEqualTo("active");
    assertThat(operator.user(ManagingOperator.ADDRESS).tokensValidFrom())
        .isAfter(operator.service.clock.instant());
  }

  @ParameterizedTest
  @ValueSource(strings = {"disable", "reset-password", "revoke-tokens"})
  @Promise("Revoking or disabling a user ends its tokens")
  void every_earlier_session_ends_and_a_new_one_lives(String action) {
    for (int i = 0; i < 3; i++) { // three times within one second
      Instant before =
          operator.user(ManagingOperator.ADDRESS).sessionStart(operator.service.clock.instant());

      operator.act(action, ManagingOperator.ADDRESS);

      Instant validFrom = operator.user(ManagingOperator.ADDRESS).tokensValidFrom();
      assertThat(validFrom).isEqualTo(validFrom.truncatedTo(ChronoUnit.SECONDS));
      assertThat(before).isBefore(validFrom);
      assertThat(
              operator
                  .user(ManagingOperator.ADDRESS)
                  .sessionStart(operator.service.clock.instant()))
          .isEqualTo(validFrom);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"disable", "reset-password", "revoke-tokens"})
  void a_login_right_after_many_revocations_succeeds(String action) {
    String before = operator.login();

    for (int i = 0; i < 30; i++) {
      operator.act(action, ManagingOperator.ADDRESS);
    }

    operator.act("enable", ManagingOperator.ADDRESS);
    assertThat(operator.isLive(before)).isFalse();
    assertThat(operator.isLive(operator.login())).isTrue();
    assertThat(
            operator.isLive(
                operator
                    .act("issue-static-token", ManagingOperator.ADDRESS)
                    .at("/token/access_token")
                    .textValue()))
        .isTrue();
  }

  @Test
  @Promise("The user's tokens were revoked several times within seconds.")
  void a_revocation_ends_the_earlier_sessions_or_says_that_it_does_not() {
    int refused = 0;
    for (int i = 0; i < 30; i++) {
      String before = operator.login();

      JsonNode answer = operator.act("revoke-tokens", ManagingOperator.ADDRESS);

      refused += answer.path("code").asText().equals("too_many_attempts") ? 1 : 0;
      assertThat(operator.isLive(before)).isEqualTo(answer.has("code"));
    }
    assertThat(refused).isEqualTo(24);

    operator.service.clock.advance(Duration.ofSeconds(1));
    assertThat(operator.act("revoke-tokens", ManagingOperator.ADDRESS).has("user")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"disable", "reset-password", "revoke-tokens"})
  void a_slow_revocation_also_ends_logins_that_read_the_user_just_before(String action) {
    AdjustableClock clock = operator.service.clock;
    for (int seconds = 0; seconds < 30; seconds++) {
      Duration slow = Duration.ofSeconds(seconds);
      AtomicInteger writes = new AtomicInteger();
      // Only the first write is slow: if all were slow, the function would reach its deadline.
      operator.service.users.beforeUpdate(
          () -> clock.advance(writes.getAndIncrement() == 0 ? slow : Duration.ZERO));

      operator.act(action, ManagingOperator.ADDRESS);

      Instant latestBefore = clock.instant().plus(ManageUsers.MAX_CLOCK_DIFFERENCE);
      assertThat(latestBefore).isBefore(operator.user(ManagingOperator.ADDRESS).tokensValidFrom());
      assertThat(writes.get()).isLessThanOrEqualTo(2);
    }
  }

  @Test
  void a_slow_change_that_cannot_be_repeated_does_not_claim_that_nothing_was_changed() {
    operator.service.users.beforeUpdate(() -> {
      operator.service.clock.advance(Duration.ofSeconds(9));
      operator.service.users.beforeUpdate(() -> {
        operator.service.users.beforeUpdate(() -> {});
        for (int i = 0; i < 30; i++) {
          operator.act("revoke-tokens", ManagingOperator.ADDRESS);
        }
      });
    });

    JsonNode answer = operator.act("reset-password", ManagingOperator.ADDRESS);

    assertThat(answer.path("code").asText()).isEqualTo("temporarily_unavailable");
  }

  @Test
  void a_revocation_ends_a_static_token_whose_user_was_read_before_it() {
    operator.service.keys.beforeRead(() -> {
      operator.service.clock.advance(Duration.ofSeconds(11));
      operator.service.keys.beforeRead(() -> {});
    });
    Instant before = operator.service.clock.instant();

    String token =
        operator
            .act("issue-static-token", ManagingOperator.ADDRESS)
            .at("/token/access_token")
            .textValue();

    assertThat(operator.service.tokens.check(token))
        .isInstanceOfSatisfying(
            CheckedToken.Valid.class,
            valid -> assertThat(valid.claims().sessionStart()).isBeforeOrEqualTo(before));
  }

  /**
   * A forged token may have an {@code auth_time} up to 30 s ahead. So docs/operating.md tells the
   * operator to wait one more minute before the revocation.
   */
  @Test
  void a_session_that_a_leaked_key_dates_ahead_ends_with_a_revocation_a_minute_later() {
    Instant ahead = operator.service.clock.instant().plusSeconds(29);
    String forged =
        operator
            .service
            .tokens
            .issue(operator.user(ManagingOperator.ADDRESS), ahead, TestService.HOUR)
            .value();

    operator.act("revoke-tokens", ManagingOperator.ADDRESS);
    assertThat(operator.isLive(forged)).isTrue();

    operator.service.clock.advance(Duration.ofMinutes(1));
    operator.act("revoke-tokens", ManagingOperator.ADDRESS);
    assertThat(operator.isLive(forged)).isFalse();
  }
}
