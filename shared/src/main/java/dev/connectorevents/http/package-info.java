/** What a function sees of HTTP: requests, responses, problems, and the guards before it. */
@NullMarked
package dev.connectorevents.http;

import org.jspecify.annotations.NullMarked;
