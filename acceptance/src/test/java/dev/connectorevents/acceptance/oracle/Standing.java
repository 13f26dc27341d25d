package dev.connectorevents.acceptance.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.user.Role;

/**
 * What may be stored of a user.
 *
 * @param exists false after the user was deleted
 * @param endedAt tokens of sessions that began up to this request have ended
 */
record Standing(
    boolean exists, boolean isActive, Role role, Reach reach, String password, int endedAt) {

  boolean admits(KnownToken token) {
    return exists && isActive && token.begunAt() > endedAt;
  }

  boolean letsIn(String tried) {
    return exists && isActive && password.equals(tried);
  }

  boolean isShownIn(JsonNode user) {
    String scope = reach == Reach.UNLIMITED ? "" : reach.json();
    return user.path("role").asText().equals(role.text())
        && user.path("event_types").toString().equals(scope);
  }

  Standing active(boolean value) {
    return new Standing(exists, value, role, reach, password, endedAt);
  }

  Standing role(Role value) {
    return new Standing(exists, isActive, value, reach, password, endedAt);
  }

  Standing reach(Reach value) {
    return new Standing(exists, isActive, role, value, password, endedAt);
  }

  Standing password(String value) {
    return new Standing(exists, isActive, role, reach, value, endedAt);
  }

  Standing endedAt(int request) {
    return new Standing(exists, isActive, role, reach, password, request);
  }

  Standing deleted() {
    return new Standing(false, isActive, role, reach, password, endedAt);
  }
}
