package dev.connectorevents.functions.refresh;

import dev.connectorevents.token.AccessToken;

/** The outcome of a refresh. */
sealed interface RefreshOutcome {

  record Refreshed(AccessToken token) implements RefreshOutcome {}

  /** The login is too long ago. */
  record SessionEnded() implements RefreshOutcome {}

  /** A static token keeps the lifetime that it was issued with. */
  record NotRefreshable() implements RefreshOutcome {}
}
