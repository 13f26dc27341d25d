package dev.connectorevents.local.inspector.page;

import static dev.connectorevents.local.inspector.page.InspectorInBrowser.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.local.Browser;
import dev.connectorevents.local.ServedLocally;
import dev.connectorevents.local.SharedService;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.support.ui.ExpectedConditions;

/** The page of the stored events: its filter, its pages, an opened event, and erased ones. */
@ResourceLock(SharedService.LOCK)
class StoredPageTest {

  @RegisterExtension private static final InspectorInBrowser page = new InspectorInBrowser();

  private final Browser browser = page.browser();

  @Test
  void events_appear_as_they_arrive_and_open_with_their_payload() {
    open("?event_type=arriving.*");

    page.sendEvent(order("A", "of-today").replace("shopify.orders/create", "arriving.soon"));

    browser.find("#list td a:not(:has(.erased))").click();
    browser.awaitText("#title", "arriving.soon");
    browser.awaitText("#opened", "total_price: 1234567890123456789.50");
    assertThat(browser.find("#opened").getText()).contains("of-today");
    browser.open(page.service().url("/_inspector/?own")); // its reads are no requests of the user's
    browser.awaitText("#list", "arriving.soon");
    assertThat(browser.find("#list").getText()).doesNotContain("event_type=arriving");
  }

  @Test
  void the_filter_is_that_of_the_list_and_says_which_rule_it_breaks() throws IOException {
    for (String event : List.of("filter.one/a", "filter.two/b")) {
      String brand = event.endsWith("b") ? "filtered" : "other";
      page.sendEvent(order("A", brand).replace("shopify.orders/create", event));
    }
    open("");

    list("filter.*", null);
    browser.until(driver -> Collections.frequency(types(), "filter.one/a") == 1);
    list("filter.*", "filtered");
    browser.until(driver -> types().equals(List.of("filter.two/b")));
    list("Shopify.orders/create", null);
    browser.awaitText("#list [role=alert]", "must be in lower case");
    assertThat(browser.violations()).isEmpty();
  }

  @Test
  void more_pages_follow_until_the_end() {
    for (int i = 0; i < 2; i++) {
      String events =
          String.join(
              ",", Collections.nCopies(30, order("A", "1").replace("orders/create", "paged")));
      page.service().sendBatch(page.token(), events);
    }
    open("?event_type=shopify.paged");
    browser.awaitText("#state", "and more to show");
    while (types().size() < 60) {
      int before = types().size();
      browser.button("Show more").click();
      browser.until(driver -> types().size() > before);
    }

    browser.until(
        ExpectedConditions.invisibilityOfElementLocated(By.xpath("//button[text()='Show more']")));
  }

  @Test
  void erased_events_are_marked_and_say_when() throws IOException {
    String event = order("A", "1").replace("shopify.orders/create", "erased.soon");
    page.sendEvent(event);
    open("?event_type=erased.soon");
    String id = browser.find("#list a:not(:has(.erased)) + small").getText();
    erase(id);

    WebElement erased = browser.find("#list tr[data-id='" + id + "']:has(.erased)");
    assertThat(erased.getText()).doesNotContain("erased.soon");
    assertThat(browser.violations()).isEmpty();
    browser.find("#list tr[data-id='" + id + "'] a").click();
    browser.awaitText("#opened", "An operator erased this event at ");

    list(null, "1");
    browser.awaitText("#list", "Erased events have no brand.");
  }

  private void open(String query) {
    browser.open(page.service().url("/_inspector/stored" + query));
    browser.awaitText("#state", "listed");
  }

  /** Repeats the call until the erasure is complete. */
  private void erase(String id) {
    String next = "";
    do {
      String event =
          "{\"ids\":[\"%s\"],\"reason\":\"a test\"%s}"
              .formatted(id, next.isEmpty() ? "" : ",\"next\":\"" + next + "\"");
      String path = "/2015-03-31/functions/EraseEventsFunction/invocations";
      next =
          ServedLocally.read(page.service().send("POST", path, event).body()).at("/next").asText();
    } while (!next.isEmpty());
  }

  private void list(@Nullable String types, @Nullable String brand) {
    browser.replaceText(browser.find("#filter [name=event_type]"), types == null ? "" : types);
    browser.replaceText(browser.find("#filter [name=brand_id]"), brand == null ? "" : brand);
    browser.button("List").click();
  }

  private List<String> types() {
    String script =
        "return [...document.querySelectorAll('#list td a:not(:has(.erased))')].map(a => a.textContent)";
    return ((List<?>) browser.run(script)).stream().map(String::valueOf).toList();
  }
}
