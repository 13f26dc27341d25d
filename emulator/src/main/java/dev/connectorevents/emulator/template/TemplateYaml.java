package dev.connectorevents.emulator.template;

import java.io.StringReader;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
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
import org.yaml.snakeyaml.representer.Representer;
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
    options.setAllowDuplicateKeys(false);
    DumperOptions dumping = new DumperOptions();
    Yaml yaml =
        new Yaml(
            new LongForms(options), new Representer(dumping), dumping, options, new PlainDates());
    try {
      refuseAliases(where, yaml, text);
      if (yaml.load(text) instanceof Map<?, ?> map) {
        return map;
      }
    } catch (YAMLException | IllegalArgumentException e) {
      // SnakeYAML throws IllegalArgumentException if a tag ends with a space, such as "!%20".
      throw new TemplateMistake(where, String.valueOf(e.getMessage()));
    }
    throw new TemplateMistake(where, "not a YAML map");
  }

  /** CloudFormation supports no aliases. With them, a map could contain itself. */
  private static void refuseAliases(String where, Yaml yaml, String text) {
    for (Event event : yaml.parse(new StringReader(text))) {
      if (event instanceof AliasEvent alias) {
        throw new TemplateMistake(where, "CloudFormation has no aliases: *" + alias.getAnchor());
      }
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
