package dev.connectorevents.http;

import dev.connectorevents.token.Claims;
import dev.connectorevents.user.User;

/** The user who sent the request, as {@link Guard} found it. */
public record Caller(User user, Claims claims) {}
