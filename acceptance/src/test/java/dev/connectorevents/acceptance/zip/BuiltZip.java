package dev.connectorevents.acceptance.zip;

import dev.connectorevents.emulator.runtime.LambdaRuntime;
import java.io.IOException;
import java.nio.file.Path;

/** The zip of this build, with the Lambda runtime that the build has downloaded. */
final class BuiltZip {
  private BuiltZip() {}

  /**
   * Unpacks the zip.
   *
   * @param folder an empty folder for the zip's content
   */
  static LambdaRuntime unpack(Path folder) throws IOException {
    return LambdaRuntime.unpack(
        Path.of("../functions/target/functions.zip"),
        Path.of("../emulator/target/lambda-runtime"),
        folder);
  }
}
