package dev.connectorevents.token;

import io.jsonwebtoken.io.AbstractDeserializer;
import io.jsonwebtoken.io.AbstractSerializer;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;

/**
 * Makes jjwt use {@link TokenJson}. Otherwise jjwt would search the class path for a JSON library
 * with data binding, which would slow a cold start down.
 */
final class JwtJson {

  private JwtJson() {}

  /** Reads with {@link TokenJson}. */
  static final class Reader extends AbstractDeserializer<Map<String, ?>> {
    @Override
    protected Map<String, ?> doDeserialize(java.io.Reader text) throws IOException {
      return TokenJson.read(text);
    }
  }

  /** Writes with {@link TokenJson}. */
  static final class Writer extends AbstractSerializer<Map<String, ?>> {
    @Override
    protected void doSerialize(Map<String, ?> members, OutputStream output) throws IOException {
      TokenJson.write(members, output);
    }
  }
}
