package dev.connectorevents.emulator.lambda;

import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.connectorevents.emulator.iam.Role;
import dev.connectorevents.emulator.template.FunctionDefinition;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A function of the template with its warm instances, each of which serves one call at a time.
 *
 * <p>As on Lambda: a call that finds no idle instance starts another, unless as many as are
 * reserved are busy, and one that ran out of time is thrown away.
 */
public final class LocalFunction {
  /** Lambda's limit for an event and for an answer, in bytes. */
  public static final int MAX_PAYLOAD = 6_291_556;

  private final FunctionDefinition definition;
  private final Role role;
  private final HandlerClass handlerClass;
  private final Map<String, String> environment;
  private final ConcurrentLinkedQueue<RequestStreamHandler> idle = new ConcurrentLinkedQueue<>();
  private final Semaphore concurrency;

  private LocalFunction(FunctionDefinition definition, Map<String, String> environment) {
    this.definition = definition;
    this.role = new Role(definition);
    this.handlerClass = HandlerClass.find(definition);
    this.environment = environment;
    this.concurrency = new Semaphore(definition.reservedConcurrency().orElse(Integer.MAX_VALUE));
  }

  /**
   * Starts the first instance.
   *
   * @param ambient variables that Lambda sets beside the template's own
   * @throws FunctionFault naming the function, when its class or its environment is wrong
   */
  public static LocalFunction start(FunctionDefinition definition, Map<String, String> ambient) {
    var function = new LocalFunction(definition, LambdaEnvironment.of(definition, ambient));
    function.role.call(() -> function.idle.add(function.handlerClass.create(function.environment)));
    return function;
  }

  public FunctionDefinition definition() {
    return definition;
  }

  /**
   * Calls it and waits.
   *
   * @param event JSON
   * @param requestId what the function sees as its request id
   */
  public Invocation invoke(byte[] event, String requestId) {
    if (!concurrency.tryAcquire()) {
      return new Invocation.Throttled();
    }
    try {
      return run(event, requestId);
    } finally {
      concurrency.release();
    }
  }

  private Invocation run(byte[] event, String requestId) {
    var timeout = definition.timeout();
    var context = new LocalContext(definition, requestId, System.nanoTime() + timeout.toNanos());
    var call = new FutureTask<>(() -> role.call(() -> call(event, context)));
    Thread.ofVirtual().name(definition.id()).start(call);
    try {
      var answer = call.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
      return answer.length > MAX_PAYLOAD
          ? failed(
              "Function.ResponseSizeTooLarge",
              "Response payload size exceeded maximum allowed payload size ("
                  + MAX_PAYLOAD
                  + " bytes).")
          : new Invocation.Answered(answer);
    } catch (ExecutionException e) {
      var thrown = e.getCause() == null ? e : e.getCause();
      thrown.printStackTrace();
      return new Invocation.Failed(FunctionError.of(thrown));
    } catch (TimeoutException e) {
      call.cancel(true);
      return failed(
          "Sandbox.Timedout",
          "RequestId: %s Error: Task timed out after %d.00 seconds"
              .formatted(requestId, timeout.toSeconds()));
    } catch (InterruptedException e) {
      call.cancel(true);
      Thread.currentThread().interrupt();
      return failed("Sandbox.Stopped", "stopped while it ran");
    }
  }

  private byte[] call(byte[] event, LocalContext context) throws Exception {
    var idleInstance = idle.poll();
    var instance = idleInstance != null ? idleInstance : handlerClass.create(environment);
    var out = new ByteArrayOutputStream();
    try {
      instance.handleRequest(new ByteArrayInputStream(event), out, context);
    } finally {
      if (!Thread.currentThread().isInterrupted()) {
        idle.add(instance);
      }
    }
    return out.toByteArray();
  }

  private static Invocation failed(String type, String message) {
    System.err.println(message);
    return new Invocation.Failed(FunctionError.of(type, message));
  }
}
