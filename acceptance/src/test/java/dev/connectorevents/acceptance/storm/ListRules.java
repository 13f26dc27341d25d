package dev.connectorevents.acceptance.storm;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import dev.connectorevents.acceptance.service.WorldClock;
import dev.connectorevents.event.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The rules for lists: a list shows each matching event exactly once, newest first. */
final class ListRules {

  /** The rows of the stored events and of the erased events, by id. */
  private final Map<String, TableRow> rows;

  private final Map<String, NavigableMap<Instant, List<TableRow>>> rowsByFilter = new HashMap<>();

  /**
   * The time at which the first acknowledgement of an event arrived, by the event's id, in
   * nanoseconds of {@link WorldClock#elapsed}.
   */
  private final Map<String, Long> acknowledged;

  /** The pages that are not the last of their list, by their {@code next} cursor. */
  private final Map<String, ListPage> pages = new HashMap<>();

  private final boolean isClockTrusted;
  private final List<Violation> violations = new ArrayList<>();

  private ListRules(CallHistory history, List<TableRow> table) {
    rows =
        Stream.concat(table.stream(), new Erasures(history).rowsGoneFrom(table).stream())
            .collect(toMap(TableRow::id, row -> row));
    for (TableRow row : table) {
      for (String filter : row.filters()) {
        rowsByFilter
            .computeIfAbsent(filter, it -> new TreeMap<>())
            .computeIfAbsent(row.createdAt(), it -> new ArrayList<>())
            .add(row);
      }
    }
    acknowledged =
        history.calls().stream()
            .flatMap(call -> Attempt.in(call).stream())
            .filter(Attempt::isAcknowledged)
            .collect(toMap(Attempt::id, attempt -> attempt.call().span().end(), Math::min));
    isClockTrusted = history.jumps().isEmpty();
  }

  /** Compares each list page of the history with the stored events. */
  static List<Violation> violations(CallHistory history, List<TableRow> table) {
    ListRules rules = new ListRules(history, table);
    history.calls().stream()
        .filter(call -> call.route() == ClientCall.Route.LIST && call.isOk())
        .map(ListPage::of)
        .forEach(rules::judge);
    return rules.violations;
  }

  private void judge(ListPage page) {
    Optional<ListPage> before = page.cursor().map(pages::get);
    page.next().ifPresent(cursor -> pages.put(cursor, page));
    page.events().stream()
        .filter(event -> !isStored(event, page.filter()))
        .forEach(event -> add(Rule.A_LIST_SHOWS_WHAT_IS_NOT_STORED, page, event.id()));
    judgeOrder(page, before);
    if (isClockTrusted && page.isOfBrand() && before.isPresent() == page.cursor().isPresent()) {
      judgeCompleteness(page, before);
    }
  }

  private boolean isStored(ListPage.Entry event, String filter) {
    TableRow row = rows.get(event.id());
    return row != null && row.filters().contains(filter) && event.equals(ListPage.Entry.of(row));
  }

  private void judgeOrder(ListPage page, Optional<ListPage> before) {
    List<ListPage> pages = Stream.concat(before.stream(), Stream.of(page)).toList();
    Set<String> ids = new HashSet<>();
    for (ListPage each : pages) {
      for (ListPage.Entry event : each.events()) {
        if (!ids.add(event.id())) {
          add(Rule.A_LIST_REPEATS_AN_EVENT, page, event.id());
        }
      }
    }
    List<String> order =
        pages.stream()
            .flatMap(each ->
                page.isOfBrand()
                    ? each.events().stream().map(event -> Timestamp.of(event.createdAt()))
                    : each.positions().stream().map("%019d"::formatted))
            .toList();
    if (!order.stream().sorted(Comparator.reverseOrder()).toList().equals(order)) {
      add(Rule.A_LIST_IS_NOT_NEWEST_FIRST, page, order.toString());
    }
  }

  /**
   * Checks that a page shows every event that was acknowledged before the call, and created between
   * the page's two bounds. The upper bound is the last event of the previous page; the first page
   * has none. The lower bound is the last event of this page; the last page has none. An event of
   * the same millisecond as a bound may be on the neighbouring page.
   */
  private void judgeCompleteness(ListPage page, Optional<ListPage> before) {
    Instant end = before.map(it -> it.end().orElse(Instant.MIN)).orElse(Instant.MAX);
    Instant start = page.next().isPresent() ? page.end().orElse(end) : Instant.MIN;
    if (!start.isBefore(end)) {
      return;
    }
    Set<String> ids = page.events().stream().map(ListPage.Entry::id).collect(toSet());
    rowsByFilter
        .getOrDefault(page.filter(), new TreeMap<>())
        .subMap(start, false, end, false)
        .values()
        .stream()
        .flatMap(List::stream)
        .map(TableRow::id)
        .filter(id -> !ids.contains(id))
        .filter(id -> acknowledged.getOrDefault(id, Long.MAX_VALUE) < page.call().span().start())
        .forEach(id -> add(Rule.A_LIST_SKIPPED_AN_EVENT, page, id));
  }

  /**
   * Compares a complete list with the stored events.
   *
   * @param listed the ids of all events on all pages of the list
   */
  static List<Violation> ofAll(List<String> listed, List<TableRow> table) {
    Map<String, Long> times = listed.stream().collect(toMap(id -> id, id -> 1L, Long::sum));
    return Stream.concat(
            table.stream()
                .filter(row -> times.getOrDefault(row.id(), 0L) != 1)
                .map(row -> Violation.of(Rule.NOT_LISTED_ONCE, row)),
            listed.size() == table.size()
                ? Stream.empty()
                : Stream.of(
                    new Violation(
                        Rule.LIST_AND_TABLE_DIFFER_IN_LENGTH,
                        Optional.empty(),
                        listed.size() + " instead of " + table.size())))
        .toList();
  }

  private void add(Rule rule, ListPage page, String detail) {
    violations.add(
        new Violation(
            rule, Optional.of(page.call()), "%s: %s".formatted(page.call().rest(), detail)));
  }
}
