package dev.connectorevents.local;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;

/**
 * The service that the test classes of a process share, because a start takes a second. JUnit
 * closes it at the end. A test may find what another class has stored. The classes hold {@link
 * #LOCK}, since they judge what the service shows of all requests.
 */
@SuppressWarnings("NullAway.Init")
public final class SharedService implements BeforeAllCallback {

  /** For {@code @ResourceLock}. */
  public static final String LOCK = "SharedService";

  private ServedLocally service;

  @Override
  public void beforeAll(ExtensionContext context) {
    service =
        context
            .getStore(StoreScope.LAUNCHER_SESSION, Namespace.create(SharedService.class))
            .computeIfAbsent(
                ServedLocally.class, key -> ServedLocally.start(), ServedLocally.class);
  }

  public ServedLocally service() {
    return service;
  }
}
