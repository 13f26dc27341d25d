package dev.connectorevents.local.inspector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.connectorevents.local.Browser;
import dev.connectorevents.local.ServeTest;
import dev.connectorevents.local.ServedLocally;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.support.ui.ExpectedConditions;
import org.openqa.selenium.support.ui.Select;

/** The inspector in a real browser. */
@SuppressWarnings("NullAway.Init")
class InspectorPageTest {

  private static final String ORDER =
      """
      {
        "event_type": "shopify.orders/create",
        "payload": {
          "id": 450789469,
          "total_price": 1234567890123456789.50,
          "line_items": [{"sku": "%s"}],
          "_meta": {"brand_id": "%s"}
        }
      }\
      """;

  private static final Pattern KEY = Pattern.compile("(?im)^idempotency-key: (.*)$");

  private static ServedLocally service;
  private static Browser browser;
  private static String token;

  @BeforeAll
  static void start() throws Exception {
    browser = Browser.start();
    service = ServedLocally.start();
    token = service.token();
  }

  @AfterAll
  static void stop() {
    if (service != null) {
      browser.close();
      service.close();
    }
  }

  @BeforeEach
  void open() {
    browser.resize(1400, 900);
    browser.prefer("light");
    browser.open(service.url("/docs/openapi.yaml")); // so that the next line loads the page anew
    browser.open(service.url("/_inspector/"));
    browser.find("#rows a");
  }

  @Test
  void a_request_appears_at_the_top_and_opens_with_all_its_parts() throws IOException {
    String id = service.sendEvent(token, ORDER.formatted("IPOD", "42"), "Idempotency-Key", "k1");

    WebElement row = row(id);
    assertThat(row.getText())
        .contains("201", "POST /api/webhook-events", "shopify.orders/create", "42", "1");
    assertThat(browser.all("#rows tr").getFirst()).isEqualTo(row);
    row.click();
    browser.awaitText("#title", "POST /api/webhook-events");
    String shown = browser.find("#opened").getText();
    assertThat(shown)
        .contains("Took", "Key", "k1", "Write units", "_meta", "Request headers", "Answer", "Log")
        .contains("total_price: 1234567890123456789.50") // as it was written
        .doesNotContain(token);
    browser.screenshot("opened");
  }

  @Test
  void payloads_are_text_and_never_markup() {
    String script = "<script>window.hacked=1</script><img src=x onerror=window.hacked=1>";
    String json = script.replace("\"", "\\\"");
    String body =
        "{\"event_type\":\"%1$s\",\"status\":\"%1$s\",\"%1$s\":1,\"payload\":{\"%1$s\":\"%1$s\",\"_meta\":{\"brand_id\":\"%1$s\"}}}"
            .formatted(json);
    String id = service.sendEvent(token, body, "X-Hostile", script, "Idempotency-Key", script);
    service.send("GET", "/%3Cscript%3E", "");

    row(id).click();
    browser.awaitText("#title", "422");
    browser.run("document.querySelectorAll('details').forEach(each => each.open = true)");

    assertThat(browser.find("#opened").getText()).contains("<script>window.hacked=1</script>");
    assertThat(browser.run("return typeof window.hacked")).isEqualTo("undefined");
    assertThat(browser.all("main script, main img")).isEmpty();
  }

  @Test
  void a_broken_rule_is_found_and_mended_in_the_page_alone() throws IOException {
    String wrong = ORDER.formatted("IPOD", "7").replace("shopify.orders", "Shopify.orders");
    String id = service.sendEvent(token, wrong);

    row(id).click();
    browser.awaitText("#opened mark", "event_type");
    browser.screenshot("refused");
    browser.button("Edit and send again").click();
    WebElement body = browser.find("#editor textarea[name=body]");
    String edited = Objects.requireNonNull(body.getDomProperty("value"));
    body.clear();
    body.sendKeys(edited.replace("Shopify.orders", "shopify.orders"));
    browser.screenshot("editor");
    browser.find("#send").click();

    browser.awaitText("#title", "201");
    assertThat(browser.all("#opened mark")).isEmpty();
    assertThat(browser.find("#opened").getText()).contains("shopify.orders/create");
  }

  @Test
  void a_missing_member_is_marked_where_it_should_be() {
    row(service.sendEvent(token, "{\"payload\":{}}")).click();

    browser.awaitText("#opened .tree", "event_type is missing: ");
  }

  @Test
  void an_unchanged_request_is_sent_byte_for_byte() {
    String body = ORDER.formatted("CRLF", "1").replace("\n", "\r\n");
    row(service.sendEvent(token, body, "Idempotency-Key", "crlf")).click();
    browser.button("Edit and send again").click();
    browser.find("#send").click();

    browser.awaitText("#opened", "replayed: the first answer again");
  }

  @Test
  void a_changed_event_is_sent_with_a_new_key() throws IOException {
    row(service.sendEvent(token, ORDER.formatted("A", "1"), "Idempotency-Key", "edit-1")).click();
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
    row(service.sendEvent(token, ORDER.formatted("A", "1"), "Idempotency-Key", "edit-2")).click();
    edit("\"A\"", "\"B\"");
    newKey().click();
    assertThat(key()).isEqualTo("edit-2");
    browser.find("#send").click();

    browser.awaitText("#title", "422");
    browser.awaitText("#opened .problem", "idempotency_key_reused");
  }

  @Test
  void the_old_key_comes_back_with_the_old_body_and_a_typed_key_stays() {
    row(service.sendEvent(token, ORDER.formatted("A", "1"), "Idempotency-Key", "edit-3")).click();
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

  /** The event was stored with its secret. The masked text is another event. */
  @Test
  void a_masked_event_is_sent_with_a_new_key() {
    String body = ORDER.formatted("A", "1").replace("\"id\"", "\"api_key\"");
    row(service.sendEvent(token, body, "Idempotency-Key", "masked")).click();
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
    row(service.sendBatch(token, event.formatted("one") + "," + event.formatted("two"))).click();
    edit("\"name\":\"two\"", "\"name\":\"three\"");
    browser.find("#send").click();

    browser.awaitText("#opened .names", "2 events: 1 stored, 1 replayed");
  }

  @ParameterizedTest
  @MethodSource
  void a_key_in_the_body_changes_with_its_event(String sent, String edited, String expected) {
    browser.run(
        "const [sent, edited] = arguments; window.renewed = '';"
            + "import('/_inspector/keys.js').then(keys => window.renewed ="
            + " keys.withNewKeys(edited, keys.keyedEvents(sent), key => 'NEW ' + key))",
        sent,
        edited);
    browser.until(driver -> !browser.run("return window.renewed").equals(""));

    assertThat(browser.run("return window.renewed")).isEqualTo(expected);
  }

  private static Stream<Arguments> a_key_in_the_body_changes_with_its_event() {
    String one = "{\"idempotency_key\":\"k\",\"payload\":1}";
    String inPayload = "{\"payload\":{\"idempotency_key\":\"k\"}}";
    String inText = "{\"a\":\"{\\\"idempotency_key\\\":\\\"k\\\"}\"}";
    String batch = "{\"events\":[{\"idempotency_key\":\"k\"},{\"idempotency_key\":\"l\"}]}";
    String escaped = "{ \"payload\": [{}, 2] , \"idempotency_key\" : \"\\u006b\"}";
    return Stream.of(
        arguments(one, one, one),
        arguments(one, one.replace("1", "2"), "{\"idempotency_key\":\"NEW k\",\"payload\":2}"),
        arguments(one, one.replace("k\"", "typed\""), one.replace("k\"", "typed\"")),
        arguments(one, one.replace("1", ""), one.replace("1", "")), // no JSON
        arguments(one, escaped, escaped.replace("\\u006b", "NEW k")),
        arguments(one.replace("\"k\"", "7"), one, one),
        arguments(inPayload, inPayload + " ", inPayload + " "),
        arguments(inText, inText + " ", inText + " "),
        arguments(batch, batch, batch),
        arguments(
            batch,
            batch.replace("\"l\"}", "\"l\",\"a\":[]}"),
            batch.replace("\"l\"}", "\"NEW l\",\"a\":[]}")),
        arguments(
            batch.replace("events", "other"),
            batch.replace("events", "more"),
            batch.replace("events", "more")));
  }

  @Test
  void a_consumers_request_is_sent_with_a_consumers_token() {
    String list = "/api/webhook-events?event_type=shopify.orders/create&limit=1";
    HttpResponse<String> refused =
        service.send("GET", list, "", "Authorization", "Bearer " + token);
    row(refused.headers().firstValue("apigw-requestid").orElseThrow()).click();
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
    row(service.sendEvent(token, ORDER.formatted("A", "1"))).click();
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
    browser.run(
        "const real = window.fetch; window.sent = 0;"
            + "window.fetch = (...all) => all[0] !== 'send' ? real(...all) : (window.sent++,"
            + " new Promise(done => window.answer = () => done(real(...all))))");
    row(service.sendEvent(token, ORDER.formatted("A", "1"))).click();
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
    row(service.sendEvent(token, ORDER.formatted("A", "1"))).click();
    browser.button("Edit and send again").click();
    WebElement method = browser.find("#editor input[name=method]");
    method.clear();
    method.sendKeys("CONNECT");
    browser.find("#send").click();

    browser.awaitText("#editor-problem", "CONNECT");
  }

  @Test
  void filters_select_by_type_brand_status_and_text() {
    String github =
        service.sendEvent(
            token, "{\"event_type\":\"github.push\",\"payload\":{\"ref\":\"needle-in-it\"}}");
    String brand = service.sendEvent(token, ORDER.formatted("B", "brand-of-filter"));
    String refused = service.sendEvent(token, "{}");
    row(refused);

    assertThat(shownWith("type", "github.push")).contains(github).doesNotContain(brand, refused);
    assertThat(shownWith("brand", "brand-of-filter")).containsExactly(brand);
    assertThat(shownWith("status", "4xx")).contains(refused).doesNotContain(brand, github);
    browser.find("#filter [name=text]").sendKeys("needle-in-it");
    browser.awaitText("#state", "1 of");
    assertThat(shownIds()).containsExactly(github);
  }

  @Test
  void filters_ignore_case() {
    String id = service.sendEvent(token, ORDER.formatted("CaseNeedle", "Brand-Of-CASE"));
    row(id);

    assertThat(shownWith("type", "SHOPIFY.Orders")).contains(id);
    assertThat(shownWith("brand", "brand-of-case")).containsExactly(id);
    browser.find("#filter [name=text]").sendKeys("cASENEEDLE");
    browser.awaitText("#state", "1 of");
    assertThat(shownIds()).containsExactly(id);
  }

  @Test
  void a_filter_without_hits_says_so_and_can_be_cleared() throws IOException {
    row(service.sendEvent(token, ORDER.formatted("A", "1")));
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
  void after_a_restart_the_panel_of_a_lost_request_closes_and_its_link_says_why()
      throws IOException {
    int port = ServeTest.freePort();
    String lost;
    try (ServedLocally first = ServedLocally.startOn(port)) {
      browser.open(first.url("/_inspector/"));
      lost = first.sendEvent(first.token(), ORDER.formatted("A", "1"));
      row(lost).click();
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
    }
  }

  @Test
  void escape_closes_the_innermost() {
    String id = service.sendEvent(token, ORDER.formatted("A", "1"));
    row(id).click();
    browser.button("Edit and send again").click();
    browser.focused().sendKeys(Keys.ESCAPE);
    browser.until(ExpectedConditions.invisibilityOfElementLocated(By.id("editor")));
    WebElement search = browser.find("#filter [name=text]");
    search.sendKeys("x", Keys.ESCAPE);
    assertThat(search.getDomProperty("value")).isEmpty();
    assertThat(browser.find("#opened").isDisplayed()).isTrue();

    browser.find("#opened").sendKeys(Keys.ESCAPE);

    browser.until(ExpectedConditions.invisibilityOfElementLocated(By.id("opened")));
    assertThat(browser.focused().getDomAttribute("href")).isEqualTo("#" + id);
  }

  @Test
  void a_pause_holds_new_requests_back() {
    browser.button("Pause").click();
    String id = service.sendEvent(token, ORDER.formatted("C", "1"));
    browser.awaitText("#state", "1 waiting");
    assertThat(browser.all("#rows tr[data-id='" + id + "']")).isEmpty();

    browser.button("Pause").click();

    assertThat(row(id).isDisplayed()).isTrue();
  }

  @Test
  void the_keyboard_moves_opens_and_comes_back() {
    String older = service.sendEvent(token, ORDER.formatted("D", "1"));
    String newer = service.sendEvent(token, ORDER.formatted("E", "1"));
    row(newer).findElement(By.tagName("a")).sendKeys(Keys.ARROW_DOWN);
    assertThat(browser.focused().getDomAttribute("href")).isEqualTo("#" + older);

    browser.focused().sendKeys(Keys.ENTER);
    browser.awaitText("#title", "201");
    browser.button("Close").sendKeys(Keys.ENTER);

    assertThat(browser.focused().getDomAttribute("href")).isEqualTo("#" + older);
    browser.until(ExpectedConditions.invisibilityOfElementLocated(By.id("opened")));
  }

  @Test
  void curl_has_the_request_without_its_token() {
    browser.run(
        "Object.defineProperty(navigator, 'clipboard',"
            + " {value: {writeText: async text => window.copied = text}})");
    row(service.sendEvent(token, ORDER.formatted("it's", "1"), "Idempotency-Key", "k9")).click();
    browser.button("Copy as curl").click();
    browser.button("Copied");

    assertThat(String.valueOf(browser.run("return window.copied")))
        .startsWith("curl -i -X 'POST' '" + service.url("/api/webhook-events") + "'")
        .contains("-H \"Authorization: Bearer $TOKEN\"", "-H 'idempotency-key: k9'")
        .contains("it'\\''s")
        .doesNotContain(token);
  }

  @ParameterizedTest
  @ValueSource(strings = {"light", "dark"})
  void axe_finds_no_violation(String colorScheme) throws IOException {
    String id = service.sendEvent(token, "{\"event_type\":\"Shopify\",\"sentAt\":1}");
    service.sendEvent(token, ORDER.formatted("F", "42"), "Idempotency-Key", "axe");
    service.sendEvent(token, ORDER.formatted("F", "42"), "Idempotency-Key", "axe");
    browser.prefer(colorScheme);
    row(id);
    assertThat(browser.violations()).as("list").isEmpty();
    browser.screenshot("list-" + colorScheme);

    row(id).click();
    browser.awaitText("#title", "422");
    assertThat(browser.violations()).as("opened").isEmpty();
    browser.screenshot("opened-" + colorScheme);

    browser.resize(500, 900);
    assertThat(browser.violations()).as("narrow").isEmpty();
    assertThat(browser.run("return document.documentElement.scrollWidth <= innerWidth"))
        .isEqualTo(true);
    browser.screenshot("narrow-opened-" + colorScheme);
    browser.button("Edit and send again").click();
    assertThat(browser.violations()).as("editor").isEmpty();
    browser.screenshot("narrow-editor-" + colorScheme);
    browser.find("#editor button[value=cancel]").click();
    browser.button("Close").click();
    assertThat(browser.violations()).as("narrow list").isEmpty();
    assertThat(browser.run("return document.documentElement.scrollWidth <= innerWidth"))
        .isEqualTo(true);
    browser.screenshot("narrow-list-" + colorScheme);
  }

  @Test
  void it_loads_nothing_from_other_hosts() {
    assertThat(browser.loaded())
        .isNotEmpty()
        .allSatisfy(url -> assertThat(url).startsWith(service.url().toString()));
  }

  private static WebElement row(String id) {
    return browser.find("#rows tr[data-id='" + id + "']");
  }

  /** Opens the editor, and changes the body. */
  private static void edit(String old, String replacement) {
    browser.button("Edit and send again").click();
    change(old, replacement);
  }

  private static void change(String old, String replacement) {
    WebElement body = browser.find("#editor textarea[name=body]");
    String text = Objects.requireNonNull(body.getDomProperty("value"));
    assertThat(text).contains(old);
    body.clear();
    body.sendKeys(text.replace(old, replacement));
  }

  private static String headers() {
    WebElement headers = browser.find("#editor textarea[name=headers]");
    return Objects.requireNonNull(headers.getDomProperty("value"));
  }

  private static String key() {
    Matcher key = KEY.matcher(headers());
    assertThat(key.find()).isTrue();
    return key.group(1);
  }

  private static WebElement newKey() {
    return browser.find("#editor [name=isNewKey]");
  }

  private static List<String> shownWith(String field, String value) {
    WebElement input = browser.find("#filter [name=" + field + "]");
    input.sendKeys(value);
    List<String> shown = shownIds();
    browser.run("document.getElementById('filter').reset()");
    return shown;
  }

  private static List<String> shownIds() {
    return browser.all("#rows tr:not([hidden])").stream()
        .map(row -> Objects.requireNonNull(row.getDomAttribute("data-id")))
        .toList();
  }
}
