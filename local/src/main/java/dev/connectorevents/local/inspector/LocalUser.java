package dev.connectorevents.local.inspector;

import dev.connectorevents.user.Email;
import java.util.Optional;

/** A user as whom the inspector sends requests, and its password if that is known. */
public record LocalUser(Email email, Optional<String> password) {}
