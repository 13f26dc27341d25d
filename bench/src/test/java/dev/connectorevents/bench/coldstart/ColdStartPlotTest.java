package dev.connectorevents.bench.coldstart;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class ColdStartPlotTest {

  @Test
  void names_are_text_whatever_is_in_them() throws Exception {
    Document svg = parsed(List.of(Results.of("a <b> & \"c\"", List.of(), 100)));

    NodeList texts = svg.getElementsByTagName("text");
    assertThat(IntStream.range(0, texts.getLength()).mapToObj(i -> texts.item(i).getTextContent()))
        .containsExactly("init, ms", "first request, ms", "a <b> & \"c\"", "110");
  }

  @Test
  void bars_are_as_long_as_their_times_and_a_restored_function_has_none_for_its_init()
      throws Exception {
    Document svg =
        parsed(
            List.of(
                Results.of("a", List.of(), 400),
                Results.of("b" + OurFunctions.RESTORED, List.of(), 400)));

    NodeList bars = svg.getElementsByTagName("rect");
    double init = width(bars, 3);
    assertThat(width(bars, 4)).isCloseTo(init / 10, within(0.1));
    assertThat(width(bars, 5)).isZero();
    assertThat(width(bars, 6)).isCloseTo(init / 10, within(0.1));
  }

  private static double width(NodeList bars, int index) {
    return Double.parseDouble(((Element) bars.item(index)).getAttribute("width"));
  }

  private static Document parsed(List<Result> results) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(new ColdStartPlot(results).toString().getBytes(UTF_8)));
  }
}
