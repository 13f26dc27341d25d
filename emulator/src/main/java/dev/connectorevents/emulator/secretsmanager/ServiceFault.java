package dev.connectorevents.emulator.secretsmanager;

/** A request that Secrets Manager refuses; the type is one of its own error names. */
final class ServiceFault extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String type;

  ServiceFault(String type, String message) {
    super(message);
    this.type = type;
  }

  String type() {
    return type;
  }

  static ServiceFault notFound(String what) {
    return new ServiceFault(
        "ResourceNotFoundException", "Secrets Manager can't find the specified " + what + ".");
  }

  static ServiceFault invalid(String message) {
    return new ServiceFault("InvalidParameterException", message);
  }
}
