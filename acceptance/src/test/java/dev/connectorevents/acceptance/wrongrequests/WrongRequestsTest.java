package dev.connectorevents.acceptance.wrongrequests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.Batches;
import dev.connectorevents.acceptance.service.World;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each mistake gets its answer. */
class WrongRequestsTest {

  @AutoClose private static final World service = World.start();
  private static final String connector = service.client().token();
  private static final String consumer = service.operator().consumerToken();

  static Stream<WrongRequest> wrong() {
    return WrongRequests.all(connector, consumer);
  }

  @ParameterizedTest
  @MethodSource("wrong")
  @Promise({
    "`errors` names each fault and its rule",
    "The path does not exist, or does not have this method: there is no 405."
  })
  void a_mistake_gets_its_answer(WrongRequest wrong) {
    List<String> headers = new ArrayList<>(wrong.headers());
    if (wrong.route().contains("/webhook-events") && !headers.contains(WrongRequest.TOKEN)) {
      String token = wrong.route().startsWith("GET") ? consumer : connector;
      headers.addAll(List.of(WrongRequest.TOKEN, "Bearer " + token));
    }
    String[] methodAndPath = wrong.route().split(" ", 2);
    Answer answer =
        service
            .client()
            .send(
                methodAndPath[0],
                methodAndPath[1],
                BodyPublishers.ofByteArray(wrong.body()),
                headers.toArray(String[]::new));

    assertThat(inOneLine(answer)).isEqualTo(wrong.answer());
  }

  /**
   * The answer in the format of {@link WrongRequest#answer}. An error of API Gateway has no code,
   * only a message.
   */
  private static String inOneLine(Answer answer) {
    return answer.body().has("code")
        ? Batches.inOneLine(answer.body())
        : (answer.status() + " " + answer.body().path("message").asText()).strip();
  }

  @ParameterizedTest
  @MethodSource("dev.connectorevents.acceptance.wrongrequests.WrongRequests#ofTheGateway")
  void the_guide_shows_what_api_gateway_answers(WrongRequest wrong) throws IOException {
    String[] statusAndMessage = wrong.answer().split(" ", 2);

    assertThat(Files.readString(Path.of("../docs/connectors.md")).replaceAll("\\s+", " "))
        .containsPattern(
            "\\Q`%s`\\E[^.]*[.]?[^.]* \\Q`%s {\"message\":\"%s\"}`\\E"
                .formatted(wrong.route(), statusAndMessage[0], statusAndMessage[1]));
  }
}
