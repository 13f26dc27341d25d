package dev.connectorevents.local.inspector.page;

import static dev.connectorevents.local.inspector.page.InspectorInBrowser.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.local.Browser;
import dev.connectorevents.local.ServedLocally;
import dev.connectorevents.local.SharedService;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.support.ui.ExpectedConditions;

/** The panel of one request: its parts, its faults, and what is left of it after a restart. */
@ResourceLock(SharedService.LOCK)
class OpenedRequestTest {

  @RegisterExtension private static final InspectorInBrowser page = new InspectorInBrowser();

  private final Browser browser = page.browser();

  @Test
  void a_request_appears_at_the_top_and_opens_with_all_its_parts() throws IOException {
    String id = page.sendEvent(order("IPOD", "42"), "Idempotency-Key", "k1");

    WebElement row = page.row(id);
    assertThat(row.getText())
        .contains("201", "POST /api/webhook-events", "shopify.orders/create", "42", "1");
    assertThat(browser.all("#rows tr").getFirst()).isEqualTo(row);
    row.click();
    browser.awaitText("#title", "shopify.orders/create");
    String shown = browser.find("#opened").getText();
    assertThat(shown)
        .contains(
            "POST /api/webhook-events",
            "new",
            "Took",
            "Key",
            "k1",
            "Write units",
            "_meta",
            "Request headers",
            "Answer",
            "Log")
        .contains("total_price: 1234567890123456789.50") // as it was written
        .doesNotContain(page.token());
    browser.screenshot("opened");
  }

  @Test
  void a_missing_member_is_marked_where_it_should_be() {
    page.row(page.sendEvent("{\"payload\":{}}")).click();

    browser.awaitText("#opened .tree", "event_type: missing");
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
    assertThat(browser.all("#opened details.event").stream().map(WebElement::getText))
        .satisfiesExactly(
            first -> assertThat(first).isEqualTo("new github.push b"),
            second -> assertThat(second).isEqualTo("replayed github.push b"),
            third -> assertThat(third).contains("refused github.push b", "/events/2/payload"));
    assertThat(browser.violations()).isEmpty();
    browser.screenshot("batch");
  }

  @Test
  void a_search_marks_the_events_of_a_batch_that_contain_the_text() throws IOException {
    String event = "{\"event_type\":\"github.push\",\"payload\":{\"ref\":\"%s\",\"n\":1.50}}";
    String id =
        page.service()
            .sendBatch(page.token(), event.formatted("hay") + "," + event.formatted("Pin"));
    page.row(id);
    browser.find("#filter [name=text]").sendKeys("pin\",\"n\":1.50");

    page.row(id).click();
    browser.awaitText("#opened details.event mark", "found");

    assertThat(browser.all("#opened details.event").stream().map(WebElement::getText))
        .containsExactly("new github.push", "new github.push found");
    assertThat(browser.violations()).isEmpty();
    browser.screenshot("batch-found");
    browser.find("#filter button[type=reset]").click();
    browser.until(driver -> browser.all("#opened details.event mark").isEmpty());
  }

  @Test
  void a_long_text_is_cut_until_all_of_it_is_asked_for() throws IOException {
    String text = "x".repeat(298) + "🙂end-of-it";
    String event = "{\"event_type\":\"a.b\",\"payload\":{\"text\":\"%s\"}}".formatted(text);
    page.row(page.sendEvent(event)).click();
    browser.awaitText("#title", "201");
    assertThat(browser.find("#opened .tree").getText()).doesNotContain("end-of-it");
    browser.screenshot("cut");

    browser.find("#opened .tree .more").click();

    assertThat(browser.find("#opened .tree").getText()).contains("x🙂end-of-it");
  }

  @Test
  void after_a_restart_lost_requests_are_gone_and_the_open_page_can_send_again()
      throws IOException {
    int port = ServedLocally.freePort();
    String lost;
    try (ServedLocally first = ServedLocally.startOn(port)) {
      browser.open(first.url("/_inspector/"));
      lost = first.sendEvent(first.token(), order("A", "1"));
      page.row(lost).click();
      browser.awaitText("#title", "201");
    }
    browser.awaitText("#state", "not connected");

    try (ServedLocally second = ServedLocally.startOn(port)) {
      browser.awaitText("#state", "0 requests since the restart at ");
      assertThat(browser.all("#rows tr")).isEmpty();
      browser.until(ExpectedConditions.invisibilityOfElementLocated(By.id("opened")));
      assertThat(browser.focused().getDomAttribute("id")).isEqualTo("list");

      browser.open(second.url("/_inspector/#" + lost));
      browser.awaitText("#opened", "none from before a restart");
      browser.screenshot("not-kept");
      browser.button("Close").click();
      browser.until(ExpectedConditions.invisibilityOfElementLocated(By.id("opened")));
      browser.screenshot("empty");
      assertThat(browser.violations()).isEmpty();
      browser.button("Send an example").click();
      browser.awaitText("#title", "201 shopify.orders/create");
    }
  }
}
