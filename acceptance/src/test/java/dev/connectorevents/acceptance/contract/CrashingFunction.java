package dev.connectorevents.acceptance.contract;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;

/** A function that crashes at every request, so that it returns no answer. */
public final class CrashingFunction implements RequestStreamHandler {

  public CrashingFunction(Map<String, String> environment) {}

  @Override
  public void handleRequest(InputStream input, OutputStream output, Context context) {
    throw new IllegalStateException("a crash");
  }
}
