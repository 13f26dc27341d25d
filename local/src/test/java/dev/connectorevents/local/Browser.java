package dev.connectorevents.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.emulator.CommandOnPath;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.support.ui.ExpectedCondition;
import org.openqa.selenium.support.ui.ExpectedConditions;
import org.openqa.selenium.support.ui.WebDriverWait;

/** The Chromium of this machine, without a window. */
public final class Browser implements AutoCloseable {

  private static final String CHROMIUM = "/usr/bin/chromium";

  private static final String DRIVER = "/usr/bin/chromedriver";

  /**
   * Chromium from Debian's package {@code chromium-headless-shell}. It takes a quarter less CPU
   * than {@link #CHROMIUM}. The package's command in {@code /usr/bin} is a script: the driver would
   * end the script, and leave Chromium running.
   */
  private static final Path WITHOUT_A_WINDOW = Path.of("/usr/lib/chromium/chromium-headless-shell");

  private final ChromeDriver driver;
  private final WebDriverWait wait;

  /** Starts Chromium. Skips the test if the machine has no Chromium or no driver for it. */
  public static Browser start() throws IOException, InterruptedException {
    CommandOnPath.assumeWorks(CHROMIUM, "--version");
    CommandOnPath.assumeWorks(DRIVER, "--version");
    return new Browser();
  }

  private Browser() {
    ChromeOptions options = new ChromeOptions();
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--window-size=1400,900",
        // Tests need no spare process, no cache of pages that they left, and no address bar. The
        // bar's hidden pages alone take a second of CPU at each start.
        "--disable-features=SpareRendererForSitePerProcess,BackForwardCache,"
            + "WebUIOmniboxPopup,WebUIOmniboxAimPopup");
    options.setBinary(Files.exists(WITHOUT_A_WINDOW) ? WITHOUT_A_WINDOW.toString() : CHROMIUM);
    System.setProperty("webdriver.chrome.driver", DRIVER);
    driver = new ChromeDriver(options);
    wait = new WebDriverWait(driver, Duration.ofSeconds(30), Duration.ofMillis(200));
  }

  public void open(URI page) {
    driver.get(page.toString());
  }

  /**
   * Sets the size of the viewport, in CSS pixels. Chromium's window cannot be as narrow as a phone.
   */
  public void resize(int width, int height) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  /** Sets the preferred color scheme: {@code light} or {@code dark}. */
  public void prefer(String colorScheme) {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", colorScheme))));
  }

  /** Waits for an element that matches and can be clicked, and returns it. */
  public WebElement find(String css) {
    return wait.until(ExpectedConditions.elementToBeClickable(By.cssSelector(css)));
  }

  public List<WebElement> all(String css) {
    return driver.findElements(By.cssSelector(css));
  }

  public WebElement button(String text) {
    return wait.until(
        ExpectedConditions.elementToBeClickable(By.xpath("//button[text()='" + text + "']")));
  }

  public void until(ExpectedCondition<?> condition) {
    wait.until(condition);
  }

  public void awaitText(String css, String text) {
    wait.until(ExpectedConditions.textToBePresentInElementLocated(By.cssSelector(css), text));
  }

  /**
   * Replaces the text of a field at once, as a paste does. Key by key, a long text takes seconds.
   */
  public void replaceText(WebElement field, String text) {
    field.clear();
    field.click();
    driver.executeCdpCommand("Input.insertText", Map.of("text", text));
  }

  public WebElement focused() {
    return driver.switchTo().activeElement();
  }

  public Object run(String script, Object... arguments) {
    return Objects.requireNonNullElse(driver.executeScript(script, arguments), "");
  }

  /** The URLs of the resources that the page has loaded, without {@code data:} URLs. */
  public List<String> loaded() {
    Object names =
        run(
            "return performance.getEntriesByType('resource').map(each => each.name)"
                + ".filter(name => !name.startsWith('data:'))");
    return ((List<?>) names).stream().map(String::valueOf).toList();
  }

  /**
   * The accessibility rules that the page breaks now, each with the first element that breaks it.
   *
   * @param rules the ids of axe's rules to check. Without an id, axe checks all rules
   */
  public List<String> violations(String... rules) throws IOException {
    if (run("return typeof axe").equals("undefined")) {
      try (InputStream axe =
          Objects.requireNonNull(Browser.class.getResourceAsStream("/axe.min.js"))) {
        run(new String(axe.readAllBytes(), UTF_8));
      }
    }
    Object found =
        driver.executeAsyncScript(
            "const [rules, done] = arguments; axe.run(rules.length ? {runOnly: rules} : {})"
                + ".then(result => done(result.violations.map("
                + "each => each.id + ': ' + each.nodes[0].html + ' ' + each.nodes[0].failureSummary)));",
            List.of(rules));
    return ((List<?>) Objects.requireNonNull(found)).stream().map(String::valueOf).toList();
  }

  @Override
  public void close() {
    driver.quit();
  }
}
