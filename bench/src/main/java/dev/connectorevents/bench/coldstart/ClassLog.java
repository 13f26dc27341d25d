package dev.connectorevents.bench.coldstart;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The classes that a JVM has loaded, in their order, as it writes them to a file. */
record ClassLog(Path file) {

  private static final String SOURCE = " source: ";

  /** The option by which the JVM does so. */
  String option() {
    // Without rotation: it would move the file aside that is there already.
    return "-Xlog:class+load:file=" + file + ":none:filecount=0";
  }

  List<String> classes() throws IOException {
    return names(Files.readString(file));
  }

  /** Binary names; those made at run time end in the address that they lie at. */
  static List<String> names(String log) {
    return log.lines()
        .filter(line -> line.contains(SOURCE))
        .map(line -> line.substring(0, line.indexOf(SOURCE)))
        .toList();
  }
}
