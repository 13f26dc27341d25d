package dev.connectorevents.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import dev.connectorevents.eventformat.EventRequest;
import dev.connectorevents.json.Body;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FingerprintTest {

  private static final EventType TYPE = new EventType("shopify.orders/create");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // the payload as sent                        | without _meta
        "{}                                           | {}",
        "{\"a\":1}                                    | {\"a\":1}",
        "{\"_meta\":{}}                               | {}",
        "{ \"_meta\" : { } }                          | {}",
        "{\"a\":1,\"_meta\":{\"shop\":\"s\"}}         | {\"a\":1}",
        "{\"a\":1 ,  \"_meta\" : {\"shop\":\"}\"}  }  | {\"a\":1 }",
        "{\"_meta\":{\"shop\":\"s\"},\"a\":1}         | {\"a\":1}",
        "{ \"_meta\":{} , \"a\":1}                    | { \"a\":1}",
        "{\"a\":1,\"_meta\":{},\"b\":2}               | {\"a\":1,\"b\":2}",
        "{\"a\":1, \"_meta\":{} , \"b\":2}            | {\"a\":1, \"b\":2}",
        "{\"a\":{\"_meta\":1},\"\\u005fmeta\":{}}     | {\"a\":{\"_meta\":1}}",
        "{\"é你😀\":\"é\",\"_meta\":{\"é\":\"你\"}}   | {\"é你😀\":\"é\"}",
      })
  @Promise("The service removes the `_meta` member, the whitespace around it")
  void a_retry_may_have_another_meta_or_none(String payload, String withoutMeta) {
    assertThat(cut(payload).withoutMeta()).isEqualTo(withoutMeta);
    assertThat(of(1L, payload)).isEqualTo(of(1L, withoutMeta));
  }

  @Test
  @Promise("The service removes the `_meta` member, the whitespace around it")
  void whitespace_of_every_kind_is_removed_with_the_meta() {
    assertThat(cut("{\"a\":1,\r\n\t\"_meta\"\n:{}\r\n}").withoutMeta()).isEqualTo("{\"a\":1}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"a\":1}       | {\"a\":2}",
        "{\"a\":1}       | {\"a\":1.0}",
        "{\"a\":1}       | {\"a\": 1}",
        "{\"a\":\"é\"}   | {\"a\":\"\\u00e9\"}",
        "{\"a\":1,\"b\":2} | {\"b\":2,\"a\":1}",
        "{\"meta\":{}}   | {}",
        "{\"a\":{\"_meta\":{}}} | {\"a\":{}}",
      })
  @Promise("compares the rest byte for byte.")
  void another_payload_is_another_event(String payload, String other) {
    assertThat(of(1L, payload)).isNotEqualTo(of(1L, other));
  }

  @Test
  @Promise("means the same `event_type`, the same `connector_installation_id`")
  void another_type_or_installation_is_another_event() {
    Fingerprint first = of(1L, "{}");

    assertThat(first).isNotEqualTo(of(2L, "{}")).isNotEqualTo(of(null, "{}"));
    assertThat(first)
        .isNotEqualTo(Fingerprint.of(new EventType("shopify.orders/paid"), 1L, cut("{}")));
  }

  private static Fingerprint of(@Nullable Long installation, String payload) {
    return Fingerprint.of(TYPE, installation, cut(payload));
  }

  private static SentPayload cut(String payload) {
    String text = "{\"before\":[1],\"event_type\":\"a.b\", \"payload\" : " + payload + "}";
    return ((Body.Read<EventRequest>) EventRequest.read(text)).value().payload();
  }
}
