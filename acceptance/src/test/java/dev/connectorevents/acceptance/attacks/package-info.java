/** What an attacker tries: forged tokens, guesses, other sites, secrets in answers and logs. */
@NullMarked
package dev.connectorevents.acceptance.attacks;

import org.jspecify.annotations.NullMarked;
