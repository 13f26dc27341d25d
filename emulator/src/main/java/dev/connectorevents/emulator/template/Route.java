package dev.connectorevents.emulator.template;

import java.util.Locale;

/**
 * One {@code HttpApi} event of a function.
 *
 * @param method in capitals, or ANY
 * @param path with {@code {name}} for one segment and {@code {name+}} for the rest, or $default
 * @param function the function's logical id
 */
public record Route(String method, String path, String function) {

  private static final String DEFAULT = "$default";

  /** Its route key, such as {@code POST /api/auth/login}, or {@code $default}. */
  public String key() {
    return path.equals(DEFAULT) ? DEFAULT : method + " " + path;
  }

  static Route read(String function, Section properties) {
    Vocabulary.ROUTE.check(properties);
    requireOwnApi(properties);
    String path = properties.optionalText("Path").orElse(DEFAULT);
    if (!path.startsWith("/") && !path.equals(DEFAULT)) {
      throw new TemplateMistake(properties.path("Path"), path + " does not begin with a slash");
    }
    if (!properties.optionalText("PayloadFormatVersion").orElse("2.0").equals("2.0")) {
      throw new TemplateMistake(properties.path("PayloadFormatVersion"), "only 2.0 is served here");
    }
    String method = properties.optionalText("Method").orElse("ANY").toUpperCase(Locale.ROOT);
    boolean isAny = method.equals("*") || method.equals("X-AMAZON-APIGATEWAY-ANY-METHOD");
    return new Route(isAny ? "ANY" : method, path, function);
  }

  private static void requireOwnApi(Section properties) {
    String api = properties.optionalText("ApiId").orElse(Names.API);
    if (!api.equals(Names.API) && !api.equals(Names.IMPLICIT_API)) {
      throw new TemplateMistake(properties.path("ApiId"), "only the template's API is served here");
    }
  }
}
