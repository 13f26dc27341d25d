package dev.connectorevents.bench.speed;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.openjdk.jmh.annotations.Benchmark;

/** What the other benchmarks are compared with: parsing the same text into a tree. */
public class JacksonBenchmark {

  private static final ObjectMapper JSON = new ObjectMapper();

  @Benchmark
  public JsonNode tree(RequestText request) throws JsonProcessingException {
    return JSON.readTree(request.text);
  }
}
