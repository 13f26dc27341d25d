package dev.connectorevents;

import java.util.LinkedHashMap;
import java.util.Map;

/** Keeps only so many entries: a new one takes the place of the oldest. For caches. */
public final class BoundedMap<K, V> extends LinkedHashMap<K, V> {

  private static final long serialVersionUID = 1;

  private final int capacity;

  public BoundedMap(int capacity) {
    this.capacity = capacity;
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
    return size() > capacity;
  }
}
