package dev.connectorevents.acceptance.service;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

import dev.connectorevents.event.Sha256;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads all items in the tables of a running service. */
public record TableScan(World service) {

  /** All items of a table whose primary key is {@code id}, by their ids. */
  public SortedMap<String, Map<String, AttributeValue>> items(String table) {
    return service
        .dynamoDb()
        .scanPaginator(scan -> scan.tableName(service.name(table)).consistentRead(true))
        .items()
        .stream()
        .collect(
            Collectors.toMap(
                item -> text(item, "id").orElseThrow(), item -> item, (a, _) -> a, TreeMap::new));
  }

  /** The steps that these items of the ledger have of this erasure, in their order. */
  public static List<List<String>> steps(
      Map<String, Map<String, AttributeValue>> items, String erasureId) {
    return IntStream.iterate(1, step -> step + 1)
        .mapToObj(step -> items.get(erasureId + "#" + step))
        .takeWhile(step -> step != null)
        .map(step -> requireNonNull(step.get("ids")).l().stream().map(AttributeValue::s).toList())
        .toList();
  }

  /** The {@code chain} that the proof of an erasure must have for these steps. */
  public static String chain(List<List<String>> steps) {
    String chain = "";
    for (List<String> step : steps) {
      chain = Sha256.hex(chain + "\n" + sortedLines(step));
    }
    return chain;
  }

  private static String sortedLines(List<String> ids) {
    return ids.stream().sorted().map(id -> id + "\n").collect(joining());
  }

  private static Optional<String> text(Map<String, AttributeValue> item, String name) {
    return Optional.ofNullable(item.get(name)).map(AttributeValue::s);
  }
}
