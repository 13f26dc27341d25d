package dev.connectorevents.bench;

import dev.connectorevents.bench.Candidates.Candidate;
import dev.connectorevents.emulator.SdkSettings;
import dev.connectorevents.emulator.template.FunctionDefinition;
import dev.connectorevents.emulator.template.Template;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Measures how long the functions take to start and to answer. {@code bench/run} prepares the
 * machine.
 *
 * @param root this project's folder
 * @param folder an empty folder for the unpacked functions
 * @param launcher a command and its arguments, put before the command of each process; may be empty
 * @param otherZip the zip of another build of the functions, to compare with
 * @param trustStore contains the certificate of this JVM's key store; if absent, the functions call
 *     the stub of AWS without TLS
 * @param conditions the conditions of the measurement, for the report
 */
record ColdStart(
    Path root,
    Path folder,
    List<String> launcher,
    Optional<Path> otherZip,
    Optional<Path> trustStore,
    String conditions) {

  /**
   * Measures the functions and returns the report. Prints progress to standard error.
   *
   * @param only selects the rows whose names contain a match
   * @param runs the number of starts of each function
   * @param invokes the number of warm requests to each function, if the bench measures them
   */
  String measure(Pattern only, int runs, int invokes)
      throws IOException, InterruptedException, GeneralSecurityException {
    if (runs < 1 || invokes < 1) {
      throw new IllegalArgumentException("--runs and --invokes need a number from 1 on");
    }
    List<FunctionDefinition> functions =
        Template.read(root.resolve("template.yaml"), Map.of()).functions();
    Deployment ours =
        Deployment.unpack(root, root.resolve("functions/target/functions.zip"), folder, "ours");
    Optional<Deployment> other =
        otherZip.isPresent()
            ? Optional.of(Deployment.unpack(root, otherZip.get(), folder, "other"))
            : Optional.empty();
    Path events = root.resolve("events");
    Candidates withoutTokens =
        new Candidates(functions, new BenchmarkEvents(events, "", ""), ours, other);
    try (AwsStub aws = new AwsStub(withoutTokens.bcryptCost(), trustStore.isPresent())) {
      Measurements measurements = new Measurements(launcher, ambient(aws));
      String token = measurements.token(withoutTokens.login());
      String consumerToken = measurements.token(withoutTokens.consumerLogin());
      BenchmarkEvents withTokens = new BenchmarkEvents(events, token, consumerToken);
      List<Candidate> asked =
          new Candidates(functions, withTokens, ours, other)
              .all(Deployment.floor(ours.runtime(), root, folder)).stream()
                  .filter(each -> only.matcher(each.name()).find())
                  .toList();
      if (asked.isEmpty()) {
        throw new IllegalArgumentException("--only selects no row");
      }
      return heading(runs, invokes, ours)
          + new ColdStartReport(measurements.results(asked, runs, invokes));
    }
  }

  /**
   * The environment variables that lead the SDK to the stub of AWS: endpoints, region, credentials
   * and trust store.
   */
  private Map<String, String> ambient(AwsStub aws) {
    Map<String, String> ambient =
        new HashMap<>(new SdkSettings(aws.dynamoDb(), aws.secretsManager()).environment());
    ambient.put("AWS_SESSION_TOKEN", "bench"); // the credentials of a role have one
    trustStore.ifPresent(
        it -> ambient.put("JAVA_TOOL_OPTIONS", "-Djavax.net.ssl.trustStore=" + it));
    return ambient;
  }

  private String heading(int runs, int invokes, Deployment ours) {
    return """
    %s: medians of %d starts on JDK %s; %s.
    Warm: the second half of %d requests, sent to all in turns. A ratio is the median of the rounds' ratios, with their
    range. The zip has %s MB.

    """
        .formatted(
            LocalDate.now(ZoneOffset.UTC),
            runs,
            System.getProperty("java.version"),
            conditions,
            invokes,
            MarkdownTable.figure("%.1f", ours.zipBytes() / 1e6));
  }
}
