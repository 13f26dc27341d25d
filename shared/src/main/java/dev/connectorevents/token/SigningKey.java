package dev.connectorevents.token;

import javax.crypto.SecretKey;

/**
 * A key for HS256, with its id: tokens carry it as {@code kid}.
 *
 * @param id the VersionId of the secret it was read from
 */
public record SigningKey(String id, SecretKey key) {}
