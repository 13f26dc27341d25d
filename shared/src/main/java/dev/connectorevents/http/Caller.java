package dev.connectorevents.http;

import dev.connectorevents.token.Claims;
import dev.connectorevents.user.User;

/** Whose request it is, as the {@link Guard} found out. */
public record Caller(User user, Claims claims) {}
