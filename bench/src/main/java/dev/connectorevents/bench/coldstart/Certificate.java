package dev.connectorevents.bench.coldstart;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * The certificate that the stub has, and that the functions trust; made by `bench/run`.
 *
 * @param folder with `server.p12`, and `trust.p12` for the clients that ask the JVM
 */
record Certificate(Path folder) {

  private static final char[] PASSWORD = "changeit".toCharArray();

  /** The JVM's option by which a function trusts it. */
  String trusting() {
    return "-Djavax.net.ssl.trustStore=" + folder.resolve("trust.p12");
  }

  SSLContext server() throws IOException {
    try (InputStream file = Files.newInputStream(folder.resolve("server.p12"))) {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(file, PASSWORD);
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, PASSWORD);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), null, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("the certificate cannot be read", e);
    }
  }
}
