package dev.connectorevents.feed;

import java.time.Instant;

/**
 * One writing of all marks beside the events.
 *
 * @param number greater than that of each beat before
 * @param at when it began; in whole milliseconds
 * @param marks how many marks it has, numbered from 0
 */
public record Beat(long number, Instant at, int marks) {}
