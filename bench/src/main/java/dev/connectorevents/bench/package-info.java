/** What is measured: how fast requests are read, and what an event costs. Nothing of it ships. */
@NullMarked
package dev.connectorevents.bench;

import org.jspecify.annotations.NullMarked;
