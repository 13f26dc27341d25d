package dev.connectorevents.local.contract;

import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.emulator.iam.NeededRights;
import dev.connectorevents.emulator.iam.Role;
import dev.connectorevents.emulator.template.Right;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.interceptor.SdkExecutionAttribute;

/**
 * Writes the functions' calls to AWS to a file. Each line is the beginning of a row in
 * docs/failing-calls.md. The SDK finds this class through the test resource {@code
 * execution.interceptors}.
 */
public final class SeenCalls implements ExecutionInterceptor {

  /** The folder for the files of this build. All processes of one build share it. */
  private static final Path FOLDER =
      Path.of("../local/target/calls", System.getProperty("traffic.build", "alone"));

  private static final Pattern TABLE = Pattern.compile(":table/(\\w+)");
  private static final Set<String> KEPT = ConcurrentHashMap.newKeySet();

  @Override
  public void beforeTransmission(
      Context.BeforeTransmission context, ExecutionAttributes attributes) {
    String operation = attributes.getAttribute(SdkExecutionAttribute.OPERATION_NAME);
    if (System.getProperty(Endpoint.PROPERTY) == null) { // another endpoint has other table names
      Role.current()
          .ifPresent(role ->
              NeededRights.of(context.request(), operation).stream()
                  .limit(1) // a transaction is one call, and has the name of its first table
                  .map(right -> operation + subject(right, context.request()))
                  .map(call -> "| %s | %s |".formatted(role.function().id(), call))
                  .filter(KEPT::add)
                  .forEach(SeenCalls::keep));
    }
  }

  /**
   * The table of a call, or the version stage of a secret, with a space before it. Empty if the
   * call has neither.
   */
  private static String subject(Right right, SdkRequest request) {
    Matcher table = TABLE.matcher(right.resource());
    return table.find()
        ? " " + table.group(1)
        : request.getValueForField("VersionStage", String.class).map(" "::concat).orElse("");
  }

  private static synchronized void keep(String call) {
    try {
      Files.createDirectories(FOLDER);
      Files.writeString(
          FOLDER.resolve(ProcessHandle.current().pid() + ".txt"),
          call + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The calls that all processes of this build have written. */
  public static Set<String> read() throws IOException {
    Set<String> all = new TreeSet<>();
    try (Stream<Path> files = Files.list(FOLDER)) {
      for (Path each : files.toList()) {
        all.addAll(Files.readAllLines(each));
      }
    }
    return all;
  }
}
