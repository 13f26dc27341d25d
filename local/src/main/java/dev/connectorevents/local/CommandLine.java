package dev.connectorevents.local;

import dev.connectorevents.local.LocalOptions.Elsewhere;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What was asked for on the command line. */
sealed interface CommandLine {
  String USAGE =
      """
      Usage: local/serve [--port PORT] [--data DIR] [--endpoint URL] [--parameter NAME=VALUE]...
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
        --parameter NAME=VALUE  a value for one of the template's parameters
        --template FILE         another template
        --help                  this text

      CONNECTOR_API_EMAIL and CONNECTOR_API_PASSWORD name the first user.
      """;

  List<String> OPTIONS = List.of("--port", "--data", "--endpoint", "--parameter", "--template");

  record Run(LocalOptions options) implements CommandLine {}

  record Help() implements CommandLine {}

  record Mistake(String message) implements CommandLine {}

  static CommandLine parse(List<String> arguments) {
    var values = new HashMap<String, String>();
    var parameters = new HashMap<String, String>();
    for (int i = 0; i < arguments.size(); i++) {
      var argument = arguments.get(i);
      if (argument.equals("--help") || argument.equals("-h")) {
        return new Help();
      }
      if (!OPTIONS.contains(argument)) {
        return new Mistake("unknown option " + argument);
      }
      if (++i == arguments.size()) {
        return new Mistake(argument + " needs a value");
      }
      var value = arguments.get(i);
      if (!argument.equals("--parameter")) {
        values.put(argument, value);
      } else if (value.indexOf('=') > 0) {
        parameters.put(
            value.substring(0, value.indexOf('=')), value.substring(value.indexOf('=') + 1));
      } else {
        return new Mistake("--parameter needs NAME=VALUE, not " + value);
      }
    }
    return run(values, parameters);
  }

  private static CommandLine run(Map<String, String> values, Map<String, String> parameters) {
    var port = values.getOrDefault("--port", "3000");
    try {
      return new Run(
          new LocalOptions(
              Path.of(values.getOrDefault("--template", "template.yaml")),
              Integer.parseInt(port),
              Optional.ofNullable(values.get("--data")).map(Path::of),
              parameters,
              Optional.ofNullable(values.get("--endpoint")).map(URI::create).map(Elsewhere::kept)));
    } catch (NumberFormatException e) {
      return new Mistake("--port needs a number from 0 to 65533, not " + port);
    } catch (IllegalArgumentException e) {
      return new Mistake(String.valueOf(e.getMessage()));
    }
  }
}
