package dev.connectorevents.acceptance.fuzz;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.LambdaLogger;
import java.lang.reflect.Proxy;

/** Lambda's context of a call, with a log that discards every line. */
final class SilentContext {

  private static final LambdaLogger NOWHERE =
      new LambdaLogger() {
        @Override
        public void log(String message) {}

        @Override
        public void log(byte[] message) {}
      };

  private SilentContext() {}

  static Context create() {
    return (Context)
        Proxy.newProxyInstance(
            SilentContext.class.getClassLoader(),
            new Class<?>[] {Context.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getLogger" -> NOWHERE;
                  case "getRemainingTimeInMillis" -> 15_000;
                  default -> method.getReturnType() == String.class ? "fuzzing" : null;
                });
  }
}
