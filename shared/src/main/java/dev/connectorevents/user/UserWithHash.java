package dev.connectorevents.user;

/** A user with the hash of its password, which only a login reads. */
public record UserWithHash(User user, PasswordHash passwordHash) {}
