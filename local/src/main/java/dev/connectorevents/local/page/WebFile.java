package dev.connectorevents.local.page;

import dev.connectorevents.emulator.http.HttpAnswer;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;

/** A file of a page. */
public record WebFile(String mediaType, Content content) {

  /** By the ending of a file's name. */
  private static final Map<String, String> MEDIA_TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "yaml", "application/yaml");

  /** Reads the file. */
  public interface Content {
    byte[] read() throws IOException;
  }

  /** A file with this name. */
  public static WebFile named(String name, Content content) {
    String ending = name.substring(name.lastIndexOf('.') + 1);
    return new WebFile(Objects.requireNonNull(MEDIA_TYPES.get(ending), name), content);
  }

  /**
   * A file of the class path.
   *
   * @param beside the class that a relative path starts from
   * @throws NullPointerException from {@link Content#read} if there is no such file
   */
  public static WebFile resource(Class<?> beside, String path) {
    return named(
        path,
        () -> {
          try (InputStream stream = beside.getResourceAsStream(path)) {
            return Objects.requireNonNull(stream, path).readAllBytes();
          }
        });
  }

  /**
   * A file of a <a href="https://www.webjars.org">webjar</a>.
   *
   * @param artifact its Maven coordinates, such as {@code org.webjars/swagger-ui}
   */
  public static WebFile webjar(String artifact, String path) throws IOException {
    String name = artifact.substring(artifact.indexOf('/') + 1);
    Properties properties = new Properties();
    try (InputStream stream =
        WebFile.class.getResourceAsStream("/META-INF/maven/" + artifact + "/pom.properties")) {
      properties.load(Objects.requireNonNull(stream, artifact));
    }
    String version = properties.getProperty("version");
    return resource(
        WebFile.class, "/META-INF/resources/webjars/" + name + "/" + version + "/" + path);
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
