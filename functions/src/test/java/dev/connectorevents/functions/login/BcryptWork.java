package dev.connectorevents.functions.login;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordingFile;

/**
 * The work of bcrypt in the current thread, counted with Java Flight Recorder.
 *
 * @param checks the number of checked passwords
 * @param keySchedules the number of key schedules: two for each of the 2^cost rounds of a check
 */
record BcryptWork(long checks, long keySchedules) {

  private static final String BCRYPT = "at.favre.lib.crypto.bcrypt.BCryptOpenBSDProtocol";

  static BcryptWork of(Runnable action) {
    try (Recording recording = new Recording()) {
      recording
          .enable("jdk.MethodTrace")
          .with("filter", BCRYPT + "::enhancedKeySchedule;" + BCRYPT + "::key");
      recording.start();
      action.run();
      recording.stop();
      List<RecordedEvent> calls = callsOfThisThread(recording);
      return new BcryptWork(count(calls, "enhancedKeySchedule"), count(calls, "key"));
    }
  }

  private static List<RecordedEvent> callsOfThisThread(Recording recording) {
    try {
      Path file = Files.createTempFile("bcrypt", ".jfr");
      try {
        recording.dump(file);
        return RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getEventType().getName().equals("jdk.MethodTrace"))
            .filter(
                event -> event.getThread().getJavaThreadId() == Thread.currentThread().threadId())
            .toList();
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long count(List<RecordedEvent> calls, String method) {
    return calls.stream()
        .map(call -> call.<RecordedMethod>getValue("method"))
        .filter(called -> called.getName().equals(method))
        .count();
  }
}
