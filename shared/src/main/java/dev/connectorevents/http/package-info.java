/**
 * What a function sees of HTTP: requests, responses, problems, the guards before it, and the
 * reading of JSON bodies. It does not know what an event looks like.
 */
@NullMarked
package dev.connectorevents.http;

import org.jspecify.annotations.NullMarked;
