/** The whole service on one machine, without Docker or an AWS account. */
@NullMarked
package dev.connectorevents.local;

import org.jspecify.annotations.NullMarked;
