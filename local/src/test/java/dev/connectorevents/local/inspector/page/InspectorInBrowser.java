package dev.connectorevents.local.inspector.page;

import dev.connectorevents.local.Browser;
import dev.connectorevents.local.ServedLocally;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.openqa.selenium.WebElement;

/**
 * Opens the inspector's page anew before each test. All test classes of a process share one browser
 * and one service. JUnit closes both at the end of the process.
 */
@SuppressWarnings("NullAway.Init")
final class InspectorInBrowser implements BeforeAllCallback, BeforeEachCallback {

  private int opened;
  private Browser browser;
  private ServedLocally service;
  private String token;

  @Override
  public void beforeAll(ExtensionContext context) throws Exception {
    Store store =
        context.getStore(StoreScope.LAUNCHER_SESSION, Namespace.create(InspectorInBrowser.class));
    Browser running = store.get(Browser.class, Browser.class);
    browser = running == null ? Browser.start() : running;
    store.put(Browser.class, browser);
    service =
        store.computeIfAbsent(
            ServedLocally.class, key -> ServedLocally.start(), ServedLocally.class);
    token = service.token();
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    browser.resize(1400, 900);
    browser.prefer("light");
    opened++;
    // The browser loads a page again if its address is new.
    browser.open(service.url("/_inspector/?" + opened));
    browser.find("#list td a");
  }

  Browser browser() {
    return browser;
  }

  ServedLocally service() {
    return service;
  }

  String token() {
    return token;
  }

  /** An event whose amount has more digits than a double holds. */
  static String order(String sku, String brand) {
    return """
    {
      "event_type": "shopify.orders/create",
      "payload": {
        "id": 450789469,
        "total_price": 1234567890123456789.50,
        "line_items": [{"sku": "%s"}],
        "_meta": {"brand_id": "%s"}
      }
    }\
    """
        .formatted(sku, brand);
  }

  /** Sends an event, and returns the id of the request's row. */
  String sendEvent(String body, String... headers) {
    return service.sendEvent(token, body, headers);
  }

  /** Waits for the row with this id, and returns it. */
  WebElement row(String id) {
    return browser.find("#list tr[data-id='" + id + "']");
  }
}
