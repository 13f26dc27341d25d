package dev.connectorevents.local.inspector.page;

import static dev.connectorevents.local.inspector.page.InspectorInBrowser.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.local.Browser;
import dev.connectorevents.local.SharedService;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.support.ui.ExpectedConditions;
import org.openqa.selenium.support.ui.Select;

/** A user edits a request in the page, and sends it again with the right token and key. */
@ResourceLock(SharedService.LOCK)
class RequestEditorTest {

  @RegisterExtension private static final InspectorInBrowser page = new InspectorInBrowser();

  private final Browser browser = page.browser();

  @Test
  void a_broken_rule_is_found_and_mended_in_the_page_alone() {
    String wrong = order("IPOD", "7").replace("shopify.orders", "Shopify.orders");
    page.row(page.sendEvent(wrong)).click();
    browser.awaitText("#opened mark", "event_type");
    browser.button("Edit and send again").click();
    change("Shopify.orders", "shopify.orders");
    send();

    browser.awaitText("#title", "201 shopify.orders/create");
    assertThat(browser.all("#opened mark")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"Send again, false", "Edit and send again, true"})
  void an_unchanged_request_is_sent_byte_for_byte(String button, boolean hasEditor) {
    String body = order("CRLF", "1").replace("\n", "\r\n");
    page.row(page.sendEvent(body, "Idempotency-Key", button)).click();
    browser.button(button).click();
    if (hasEditor) {
      send();
    }

    // With other bytes in the payload, the service would refuse the key instead.
    browser.awaitText("#opened .outcome", "replayed");
  }

  @Test
  void a_changed_event_needs_a_new_key_and_gets_one_at_a_click() {
    page.row(page.sendEvent(order("A", "1"), "Idempotency-Key", "edit-1")).click();
    browser.button("Edit and send again").click();
    change("\"A\"", "\"B\"");
    send();
    browser.awaitText("#opened blockquote", "idempotency_key_reused");

    browser.button("Edit and send again").click();
    browser.button("New keys").click();
    send();

    browser.awaitText("#title", "201");
    assertThat(browser.find("#opened").getText()).doesNotContain("edit-1", "replayed");
  }

  /** The member of the payload has the same name, as Stripe's has, and must stay. */
  @Test
  void the_events_of_a_batch_get_new_keys_too() {
    String event =
        "{\"event_type\":\"a.b\",\"idempotency_key\" : \"%1$s\",\"payload\":{\"idempotency_key\":\"of %1$s\"}}";
    String events = event.formatted("one") + "," + event.formatted("two");
    page.row(page.service().sendBatch(page.token(), events)).click();
    browser.button("Edit and send again").click();
    browser.button("New keys").click();

    assertThat(text("body"))
        .doesNotContain(": \"one\"", ": \"two\"")
        .contains("\"of one\"", "\"of two\"");
    send();
    browser.awaitText("#opened .outcome", "2 new");
  }

  @Test
  void a_consumers_request_is_sent_with_a_consumers_token() {
    String list = "/api/webhook-events?event_type=shopify.orders/create&limit=1";
    String refused =
        page.service()
            .send("GET", list, "", "Authorization", "Bearer " + page.token())
            .headers()
            .firstValue("apigw-requestid")
            .orElseThrow();
    page.row(refused).click();
    browser.awaitText("#title", "403");
    browser.button("Edit and send again").click();
    send();
    browser.awaitText("#title", "200");

    browser.button("Edit and send again").click();
    new Select(browser.find("#editor [name=role]")).selectByVisibleText("of a connector");
    send();
    browser.awaitText("#title", "403");
  }

  @Test
  void a_request_is_sent_once_however_often_the_user_asks() {
    // Counts the requests to send. Holds them back until the test calls window.answer().
    browser.run(
        "const real = window.fetch; window.sent = 0;"
            + "window.fetch = (...all) => all[0] !== 'send' ? real(...all) : (window.sent++,"
            + " new Promise(done => window.answer = () => done(real(...all))))");
    page.row(page.sendEvent(order("A", "1"))).click();
    browser.button("Edit and send again").click();
    send();
    browser.find("#editor input[name=method]").sendKeys(Keys.ENTER);
    browser.run("document.querySelector('#editor [value=send]').click()");

    browser.until(driver -> browser.run("return window.sent").equals(1L));
    browser.run("window.answer()");
    browser.until(ExpectedConditions.invisibilityOfElementLocated(By.id("editor")));
    assertThat(browser.run("return window.sent")).isEqualTo(1L);
  }

  @Test
  void an_edited_request_that_cannot_be_sent_says_why() {
    page.row(page.sendEvent(order("A", "1"))).click();
    browser.button("Edit and send again").click();
    WebElement method = browser.find("#editor input[name=method]");
    method.clear();
    method.sendKeys("CONNECT");
    send();

    browser.awaitText("#editor [role=alert]", "CONNECT");
  }

  private void send() {
    browser.find("#editor [value=send]").click();
  }

  private String text(String field) {
    WebElement area = browser.find("#editor textarea[name=" + field + "]");
    return Objects.requireNonNull(area.getDomProperty("value"));
  }

  private void change(String old, String replacement) {
    assertThat(text("body")).contains(old);
    browser.replaceText(
        browser.find("#editor textarea[name=body]"), text("body").replace(old, replacement));
  }
}
