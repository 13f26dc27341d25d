package dev.connectorevents.acceptance.storm;

/** A token that a worker got. It lives longer than a storm lasts. */
record Token(String text, Account account) {}
