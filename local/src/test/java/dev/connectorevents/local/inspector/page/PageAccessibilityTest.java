package dev.connectorevents.local.inspector.page;

import static dev.connectorevents.local.inspector.page.InspectorInBrowser.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.local.Browser;
import dev.connectorevents.local.SharedService;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.support.ui.ExpectedConditions;

/** The page can be used with the keyboard alone, in both colour schemes, and on a narrow screen. */
@ResourceLock(SharedService.LOCK)
class PageAccessibilityTest {

  @RegisterExtension private static final InspectorInBrowser page = new InspectorInBrowser();

  private final Browser browser = page.browser();

  @Test
  void the_keyboard_moves_opens_and_comes_back() {
    String older = page.sendEvent(order("D", "1"));
    String newer = page.sendEvent(order("E", "1"));
    page.row(newer).findElement(By.tagName("a")).sendKeys(Keys.ARROW_DOWN);
    assertThat(browser.focused().getDomAttribute("href")).isEqualTo("#" + older);

    browser.focused().sendKeys(Keys.ENTER);
    browser.awaitText("#title", "201");
    browser.button("Close").sendKeys(Keys.ENTER);

    assertThat(browser.focused().getDomAttribute("href")).isEqualTo("#" + older);
    browser.until(ExpectedConditions.invisibilityOfElementLocated(By.id("opened")));
  }

  @Test
  void escape_closes_the_innermost_and_a_slash_searches() {
    String id = page.sendEvent(order("A", "1"));
    page.row(id).click();
    browser.button("Edit and send again").click();
    browser.focused().sendKeys(Keys.ESCAPE);
    browser.until(ExpectedConditions.invisibilityOfElementLocated(By.id("editor")));
    browser.find("#opened").sendKeys("/");
    WebElement search = browser.focused();
    assertThat(search.getDomAttribute("name")).isEqualTo("text");
    search.sendKeys("x", Keys.ESCAPE);
    assertThat(search.getDomProperty("value")).isEmpty();
    assertThat(browser.find("#opened").isDisplayed()).isTrue();

    browser.find("#opened").sendKeys(Keys.ESCAPE);

    browser.until(ExpectedConditions.invisibilityOfElementLocated(By.id("opened")));
    assertThat(browser.focused().getDomAttribute("href")).isEqualTo("#" + id);
  }

  /**
   * In the dark colour scheme, checks only the contrast: the scheme changes nothing but colours.
   */
  @ParameterizedTest
  @CsvSource({"light,", "dark, color-contrast"})
  void axe_finds_no_violation(String colorScheme, @Nullable String rule) throws IOException {
    String id = page.sendEvent("{\"event_type\":\"Shopify\",\"sentAt\":1}");
    page.sendEvent(order("F".repeat(500), "42"), "Idempotency-Key", "axe");
    page.sendEvent(order("F".repeat(500), "42"), "Idempotency-Key", "axe");
    browser.prefer(colorScheme);
    page.row(id);
    check("list", rule);
    page.row(id).click();
    browser.awaitText("#title", "422");
    check("opened", rule);
    browser.resize(400, 900);
    check("narrow-opened", rule);
    browser.button("Edit and send again").click();
    check("narrow-editor", rule);
    browser.find("#editor button[value=cancel]").click();
    browser.button("Close").click();
    check("narrow-list", rule);

    browser.open(page.service().url("/_inspector/stored"));
    browser.find("#list td a");
    check("narrow-stored", rule);
    browser.resize(1400, 900);
    browser.find("#list tr:not(:has(.erased)) td a").click();
    browser.awaitText("#opened", "Payload");
    check("stored-opened", rule);
  }

  private void check(String state, @Nullable String rule) throws IOException {
    String[] rules = rule == null ? new String[0] : new String[] {rule};
    browser.until(
        driver -> // colours change gradually
        browser.run("return document.getAnimations().length").equals(0L));
    assertThat(browser.violations(rules)).as(state).isEmpty();
    assertThat(browser.run("return document.documentElement.scrollWidth <= innerWidth"))
        .as(state)
        .isEqualTo(true);
  }
}
