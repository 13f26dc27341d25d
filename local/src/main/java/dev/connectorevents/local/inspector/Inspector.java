package dev.connectorevents.local.inspector;

import com.sun.net.httpserver.HttpHandler;
import dev.connectorevents.emulator.gateway.Exchange;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Keeps the requests to the API, and shows them in the terminal and on a page. A second page shows
 * the stored events.
 */
public final class Inspector implements Consumer<Exchange> {

  /** The page's path, on the port of the API. */
  public static final String PATH = InspectorPage.PATH;

  private final History history = new History();
  private final RequestHints hints;
  private final Optional<Terminal> terminal;

  /**
   * Reads the API's document.
   *
   * @param openApi the API's document, from which the hints about paths and members come; without
   *     it there are none
   * @param terminal prints a line for each request; empty to print none
   */
  public Inspector(Optional<Path> openApi, Optional<Terminal> terminal) throws IOException {
    this.hints = RequestHints.read(openApi);
    this.terminal = terminal;
  }

  @Override
  public void accept(Exchange exchange) {
    if (Resender.isOwn(exchange)) {
      return;
    }
    RecordedExchange recorded = RecordedExchange.of(exchange, hints);
    history.add(recorded);
    terminal.ifPresent(each -> each.print(recorded.row()));
  }

  /** The page. It sends requests to the API as this user, or as a consumer of its own. */
  public HttpHandler page(URI api, LocalUser connector) throws IOException {
    return new InspectorPage(history, new Resender(api, connector));
  }
}
