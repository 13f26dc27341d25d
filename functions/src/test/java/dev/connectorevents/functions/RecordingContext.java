package dev.connectorevents.functions;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.amazonaws.services.lambda.runtime.ClientContext;
import com.amazonaws.services.lambda.runtime.CognitoIdentity;
import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.LambdaLogger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lambda's context for tests. Records the log lines. */
public final class RecordingContext implements Context {

  private final List<String> lines = new ArrayList<>();
  private final int remainingMillis;
  private @Nullable String trace;

  public RecordingContext() {
    this(15_000);
  }

  /**
   * @param remainingMillis the time until the function's timeout, in milliseconds
   */
  public RecordingContext(int remainingMillis) {
    this.remainingMillis = remainingMillis;
  }

  /** Sets X-Ray's trace header. */
  public RecordingContext withTrace(String header) {
    trace = header;
    return this;
  }

  public List<String> lines() {
    return List.copyOf(lines);
  }

  @Override
  public LambdaLogger getLogger() {
    return new LambdaLogger() {
      @Override
      public void log(String message) {
        lines.add(message);
      }

      @Override
      public void log(byte[] message) {
        lines.add(new String(message, UTF_8));
      }
    };
  }

  @Override
  public @Nullable String getXrayTraceId() {
    return trace;
  }

  @Override
  public String getAwsRequestId() {
    return "00000000-0000-4000-8000-000000000000";
  }

  @Override
  public String getLogGroupName() {
    return "/aws/lambda/test";
  }

  @Override
  public String getLogStreamName() {
    return "test";
  }

  @Override
  public String getFunctionName() {
    return "test";
  }

  @Override
  public String getFunctionVersion() {
    return "$LATEST";
  }

  @Override
  public String getInvokedFunctionArn() {
    return "arn:aws:lambda:us-east-1:000000000000:function:test";
  }

  @Override
  public @Nullable CognitoIdentity getIdentity() {
    return null;
  }

  @Override
  public @Nullable ClientContext getClientContext() {
    return null;
  }

  @Override
  public int getRemainingTimeInMillis() {
    return remainingMillis;
  }

  @Override
  public int getMemoryLimitInMB() {
    return 512;
  }
}
