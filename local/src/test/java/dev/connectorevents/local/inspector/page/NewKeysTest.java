package dev.connectorevents.local.inspector.page;

import static dev.connectorevents.local.inspector.page.InspectorInBrowser.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.local.Browser;
import dev.connectorevents.local.SharedService;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.openqa.selenium.WebElement;

/**
 * The page sends a changed event with a new idempotency key, and an unchanged event with its old
 * key.
 */
@ResourceLock(SharedService.LOCK)
class NewKeysTest {

  private static final Pattern KEY = Pattern.compile("(?im)^idempotency-key: (.*)$");

  @RegisterExtension private static final InspectorInBrowser page = new InspectorInBrowser();

  private final Browser browser = page.browser();

  @Test
  void a_changed_event_is_sent_with_a_new_key() throws IOException {
    page.row(page.sendEvent(order("A", "1"), "Idempotency-Key", "edit-1")).click();
    edit("\"A\"", "\"B\"");
    String key = key();
    assertThat(key).isNotEqualTo("edit-1");
    assertThat(browser.violations()).isEmpty();
    browser.screenshot("editor-new-key");
    browser.resize(500, 900);
    browser.screenshot("narrow-editor-new-key");
    browser.find("#send").click();

    browser.awaitText("#opened .names", key);
    assertThat(browser.find("#title").getText()).contains("201");
    assertThat(browser.find("#opened").getText()).doesNotContain("replayed");
  }

  @Test
  void a_changed_event_is_sent_with_its_old_key_on_purpose() {
    page.row(page.sendEvent(order("A", "1"), "Idempotency-Key", "edit-2")).click();
    edit("\"A\"", "\"B\"");
    newKey().click();
    assertThat(key()).isEqualTo("edit-2");
    browser.find("#send").click();

    browser.awaitText("#title", "422");
    browser.awaitText("#opened .problem", "idempotency_key_reused");
  }

  @Test
  void the_old_key_comes_back_with_the_old_body_and_a_typed_key_stays() {
    page.row(page.sendEvent(order("A", "1"), "Idempotency-Key", "edit-3")).click();
    edit("\"A\"", "\"B\"");
    assertThat(key()).isNotEqualTo("edit-3");
    change("\"B\"", "\"A\"");
    assertThat(key()).isEqualTo("edit-3");

    WebElement headers = browser.find("#editor textarea[name=headers]");
    headers.clear();
    headers.sendKeys("Idempotency-Key: my-own");
    change("\"A\"", "\"C\"");
    assertThat(headers()).isEqualTo("Idempotency-Key: my-own");
    browser.find("#editor button[value=cancel]").click();
  }

  /**
   * The service stored the secret, but the editor sends the mask in its place: a different event.
   */
  @Test
  void a_masked_event_is_sent_with_a_new_key() {
    String body = order("A", "1").replace("\"id\"", "\"api_key\"");
    page.row(page.sendEvent(body, "Idempotency-Key", "masked")).click();
    browser.awaitText("#title", "201");
    browser.button("Edit and send again").click();
    String key = key();
    assertThat(key).isNotEqualTo("masked");
    browser.find("#send").click();

    browser.awaitText("#opened .names", key);
    assertThat(browser.find("#title").getText()).contains("201");
  }

  @Test
  void only_the_changed_events_of_a_batch_get_new_keys() {
    String event =
        "{\"event_type\":\"a.b\",\"idempotency_key\":\"batch-%1$s\",\"payload\":{\"name\":\"%1$s\"}}";
    String events = event.formatted("one") + "," + event.formatted("two");
    page.row(page.service().sendBatch(page.token(), events)).click();
    edit("\"name\":\"two\"", "\"name\":\"three\"");
    browser.find("#send").click();

    browser.awaitText("#opened p.outcome", "1 replayed");
    assertThat(browser.find("#opened p.outcome").getText()).contains("1 new");
  }

  /** Runs all cases in one page: a parameterized test would load the page again for each case. */
  @Test
  void a_key_in_the_body_changes_with_its_event() {
    browser.run(
        "import('/_inspector/keys.js').then(keys => window.renewed = (sent, edited) =>"
            + " keys.withNewKeys(edited, keys.keyedEvents(sent), key => 'NEW ' + key))");
    browser.until(driver -> browser.run("return typeof window.renewed").equals("function"));

    assertThat(keysInBodies())
        .allSatisfy(each ->
            assertThat(browser.run("return window.renewed(...arguments)", each.sent, each.edited))
                .isEqualTo(each.expected));
  }

  private record KeyInBody(String sent, String edited, String expected) {}

  private static List<KeyInBody> keysInBodies() {
    String one = "{\"idempotency_key\":\"k\",\"payload\":1}";
    String inPayload = "{\"payload\":{\"idempotency_key\":\"k\"}}";
    String inText = "{\"a\":\"{\\\"idempotency_key\\\":\\\"k\\\"}\"}";
    String batch = "{\"events\":[{\"idempotency_key\":\"k\"},{\"idempotency_key\":\"l\"}]}";
    String escaped = "{ \"payload\": [{}, 2] , \"idempotency_key\" : \"\\u006b\"}";
    return List.of(
        new KeyInBody(one, one, one),
        new KeyInBody(one, one.replace("1", "2"), "{\"idempotency_key\":\"NEW k\",\"payload\":2}"),
        new KeyInBody(one, one.replace("k\"", "typed\""), one.replace("k\"", "typed\"")),
        new KeyInBody(one, one.replace("1", ""), one.replace("1", "")), // no JSON
        new KeyInBody(one, escaped, escaped.replace("\\u006b", "NEW k")),
        new KeyInBody(one.replace("\"k\"", "7"), one, one),
        new KeyInBody(inPayload, inPayload + " ", inPayload + " "),
        new KeyInBody(inText, inText + " ", inText + " "),
        new KeyInBody(batch, batch, batch),
        new KeyInBody(
            batch,
            batch.replace("\"l\"}", "\"l\",\"a\":[]}"),
            batch.replace("\"l\"}", "\"NEW l\",\"a\":[]}")),
        new KeyInBody(
            batch.replace("events", "other"),
            batch.replace("events", "more"),
            batch.replace("events", "more")));
  }

  /** Opens the editor, and changes the body. */
  private void edit(String old, String replacement) {
    browser.button("Edit and send again").click();
    change(old, replacement);
  }

  private void change(String old, String replacement) {
    WebElement body = browser.find("#editor textarea[name=body]");
    String text = Objects.requireNonNull(body.getDomProperty("value"));
    assertThat(text).contains(old);
    browser.replaceText(body, text.replace(old, replacement));
  }

  private String headers() {
    WebElement headers = browser.find("#editor textarea[name=headers]");
    return Objects.requireNonNull(headers.getDomProperty("value"));
  }

  private String key() {
    Matcher key = KEY.matcher(headers());
    assertThat(key.find()).isTrue();
    return key.group(1);
  }

  private WebElement newKey() {
    return browser.find("#editor [name=isNewKey]");
  }
}
