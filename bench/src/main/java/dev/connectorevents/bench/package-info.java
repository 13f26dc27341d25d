/** What the measurements share: sample requests, a client of the service, and tables. */
@NullMarked
package dev.connectorevents.bench;

import org.jspecify.annotations.NullMarked;
