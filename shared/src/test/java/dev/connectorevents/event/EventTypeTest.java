package dev.connectorevents.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.connectorevents.Promise;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventTypeTest {

  @ParameterizedTest
  @CsvSource({
    "shopify.orders/create, shopify, orders/create",
    "github.push, github, push",
    "stripe.charge.succeeded, stripe, charge.succeeded",
    "adyen.balancePlatform.accountHolder.created, adyen, balancePlatform.accountHolder.created",
    "my_crm-2.Brand:Updated/v1/a_b-c, my_crm-2, Brand:Updated/v1/a_b-c",
    "7.., 7, .",
    "a.b#1, a, b#1",
    "a.b=1, a, b=1",
    "a.b  c, a, b  c",
    "a.b c/d e, a, b c/d e",
    "a.-, a, -",
    "a.+, a, +",
    "a.%C3%A9, a, %C3%A9",
    "'a.!#$%&''()+-.0:;<=>?@A[]^_`a{|}~', a, '!#$%&''()+-.0:;<=>?@A[]^_`a{|}~'",
  })
  @Promise("`<provider>.<topic>`, at most 255 characters.")
  void an_event_type_is_a_provider_a_dot_and_a_topic(String text, String provider, String topic) {
    assertThat(EventType.parse(text))
        .hasValueSatisfying(type -> {
          assertThat(type.provider()).isEqualTo(provider);
          assertThat(type.topic()).isEqualTo(topic);
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".",
        "shopify",
        "shopify.",
        ".orders",
        "Shopify.orders",
        "-shopify.orders",
        "_shopify.orders",
        "sho pify.orders",
        "shopify.orders/",
        "shopify./orders",
        "shopify.orders//create",
        "shopify/orders.create",
        " shopify.orders",
        "shopify. orders",
        "shopify.orders ",
        "shopify. ",
        "shopify.orders /create",
        "shopify.orders/ create",
        "shopify.orders/ /create",
        "shopify.orders*",
        "shopify.*",
        "shopify.orders,customers",
        "shopify.\"orders\"",
        "shopify.orders\\create",
        "shopify.orders\ncreate",
        "shopify.orders\n",
        "shopify.orders\tcreate",
        "shopify.\0",
        "shopify.\u007f",
        "shopify.\u00a0",
        "shopify.örders",
        "shopify.\ud83d\ude00",
        "shopify.\ud800",
        "shöpify.orders",
      })
  @Promise("The provider ends at the first dot")
  void anything_else_is_refused(String text) {
    assertThat(EventType.parse(text)).isEmpty();
    assertThatIllegalArgumentException().isThrownBy(() -> new EventType(text));
  }

  @Test
  @Promise("`<provider>.<topic>`, at most 255 characters.")
  void an_event_type_has_at_most_255_characters() {
    assertThat(EventType.parse("a." + "b".repeat(253))).isPresent();
    assertThat(EventType.parse("a." + "b".repeat(254))).isEmpty();
    assertThat(EventType.parse("a.b" + " /c".repeat(84))).isEmpty();
    assertThat(EventType.parse("a.b" + "/c".repeat(126))).isPresent();
  }
}
