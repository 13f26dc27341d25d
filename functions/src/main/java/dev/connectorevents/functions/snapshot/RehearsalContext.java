package dev.connectorevents.functions.snapshot;

import com.amazonaws.services.lambda.runtime.ClientContext;
import com.amazonaws.services.lambda.runtime.CognitoIdentity;
import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.LambdaLogger;
import org.jspecify.annotations.Nullable;

/** Discards log lines: CloudWatch would count them as traffic. */
final class RehearsalContext implements Context, LambdaLogger {

  private static final String REHEARSAL = "rehearsal";

  @Override
  public LambdaLogger getLogger() {
    return this;
  }

  @Override
  public void log(String message) {}

  @Override
  public void log(byte[] message) {}

  @Override
  public String getAwsRequestId() {
    return REHEARSAL;
  }

  @Override
  public String getLogGroupName() {
    return REHEARSAL;
  }

  @Override
  public String getLogStreamName() {
    return REHEARSAL;
  }

  @Override
  public String getFunctionName() {
    return REHEARSAL;
  }

  @Override
  public String getFunctionVersion() {
    return REHEARSAL;
  }

  @Override
  public String getInvokedFunctionArn() {
    return REHEARSAL;
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
    return Integer.MAX_VALUE;
  }

  @Override
  public int getMemoryLimitInMB() {
    return 0;
  }
}
