package dev.connectorevents.functions.rotatesigningkey;

import dev.connectorevents.token.SigningKeyRotation;
import dev.connectorevents.token.SigningKeyRotationTest;

class InMemoryVersionsTest extends SigningKeyRotationTest {

  private final InMemoryVersions versions = new InMemoryVersions();

  @Override
  protected SigningKeyRotation rotation() {
    return versions;
  }
}
