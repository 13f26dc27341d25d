package dev.connectorevents.bench.coldstart;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What the functions are called with: the files of `events/`.
 *
 * @param token in place of the one that the files leave open
 * @param secretId of the signing key, as the functions know it
 */
record EventFiles(Path folder, String token, String secretId) {

  /** The password of the user who logs in there. */
  static final String PASSWORD = "correct horse battery staple";

  /**
   * An event for a function.
   *
   * @param function by its package
   */
  String of(String function) throws IOException {
    return switch (function) {
      case "createevent" -> read("create-webhook-event.shopify.json");
      case "manageusers" -> read("manage-users.show.json");
      case "rotatesigningkey" ->
          // The step that does the most: it reads the key, and signs and checks with it.
          read("rotate-signing-key.json")
              .replace("createSecret", "testSecret")
              .replaceAll("arn:aws:secretsmanager:[^\"]*", secretId);
      default -> read(function + ".json");
    };
  }

  private String read(String file) throws IOException {
    return Files.readString(folder.resolve(file)).replace("ACCESS_TOKEN", token);
  }
}
