package dev.connectorevents.user;

import java.util.List;
import java.util.Optional;

/**
 * One page of all users, in no particular order.
 *
 * @param users may be fewer than asked for, even none, even if more pages follow
 * @param continueAfter where the next page begins; {@link Users#list} takes it. Empty on the last
 *     page
 */
public record UserPage(List<User> users, Optional<Email> continueAfter) {

  public UserPage {
    users = List.copyOf(users);
  }
}
