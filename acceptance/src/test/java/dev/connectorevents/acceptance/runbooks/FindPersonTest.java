package dev.connectorevents.acceptance.runbooks;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.World;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a search for a person's texts finds, and what not. */
class FindPersonTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  @AutoClose private static final World service = World.start();

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a value                        | zoe@example.com | true  | {"email":"zoe@example.com"}
          a value deep inside            | zoe@example.com | true  | {"data":{"contact":{"email":"zoe@example.com"}}}
          a value in another case        | zoe@example.com | true  | {"email":"Zoe@Example.COM"}
          with a space at its end        | zoe@example.com | true  | {"email":"zoe@example.com "}
          a value of an array            | zoe@example.com | true  | {"to":["ann@example.com","zoe@example.com"]}
          a value of a wrapped body      | zoe@example.com | true  | {"payload":[{"email":"zoe@example.com"}]}
          a value in _meta               | zoe@example.com | true  | {"n":1,"_meta":{"brand_id":"zoe@example.com"}}
          in a sentence                  | zoe@example.com | true  | {"text":"Please write to zoe@example.com."}
          in HTML, in a link             | zoe@example.com | true  | {"html":"<a href=\\"mailto:zoe@example.com\\">"}
          in a URL, as it is             | zoe@example.com | true  | {"url":"https://a.com/?email=zoe@example.com"}
          with an escape of JSON         | zoe@example.com | true  | {"email":"zoe\\u0040example.com"}
          in a JSON text inside a text   | zoe@example.com | true  | {"body":"{\\"email\\":\\"zoe@example.com\\"}"}
          a part of a longer address     | zoe@example.com | true  | {"email":"mary-zoe@example.com.au"}
          with accents, composed or not  | Zoë Müller      | true  | {"name":"ZOE\\u0308 MU\\u0308LLER"}
          with letters that grow         | Hauptstraße 1   | true  | {"address1":"HAUPTSTRASSE 1"}
          a number as a text             | 207119551       | true  | {"customer_id":"207119551"}
          a global id                    | 207119551       | true  | {"customer":"gid://shopify/Customer/207119551"}
          a number                       | 207119551       | false | {"customer":{"id":207119551}}
          the name of a member           | zoe@example.com | false | {"zoe@example.com":{"opened":true}}
          two members                    | zoe@example.com | false | {"local":"zoe","domain":"example.com"}
          percent-encoded                | zoe@example.com | false | {"url":"https://a.com/?email=zoe%40example.com"}
          an entity of HTML              | zoe@example.com | false | {"html":"zoe&#64;example.com"}
          an escape of JSON in a text    | zoe@example.com | false | {"b":"{\\"email\\":\\"zoe\\\\u0040example.com\\"}"}
          Base64                         | zoe@example.com | false | {"raw":"em9lQGV4YW1wbGUuY29t"}
          a hash                         | zoe@example.com | false | {"email_md5":"76cec4168e20ad317a8afb3a81ae3fce"}
          with a space inside            | +49301234567    | false | {"phone":"+49 30 1234567"}
          an alias                       | zoe@example.com | false | {"email":"zoe+shop@example.com"}
          without accents                | Zoe Muller      | false | {"name":"Zoë Müller"}
          """)
  @Promise({
    "**It finds the text in any string value of the payload**",
    "**It does not find** a number, the name of a member"
  })
  void a_search_finds_a_text_in_any_string_value_of_the_payload(
      String where, String text, boolean isFound, String payload) {
    String event = "{\"event_type\":\"a.b\",\"payload\":" + payload + "}"; // with its escapes

    assertThat(matches(event, text)).as(where).isEqualTo(isFound ? 1 : 0);
  }

  @Test
  void a_search_finds_nothing_beside_the_payload() {
    ObjectNode event = JSON.createObjectNode().put("event_type", "a.b");
    event.put("response", "zoe@example.com").putObject("payload");

    assertThat(matches(event.toString(), "zoe@example.com")).isZero();
  }

  /** Stores the event, and searches it for the text. */
  private static int matches(String event, String text) {
    String id =
        service
            .client()
            .post(
                "/api/webhook-events", event, "Authorization", "Bearer " + service.client().token())
            .body()
            .get("id")
            .textValue();
    ObjectNode search = JSON.createObjectNode();
    search.putArray("ids").add(requireNonNull(id));
    search.putArray("where").addObject().put("contains", text);
    return service
        .operator()
        .invoke("FindEventsFunction", search.toString())
        .get("matched")
        .intValue();
  }
}
