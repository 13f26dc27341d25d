/** docs/openapi.yaml and the service promise the same. */
@NullMarked
package dev.connectorevents.acceptance.contract;

import org.jspecify.annotations.NullMarked;
