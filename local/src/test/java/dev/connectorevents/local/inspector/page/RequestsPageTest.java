package dev.connectorevents.local.inspector.page;

import static dev.connectorevents.local.inspector.page.InspectorInBrowser.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.local.Browser;
import dev.connectorevents.local.ServedLocally;
import dev.connectorevents.local.SharedService;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.support.ui.ExpectedConditions;

/** The requests in the page, as they arrive: the list, its filter, and one that is opened. */
@ResourceLock(SharedService.LOCK)
class RequestsPageTest {

  @RegisterExtension private static final InspectorInBrowser page = new InspectorInBrowser();

  private final Browser browser = page.browser();

  @Test
  void a_request_appears_at_the_top_and_opens_with_all_its_parts() {
    String id = page.sendEvent(order("IPOD", "42"), "Idempotency-Key", "k1");

    WebElement row = page.row(id);
    assertThat(row.getText())
        .contains("201", "POST /api/webhook-events", "shopify.orders/create", "42", "1");
    assertThat(shownIds().getFirst()).isEqualTo(id);
    row.click();
    browser.awaitText("#title", "shopify.orders/create");
    browser.awaitText("#opened", "total_price: 1234567890123456789.50"); // as it was written
    assertThat(browser.find("#opened").getText())
        .contains("POST /api/webhook-events", "new", "Took", "Key\nk1", "Write units", "_meta")
        .contains("Request headers", "Answer", "Log")
        .doesNotContain(page.token());
  }

  @Test
  void the_filter_selects_by_status_and_by_any_text_of_a_row_in_any_case() throws IOException {
    String brand = page.sendEvent(order("B", "Brand-Of-Filter"));
    String refused = page.sendEvent("{}");
    page.row(refused);

    browser.find("#filter select").sendKeys("4xx");
    browser.until(driver -> shownIds().contains(refused) && !shownIds().contains(brand));
    browser.find("#filter [type=reset]").click();
    browser.find("#filter input").sendKeys("brand-of-filter");
    browser.until(driver -> shownIds().equals(List.of(brand)));
    browser.find("#filter input").sendKeys(" and no other");
    browser.awaitText("#no-hits", "No request matches the filter.");
    assertThat(browser.violations()).isEmpty();
    browser.button("Show all").click();

    browser.until(driver -> shownIds().contains(refused));
  }

  @Test
  void what_was_sent_is_shown_as_it_was_sent_and_a_long_text_is_cut_until_asked_for() {
    String text = "x".repeat(298) + "🙂end-of-it";
    String event =
        "{\"event_type\":\"odd.a  b\",\"payload\":{\"c  d\":\"e  f\",\"t\":\"%s\",\"_meta\":{\"brand_id\":\"g  h\"}}}"
            .formatted(text);
    WebElement row = page.row(page.sendEvent(event, "Idempotency-Key", "i  j"));
    assertThat(row.getText()).contains("odd.a  b", "g  h");

    row.click();
    browser.awaitText("#opened .leaf[data-pointer='/payload/t']", "x");

    assertThat(browser.find("#opened").getText())
        .contains("c  d: \"e  f\"", "Key\ni  j", "Brand\ng  h")
        .doesNotContain("end-of-it");
    browser.find("#opened .leaf button").click();
    assertThat(browser.find("#opened .tree").getText()).contains("x🙂end-of-it");
  }

  @Test
  void what_was_wrong_is_marked_where_it_is_or_should_be() {
    page.row(page.sendEvent("{\"payload\":{}}")).click();
    browser.awaitText("#opened mark", "event_type: missing");

    page.row(page.sendEvent("{\"event_type\":\"a.b\",\r\n \"payload\": [1,]}")).click();
    browser.awaitText("#title", "400");
    assertThat(browser.find("#opened pre mark").getText()).isEqualTo("]");
  }

  @Test
  void a_batch_shows_its_mixture_and_opens_into_its_events() throws IOException {
    String event = "{\"event_type\":\"github.push\",\"idempotency_key\":\"b\",\"payload\":%s}";
    String good = event.formatted("{}");
    String id =
        page.service().sendBatch(page.token(), good + "," + good + "," + event.formatted("7"));

    WebElement row = page.row(id);
    assertThat(row.getText()).contains("1 new", "1 replayed", "1 refused", "/events/2/payload");
    row.click();
    browser.awaitText("#opened mark", "payload: 7");
    assertThat(browser.all("#opened .event > summary").stream().map(WebElement::getText))
        .allSatisfy(summary -> assertThat(summary).contains("github.push b"))
        .satisfiesExactly(
            first -> assertThat(first).contains("new"),
            second -> assertThat(second).contains("replayed"),
            third -> assertThat(third).contains("refused"));
    assertThat(browser.violations()).isEmpty();
  }

  @Test
  void after_a_restart_lost_requests_are_gone_and_the_open_page_can_send() throws IOException {
    int port = ServedLocally.freePort();
    String lost;
    try (ServedLocally first = ServedLocally.startOn(port)) {
      browser.open(first.url("/_inspector/"));
      lost = first.sendEvent(first.token(), order("A", "1"));
      page.row(lost);
    }
    browser.awaitText("#state", "not connected");

    try (ServedLocally second = ServedLocally.startOn(port)) {
      browser.awaitText("#state", "0 requests");
      assertThat(shownIds()).isEmpty();

      browser.open(second.url("/_inspector/#" + lost));
      browser.awaitText("#opened", "none from before a restart");
      browser.button("Close").click();
      browser.until(ExpectedConditions.invisibilityOfElementLocated(By.id("opened")));
      assertThat(browser.violations()).isEmpty();
      browser.button("Send an example").click();
      browser.awaitText("#title", "201 shopify.orders/create");
    }
  }

  private List<String> shownIds() {
    String script =
        "return [...document.querySelectorAll('#list tbody tr')].map(tr => tr.dataset.id)";
    return ((List<?>) browser.run(script)).stream().map(String::valueOf).toList();
  }
}
