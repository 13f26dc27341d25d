package dev.connectorevents;

import java.lang.annotation.ElementType;
import java.lang.annotation.Target;

/**
 * The sentences of the documentation that a test holds: it fails if the service breaks one of them.
 * {@code PromisesTest} lists them. Tests in Python have theirs at {@code PythonUnitTest}.
 */
@Target(ElementType.METHOD)
public @interface Promise {

  /**
   * Each is a sentence, or a part of one, as its page has it in Markdown, without a link. Nowhere
   * else on the pages are the same words: so they say which page it is.
   */
  String[] value();
}
