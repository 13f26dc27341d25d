package dev.connectorevents.local.runtime;

import java.io.IOException;
import java.nio.file.Path;

/** The zip that this build made, under the runtime that it fetched. */
public final class BuiltZip {
  private BuiltZip() {}

  /**
   * Unpacks it.
   *
   * @param folder empty, for its content
   */
  public static LambdaRuntime unpack(Path folder) throws IOException {
    return LambdaRuntime.unpack(
        Path.of("../functions/target/functions.zip"), Path.of("target", "lambda-runtime"), folder);
  }
}
