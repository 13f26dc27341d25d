/** IAM on this machine: a function may do what its policies in the template allow. */
@NullMarked
package dev.connectorevents.emulator.iam;

import org.jspecify.annotations.NullMarked;
