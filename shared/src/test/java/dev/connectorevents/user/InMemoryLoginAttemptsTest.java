package dev.connectorevents.user;

class InMemoryLoginAttemptsTest extends LoginAttemptsTest {

  private final LoginAttempts attempts = new InMemoryLoginAttempts();

  @Override
  protected LoginAttempts attempts() {
    return attempts;
  }
}
