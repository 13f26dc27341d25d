package dev.connectorevents.acceptance.service;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.connectorevents.functions.wiring.AwsClients;
import dev.connectorevents.functions.wiring.Wiring;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;

/**
 * Starts instances of the functions, with a clock that the test chooses.
 *
 * @param classes loads the product's classes, with or without a planted defect
 */
public record Product(ClassLoader classes) {

  /** The product without a planted defect. */
  public static final Product SOUND = new Product(Product.class.getClassLoader());

  /** A started instance of a function. */
  public static final class Instance implements RequestStreamHandler, AutoCloseable {

    private final RequestStreamHandler function;
    private final AutoCloseable clients;
    private final ReadWriteLock underWay = new ReentrantReadWriteLock();
    private boolean isClosed;

    private Instance(RequestStreamHandler function, AutoCloseable clients) {
      this.function = function;
      this.clients = clients;
    }

    @Override
    public void handleRequest(InputStream input, OutputStream output, Context context)
        throws IOException {
      underWay.readLock().lock();
      try {
        if (isClosed) {
          throw new IOException("the process is gone");
        }
        function.handleRequest(input, output, context);
      } finally {
        underWay.readLock().unlock();
      }
    }

    /**
     * Waits until no request uses the SDK's clients any more, and then closes them. A call on a
     * closed client would crash the JVM.
     */
    @Override
    public void close() {
      underWay.writeLock().lock();
      try {
        isClosed = true;
        clients.close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      } finally {
        underWay.writeLock().unlock();
      }
    }
  }

  /** As below, with the product's own time-out. */
  public Instance start(
      String handler, Map<String, String> environment, Clock clock, Consumer<Duration> waiting) {
    return start(handler, environment, clock, waiting, AwsClients.TRY_TIMEOUT);
  }

  /**
   * Starts an instance of a function.
   *
   * @param handler name of the function's class
   * @param waiting called instead of sleeping, with the time that the function would sleep
   * @param tryTimeout of one try of a call to AWS, in real time
   */
  Instance start(
      String handler,
      Map<String, String> environment,
      Clock clock,
      Consumer<Duration> waiting,
      Duration tryTimeout) {
    try {
      Class<?> type = classes.loadClass(handler);
      if (type.getPackageName().startsWith("dev.connectorevents.acceptance.")) { // a test's own
        Object function = type.getConstructor(Map.class).newInstance(environment);
        return new Instance((RequestStreamHandler) function, () -> {});
      }
      Class<?> clientsClass = classes.loadClass(AwsClients.class.getName());
      Class<?> wiringClass = classes.loadClass(Wiring.class.getName());
      Object clients =
          clientsClass
              .getMethod("overTheNetwork", Map.class, Duration.class)
              .invoke(null, environment, tryTimeout);
      Object wiring =
          wiringClass
              .getConstructor(Map.class, clientsClass, Clock.class, Consumer.class)
              .newInstance(environment, clients, clock, waiting);
      Object function = function(type, wiring);
      return new Instance((RequestStreamHandler) function, (AutoCloseable) clients);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(handler + " does not start", e);
    }
  }

  private static Object function(Class<?> type, Object wiring) throws ReflectiveOperationException {
    if (type.getSuperclass() == Object.class) {
      return type.getConstructor(wiring.getClass()).newInstance(wiring);
    }
    Method handler = type.getMethod("handler", wiring.getClass());
    return adapter(type)
        .getConstructor(handler.getReturnType())
        .newInstance(handler.invoke(null, wiring));
  }

  /** The superclass that serves requests, without a rehearsal. */
  private static Class<?> adapter(Class<?> type) {
    Class<?> above = type.getSuperclass();
    return above == Object.class ? type : adapter(above);
  }
}
