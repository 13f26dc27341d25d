package dev.connectorevents.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.emulator.CommandOnPath;
import dev.connectorevents.emulator.Emulator;
import dev.connectorevents.emulator.EmulatorOptions;
import dev.connectorevents.emulator.Fixtures;
import dev.connectorevents.local.contract.Traffic;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.By;
import org.openqa.selenium.WebDriver;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.support.ui.ExpectedConditions;
import org.openqa.selenium.support.ui.WebDriverWait;

/** The page that shows the API, as {@code local/serve} serves it. */
@SuppressWarnings("NullAway.Init")
class ApiDocsTest {

  private static final Map<String, String> LOGIN =
      Map.of("CONNECTOR_API_EMAIL", "shop@example.com", "CONNECTOR_API_PASSWORD", "a password");

  private static Emulator service;

  @BeforeAll
  static void start() throws IOException {
    EmulatorOptions options =
        new EmulatorOptions(Mistake.TEMPLATE, 0, Optional.empty(), Map.of("BcryptCost", "10"));
    PrintStream output = new PrintStream(new ByteArrayOutputStream(), true, UTF_8);
    service = Serve.start(options.observed(Traffic.RECORDED), LOGIN, output);
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  @ParameterizedTest
  @CsvSource({
    "/docs/, text/html, <title>Connector Events",
    "/docs/docs.js, text/javascript, SwaggerUIBundle",
    "/docs/swagger-ui.css, text/css, .swagger-ui",
    "/docs/swagger-ui-bundle.js, text/javascript, SwaggerUIBundle",
    "/docs/openapi.yaml, application/yaml, openapi: 3.1.0",
  })
  void its_files_are_served(String path, String type, String content) {
    HttpResponse<String> answer = get(path);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("content-type").orElseThrow()).startsWith(type);
    assertThat(answer.headers().firstValue("content-security-policy")).isPresent();
    assertThat(answer.body()).contains(content);
  }

  @ParameterizedTest
  @CsvSource({"/docs, 302", "/docs/../template.yaml, 404", "/docs/docs.class, 404", "/docsx, 404"})
  void nothing_else_is_served(String path, int status) {
    assertThat(get(path).statusCode()).isEqualTo(status);
  }

  @Test
  void a_browser_tries_a_login_and_loads_nothing_from_other_hosts() throws Exception {
    CommandOnPath.assumeWorks("chromium", "--version");
    CommandOnPath.assumeWorks("chromedriver", "--version");
    ChromeOptions options = new ChromeOptions();
    options.addArguments("--headless=new", "--no-sandbox", "--window-size=1200,2400");
    options.setBinary("/usr/bin/chromium");
    System.setProperty("webdriver.chrome.driver", "/usr/bin/chromedriver");
    WebDriver browser = new ChromeDriver(options);
    try {
      browser.get(service.baseUrl() + "/docs");
      WebDriverWait wait = new WebDriverWait(browser, Duration.ofSeconds(30));
      wait.until(ExpectedConditions.elementToBeClickable(By.id("operations-Authentication-login")))
          .click();
      wait.until(ExpectedConditions.elementToBeClickable(By.cssSelector("button.execute"))).click();
      By status = By.cssSelector(".live-responses-table tbody .response-col_status");
      wait.until(ExpectedConditions.textToBePresentInElementLocated(status, "401"));

      assertThat(loaded((ChromeDriver) browser))
          .isNotEmpty()
          .allSatisfy(url -> assertThat(url).startsWith(service.baseUrl().toString()));
    } finally {
      browser.quit();
    }
  }

  /** The addresses of everything that the page has asked for. */
  private static List<String> loaded(ChromeDriver browser) {
    Object names =
        Objects.requireNonNull(
            browser.executeScript(
                "return performance.getEntriesByType('resource').map(each => each.name)"
                    + ".filter(name => !name.startsWith('data:'))"));
    return ((List<?>) names).stream().map(String::valueOf).toList();
  }

  private static HttpResponse<String> get(String path) {
    return Fixtures.send(HttpRequest.newBuilder(URI.create(service.baseUrl() + path)));
  }
}
