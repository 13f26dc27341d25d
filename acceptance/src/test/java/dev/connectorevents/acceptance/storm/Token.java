package dev.connectorevents.acceptance.storm;

/**
 * A token that a worker got. It lives longer than a storm lasts.
 *
 * @param session span of the login that began the token's session
 */
record Token(String text, Account account, Span session) {}
