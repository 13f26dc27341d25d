/**
 * What attackers try: forged tokens and log lines, guessed passwords, requests from other sites. No
 * answer or log leaks a secret to them.
 */
@NullMarked
package dev.connectorevents.acceptance.attacks;

import org.jspecify.annotations.NullMarked;
