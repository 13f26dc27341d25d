/**
 * Walks through the service: a seed draws steps, and an {@link
 * dev.connectorevents.acceptance.oracle.Oracle} says after each which answers the contract allows.
 *
 * <p>A step may have a {@link dev.connectorevents.acceptance.oracle.Hold}: its first call to AWS of
 * a given name waits just before it gets there, while the next steps of the list are made, as many
 * as the hold says. A call of one of these may wait too. Only the last one goes on, so the same
 * list has the same order of calls, and a shorter list is a walk too. Most steps that are made
 * meanwhile are about the events of the step that waits ({@code Oracle.about} and {@code
 * Oracle.any}).
 *
 * <p>How rules judge a step whose call has waited: its token and its user may have been read before
 * ({@code Oracle.since}). What it does to events comes after, so it is judged by what is true when
 * it goes on. An erasure may take several calls: until it ends, each event that it selects may be
 * erased or not. To let another call wait, name it beside its move in {@link
 * dev.connectorevents.acceptance.oracle.Step}. If the step has an effect before that call, its rule
 * must first say so, as an erasure does.
 */
@NullMarked
package dev.connectorevents.acceptance.oracle;

import org.jspecify.annotations.NullMarked;
