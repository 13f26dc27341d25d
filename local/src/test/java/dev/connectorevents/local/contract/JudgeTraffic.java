package dev.connectorevents.local.contract;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test class if its exchanges contradict the contract. JUnit finds this extension in {@code
 * META-INF/services} and registers it for every class.
 */
public final class JudgeTraffic implements AfterAllCallback {

  @Override
  public void afterAll(ExtensionContext context) {
    Traffic.RECORDED.requireNoViolation();
  }
}
