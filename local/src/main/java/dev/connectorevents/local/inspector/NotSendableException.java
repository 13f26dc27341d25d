package dev.connectorevents.local.inspector;

/** A request cannot be sent. The message says why, for people. */
final class NotSendableException extends Exception {

  private static final long serialVersionUID = 1L;

  NotSendableException(String message) {
    super(message);
  }
}
