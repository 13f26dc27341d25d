package dev.connectorevents.emulator.template;

/**
 * What Secrets Manager is told about a password that it makes, named as in its API.
 *
 * @param length in characters
 * @param exclude characters that must not appear in it
 */
public record PasswordRules(
    int length,
    String exclude,
    boolean excludeLowercase,
    boolean excludeUppercase,
    boolean excludeNumbers,
    boolean excludePunctuation,
    boolean includeSpace) {

  static PasswordRules read(Section section) {
    return new PasswordRules(
        section.optionalNumber("PasswordLength").orElse(32),
        section.optionalText("ExcludeCharacters").orElse(""),
        isTrue(section, "ExcludeLowercase"),
        isTrue(section, "ExcludeUppercase"),
        isTrue(section, "ExcludeNumbers"),
        isTrue(section, "ExcludePunctuation"),
        isTrue(section, "IncludeSpace"));
  }

  private static boolean isTrue(Section section, String name) {
    return section.optionalText(name).filter("true"::equals).isPresent();
  }
}
