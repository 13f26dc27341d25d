package dev.connectorevents.local.inspector.page;

import static dev.connectorevents.local.inspector.page.InspectorInBrowser.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.local.Browser;
import dev.connectorevents.local.SharedService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * The page runs no script from a request, loads nothing from other hosts, and copies no token to
 * the clipboard.
 */
@ResourceLock(SharedService.LOCK)
class PageSecurityTest {

  @RegisterExtension private static final InspectorInBrowser page = new InspectorInBrowser();

  private final Browser browser = page.browser();

  @Test
  void payloads_are_text_and_never_markup() {
    String markup = "<img/src=x/onerror=window.hacked=1>";
    String body =
        "{\"event_type\":\"hostile.%1$s\",\"status\":\"%1$s\",\"response\":\"%1$s\",\"payload\":{\"%1$s\":\"%1$s\",\"_meta\":{\"brand_id\":\"%1$s\"}}}"
            .formatted(markup);
    page.service().send("GET", "/%3Cscript%3E", "");
    page.row(page.sendEvent(body, "X-Hostile", markup, "Idempotency-Key", markup)).click();
    assertIsText(markup);

    browser.open(page.service().url("/_inspector/stored?event_type=hostile.*"));
    browser.find("#list td a:not(:has(.erased))").click();
    assertIsText(markup);
  }

  private void assertIsText(String markup) {
    browser.awaitText("#title", markup);
    browser.run("document.querySelectorAll('details').forEach(each => each.open = true)");
    browser.awaitText("#opened .leaf", markup);
    assertThat(browser.run("return typeof window.hacked")).isEqualTo("undefined");
    assertThat(browser.all("main script, main img")).isEmpty();
  }

  @Test
  void it_loads_nothing_from_other_hosts() {
    assertThat(browser.loaded())
        .isNotEmpty()
        .allSatisfy(url -> assertThat(url).startsWith(page.service().url().toString()));
  }

  @Test
  void curl_has_the_request_without_its_token() {
    String id = page.sendEvent(order("it's", "1"), "Idempotency-Key", "k9");

    assertThat(copiedAsCurl(id))
        .startsWith("curl -gi -X 'POST' '" + page.service().url("/api/webhook-events") + "'")
        .contains("-H \"Authorization: Bearer $TOKEN\"", "-H 'idempotency-key: k9'")
        .contains("it'\\''s")
        .doesNotContain(page.token());
  }

  @Test
  void curl_takes_no_character_of_a_query_for_a_set() {
    String list = "/api/webhook-events?event_type=stripe.account[requirements].updated";
    String id =
        page.service().send("GET", list, "").headers().firstValue("apigw-requestid").orElseThrow();

    assertThat(copiedAsCurl(id))
        .startsWith("curl -gi ")
        .contains("?event_type=stripe.account[requirements].updated'");
  }

  private String copiedAsCurl(String id) {
    browser.run(
        "Object.defineProperty(navigator, 'clipboard',"
            + " {value: {writeText: async text => window.copied = text}})");
    page.row(id).click();
    browser.button("Copy as curl").click();
    browser.button("Copied");
    return String.valueOf(browser.run("return window.copied"));
  }
}
