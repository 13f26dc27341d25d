package dev.connectorevents.local.inspector.page;

import static dev.connectorevents.local.inspector.page.InspectorInBrowser.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.local.Browser;
import dev.connectorevents.local.ServedLocally;
import dev.connectorevents.local.SharedService;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.support.ui.ExpectedConditions;

/** The page of the stored events: its filters, its pages, an opened event, and erased ones. */
@ResourceLock(SharedService.LOCK)
class StoredPageTest {

  @RegisterExtension private static final InspectorInBrowser page = new InspectorInBrowser();

  private static final Map<String, String> USER =
      Map.of(
          "CONNECTOR_API_EMAIL", ServedLocally.EMAIL,
          "CONNECTOR_API_PASSWORD", ServedLocally.PASSWORD);

  private final Browser browser = page.browser();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "filter.one/a              |           | filter.one/a",
        "filter.one/*              |           | filter.one/b filter.one/a",
        "filter.two/c,filter.one/b |           | filter.two/c filter.one/b",
        "filter.*                  | filtered  | filter.two/c",
        "                          | filtered  | filter.two/c",
      })
  void the_filters_are_those_of_the_list(
      @Nullable String types, @Nullable String brand, String shown) {
    for (String event : List.of("filter.one/a", "filter.one/b", "filter.two/c")) {
      String of = event.endsWith("c") ? "filtered" : "other";
      page.sendEvent(
          order("A", of).replace("shopify.orders/create", event), "Idempotency-Key", event);
      page.awaitListed(1, event);
    }
    open("");

    list(types, brand);

    browser.until(driver -> String.join(" ", types()).equals(shown));
  }

  @Test
  void a_wrong_filter_says_which_rule_it_breaks() throws IOException {
    open("");
    list("Shopify.orders/create", null);

    browser.awaitText("#problem", "must be in lower case");
    assertThat(browser.violations()).isEmpty();
  }

  @Test
  void more_pages_follow_until_the_end() {
    for (int i = 0; i < 2; i++) {
      StringBuilder events = new StringBuilder();
      for (int j = 0; j < 30; j++) {
        events.append(j == 0 ? "" : ",").append(order("A", "1").replace("orders/create", "paged"));
      }
      page.service().sendBatch(page.token(), events.toString());
    }
    page.awaitListed(60, "shopify.paged");
    open("?event_type=shopify.paged");
    assertThat(types()).hasSizeBetween(1, 50);
    while (types().size() < 60) {
      int before = types().size();
      browser.button("Show more").click();
      browser.until(driver -> types().size() > before);
    }

    browser.until(ExpectedConditions.invisibilityOfElementLocated(By.id("more")));
    assertThat(browser.find("#state").getText()).endsWith(" listed");
  }

  @Test
  void what_was_stored_before_a_restart_is_listed_and_opens(@TempDir Path data) {
    try (ServedLocally first = ServedLocally.startWith(data, USER)) {
      first.sendEvent(first.token(), order("KEPT", "of-yesterday"));
    }
    try (ServedLocally second = ServedLocally.startWith(data, USER)) {
      page.awaitListed(second, 1, "shopify.orders/create");
      browser.open(second.url("/_inspector/stored"));
      browser.find("#rows tr").click();
      browser.awaitText("#title", "shopify.orders/create");
      assertThat(browser.find("#opened").getText())
          .contains("of-yesterday", "total_price: 1234567890123456789.50");
    }
  }

  @Test
  void erased_events_are_marked_and_say_when() throws IOException {
    page.sendEvent(order("A", "1").replace("shopify.orders/create", "erased.soon"));
    page.awaitListed(1, "erased.soon");
    open("?event_type=erased.soon");
    String id = idOf(browser.find("#rows tr"));
    erase(id);
    browser.button("List").click();
    browser.find("#rows tr:has(.erased)");

    WebElement row = browser.find("#rows tr[data-id='" + id + "']");
    assertThat(row.getText()).contains("erased", id).doesNotContain("erased.soon");
    assertThat(browser.violations()).isEmpty();
    browser.screenshot("stored-erased");
    row.click();
    browser.awaitText("#opened", "An operator erased this event at ");

    list(null, "1");
    browser.awaitText("#brand-note", "Erased events have no brand.");
    browser.until(driver -> browser.all("#rows tr[data-id='" + id + "']").isEmpty());
  }

  @Test
  void its_reads_are_not_among_the_requests() {
    String id = page.sendEvent(order("A", "1"));
    page.awaitListed(1, "shopify.orders/create");
    open("");
    browser.find("#rows tr:not(:has(.erased))").click();
    browser.awaitText("#title", ".");

    browser.open(page.service().url("/_inspector/?own"));
    page.row(id);
    assertThat(browser.find("#list").getText()).doesNotContain("GET /api/webhook-events");
  }

  private void open(String query) {
    browser.open(page.service().url("/_inspector/stored" + query));
    browser.awaitText("#state", "listed");
  }

  /**
   * Repeats the call until the erasure is complete, and waits until the list shows it: it has a
   * position a moment later.
   */
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
    String list = "/_inspector/events?limit=100&include=erasures";
    browser.until(driver ->
        ServedLocally.read(page.service().send("GET", list, "").body())
            .at("/events")
            .valueStream()
            .anyMatch(event -> event.has("erased_at") && event.path("id").asText().equals(id)));
  }

  private void list(@Nullable String types, @Nullable String brand) {
    browser.replaceText(browser.find("#filter [name=event_type]"), types == null ? "" : types);
    browser.replaceText(browser.find("#filter [name=brand_id]"), brand == null ? "" : brand);
    browser.button("List").click();
  }

  /** The types of the listed events that are not erased. */
  private List<String> types() {
    return browser.all("#rows a.type:not(:has(.erased))").stream()
        .map(WebElement::getText)
        .toList();
  }

  private static String idOf(WebElement row) {
    return Objects.requireNonNull(row.getDomAttribute("data-id"));
  }
}
