package dev.connectorevents.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import dev.connectorevents.Promise;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ProblemTest {

  private static final Request REQUEST = new Request("r-1", "192.0.2.1", Map.of(), "", false);

  @ParameterizedTest
  @EnumSource
  @Promise("A 401 carries a challenge for `WWW-Authenticate` (RFC 6750).")
  void every_problem_is_problem_json_with_its_own_status(ProblemCode code) {
    Response response = Problem.of(REQUEST, code, "Because.");

    assertThat(response.status()).isEqualTo(code.status());
    assertThat(response.headers()).containsEntry("Content-Type", "application/problem+json");
    assertThat(response.headers().containsKey("WWW-Authenticate")).isEqualTo(code.status() == 401);
    assertThat(response.headers().containsKey("Retry-After")).isEqualTo(code.status() == 503);
  }

  @Test
  @Promise("An error is `application/problem+json` (RFC 9457)")
  void a_problem_has_the_members_of_rfc_9457_and_ours() {
    assertThat(Problem.of(REQUEST, ProblemCode.PAYLOAD_TOO_LARGE, "Because.").body())
        .isEqualTo(
            "{\"type\":\"about:blank\",\"title\":\"Content Too Large\",\"status\":413,"
                + "\"detail\":\"Because.\",\"code\":\"payload_too_large\",\"request_id\":\"r-1\"}");
  }

  @Test
  @Promise("each with a JSON Pointer (RFC 6901) and the rule.")
  void faults_are_listed_with_their_pointers() {
    Response response =
        Problem.of(
            REQUEST,
            Reason.invalid(
                List.of(new Fault("/a", "x"), new Fault(Fault.pointer("/b", "c/d~e"), "y"))));

    assertThat(response.body())
        .contains(
            "\"errors\":[{\"pointer\":\"/a\",\"detail\":\"x\"},"
                + "{\"pointer\":\"/b/c~1d~0e\",\"detail\":\"y\"}]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1 | 1 | 1 | has 1 fault. The member errors has the place and the rule of each.
          2 | 2 | 2 | has 2 faults. The member errors has the place and the rule of each.
          2 | 1 | 1 | has 2 faults. The member errors has the place and the rule of the first 1:
          2 | 0 | 0 | has 2 faults. An answer lists at most 100, and this one has as many.
          """)
  void an_answer_lists_the_faults_for_which_it_has_room(
      int faults, int room, int listed, String detail) {
    Reason reason = Reason.invalid("It", Collections.nCopies(faults, new Fault("/a", "x")), room);
    Map<String, Object> body = Problem.body("r-1", reason);

    assertThat(body.get("detail")).asString().startsWith("It " + detail);
    assertThat(body.getOrDefault("errors", List.of())).asInstanceOf(LIST).hasSize(listed);
    assertThat(body.containsKey("errors")).isEqualTo(listed > 0);
  }

  @Test
  void an_answer_stays_small_whatever_was_wrong() {
    String longest = Fault.pointer("/p", "/".repeat(Fault.MAX_NAME));
    String longer = Fault.pointer("/p", "/".repeat(Fault.MAX_NAME + 1));
    List<Fault> faults = Collections.nCopies(100_000, new Fault(longest, "x"));

    String body = Problem.of(REQUEST, Reason.invalid(faults)).body();

    assertThat(longest).isEqualTo("/p/" + "~1".repeat(Fault.MAX_NAME));
    assertThat(longer).isEqualTo("/p");
    assertThat(body).hasSizeLessThan(100_000).contains("has 100000 faults.", "the first 100:");
  }
}
