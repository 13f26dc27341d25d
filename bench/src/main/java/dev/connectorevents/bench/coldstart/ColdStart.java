package dev.connectorevents.bench.coldstart;

import static dev.connectorevents.bench.MarkdownTable.figure;
import static dev.connectorevents.bench.coldstart.Candidates.CREATE_EVENT;
import static dev.connectorevents.bench.coldstart.Candidates.TURN;

import dev.connectorevents.bench.coldstart.Candidates.Candidate;
import dev.connectorevents.bench.coldstart.Result.Run;
import dev.connectorevents.emulator.SdkSettings;
import dev.connectorevents.emulator.template.FunctionDefinition;
import dev.connectorevents.emulator.template.Template;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Measures how long the functions take to start and to answer. {@code bench/run} prepares the
 * machine.
 *
 * @param folder an empty folder for the unpacked functions
 * @param launcher a command and its arguments, put before the command of each process; may be empty
 * @param otherZip the zip of another build of the functions, to compare with
 * @param trustStore contains the certificate of this JVM's key store; if absent, the functions call
 *     the stub of AWS without TLS
 * @param conditions the conditions of the measurement, for the report
 */
public record ColdStart(
    Path folder,
    List<String> launcher,
    Optional<Path> otherZip,
    Optional<Path> trustStore,
    String conditions) {

  private static final int LOGINS = 150;
  private static final int UNMEASURED_LOGINS = 100;

  private static final int THROUGHPUT_TURNS = 60;

  /**
   * Measures the functions and returns the report. Prints progress to standard error.
   *
   * @param only selects the rows of the first table, and the further tables, whose names contain a
   *     match
   * @param runs the number of starts of each function
   * @param invokes the number of warm requests to each function, if the bench measures them
   */
  public String measure(Path root, Pattern only, int runs, int invokes)
      throws IOException, InterruptedException, GeneralSecurityException {
    if (runs < 1 || invokes < 1) {
      throw new IllegalArgumentException("--runs and --invokes need a number from 1 on");
    }
    Path template = root.resolve("template.yaml");
    List<FunctionDefinition> functions = Template.read(template, Map.of()).functions();
    Path events = root.resolve("events");
    Deployments deployments = new Deployments(root, folder, otherZip);
    Candidates withoutTokens =
        new Candidates(deployments, functions, new BenchmarkEvents(events, "", ""));
    try (AwsStub aws = new AwsStub(withoutTokens.bcryptCost(), trustStore.isPresent());
        SlowNetwork slowDynamoDb = new SlowNetwork(aws.dynamoDb());
        SlowNetwork slowSecretsManager = new SlowNetwork(aws.secretsManager())) {
      Map<String, String> near = ambient(aws.dynamoDb(), aws.secretsManager());
      Map<String, String> far = ambient(slowDynamoDb.endpoint(), slowSecretsManager.endpoint());
      Measurements measurements =
          new Measurements(
              aws, launcher, candidate -> candidate.waits().equals(Waits.NONE) ? near : far);
      String token = measurements.token(withoutTokens.login());
      String consumerToken = measurements.token(withoutTokens.consumerLogin());
      Candidates candidates =
          new Candidates(deployments, functions, new BenchmarkEvents(events, token, consumerToken));
      List<Candidate> asked =
          candidates.all().stream().filter(each -> only.matcher(each.name()).find()).toList();
      StringBuilder report = new StringBuilder(heading(runs, invokes));
      report.append(new ColdStartReport(results(asked, measurements, runs, invokes)));
      if (only.matcher("first requests").find()) {
        List<Candidate> first = asked.stream().filter(ColdStart::hasFirstRequests).toList();
        report
            .append("\nThe first requests of an instance:\n\n")
            .append(new FirstRequests(measurements.firstRequests(first, runs)));
      }
      if (only.matcher("touched pages").find()) {
        List<Candidate> restored =
            asked.stream()
                .filter(each -> each.isRestored() && each.waits().equals(Waits.NONE))
                .toList();
        report
            .append("\nThe memory that is touched from the snapshot to the first answer:\n\n")
            .append(measurements.touchedPages(restored, runs));
      }
      if (only.matcher("missing keys").find()) {
        report
            .append("\nThe CPU time of a request, from a snapshot:\n\n")
            .append(
                measurements.missingKeys(
                    candidates.createEvent(), candidates.findMissing(), THROUGHPUT_TURNS));
      }
      if (only.matcher("batches").find()) {
        report
            .append(
                "\nEvents a second, from a snapshot; AWS takes %d ms to answer:\n\n"
                    .formatted(Waits.USUAL.dynamoDb().toMillis()))
            .append(
                measurements.throughput(
                    candidates.createEvent(), candidates.batch(), THROUGHPUT_TURNS));
      }
      return report.toString();
    }
  }

  private static boolean hasFirstRequests(Candidate candidate) {
    return candidate.name().startsWith(CREATE_EVENT) && candidate.waits().equals(Waits.NONE);
  }

  /**
   * The environment variables that lead the SDK to the stub of AWS: endpoints, region, credentials
   * and trust store.
   */
  private Map<String, String> ambient(URI dynamoDb, URI secretsManager) {
    Map<String, String> ambient =
        new HashMap<>(new SdkSettings(dynamoDb, secretsManager).environment());
    ambient.put("AWS_SESSION_TOKEN", "bench"); // the credentials of a role have one
    trustStore.ifPresent(
        it -> ambient.put("JAVA_TOOL_OPTIONS", "-Djavax.net.ssl.trustStore=" + it));
    return ambient;
  }

  private static List<Result> results(
      List<Candidate> asked, Measurements measurements, int runs, int invokes)
      throws IOException, InterruptedException {
    Map<Candidate, List<Run>> starts = measurements.starts(asked, runs);
    int turns = 2 * Math.ceilDiv(invokes, 2 * TURN);
    Map<Candidate, List<List<Double>>> warm = measurements.requests(asked, TURN, turns, turns / 2);
    warm.putAll(measurements.requests(asked, 1, LOGINS, UNMEASURED_LOGINS));
    List<Result> results = new ArrayList<>();
    for (Candidate each : asked) {
      List<Run> all = starts.getOrDefault(each, List.of());
      List<List<Double>> times = warm.getOrDefault(each, List.of());
      results.add(new Result(each, all, times, measurements.classes(each)));
    }
    return results;
  }

  private String heading(int runs, int invokes) {
    return """
    Medians of %d starts on JDK %s; %s.
    Warm: the second half of %s requests, sent to all in turns of %d. A ratio is the median of the rounds' ratios, with
    their range.

    """
        .formatted(
            runs, System.getProperty("java.version"), conditions, figure("%,.0f", invokes), TURN);
  }
}
