package dev.connectorevents.bench.speed;

import java.util.Random;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Random text over four letters. Deflate finds a match of a few characters nearly everywhere in its
 * window and follows all of them for a longer one; with two or three letters, or sixteen, it
 * finishes earlier.
 */
@State(Scope.Benchmark)
public class SmallAlphabetText {

  private static final int SEED = 20_261_121;
  private static final String ALPHABET = "acgt";

  @Param({"2048", "8192", "32768", "1048576"})
  public int bytes;

  public String text = "";

  @Setup
  public void generate() {
    Random random = new Random(SEED);
    StringBuilder letters = new StringBuilder(bytes);
    while (letters.length() < bytes) {
      letters.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    text = letters.toString();
  }
}
