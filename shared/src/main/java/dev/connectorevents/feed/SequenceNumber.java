package dev.connectorevents.feed;

/**
 * The number of a record in its shard of a stream: up to 40 digits (DynamoDB Streams API Reference,
 * <a
 * href="https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_StreamRecord.html">
 * StreamRecord</a>). Numbers of different shards say nothing of each other.
 */
public record SequenceNumber(String digits) implements Comparable<SequenceNumber> {

  private static final int MOST_DIGITS = 40;

  /**
   * @throws IllegalArgumentException if it is no such number
   */
  public SequenceNumber {
    if (!digits.matches("[0-9]{1,40}")) {
      throw new IllegalArgumentException("not a sequence number");
    }
  }

  @Override
  public int compareTo(SequenceNumber other) {
    return padded().compareTo(other.padded());
  }

  private String padded() {
    return "0".repeat(MOST_DIGITS - digits.length()) + digits;
  }
}
