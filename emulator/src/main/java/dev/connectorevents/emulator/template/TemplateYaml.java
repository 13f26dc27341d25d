package dev.connectorevents.emulator.template;

import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.composer.Composer;
import org.yaml.snakeyaml.constructor.AbstractConstruct;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.parser.Parser;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.resolver.Resolver;

/** Reads a template's YAML into maps, with CloudFormation's short tags in their long form. */
public final class TemplateYaml {
  private TemplateYaml() {}

  /**
   * Parses a template, without resolving anything.
   *
   * @param where names the template in a message
   * @throws TemplateMistake if it is not a YAML map
   */
  public static Map<?, ?> parse(String where, String text) {
    LoaderOptions options = new LoaderOptions();
    LongForms construction = new LongForms(options);
    construction.setAllowDuplicateKeys(false);
    try {
      Parser events = new WithoutAliases(where, text, options);
      construction.setComposer(new Composer(events, new PlainDates(), options));
      if (construction.getSingleData(Object.class) instanceof Map<?, ?> map) {
        return map;
      }
    } catch (YAMLException | IllegalArgumentException e) {
      // SnakeYAML throws IllegalArgumentException if a tag ends with a space, such as "!%20".
      throw new TemplateMistake(where, String.valueOf(e.getMessage()));
    }
    throw new TemplateMistake(where, "not a YAML map");
  }

  /** CloudFormation supports no aliases. With them, a map could contain itself. */
  private static final class WithoutAliases extends ParserImpl {
    private final String where;

    WithoutAliases(String where, String text, LoaderOptions options) {
      super(new StreamReader(text), options);
      this.where = where;
    }

    @Override
    public Event getEvent() {
      Event event = super.getEvent();
      if (event instanceof AliasEvent alias) {
        throw new TemplateMistake(where, "CloudFormation has no aliases: *" + alias.getAnchor());
      }
      return event;
    }
  }

  /** Keeps dates as texts: CloudFormation has no dates ({@code Version: 2012-10-17}). */
  private static final class PlainDates extends Resolver {
    @Override
    protected void addImplicitResolvers() {
      addImplicitResolver(Tag.BOOL, BOOL, "yYnNtTfFoO");
      addImplicitResolver(Tag.INT, INT, "-+0123456789");
      addImplicitResolver(Tag.FLOAT, FLOAT, "-+0123456789.");
      addImplicitResolver(Tag.MERGE, MERGE, "<");
      addImplicitResolver(Tag.NULL, NULL, "~nN\0");
      addImplicitResolver(Tag.NULL, EMPTY, null);
    }
  }

  private static final class LongForms extends SafeConstructor {
    LongForms(LoaderOptions options) {
      super(options);
      yamlMultiConstructors.put("!", new LongForm());
    }

    private final class LongForm extends AbstractConstruct {
      @Override
      public Object construct(Node node) {
        String name = node.getTag().getValue().substring(1);
        Object value = value(node);
        if (name.equals("Ref") || name.equals("Condition")) {
          return Map.of(name, value);
        }
        return Map.of(
            "Fn::" + name,
            name.equals("GetAtt") && value instanceof String path
                ? List.of(path.split("\\.", 2))
                : value);
      }

      private Object value(Node node) {
        return switch (node) {
          case ScalarNode scalar -> scalar.getValue();
          case SequenceNode sequence -> constructSequence(sequence);
          case MappingNode mapping -> constructMapping(mapping);
          default -> throw new YAMLException("unreadable " + node);
        };
      }
    }
  }
}
