/** The service's calls to AWS: watched, delayed, lost and failed. */
@NullMarked
package dev.connectorevents.acceptance.awscalls;

import org.jspecify.annotations.NullMarked;
