/** Test support that records or delays the service's calls to AWS, or makes them fail. */
@NullMarked
package dev.connectorevents.acceptance.awscalls;

import org.jspecify.annotations.NullMarked;
