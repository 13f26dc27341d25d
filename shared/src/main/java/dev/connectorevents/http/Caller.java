package dev.connectorevents.http;

import dev.connectorevents.token.Claims;
import dev.connectorevents.user.User;

/** The user who sent a request, and the claims of its token; {@link Guard} has checked both. */
public record Caller(User user, Claims claims) {}
