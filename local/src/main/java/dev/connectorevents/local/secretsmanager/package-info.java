/** The part of Secrets Manager that the service and its operators use. */
@NullMarked
package dev.connectorevents.local.secretsmanager;

import org.jspecify.annotations.NullMarked;
