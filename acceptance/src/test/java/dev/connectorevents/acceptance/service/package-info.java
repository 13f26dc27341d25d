/** The running service, and those who use it: what the tests of several rooms need. */
@NullMarked
package dev.connectorevents.acceptance.service;

import org.jspecify.annotations.NullMarked;
