package dev.connectorevents.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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
  })
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
        "shopify.orders create",
        "shopify.orders\n",
        "shopify.örders",
        "shopify.orders?x",
        "shopify.orders#1",
        "shopify/orders.create",
        " shopify.orders",
        "shopify.\0"
      })
  void anything_else_is_refused(String text) {
    assertThat(EventType.parse(text)).isEmpty();
    assertThatIllegalArgumentException().isThrownBy(() -> new EventType(text));
  }

  @Test
  void an_event_type_has_at_most_255_characters() {
    assertThat(EventType.parse("a." + "b".repeat(253))).isPresent();
    assertThat(EventType.parse("a." + "b".repeat(254))).isEmpty();
  }
}
