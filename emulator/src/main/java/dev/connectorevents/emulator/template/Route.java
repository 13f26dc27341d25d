package dev.connectorevents.emulator.template;

import java.util.Locale;
import java.util.Set;

/**
 * One {@code HttpApi} event of a function.
 *
 * @param method in capitals
 * @param path with {@code {name}} for one segment
 * @param function the function's logical id
 */
public record Route(String method, String path, String function) {

  private static final Set<String> METHODS = Set.of("GET", "POST");

  /** Its route key, such as {@code POST /api/auth/login}. */
  public String key() {
    return method + " " + path;
  }

  static Route read(String function, Section properties) {
    requireOwnApi(properties);
    String path = properties.text("Path");
    if (!path.startsWith("/")) {
      throw new TemplateMistake(properties.path("Path"), path + " does not begin with a slash");
    }
    if (path.contains("+}")) {
      throw new TemplateMistake(properties.path("Path"), "only {name} is served here");
    }
    if (!properties.optionalText("PayloadFormatVersion").orElse("2.0").equals("2.0")) {
      throw new TemplateMistake(properties.path("PayloadFormatVersion"), "only 2.0 is served here");
    }
    String method = properties.text("Method").toUpperCase(Locale.ROOT);
    if (!METHODS.contains(method)) {
      throw new TemplateMistake(properties.path("Method"), "only GET and POST are served here");
    }
    return new Route(method, path, function);
  }

  private static void requireOwnApi(Section properties) {
    String api = properties.optionalText("ApiId").orElse(Names.API);
    if (!api.equals(Names.API) && !api.equals(Names.IMPLICIT_API)) {
      throw new TemplateMistake(properties.path("ApiId"), "only the template's API is served here");
    }
  }
}
