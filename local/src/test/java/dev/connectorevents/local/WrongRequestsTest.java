package dev.connectorevents.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.local.RunningService.Answer;
import dev.connectorevents.local.WrongRequests.Wrong;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each mistake gets the message that mends it. */
class WrongRequestsTest {

  @AutoClose private static final RunningService service = RunningService.start();
  private static final String token = service.token();

  static Stream<Wrong> wrong() throws IOException {
    return WrongRequests.all(token);
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void a_mistake_gets_a_message_that_mends_it(Wrong wrong) {
    List<String> headers = new ArrayList<>(wrong.headers());
    if (wrong.route().equals(WrongRequests.EVENTS) && !headers.contains(WrongRequests.TOKEN)) {
      headers.addAll(List.of(WrongRequests.TOKEN, "Bearer " + token));
    }
    String[] methodAndPath = wrong.route().split(" ", -1);
    Answer answer =
        service.send(
            methodAndPath[0],
            methodAndPath[1],
            BodyPublishers.ofByteArray(wrong.body()),
            headers.toArray(String[]::new));

    assertThat(Batches.told(answer.body())).isEqualTo(wrong.answer());
  }
}
