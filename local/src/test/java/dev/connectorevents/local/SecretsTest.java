package dev.connectorevents.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecretsTest {

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
          {"password":"hunter                         | {"password•••
          {"a":1,"password":"hunter",}                | {"a":1,"password":"•••",}
          email=a&password=hunter                     | email=a&password•••
          token=abc                                   | token•••
          {"token":"of a shopping cart"}              | {"token":"of a shopping cart"}
          {"a":1}                                     | {"a":1}
          no JSON                                     | no JSON
          """)
  void passwords_and_tokens_are_masked(String text, String masked) {
    assertThat(Secrets.mask(text)).isEqualTo(masked);
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

    assertThat(Secrets.maskHeaders(headers))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("authorization", "Bearer •••", "Cookie", "•••", "x", "•••", "y", "z"));
  }
}
