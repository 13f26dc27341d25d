/** Access tokens: how they are signed, checked and what they claim. */
@NullMarked
package dev.connectorevents.token;

import org.jspecify.annotations.NullMarked;
