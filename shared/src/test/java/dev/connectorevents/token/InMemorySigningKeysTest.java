package dev.connectorevents.token;

class InMemorySigningKeysTest extends SigningKeysTest {

  private final InMemorySigningKeys keys = new InMemorySigningKeys();

  @Override
  protected SigningKeys keys() {
    return keys;
  }

  @Override
  protected void prepare(String id) {
    keys.prepare(id);
  }

  @Override
  protected void rotate(String id) {
    keys.rotate(id);
  }
}
