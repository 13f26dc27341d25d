package dev.connectorevents.local.page;

import dev.connectorevents.emulator.http.HttpAnswer;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A file of a page. */
public record WebFile(String mediaType, Content content) {

  /** Reads the file. */
  public interface Content {
    byte[] read() throws IOException;
  }

  public static WebFile html(Content content) {
    return new WebFile("text/html; charset=utf-8", content);
  }

  public static WebFile css(Content content) {
    return new WebFile("text/css; charset=utf-8", content);
  }

  public static WebFile javaScript(Content content) {
    return new WebFile("text/javascript; charset=utf-8", content);
  }

  /**
   * A file of the class path.
   *
   * @param beside the class that a relative path starts from
   * @throws NullPointerException from {@link Content#read} if there is no such file
   */
  public static Content resource(Class<?> beside, String path) {
    return () -> {
      try (InputStream stream = beside.getResourceAsStream(path)) {
        return Objects.requireNonNull(stream, path).readAllBytes();
      }
    };
  }

  /**
   * The answer with the file.
   *
   * @param policy the page's Content-Security-Policy
   */
  public HttpAnswer answer(String policy) throws IOException {
    return new HttpAnswer(200, List.of(Map.entry("Content-Type", mediaType)), content.read())
        .with("Cache-Control", "no-cache")
        .with("X-Content-Type-Options", "nosniff")
        .with("Content-Security-Policy", policy);
  }
}
