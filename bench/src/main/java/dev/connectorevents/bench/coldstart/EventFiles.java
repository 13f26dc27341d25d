package dev.connectorevents.bench.coldstart;

import dev.connectorevents.emulator.template.FunctionDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the functions are called with: the files of `events/`, which leave the token open. */
record EventFiles(Path folder, String token) {

  /** An event for a function, which is in a package of that name. */
  String of(FunctionDefinition function, String name) throws IOException {
    return switch (name) {
      case "createevent" -> read("create-webhook-event.shopify");
      case "manageusers" -> read("manage-users.show");
      case "rotatesigningkey" -> {
        String secret = function.environment().getOrDefault("SIGNING_KEY_SECRET_ARN", "");
        // The step that does the most: it reads the key, and signs and checks with it.
        yield read("rotate-signing-key")
            .replace("createSecret", "testSecret")
            .replaceAll("arn:aws:secretsmanager:[^\"]*", secret);
      }
      default -> read(name);
    };
  }

  private String read(String file) throws IOException {
    return Files.readString(folder.resolve(file + ".json")).replace("ACCESS_TOKEN", token);
  }
}
