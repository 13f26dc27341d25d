/** What all measurements share: samples, an account, a client of the service, and tables. */
@NullMarked
package dev.connectorevents.bench;

import org.jspecify.annotations.NullMarked;
