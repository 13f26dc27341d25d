package dev.connectorevents.local.contract;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Fails a test class whose exchanges contradict the contract. JUnit registers this extension. */
public final class JudgeTraffic implements AfterAllCallback {

  @Override
  public void afterAll(ExtensionContext context) {
    Traffic.RECORDED.requireNoViolation();
  }
}
