package dev.connectorevents.acceptance.runbooks;

import java.util.ArrayList;
import java.util.List;

/**
 * Payloads of Shopify's topics that lead to a person, as far as they do: with the ids, and with
 * nothing else by which an erasure could find them.
 */
final class ShopifyPayloads {

  /** Topics and a payload; words in capitals stand for what belongs to a {@link Person}. */
  private static final String OF_TOPICS =
      """
      orders/create orders/updated orders/paid orders/fulfilled orders/partially_fulfilled orders/cancelled \
      orders/link_requested \
        | {"id":ORDER,"cart_token":"CART","customer":null,"shipping_address":{"name":"NAME"}}
      orders/create | {"id":1,"email":null,"customer":{"id":CUSTOMER,"first_name":"NAME"}}
      orders/create | {"id":2,"email":"ADDRESS","customer":null}
      orders/create | {"id":3,"contact_email":"ADDRESS","customer":null}
      orders/create | {"id":18,"email":null,"contact_email":null,"phone":"PHONE","customer":null}
      orders/delete | {"id":ORDER}
      orders/edited | {"order_edit":{"id":4,"order_id":ORDER,"staff_note":"for NAME"}}
      orders/risk_assessment_changed | {"risk_level":"high","order_id":ORDER}
      orders/shopify_protect_eligibility_changed | {"order_id":ORDER,"status":"active"}
      fulfillments/create fulfillments/update \
        | {"id":5,"order_id":ORDER,"email":null,"destination":{"name":"NAME","phone":"555"}}
      fulfillment_events/create fulfillment_events/delete | {"id":6,"address1":"NAME","order_id":ORDER}
      refunds/create | {"id":7,"order_id":ORDER,"note":"NAME","transactions":[{"order_id":ORDER}]}
      order_transactions/create \
        | {"id":8,"order_id":ORDER,"payment_details":{"credit_card_name":"NAME"}}
      tender_transactions/create disputes/create disputes/update | {"id":9,"order_id":ORDER}
      subscription_billing_attempts/success subscription_billing_attempts/failure \
      subscription_billing_attempts/challenged \
        | {"id":null,"order_id":ORDER,"subscription_contract_id":19,"error_message":"NAME"}
      returns/cancel returns/close returns/reopen | {"id":10,"order_id":ORDER}
      returns/request returns/approve returns/decline \
        | {"id":11,"order":{"id":ORDER},"decline":{"note":"NAME called"}}
      draft_orders/create | {"id":12,"email":null,"order_id":null,"customer":{"id":CUSTOMER}}
      draft_orders/update | {"id":12,"customer":null,"order_id":ORDER,"note":"NAME"}
      draft_orders/create | {"id":13,"email":"ADDRESS","customer":null}
      draft_orders/create \
        | {"id":20,"email":null,"customer":null,"shipping_address":{"name":"NAME","phone":"PHONE"}}
      draft_orders/update \
        | {"id":21,"email":null,"customer":null,"billing_address":{"name":"NAME","phone":"PHONE"}}
      checkouts/create | {"token":"x","cart_token":null,"email":null,"customer":{"id":CUSTOMER}}
      checkouts/update | {"token":"x","cart_token":null,"email":"ADDRESS","customer":null}
      checkouts/update | {"token":"x","cart_token":"CART","shipping_address":{"name":"NAME"}}
      checkouts/create | {"token":"x","cart_token":null,"email":null,"phone":"PHONE"}
      checkouts/update | {"token":"x","cart_token":null,"email":null,"sms_marketing_phone":"PHONE"}
      checkouts/delete | {"id":22,"cart_token":"y","sms_marketing_phone":"PHONE"}
      checkouts/delete | {"id":14,"cart_token":"CART"}
      carts/create carts/update | {"id":"CART","token":"CART","note":"for NAME"}
      customers/create customers/update customers/enable customers/disable \
        | {"id":CUSTOMER,"email":null,"first_name":"NAME"}
      customers/delete | {"id":CUSTOMER,"tax_exemptions":[]}
      customers_marketing_consent/update | {"id":CUSTOMER,"phone":"555"}
      customers_email_marketing_consent/update | {"customer_id":CUSTOMER,"email_address":null}
      customers_email_marketing_consent/update | {"customer_id":null,"email_address":"ADDRESS"}
      customers_whats_app_marketing_consent/update | {"customer_id":CUSTOMER,"phone_number":"555"}
      customers_whats_app_marketing_consent/update | {"customer_id":null,"phone_number":"PHONE"}
      customer_payment_methods/create customer_payment_methods/update customer_payment_methods/revoke \
        | {"token":"x","customer_id":CUSTOMER,"payment_instrument":{"name":"NAME"}}
      subscription_contracts/create subscription_contracts/update subscription_contracts/activate \
      subscription_contracts/cancel subscription_contracts/expire subscription_contracts/fail \
      subscription_contracts/pause | {"id":15,"customer_id":CUSTOMER,"origin_order_id":16}
      customer.joined_segment customer.left_segment | {"shop_id":"gid://shopify/Shop/1","customer_id":"GID"}
      customer.tags_added customer.tags_removed | {"customerId":"GID","tags":["NAME"]}
      customers/purchasing_summary | {"customerId":"GID","numberOfOrders":1}
      customers/merge | {"admin_graphql_api_customer_kept_id":"GID","errors":[{"message":"NAME"}]}
      customers/merge \
        | {"admin_graphql_api_customer_kept_id":"x","admin_graphql_api_customer_deleted_id":"GID"}
      company_contacts/create company_contacts/update company_contacts/delete \
        | {"customer_admin_graphql_api_id":"GID","title":"Buyer"}
      company_contact_roles/assign company_contact_roles/revoke \
        | {"company_contact":{"customer_admin_graphql_api_id":"GID","title":"Buyer"}}
      customers/redact \
        | {"shop_id":17,"customer":{"id":CUSTOMER,"phone":"555"},"orders_to_redact":[ORDER]}
      customers/redact | {"shop_id":17,"customer":{"email":"ADDRESS"},"orders_to_redact":[]}
      customers/redact | {"shop_id":17,"customer":{"phone":"PHONE"},"orders_to_redact":[]}
      customers/data_request | {"shop_id":17,"customer":{"id":CUSTOMER},"orders_requested":[ORDER]}
      """;

  private ShopifyPayloads() {}

  /**
   * A customer.
   *
   * @param order one of the orders
   * @param cart the token of the cart of this order
   */
  record Person(
      String name, String customer, String address, String phone, String order, String cart) {

    private String in(String payload) {
      return payload
          .replace("GID", "gid://shopify/Customer/" + customer)
          .replace("CUSTOMER", customer)
          .replace("ADDRESS", address)
          .replace("PHONE", phone)
          .replace("ORDER", order)
          .replace("CART", cart)
          .replace("NAME", name);
    }
  }

  record Webhook(String topic, String payload) {}

  /** At least one of each topic. */
  static List<Webhook> of(Person person) {
    List<Webhook> webhooks = new ArrayList<>();
    OF_TOPICS
        .lines()
        .forEach(line -> {
          int separator = line.indexOf('|');
          String payload = person.in(line.substring(separator + 1).strip());
          for (String topic : line.substring(0, separator).strip().split(" +", -1)) {
            webhooks.add(new Webhook(topic, payload));
          }
        });
    return webhooks;
  }
}
