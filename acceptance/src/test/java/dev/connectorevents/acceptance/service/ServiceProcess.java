package dev.connectorevents.acceptance.service;

import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.emulator.function.FunctionLog;
import dev.connectorevents.emulator.function.InvokeEndpoint;
import dev.connectorevents.emulator.function.LocalFunction;
import dev.connectorevents.emulator.function.LocalFunctions;
import dev.connectorevents.emulator.gateway.ApiGateway;
import dev.connectorevents.emulator.http.LoopbackServer;
import dev.connectorevents.emulator.template.Throttling;
import dev.connectorevents.functions.wiring.AwsClients;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A running service: the functions of the template behind an API. After {@link #kill}, clients get
 * no answers, no call reaches AWS, and all caches are gone.
 */
final class ServiceProcess {

  private final Setup setup;
  private final Proxy aws;
  private final Instances instances = new Instances();
  private final LocalFunctions functions;
  private final LoopbackServer http;

  /**
   * @param log also gets each line that a function logs. It outlives the process
   * @param calls decides what becomes of each call to AWS
   */
  ServiceProcess(Setup setup, Stores stores, FunctionLog log, Proxy.Interceptor calls)
      throws IOException {
    this.setup = setup;
    aws = Proxy.ofAws(stores.settings(), calls);
    functions =
        new LocalFunctions(
            stores.template().functions().stream()
                .map(function ->
                    LocalFunction.start(
                        function.withTimeout(setup.clock.timeout(function.timeout())),
                        environment -> instance(function.handler(), environment),
                        stores.settings().environment(),
                        log.andThen(setup.log)))
                .toList());
    http = LoopbackServer.bind(0);
    http.serve(
        Map.of(
            "/",
            new ApiGateway(
                functions.all(),
                setup.isThrottled ? stores.template().throttling() : Throttling.NONE,
                Clock.systemUTC(),
                setup.traffic),
            InvokeEndpoint.PATH,
            new InvokeEndpoint(functions),
            FunctionLog.PATH,
            log));
  }

  private RequestStreamHandler instance(String handler, Map<String, String> variables) {
    return instances.add(() ->
        setup.product.start(
            handler,
            aws.environment(variables),
            setup.clock.clock(),
            setup.clock::sleep,
            setup.clock.timeout(AwsClients.TRY_TIMEOUT)));
  }

  LocalFunctions functions() {
    return functions;
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
