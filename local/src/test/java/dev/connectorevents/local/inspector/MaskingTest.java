package dev.connectorevents.local.inspector;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MaskingTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"email":"a@b.c", "password" : "hun\\"ter"} | {"email":"a@b.c", "password" : "•••"}
          {"Password":12345}                          | {"Password":"•••"}
          {"pass\\u0077ord":"hunter"}                 | {"pass\\u0077ord":"•••"}
          {"password":["hunter",{"a":"hunter"}],"b":1} | {"password":"•••","b":1}
          {"payload":{"a":{"access_token":"abc"}}}    | {"payload":{"a":{"access_token":"•••"}}}
          {"a":"eyJhbGciOiJI.eyJzdWIi.c2ln"}          | {"a":"•••"}
          {"password":"hunter                         | {"passw•••
          {"a":1,"password":"hunter",}                | {"a":1,"passw•••
          "{\\"password\\":\\"hunter\\"}"             | "{\\"passw•••
          {"password ":"hunter"}                      | {"password ":"•••"}
          email=a&password=hunter                     | email=a&passw•••
          token=abc                                   | token•••
          {"token":"of a shopping cart"}              | {"token":"of a shopping cart"}
          {"a":1}                                     | {"a":1}
          no JSON                                     | no JSON
          """)
  void passwords_and_tokens_are_masked(String text, String masked) {
    assertThat(Masking.mask(text)).isEqualTo(masked);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"email":"a@b.c","passwort":"hunter"}    | {"email":"a@b.c","passwort":"•••"}
          {"email":"a@b.c","data":{"pw":"hunter"}} | {"email":"a@b.c","data":"•••"}
          {"email":"a@b.c","pw":"hunter            | •••
          {email:'a',pass:'hunter'}                | •••
          "hunter"                                 | •••
          """)
  void of_a_login_only_the_address_is_kept(String body, String masked) {
    assertThat(Masking.maskBody("/api/auth/login", body)).isEqualTo(masked);
  }

  @Test
  void base64_of_json_takes_no_quadratic_time() {
    String base64 = "eyJpZCI6MCwibmFtZSI6Im9yZGVyIG51bWJlciAwIn0s".repeat(100_000);

    assertThat(Masking.mask(base64)).isEqualTo(base64); // quadratic time would be minutes
  }

  @Test
  void headers_that_authenticate_are_masked() {
    Map<String, String> headers =
        Map.of(
            "authorization",
            "Bearer abc",
            "Cookie",
            "a=b",
            "x",
            "eyJhbGciOiJI.eyJzdWIi.c2ln",
            "y",
            "z");

    assertThat(Masking.maskHeaders(headers))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("authorization", "Bearer •••", "Cookie", "•••", "x", "•••", "y", "z"));
  }
}
