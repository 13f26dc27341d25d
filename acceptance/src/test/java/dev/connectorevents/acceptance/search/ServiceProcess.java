package dev.connectorevents.acceptance.search;

import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.connectorevents.acceptance.awscalls.AwsFault;
import dev.connectorevents.acceptance.awscalls.FaultyAws;
import dev.connectorevents.acceptance.service.Product;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.emulator.function.InvokeEndpoint;
import dev.connectorevents.emulator.function.LocalFunction;
import dev.connectorevents.emulator.function.LocalFunctions;
import dev.connectorevents.emulator.gateway.ApiGateway;
import dev.connectorevents.emulator.http.LoopbackServer;
import dev.connectorevents.emulator.template.Template;
import dev.connectorevents.emulator.template.Throttling;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A running service: the functions of the template behind an API. After {@link #kill}, clients get
 * no answers, no call reaches AWS, and all caches are gone.
 */
final class ServiceProcess {

  private final FaultyAws aws;
  private final Instances instances = new Instances();
  private final LoopbackServer http;

  /**
   * @param faults returns the fault for the call to AWS with this name
   * @param clocks makes one clock for each instance of a function
   */
  ServiceProcess(
      Template template,
      Stores stores,
      Product product,
      Function<String, AwsFault> faults,
      Supplier<Clock> clocks,
      ServiceTime time)
      throws IOException {
    aws = new FaultyAws(stores.settings(), faults);
    LocalFunctions functions =
        new LocalFunctions(
            template.functions().stream()
                .map(function ->
                    LocalFunction.start(
                        function,
                        environment ->
                            instance(product, function.handler(), environment, clocks.get(), time),
                        stores.settings().environment(),
                        line -> {}))
                .toList());
    http = LoopbackServer.bind(0);
    http.serve(
        Map.of(
            "/",
            new ApiGateway(functions.all(), Throttling.NONE, Clock.systemUTC(), exchange -> {}),
            InvokeEndpoint.PATH,
            new InvokeEndpoint(functions)));
  }

  private RequestStreamHandler instance(
      Product product,
      String handler,
      Map<String, String> variables,
      Clock clock,
      ServiceTime time) {
    Map<String, String> environment = aws.environment(variables);
    environment.put("BCRYPT_COST", "4"); // the lowest cost, so that logins take little time
    return instances.add(() -> product.start(handler, environment, clock, time::sleep));
  }

  URI endpoint() {
    return http.endpoint();
  }

  /** Stops the service. Returns when the last call to AWS has ended. */
  void kill() {
    http.close();
    aws.close();
    instances.close();
  }

  /**
   * The started instances of all functions. No instance starts while others are being closed: the
   * SDK's CRT library would crash.
   */
  private static final class Instances {

    private final List<Product.Instance> started = new ArrayList<>();
    private boolean isClosed;

    synchronized Product.Instance add(Supplier<Product.Instance> start) {
      if (isClosed) {
        throw new IllegalStateException("the process is gone");
      }
      Product.Instance instance = start.get();
      started.add(instance);
      return instance;
    }

    synchronized void close() {
      isClosed = true;
      started.forEach(Product.Instance::close);
    }
  }
}
