package dev.connectorevents.emulator.function;

import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.connectorevents.emulator.dynamodb.WriteObserver;
import dev.connectorevents.emulator.dynamodb.WriteObserver.Write;
import dev.connectorevents.emulator.iam.FunctionRole;
import dev.connectorevents.emulator.template.FunctionDefinition;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A function with its warm instances. As on Lambda, an instance serves one call at a time, a call
 * without an idle instance starts a new one, and an instance that timed out is discarded.
 */
public final class LocalFunction {
  /**
   * The largest event, in bytes. Lambda's error says that an event "must be smaller than 6291456
   * bytes".
   */
  public static final int MAX_EVENT = 6_291_456 - 1;

  /** The largest answer, in bytes, by Lambda's error for a larger one. */
  private static final int MAX_ANSWER = 6_291_556;

  private final FunctionDefinition definition;
  private final FunctionRole role;
  private final Function<Map<String, String>, RequestStreamHandler> instances;
  private final Map<String, String> environment;
  private final ConcurrentLinkedQueue<RequestStreamHandler> idle = new ConcurrentLinkedQueue<>();
  private final Semaphore concurrency;
  private final Consumer<String> log;

  private LocalFunction(
      FunctionDefinition definition,
      Function<Map<String, String>, RequestStreamHandler> instances,
      Map<String, String> environment,
      Consumer<String> log) {
    this.definition = definition;
    this.role = new FunctionRole(definition);
    this.instances = instances;
    this.environment = environment;
    this.log = log;
    this.concurrency = new Semaphore(definition.reservedConcurrency().orElse(Integer.MAX_VALUE));
  }

  /**
   * Starts the first instance.
   *
   * @param ambient variables that depend on the account: region, credentials, endpoints
   * @param log receives each line that the function logs
   * @throws FunctionFault when its class or its environment is wrong
   */
  public static LocalFunction start(
      FunctionDefinition definition, Map<String, String> ambient, Consumer<String> log) {
    return start(definition, HandlerClass.find(definition)::create, ambient, log);
  }

  /**
   * As {@link #start(FunctionDefinition, Map, Consumer)}, but the caller makes the instances.
   *
   * @param instances makes an instance from its environment variables
   */
  public static LocalFunction start(
      FunctionDefinition definition,
      Function<Map<String, String>, RequestStreamHandler> instances,
      Map<String, String> ambient,
      Consumer<String> log) {
    LocalFunction function =
        new LocalFunction(definition, instances, LambdaEnvironment.of(definition, ambient), log);
    function.role.call(() -> function.idle.add(function.newInstance()));
    return function;
  }

  public FunctionDefinition definition() {
    return definition;
  }

  /**
   * Calls it with a JSON event and waits.
   *
   * @param requestId as its context shows it
   */
  public RecordedInvocation invoke(byte[] event, String requestId) {
    if (!concurrency.tryAcquire()) {
      return new RecordedInvocation(new Invocation.Throttled(), List.of(), List.of());
    }
    Queue<String> lines = new ConcurrentLinkedQueue<>();
    Queue<Write> writes = new ConcurrentLinkedQueue<>();
    try {
      Invocation outcome = run(event, context(requestId, log.andThen(lines::add)), writes::add);
      return new RecordedInvocation(outcome, List.copyOf(lines), List.copyOf(writes));
    } finally {
      concurrency.release();
    }
  }

  private LocalContext context(String requestId, Consumer<String> lines) {
    long deadline = System.nanoTime() + definition.timeout().toNanos();
    return new LocalContext(definition, requestId, deadline, lines);
  }

  private Invocation run(byte[] event, LocalContext context, Consumer<Write> writes) {
    Duration timeout = definition.timeout();
    FutureTask<byte[]> call =
        new FutureTask<>(
            () -> role.call(() -> WriteObserver.record(writes, () -> call(event, context))));
    Thread.ofVirtual().name(definition.id()).start(call);
    try {
      byte[] answer = call.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
      return answer.length > MAX_ANSWER
          ? failed(
              context,
              "Function.ResponseSizeTooLarge",
              "Response payload size exceeded maximum allowed payload size (%d bytes)."
                  .formatted(MAX_ANSWER))
          : new Invocation.Answered(answer);
    } catch (ExecutionException e) {
      Throwable thrown = e.getCause() == null ? e : e.getCause();
      context.getLogger().log(stackTrace(thrown));
      return Invocation.Failed.of(thrown);
    } catch (TimeoutException e) {
      call.cancel(true);
      return failed(
          context,
          "Sandbox.Timedout",
          "RequestId: %s Error: Task timed out after %d.00 seconds"
              .formatted(context.requestId(), timeout.toSeconds()));
    } catch (InterruptedException e) {
      call.cancel(true);
      Thread.currentThread().interrupt();
      return failed(context, "Sandbox.Stopped", "stopped while it ran");
    }
  }

  private byte[] call(byte[] event, LocalContext context) throws Exception {
    RequestStreamHandler idleInstance = idle.poll();
    RequestStreamHandler instance = idleInstance != null ? idleInstance : newInstance();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      instance.handleRequest(new ByteArrayInputStream(event), out, context);
    } finally {
      if (!Thread.currentThread().isInterrupted()) {
        idle.add(instance);
      }
    }
    return out.toByteArray();
  }

  private RequestStreamHandler newInstance() {
    return SdkProperties.with(environment, () -> instances.apply(environment));
  }

  private static String stackTrace(Throwable thrown) {
    StringWriter text = new StringWriter();
    thrown.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  private static Invocation failed(LocalContext context, String type, String message) {
    context.getLogger().log(message);
    return Invocation.Failed.of(type, message);
  }
}
