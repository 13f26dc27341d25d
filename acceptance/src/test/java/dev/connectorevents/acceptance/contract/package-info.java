/** The service does what docs/openapi.yaml says. */
@NullMarked
package dev.connectorevents.acceptance.contract;

import org.jspecify.annotations.NullMarked;
