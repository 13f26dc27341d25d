package dev.connectorevents.local.inspector.page;

import static dev.connectorevents.local.inspector.page.InspectorInBrowser.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.local.Browser;
import dev.connectorevents.local.SharedService;
import java.io.IOException;
import java.net.http.HttpResponse;
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

/** A user edits a request in the page, and sends it again with the right token. */
@ResourceLock(SharedService.LOCK)
class RequestEditorTest {

  @RegisterExtension private static final InspectorInBrowser page = new InspectorInBrowser();

  private final Browser browser = page.browser();

  @Test
  void a_broken_rule_is_found_and_mended_in_the_page_alone() throws IOException {
    String wrong = order("IPOD", "7").replace("shopify.orders", "Shopify.orders");
    String id = page.sendEvent(wrong);

    page.row(id).click();
    browser.awaitText("#opened mark", "event_type");
    browser.screenshot("refused");
    browser.button("Edit and send again").click();
    WebElement body = browser.find("#editor textarea[name=body]");
    String edited = Objects.requireNonNull(body.getDomProperty("value"));
    browser.replaceText(body, edited.replace("Shopify.orders", "shopify.orders"));
    browser.screenshot("editor");
    browser.find("#send").click();

    browser.awaitText("#title", "201");
    assertThat(browser.all("#opened mark")).isEmpty();
    assertThat(browser.find("#opened").getText()).contains("shopify.orders/create");
  }

  @ParameterizedTest
  @CsvSource({"Send again, false", "Edit and send again, true"})
  void an_unchanged_request_is_sent_byte_for_byte(String button, boolean hasEditor) {
    String body = order("CRLF", "1").replace("\n", "\r\n");
    page.row(page.sendEvent(body, "Idempotency-Key", button)).click();
    browser.button(button).click();
    if (hasEditor) {
      browser.find("#send").click();
    }

    // With other bytes in the payload, the service would refuse the key instead.
    browser.awaitText("#opened p.outcome", "replayed");
  }

  @Test
  void a_consumers_request_is_sent_with_a_consumers_token() {
    String list = "/api/webhook-events?event_type=shopify.orders/create&limit=1";
    HttpResponse<String> refused =
        page.service().send("GET", list, "", "Authorization", "Bearer " + page.token());
    page.row(refused.headers().firstValue("apigw-requestid").orElseThrow()).click();
    browser.awaitText("#title", "403");
    browser.button("Edit and send again").click();
    browser.find("#send").click();
    browser.awaitText("#title", "200");

    browser.button("Edit and send again").click();
    new Select(browser.find("#editor [name=role]")).selectByVisibleText("of a connector");
    browser.find("#send").click();
    browser.awaitText("#title", "403");
  }

  @Test
  void the_token_follows_the_route() {
    page.row(page.sendEvent(order("A", "1"))).click();
    browser.button("Edit and send again").click();
    Select role = new Select(browser.find("#editor [name=role]"));
    WebElement method = browser.find("#editor input[name=method]");
    WebElement path = browser.find("#editor input[name=path]");

    assertThat(role.getFirstSelectedOption().getText()).isEqualTo("of a connector");
    method.clear();
    method.sendKeys("GET");
    assertThat(role.getFirstSelectedOption().getText()).isEqualTo("of a consumer");
    role.selectByVisibleText("as in the headers");
    path.sendKeys("/x");
    assertThat(role.getFirstSelectedOption().getText()).isEqualTo("as in the headers");
    path.clear();
    path.sendKeys("/api/auth/me");
    assertThat(role.getFirstSelectedOption().getText()).isEqualTo("of a connector");
    browser.find("#editor button[value=cancel]").click();
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
    WebElement send = browser.find("#send");
    send.click();
    assertThat(send.isEnabled()).isFalse();
    assertThat(send.getText()).isEqualTo("Sending …");
    browser.find("#editor input[name=method]").sendKeys(Keys.ENTER);
    browser.run("document.getElementById('send').click()");

    assertThat(browser.run("return window.sent")).isEqualTo(1L);
    browser.run("window.answer()");
    browser.until(ExpectedConditions.invisibilityOfElementLocated(By.id("editor")));
    browser.button("Edit and send again").click();
    assertThat(browser.find("#send").getText()).isEqualTo("Send");
    browser.find("#editor button[value=cancel]").click();
  }

  @Test
  void an_edited_request_that_cannot_be_sent_says_why() {
    page.row(page.sendEvent(order("A", "1"))).click();
    browser.button("Edit and send again").click();
    WebElement method = browser.find("#editor input[name=method]");
    method.clear();
    method.sendKeys("CONNECT");
    browser.find("#send").click();

    browser.awaitText("#editor-problem", "CONNECT");
  }
}
