package dev.connectorevents.local;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The arguments of {@code local/serve}.
 *
 * <p>This file uses only the JDK: {@code local/serve} runs it from source to check the arguments
 * before it builds anything.
 */
sealed interface CommandLine {
  String USAGE =
      """
      Usage: local/serve [--port PORT] [--data DIR] [--endpoint URL] [--lambda URL]
                         [--parameter NAME=VALUE]... [--no-throttling] [--log json]
                         [--template FILE]

      Runs the whole service on this machine: API, functions, tables and secrets, as template.yaml
      describes them. Nothing leaves the machine, and only this machine can reach it.

        --port PORT             of the API (default 3000, 0 for any free one); DynamoDB and
                                Secrets Manager take the two ports above it
        --data DIR              store everything there, so that it survives a restart
                                (default: in memory)
        --endpoint URL          of LocalStack or moto: create the tables and the secret there and
                                leave them there (default: a DynamoDB and a Secrets Manager of
                                its own)
        --lambda URL            of sam local start-lambda: let its function number the stored
                                events (default: with a function of its own)
        --parameter NAME=VALUE  a value for one of the template's parameters
        --no-throttling         let more requests through than the template's limits allow, for
                                load tests (default: the rest gets a 429)
        --log json              print the functions' log lines as CloudWatch would get them
                                (default: text, one readable line per request)
        --template FILE         another template
        --help                  this text

      CONNECTOR_API_EMAIL and CONNECTOR_API_PASSWORD name the first user.
      """;

  String NO_THROTTLING = "--no-throttling";
  String PARAMETER = "--parameter";
  String ENDPOINT = "--endpoint";
  String LAMBDA = "--lambda";
  Set<String> WITH_VALUE = Set.of("--port", "--data", ENDPOINT, LAMBDA, "--log", "--template");

  /** DynamoDB and Secrets Manager take the two ports above the API's. */
  int MAX_PORT = 65_533;

  /**
   * Start the service.
   *
   * @param endpoint of LocalStack or moto, if not the service's own DynamoDB and Secrets Manager
   * @param lambda calls the functions of event source mappings, if the service does not
   * @param isLogJson whether to print the functions' log lines themselves
   */
  record Run(
      Path template,
      int port,
      Optional<Path> data,
      Map<String, String> parameters,
      Optional<URI> endpoint,
      Optional<URI> lambda,
      boolean isThrottled,
      boolean isLogJson)
      implements CommandLine {}

  record Help() implements CommandLine {}

  record Mistake(String message) implements CommandLine {}

  /** Only checks the arguments. Prints nothing if the service may start with them. */
  static void main(String[] arguments) {
    runOrExit(arguments);
  }

  /** Exits with 0 after the usage, and with 2 after a mistake. */
  static Run runOrExit(String[] arguments) {
    switch (parse(List.of(arguments))) {
      case Run run -> {
        return run;
      }
      case Help() -> {
        System.out.print(USAGE);
        System.exit(0);
      }
      case Mistake(String message) -> {
        System.err.println("local/serve: " + message);
        System.err.println("local/serve --help lists the options.");
        System.exit(2);
      }
    }
    throw new IllegalStateException("exited");
  }

  static CommandLine parse(List<String> arguments) {
    if (arguments.contains("--help") || arguments.contains("-h")) {
      return new Help();
    }
    try {
      return run(new ArrayDeque<>(arguments));
    } catch (IllegalArgumentException e) {
      return new Mistake(String.valueOf(e.getMessage()));
    }
  }

  private static Run run(Deque<String> arguments) {
    Map<String, String> values = new HashMap<>();
    Map<String, String> parameters = new HashMap<>();
    while (!arguments.isEmpty()) {
      String argument = arguments.pop();
      String name = argument.split("=", 2)[0];
      if (argument.equals(NO_THROTTLING)) {
        values.put(name, "");
      } else if (name.equals(PARAMETER)) {
        addParameter(value(argument, arguments), parameters);
      } else if (WITH_VALUE.contains(name)) {
        values.put(name, value(argument, arguments));
      } else {
        throw new IllegalArgumentException("unknown option " + argument);
      }
    }
    return new Run(
        Path.of(values.getOrDefault("--template", "template.yaml")),
        port(values.getOrDefault("--port", "3000")),
        Optional.ofNullable(values.get("--data")).map(Path::of),
        parameters,
        Optional.ofNullable(values.get(ENDPOINT)).map(value -> url(ENDPOINT, value)),
        Optional.ofNullable(values.get(LAMBDA)).map(value -> url(LAMBDA, value)),
        !values.containsKey(NO_THROTTLING),
        isLogJson(values.getOrDefault("--log", "text")));
  }

  /** The text after {@code =}, or else the next argument. */
  private static String value(String argument, Deque<String> next) {
    int equals = argument.indexOf('=');
    String value = equals >= 0 ? argument.substring(equals + 1) : next.isEmpty() ? "" : next.pop();
    if (value.isEmpty()) {
      throw new IllegalArgumentException(argument.split("=", 2)[0] + " needs a value");
    }
    return value;
  }

  private static void addParameter(String value, Map<String, String> parameters) {
    int equals = value.indexOf('=');
    if (equals < 1) {
      throw new IllegalArgumentException("--parameter needs NAME=VALUE, not " + value);
    }
    parameters.put(value.substring(0, equals), value.substring(equals + 1));
  }

  private static int port(String value) {
    if (!value.matches("\\d{1,5}") || Integer.parseInt(value) > MAX_PORT) {
      throw new IllegalArgumentException(
          "--port needs a number from 0 to " + MAX_PORT + ", not " + value);
    }
    return Integer.parseInt(value);
  }

  private static boolean isLogJson(String format) {
    if (!Set.of("text", "json").contains(format)) {
      throw new IllegalArgumentException("--log needs text or json, not " + format);
    }
    return format.equals("json");
  }

  private static URI url(String option, String value) {
    try {
      URI endpoint = new URI(value);
      if (endpoint.getHost() != null && value.matches("(?i)https?:.*")) {
        return endpoint;
      }
    } catch (URISyntaxException e) {
      // The same mistake as below.
    }
    throw new IllegalArgumentException(
        option + " needs a URL such as http://localhost:4566, not " + value);
  }
}
