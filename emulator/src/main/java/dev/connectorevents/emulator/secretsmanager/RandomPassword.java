package dev.connectorevents.emulator.secretsmanager;

import dev.connectorevents.emulator.template.PasswordRules;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/** A random password by Secrets Manager's rules: at least one character of each kind allowed. */
record RandomPassword(PasswordRules rules) {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final String LOWERCASE = "abcdefghijklmnopqrstuvwxyz";
  private static final String UPPERCASE = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  private static final String NUMBERS = "0123456789";
  private static final String PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

  String make() {
    var kinds = kinds();
    if (kinds.isEmpty() || rules.length() < kinds.size() || rules.length() > 4096) {
      throw ServiceFault.invalid("No password of that length can be made by these rules.");
    }
    var characters = new ArrayList<Character>();
    kinds.forEach(kind -> characters.add(any(kind)));
    var all = String.join("", kinds);
    while (characters.size() < rules.length()) {
      characters.add(any(all));
    }
    Collections.shuffle(characters, RANDOM);
    return characters.stream().map(String::valueOf).collect(Collectors.joining());
  }

  private List<String> kinds() {
    var kinds = new ArrayList<String>();
    add(kinds, LOWERCASE, rules.excludeLowercase());
    add(kinds, UPPERCASE, rules.excludeUppercase());
    add(kinds, NUMBERS, rules.excludeNumbers());
    add(kinds, PUNCTUATION, rules.excludePunctuation());
    add(kinds, " ", !rules.includeSpace());
    return kinds;
  }

  private void add(List<String> kinds, String kind, boolean excluded) {
    var left =
        kind.chars()
            .filter(character -> rules.exclude().indexOf(character) < 0)
            .mapToObj(Character::toString)
            .collect(Collectors.joining());
    if (!excluded && !left.isEmpty()) {
      kinds.add(left);
    }
  }

  private static char any(String characters) {
    return characters.charAt(RANDOM.nextInt(characters.length()));
  }
}
