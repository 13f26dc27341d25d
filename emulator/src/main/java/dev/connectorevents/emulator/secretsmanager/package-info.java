/** The part of Secrets Manager that the service and its operators use. */
@NullMarked
package dev.connectorevents.emulator.secretsmanager;

import org.jspecify.annotations.NullMarked;
