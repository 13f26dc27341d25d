package dev.connectorevents.feed;

class InMemoryFeedTest extends FeedAppendsTest {

  private final InMemoryFeed feed = new InMemoryFeed();

  @Override
  protected FeedAppends appends() {
    return feed;
  }

  @Override
  protected WholeFeed log() {
    return feed;
  }
}
