package dev.connectorevents.token;

import java.util.Optional;

/**
 * The state of a rotation of the signing key.
 *
 * @param enabled false if an operator has switched rotation off
 * @param current the version that signs
 * @param pending the version that will sign next; between rotations the current one, or empty
 */
public record RotationState(boolean enabled, Optional<String> current, Optional<String> pending) {}
