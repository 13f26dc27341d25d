package dev.connectorevents.bench.bill;

import static dev.connectorevents.bench.MarkdownTable.figure;

import dev.connectorevents.bench.MarkdownTable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/** What was measured, and what a million of each costs, in dollars. */
record BillTable(List<Metered> events, Assumptions assumptions) {

  private static final List<String> COLUMNS =
      List.of(
          "HTTP API",
          "Lambda",
          "table writes",
          "index writes",
          "reads",
          "storage, a month",
          "stream",
          "logs",
          "**total**",
          "total as plain text");

  @Override
  public String toString() {
    List<String> header = new ArrayList<>(List.of("payload", "bytes", "stored", "table units"));
    header.add("index units: " + String.join(" + ", events.getFirst().indexUnits().keySet()));
    header.addAll(COLUMNS);
    return new MarkdownTable(header, events.stream().map(this::row).toList()).toString();
  }

  private List<String> row(Metered event) {
    Cost cost = Cost.ofAMillion(event.usage(), assumptions);
    List<String> row = new ArrayList<>();
    row.add(event.sample().name());
    row.add(figure("%,d", event.sample().bytes()));
    row.add(figure("%,d", event.usage().itemBytes()));
    row.add(units(event.usage().tableUnits()));
    row.add(
        event.indexUnits().values().stream()
            .map(BillTable::units)
            .collect(Collectors.joining(" + ")));
    DoubleStream.of(
            cost.httpApi(),
            cost.lambda(),
            cost.tableWrites(),
            cost.indexWrites(),
            cost.reads(),
            cost.storage(),
            cost.stream(),
            cost.logs())
        .forEach(dollars -> row.add(dollars(dollars)));
    row.add("**" + dollars(cost.total()) + "**");
    row.add(dollars(Cost.ofAMillion(event.plain(), assumptions).total()));
    return row;
  }

  private static String units(double units) {
    return figure("%,.0f", units);
  }

  private static String dollars(double dollars) {
    return figure("%,.2f", dollars);
  }
}
