package dev.connectorevents.local.inspector.page;

import static dev.connectorevents.local.inspector.page.InspectorInBrowser.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.local.Browser;
import dev.connectorevents.local.SharedService;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.support.ui.ExpectedConditions;

/** The list of requests in the page: new rows, the filters, and the pause. */
@ResourceLock(SharedService.LOCK)
class RequestListTest {

  @RegisterExtension private static final InspectorInBrowser page = new InspectorInBrowser();

  private final Browser browser = page.browser();

  @Test
  void filters_select_by_type_brand_status_and_text() {
    String github =
        page.sendEvent("{\"event_type\":\"github.push\",\"payload\":{\"ref\":\"needle-in-it\"}}");
    String brand = page.sendEvent(order("B", "brand-of-filter"));
    String refused = page.sendEvent("{}");
    page.row(refused);

    assertThat(shownWith("type", "github.push")).contains(github).doesNotContain(brand, refused);
    assertThat(shownWith("brand", "brand-of-filter")).containsExactly(brand);
    assertThat(shownWith("status", "4xx")).contains(refused).doesNotContain(brand, github);
    browser.find("#filter [name=text]").sendKeys("needle-in-it");
    awaitOnly(github);
  }

  @Test
  void filters_ignore_case() {
    String id = page.sendEvent(order("CaseNeedle", "Brand-Of-CASE"));
    page.row(id);

    assertThat(shownWith("type", "SHOPIFY.Orders")).contains(id);
    assertThat(shownWith("brand", "brand-of-case")).containsExactly(id);
    browser.find("#filter [name=text]").sendKeys("cASENEEDLE");
    awaitOnly(id);
  }

  @Test
  void spaces_show_as_they_were_sent() {
    String event =
        "{\"event_type\":\"odd.a  b\",\"payload\":{\"c  d\":\"e  f\",\"_meta\":{\"brand_id\":\"g  h\"}}}";
    WebElement row = page.row(page.sendEvent(event, "Idempotency-Key", "i  j"));
    assertThat(row.getText()).contains("odd.a  b", "g  h");

    row.click();
    browser.awaitText("#title", "odd.a  b");

    assertThat(browser.find("#opened").getText())
        .contains("c  d: \"e  f\"", "Key\ni  j", "Brand\ng  h");
  }

  @Test
  void a_filter_without_hits_says_so_and_can_be_cleared() throws IOException {
    page.row(page.sendEvent(order("A", "1")));
    assertThat(browser.all("#no-hits").getFirst().isDisplayed()).isFalse();
    browser.find("#filter [name=type]").sendKeys("no.such/type");
    browser.awaitText("#no-hits", "No request matches the filter.");
    browser.screenshot("no-hits");
    assertThat(browser.violations()).isEmpty();

    browser.button("Show all").click();

    browser.until(ExpectedConditions.invisibilityOfElementLocated(By.id("no-hits")));
    assertThat(shownIds()).isNotEmpty();
  }

  @Test
  void a_pause_holds_new_requests_back() {
    browser.button("Pause").click();
    String id = page.sendEvent(order("C", "1"));
    browser.awaitText("#state", "1 waiting");
    assertThat(browser.all("#rows tr[data-id='" + id + "']")).isEmpty();

    browser.button("Pause").click();

    assertThat(page.row(id).isDisplayed()).isTrue();
  }

  /** Waits until the page shows only this row. The service searches the text, which takes time. */
  private void awaitOnly(String id) {
    browser.until(driver -> shownIds().equals(List.of(id)));
  }

  private List<String> shownWith(String field, String value) {
    WebElement input = browser.find("#filter [name=" + field + "]");
    input.sendKeys(value);
    List<String> shown = shownIds();
    browser.run("document.getElementById('filter').reset()");
    return shown;
  }

  private List<String> shownIds() {
    return browser.all("#rows tr:not([hidden])").stream()
        .map(row -> Objects.requireNonNull(row.getDomAttribute("data-id")))
        .toList();
  }
}
