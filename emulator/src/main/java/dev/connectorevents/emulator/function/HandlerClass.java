package dev.connectorevents.emulator.function;

import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.connectorevents.emulator.template.FunctionDefinition;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.Map;

/** The class that a function's Handler names, checked before the first call. */
record HandlerClass(FunctionDefinition function, Constructor<?> constructor) {

  static HandlerClass find(FunctionDefinition function) {
    String[] parts = function.handler().split("::", 2);
    if (parts.length == 2 && !parts[1].equals("handleRequest")) {
      throw new FunctionFault(function, "its method is called handleRequest, not " + parts[1]);
    }
    try {
      Class<?> type = Class.forName(parts[0]);
      if (!RequestStreamHandler.class.isAssignableFrom(type)) {
        throw new FunctionFault(function, parts[0] + " is no RequestStreamHandler");
      }
      return new HandlerClass(function, type.getConstructor(Map.class));
    } catch (ClassNotFoundException e) {
      throw new FunctionFault(function, "there is no class " + parts[0]);
    } catch (NoSuchMethodException e) {
      throw new FunctionFault(
          function, parts[0] + " has no public constructor (Map<String, String> environment)");
    }
  }

  RequestStreamHandler create(Map<String, String> environment) {
    try {
      return (RequestStreamHandler) constructor.newInstance(environment);
    } catch (InvocationTargetException e) {
      throw new FunctionFault(function, "it does not start: " + e.getCause(), e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new FunctionFault(function, "it cannot be created: " + e, e);
    }
  }
}
