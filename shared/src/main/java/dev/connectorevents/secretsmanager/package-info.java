/** The signing keys in a secret of Secrets Manager. */
@NullMarked
package dev.connectorevents.secretsmanager;

import org.jspecify.annotations.NullMarked;
