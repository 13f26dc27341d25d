package dev.connectorevents.acceptance.storm;

import java.util.Locale;

/**
 * A rule that a storm checks, named for its violation. It needs several clients at once to break:
 * what one client at a time can show, a walk does.
 */
enum Rule {
  // EventRules
  A_LIVE_TOKEN_WAS_REFUSED,
  AN_INTERNAL_ERROR,
  A_PART_WITHOUT_ITS_EVENT,
  STORED_WHAT_NOBODY_SENT_OR_A_PART_OF_IT,
  STORED_WHAT_WAS_REFUSED,
  STORED_WITH_ANOTHER_USER,
  STORED_OTHER_BYTES_THAN_WERE_SENT,
  STORED_TWICE,
  A_CONFLICT_WITH_NOTHING,
  ANSWERED_AS_NEW_TWICE,
  ACKNOWLEDGED_BUT_NOT_STORED,
  ACKNOWLEDGED_BUT_ANOTHER_EVENT_IS_STORED,
  ACKNOWLEDGED_WITH_VALUES_THAT_ARE_NOT_STORED,
  THE_FIRST_ANSWER_AND_A_REPLAY_DIFFER,
  STORED_THE_PAYLOAD_OF_ONE_TRY_WITH_THE_MEMBERS_OF_ANOTHER,
  AN_ACKNOWLEDGED_EVENT_IS_READ_OTHERWISE,
  NOT_LISTED_ONCE,

  // ErasureRules
  AN_ERASED_EVENT_IS_STORED,
  AN_ERASED_EVENT_LEFT_NO_TOMBSTONE,
  A_TOMBSTONE_THAT_NOBODY_ASKED_FOR,
  A_TOMBSTONE_WITH_OTHER_ATTRIBUTES,
  A_TOMBSTONE_WAS_REPLACED,

  // Audit
  A_RETRY_GOT_NO_FINAL_ANSWER;

  /** The name in lower case, with spaces between the words. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
