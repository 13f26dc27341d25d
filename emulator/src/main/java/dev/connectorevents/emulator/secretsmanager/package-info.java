/** The part of Secrets Manager that functions and their operators use. */
@NullMarked
package dev.connectorevents.emulator.secretsmanager;

import org.jspecify.annotations.NullMarked;
