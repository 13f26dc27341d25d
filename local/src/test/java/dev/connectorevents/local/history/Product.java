package dev.connectorevents.local.history;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.connectorevents.functions.wiring.AwsClients;
import dev.connectorevents.functions.wiring.Wiring;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Makes instances of the functions, with a clock of our own.
 *
 * @param classes the product's own class loader, or one that has a defect planted
 */
public record Product(ClassLoader classes) {

  /** Without a defect. */
  public static final Product SOUND = new Product(Product.class.getClassLoader());

  /** A function that has started. Closing it closes its clients. */
  public record Instance(RequestStreamHandler function, AutoCloseable clients)
      implements RequestStreamHandler, AutoCloseable {

    @Override
    public void handleRequest(InputStream input, OutputStream output, Context context)
        throws IOException {
      function.handleRequest(input, output, context);
    }

    @Override
    public void close() {
      try {
        clients.close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Starts an instance of a function. */
  public Instance start(
      String handler, Map<String, String> environment, Clock clock, Consumer<Duration> waiting) {
    try {
      Class<?> clientsClass = classes.loadClass(AwsClients.class.getName());
      Class<?> wiringClass = classes.loadClass(Wiring.class.getName());
      Object clients =
          clientsClass.getMethod("overTheNetwork", Map.class).invoke(null, environment);
      Object wiring =
          wiringClass
              .getConstructor(Map.class, clientsClass, Clock.class, Consumer.class)
              .newInstance(environment, clients, clock, waiting);
      Object function = classes.loadClass(handler).getConstructor(wiringClass).newInstance(wiring);
      return new Instance((RequestStreamHandler) function, (AutoCloseable) clients);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(handler + " does not start", e);
    }
  }
}
