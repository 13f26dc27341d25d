package dev.connectorevents.feed;

import java.time.Instant;

/**
 * That a shard's stream has handed over a mark: all that the shard had before it has its position.
 *
 * @param mark from 0
 * @param beat the number of the beat that has written it
 * @param at when that beat began
 * @param stream names the stream: a table's stream that is made anew has another name
 */
public record MarkNote(int mark, long beat, Instant at, String shard, String stream) {}
