package dev.connectorevents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Random;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GzipTest {

  private static final int HEADER_AND_TRAILER = 18; // RFC 1952, 2.3

  @ParameterizedTest
  @ValueSource(strings = {"01", "01,", "acgt", "\"\\ {}[]:,é你", "a"})
  void a_text_with_any_alphabet_is_restored_and_is_compressed_at_level_6(String alphabet)
      throws IOException {
    byte[] text = random(alphabet, 200_000).getBytes(UTF_8);

    byte[] compressed = Gzip.compress(text);

    assertThat(new GZIPInputStream(new ByteArrayInputStream(compressed)).readAllBytes())
        .isEqualTo(text);
    assertThat(compressed).hasSize(HEADER_AND_TRAILER + deflatedSize(text, 6));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "é你"})
  void a_short_text_is_restored_too(String text) throws IOException {
    byte[] compressed = Gzip.compress(text.getBytes(UTF_8));

    assertThat(Gzip.decompressing(new ByteArrayInputStream(compressed)).readAllBytes())
        .isEqualTo(text.getBytes(UTF_8));
  }

  private static String random(String alphabet, int length) {
    Random random = new Random(length);
    StringBuilder text = new StringBuilder(length);
    while (text.length() < length) {
      text.append(alphabet.charAt(random.nextInt(alphabet.length())));
    }
    return text.toString();
  }

  private static int deflatedSize(byte[] text, int level) {
    try (Deflater deflater = new Deflater(level, true)) {
      deflater.setInput(text);
      deflater.finish();
      return deflater.deflate(new byte[2 * text.length]);
    }
  }
}
