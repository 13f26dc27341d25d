package dev.connectorevents.acceptance.examples;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A page of {@code docs/}, from which tests take commands and requests. */
record Page(String text) {

  private static final Pattern HTTP = Pattern.compile("(?s)```http\n(.*?)\n```");

  static Page of(String name) throws IOException {
    return new Page(Files.readString(Path.of("../docs").resolve(name)));
  }

  /** The commands of the indented block that begins with this text. */
  String commands(String beginning) {
    Matcher commands =
        Pattern.compile("(?m)^ {4}" + Pattern.quote(beginning) + ".*\n( {4}.*\n)*").matcher(text);
    assertThat(commands.find()).as(beginning).isTrue();
    return commands.group().stripIndent();
  }

  /** The command in the text that runs this file of {@code examples/}. */
  String commandOf(String file) {
    Matcher command =
        Pattern.compile("`(\\w+ examples/" + Pattern.quote(file) + ")`").matcher(text);
    assertThat(command.find()).as(file).isTrue();
    return requireNonNull(command.group(1));
  }

  String python(String beginning) {
    return block("python", beginning);
  }

  private String block(String language, String beginning) {
    Matcher block =
        Pattern.compile("(?s)```" + language + "\n(" + Pattern.quote(beginning) + ".*?\n)```")
            .matcher(text);
    assertThat(block.find()).as(beginning).isTrue();
    return requireNonNull(block.group(1));
  }

  String json(String beginning) {
    return block("json", beginning);
  }

  String typeScript() {
    Matcher typeScript = Pattern.compile("(?s)```ts\n(.*?\n)```").matcher(text);
    assertThat(typeScript.find()).isTrue();
    return requireNonNull(typeScript.group(1));
  }

  /** The HTTP requests and answers on the page, in their order. */
  List<String> messages() {
    return HTTP.matcher(text).results().map(message -> message.group(1)).toList();
  }
}
