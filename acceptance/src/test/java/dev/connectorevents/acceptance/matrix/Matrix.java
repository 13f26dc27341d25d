package dev.connectorevents.acceptance.matrix;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.acceptance.service.AwsFault;
import dev.connectorevents.acceptance.service.Product;
import dev.connectorevents.acceptance.service.Proxy;
import dev.connectorevents.emulator.function.Invocation;
import dev.connectorevents.emulator.function.LocalFunction;
import dev.connectorevents.emulator.secretsmanager.SecretsManagerStandIn;
import dev.connectorevents.emulator.template.FunctionDefinition;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/** Runs each scenario on a new instance of its function, and makes calls to AWS fail. */
record Matrix(Stage stage) {

  static final String UNAVAILABLE = "503";

  /**
   * The outcome if the function throws a {@link DependencyUnavailableException}. Its caller,
   * Secrets Manager, then calls it again.
   */
  static final String ERROR = "error";

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * The outcome of a run, such as a status, and the names of the calls to AWS that the function
   * made.
   */
  record Outcome(String text, Set<String> calls) {}

  Outcome run(Scenario scenario) {
    return run(scenario, call -> AwsFault.NONE);
  }

  /** The outcome if this call to AWS always fails. */
  String always(Scenario scenario, String call, AwsFault fault) {
    return run(scenario, each -> each.equals(call) ? fault : AwsFault.NONE).text();
  }

  /** The outcome if this call to AWS fails only the first time. */
  String once(Scenario scenario, String call, AwsFault fault) {
    AtomicBoolean isFirst = new AtomicBoolean(true);
    return run(
            scenario, each -> each.equals(call) && isFirst.getAndSet(false) ? fault : AwsFault.NONE)
        .text();
  }

  private Outcome run(Scenario scenario, Function<String, AwsFault> faults) {
    try (SecretsManagerStandIn own =
        SecretsManagerStandIn.start(0, Optional.empty(), stage.world().template().secrets())) {
      own.enableRotation(
          stage.world().template().rotations(),
          (function, event) -> Invocation.Failed.of("none", "not called"));
      boolean rotates = scenario.function().equals("RotateSigningKeyFunction");
      return run(scenario, rotates ? stage.withSecretsAt(own.endpoint()) : stage, faults);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Outcome run(Scenario scenario, Stage stage, Function<String, AwsFault> faults)
      throws IOException {
    byte[] event = JSON.writeValueAsBytes(scenario.event().apply(stage));
    FunctionDefinition definition = stage.function(scenario.function());
    Set<String> calls = Collections.synchronizedSet(new LinkedHashSet<>());
    Queue<Product.Instance> instances = new ConcurrentLinkedQueue<>();
    try (Proxy aws =
        Proxy.ofAws(
            stage.settings(),
            call -> {
              calls.add(call.name());
              faults.apply(call.name()).answer(call);
            })) {
      LocalFunction function =
          LocalFunction.start(
              definition,
              variables -> {
                Product.Instance instance = start(definition, aws.environment(variables));
                instances.add(instance);
                return instance;
              },
              stage.settings().environment(),
              line -> {});
      Invocation outcome = function.invoke(event, "matrix").outcome();
      return new Outcome(text(outcome), calls);
    } finally {
      instances.forEach(Product.Instance::close);
    }
  }

  private static Product.Instance start(
      FunctionDefinition function, Map<String, String> environment) {
    return Product.SOUND.start(function.handler(), environment, Clock.systemUTC(), Matrix::hurry);
  }

  /**
   * Returns at once, instead of the waits of a function. A rotation would wait until other
   * functions have read the new key, but here no other function runs.
   */
  private static void hurry(Duration time) {}

  private static String text(Invocation outcome) throws IOException {
    return switch (outcome) {
      case Invocation.Answered(byte[] payload) -> text(JSON.readTree(payload));
      case Invocation.Failed failed ->
          failed.errorType().equals(DependencyUnavailableException.class.getName())
              ? ERROR
              : failed.errorType();
      case Invocation.Throttled() -> "throttled";
    };
  }

  /**
   * The status of an answer, or of the first event of a batch. A response with 503 is {@link
   * #UNAVAILABLE} only if it has {@code Retry-After}. A batch's result and an operator's answer
   * have no headers, so they need none.
   */
  private static String text(JsonNode answer) throws IOException {
    boolean isResponse = answer.has("statusCode");
    JsonNode body = isResponse ? JSON.readTree(answer.get("body").asText()) : answer;
    JsonNode result = body.path("results").path(0);
    int status =
        result
            .path("status")
            .asInt(answer.path("statusCode").asInt(body.path("status").asInt(200)));
    if (status < 500) {
      return "" + status;
    }
    boolean canRetry =
        !isResponse || result.isObject() || answer.at("/headers/Retry-After").isTextual();
    return status == 503 && canRetry ? UNAVAILABLE : "an answer with " + status;
  }
}
