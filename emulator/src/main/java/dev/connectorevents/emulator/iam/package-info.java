/** IAM on this machine: enforces the policies of the template. */
@NullMarked
package dev.connectorevents.emulator.iam;

import org.jspecify.annotations.NullMarked;
