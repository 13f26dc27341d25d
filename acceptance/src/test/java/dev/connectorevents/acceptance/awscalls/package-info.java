/** Test support that records, delays, loses and fails the service's calls to AWS. */
@NullMarked
package dev.connectorevents.acceptance.awscalls;

import org.jspecify.annotations.NullMarked;
