package dev.connectorevents.local.inspector.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.local.Browser;
import dev.connectorevents.local.SharedService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Uses the API page in a browser. {@code ApiDocsTest} requests its files without a browser. */
@ResourceLock(SharedService.LOCK)
class ApiDocsPageTest {

  private static final String LOGIN = "#operations-Authentication-login";
  private static final String CURRENT_USER = "[id^=operations-][id$=-getCurrentUser]";
  private static final String STATUS = " .live-responses-table tbody .response-col_status";

  @RegisterExtension private static final InspectorInBrowser page = new InspectorInBrowser();

  private final Browser browser = page.browser();

  /**
   * The page's dialog for the token is a form. The content security policy forbids submitting
   * forms, but the dialog must still work.
   */
  @Test
  void it_logs_in_authorizes_with_a_token_and_loads_nothing_from_other_hosts() {
    browser.resize(1200, 2400);
    browser.open(page.service().url("/docs"));
    browser.find(LOGIN).click();
    browser.find(LOGIN + " button.execute").click();
    browser.awaitText(LOGIN + STATUS, "200");

    browser.find("button.authorize").click();
    browser.find(".auth-container input").sendKeys(page.token());
    browser.find(".auth-btn-wrapper button.authorize").click();
    browser.find(".auth-btn-wrapper button.btn-done").click();
    browser.find(CURRENT_USER).click();
    browser.find(CURRENT_USER + " button.execute").click();
    browser.awaitText(CURRENT_USER + STATUS, "200");

    assertThat(browser.loaded())
        .isNotEmpty()
        .allSatisfy(url -> assertThat(url).startsWith(page.service().url().toString()));
  }
}
