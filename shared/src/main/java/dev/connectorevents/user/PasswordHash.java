package dev.connectorevents.user;

import static java.nio.charset.StandardCharsets.UTF_8;

import at.favre.lib.crypto.bcrypt.BCrypt;
import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * A bcrypt hash in its Modular Crypt Format, such as {@code $2a$12$…}; the only class that knows
 * bcrypt.
 */
public record PasswordHash(String value) {

  /** The template allows costs up to 15. A check of a stored hash of 31 would take hours. */
  private static final Pattern FORMAT =
      Pattern.compile("\\$2[aby]\\$(?:0[4-9]|1[0-5])\\$[./A-Za-z0-9]{53}");

  /** The longest password, in bytes of UTF-8: bcrypt reads no more. */
  public static final int MAX_PASSWORD_BYTES = 72;

  /**
   * @throws IllegalArgumentException if {@code value} is not a bcrypt hash; the message does not
   *     repeat it
   */
  public PasswordHash {
    if (!FORMAT.matcher(value).matches()) {
      throw new IllegalArgumentException("not a bcrypt hash");
    }
  }

  /**
   * Hashes a new password with a new salt.
   *
   * @param cost binary logarithm of the number of rounds, 4 to 15
   * @throws IllegalArgumentException if the password is empty, longer than {@link
   *     #MAX_PASSWORD_BYTES}, or holds a NUL or half a surrogate pair
   */
  public static PasswordHash of(String password, int cost) {
    byte[] bytes = password.getBytes(UTF_8);
    if (!isPassword(password)) {
      throw new IllegalArgumentException(
          "a password is text of 1 to " + MAX_PASSWORD_BYTES + " bytes, not " + bytes.length);
    }
    return new PasswordHash(new String(BCrypt.withDefaults().hash(cost, bytes), UTF_8));
  }

  /** A hash that no known password matches. A check takes as long as with any hash of this cost. */
  public static PasswordHash unmatchable(int cost) {
    return new PasswordHash("$2a$%02d$%s".formatted(cost, ".".repeat(53)));
  }

  /** Binary logarithm of the number of rounds that a check takes. */
  public int cost() {
    return Integer.parseInt(value.substring(4, 6));
  }

  /** Whether the password matches. Always takes one bcrypt run. */
  public boolean matches(String password) {
    byte[] bytes = password.getBytes(UTF_8);
    byte[] read = Arrays.copyOf(bytes, Math.min(bytes.length, MAX_PASSWORD_BYTES));
    boolean verified = BCrypt.verifyer().verify(read, value.getBytes(UTF_8)).verified;
    return verified && isPassword(password);
  }

  /**
   * Whether a text can be a password. A text with a NUL or half a surrogate pair cannot: it could
   * match the hash of another text, since bcrypt repeats a password after a NUL and UTF-8 has no
   * half pairs.
   */
  public static boolean isPassword(String text) {
    int bytes = text.getBytes(UTF_8).length;
    return bytes > 0
        && bytes <= MAX_PASSWORD_BYTES
        && text.indexOf('\0') < 0
        && UTF_8.newEncoder().canEncode(text);
  }

  /** Hides the hash: logs must not contain it. */
  @Override
  public String toString() {
    return "PasswordHash[…]";
  }
}
