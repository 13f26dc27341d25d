package dev.connectorevents.bench.coldstart;

import dev.connectorevents.local.template.FunctionDefinition;
import dev.connectorevents.local.template.Template;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;

/** The command behind `bench/run coldstart`: progress goes to standard error, tables to output. */
public final class ColdStart {

  private ColdStart() {}

  /** Exits with 2 when it was asked for something else, or when a function fails. */
  public static void main(String[] arguments) {
    try {
      measure(CommandLine.parse(List.of(arguments)));
    } catch (IOException | RuntimeException e) {
      System.err.println("bench/run coldstart: " + e.getMessage());
      System.exit(2);
    }
    System.exit(0);
  }

  private static void measure(CommandLine asked) throws IOException {
    List<FunctionDefinition> functions =
        Template.read(asked.root().resolve("template.yaml"), Map.of()).functions();
    Account account =
        new Account(EventFiles.PASSWORD, Integer.parseInt(variable(functions, "BCRYPT_COST")));
    EventFiles events =
        new EventFiles(
            asked.root().resolve("events"),
            account.token(variable(functions, "TOKEN_ISSUER")),
            variable(functions, "SIGNING_KEY_SECRET_ARN"));
    Optional<Certificate> certificate = asked.certificate().map(Certificate::new);
    Optional<SSLContext> tls =
        certificate.isPresent() ? Optional.of(certificate.get().server()) : Optional.empty();
    Path folder = Files.createTempDirectory("coldstart");
    try (AwsStub aws = new AwsStub(account.answers(), tls)) {
      Machine machine = new Machine(asked.isPinned(), ambient(aws.endpoint()), folder);
      Packages packages = new Packages(asked.root(), folder);
      OurFunctions ours = new OurFunctions(packages, functions, events);
      Peers peers =
          new Peers(
              packages,
              ours.definition(OurFunctions.CREATE_EVENT),
              variable(functions, "BCRYPT_COST"),
              events.of(OurFunctions.CREATE_EVENT),
              certificate.map(Certificate::trusting).map(List::of).orElse(List.of()));
      print(asked, report(asked, machine, peers, ours));
    } finally {
      delete(folder);
    }
  }

  /** Of the first function that has it: they do not differ. */
  private static String variable(List<FunctionDefinition> functions, String name) {
    return functions.stream()
        .flatMap(function -> Stream.ofNullable(function.environment().get(name)))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("the template has no " + name));
  }

  private static Map<String, String> ambient(URI aws) {
    return Map.of(
        "AWS_REGION", "us-east-1",
        "AWS_DEFAULT_REGION", "us-east-1",
        "AWS_ACCESS_KEY_ID", "bench",
        "AWS_SECRET_ACCESS_KEY", "bench",
        "AWS_SESSION_TOKEN", "bench",
        "AWS_ENDPOINT_URL_DYNAMODB", aws.toString(),
        "AWS_ENDPOINT_URL_SECRETS_MANAGER", aws.toString());
  }

  private static Report report(CommandLine asked, Machine machine, Peers peers, OurFunctions ours)
      throws IOException {
    List<Candidate> candidates =
        Stream.concat(peers.all().stream(), ours.all().stream())
            .filter(candidate -> asked.only().matcher(candidate.name()).find())
            .toList();
    List<Result> results = results(asked, machine, candidates);
    Candidate bcrypt = peers.bareBcrypt();
    Optional<LoginTimes> login =
        asked.only().matcher(OurFunctions.LOGIN).find()
            ? Optional.of(LoginTimes.measure(ours.login(), bcrypt, machine))
            : Optional.empty();
    return new Report(Conditions.text(asked), results, login);
  }

  private static List<Result> results(
      CommandLine asked, Machine machine, List<Candidate> candidates) throws IOException {
    ColdStarts starts = new ColdStarts(machine);
    Map<Candidate, List<Run>> runs = starts.measure(candidates, asked.runs());
    Map<Candidate, List<Double>> warm =
        WarmRequests.measure(
            machine, candidates.stream().filter(Candidate::isWarm).toList(), asked.invokes());
    List<Result> results = new ArrayList<>();
    for (Map.Entry<Candidate, List<Run>> each : runs.entrySet()) {
      Candidate candidate = each.getKey();
      results.add(
          new Result(
              candidate,
              each.getValue(),
              warm.getOrDefault(candidate, List.of()),
              starts.classes(candidate)));
    }
    return results;
  }

  private static void print(CommandLine asked, Report report) throws IOException {
    if (asked.plot().isPresent()) {
      Files.writeString(asked.plot().get(), new ColdStartPlot(report.results()).toString());
    }
    System.out.print(report);
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
