/** What a function sees of HTTP: requests, responses and problems. */
@NullMarked
package dev.connectorevents.http;

import org.jspecify.annotations.NullMarked;
