package dev.connectorevents.emulator.template;

import java.util.Locale;
import java.util.Optional;

/**
 * One `HttpApi` event of a function: the requests that API Gateway hands to it.
 *
 * @param method in capitals, or ANY
 * @param path with `{name}` for one segment and `{name+}` for all that are left, or $default
 * @param function the logical id of the function
 */
public record Route(String method, String path, String function) {
  private static final String DEFAULT = "$default";

  /** As API Gateway writes it: `POST /api/auth/login`, or `$default`. */
  public String key() {
    return path.equals(DEFAULT) ? DEFAULT : method + " " + path;
  }

  static Route read(String function, Section properties) {
    var path = properties.optionalText("Path").orElse(DEFAULT);
    if (!path.startsWith("/") && !path.equals(DEFAULT)) {
      throw new TemplateMistake(properties.path("Path"), path + " does not begin with a slash");
    }
    var format = properties.optionalText("PayloadFormatVersion").orElse("2.0");
    if (!format.equals("2.0")) {
      throw new TemplateMistake(properties.path("PayloadFormatVersion"), "only 2.0 is served here");
    }
    return new Route(method(properties.optionalText("Method")), path, function);
  }

  private static String method(Optional<String> written) {
    var method = written.orElse("ANY").toUpperCase(Locale.ROOT);
    return method.equals("*") || method.equals("X-AMAZON-APIGATEWAY-ANY-METHOD") ? "ANY" : method;
  }
}
