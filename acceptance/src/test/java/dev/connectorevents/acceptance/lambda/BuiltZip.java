package dev.connectorevents.acceptance.lambda;

import dev.connectorevents.emulator.runtime.LambdaRuntime;
import java.io.IOException;
import java.nio.file.Path;

/** The zip that this build made, under the runtime that it fetched. */
final class BuiltZip {
  private BuiltZip() {}

  /**
   * Unpacks it.
   *
   * @param folder empty, for its content
   */
  static LambdaRuntime unpack(Path folder) throws IOException {
    return LambdaRuntime.unpack(
        Path.of("../functions/target/functions.zip"),
        Path.of("../emulator/target/lambda-runtime"),
        folder);
  }
}
