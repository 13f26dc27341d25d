package dev.connectorevents.token;

import javax.crypto.SecretKey;

/**
 * A key for HS256. Tokens carry its id as {@code kid} (RFC 7515, 4.1.4).
 *
 * @param id the VersionId of the secret's version that holds the key
 */
public record SigningKey(String id, SecretKey key) {}
