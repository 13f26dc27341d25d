package dev.connectorevents.bench.coldstart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.bench.coldstart.TouchedPages.Kind;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TouchedPagesTest {

  @Test
  void what_was_touched_is_added_up_by_what_it_is_for() {
    String smaps =
        """
        98001000-98d95000 rw-p 00000000 00:00 0
        Size:              13904 kB
        Rss:               13768 kB
        Referenced:         2048 kB
        VmFlags: rd wr mr mw me ac
        99040000-99150000 rw-p 00000000 00:00 0
        Rss:                1048 kB
        Referenced:         1024 kB
        ed400000-100000000 rw-p 00000000 00:00 0
        Rss:               32704 kB
        Referenced:          512 kB
        7f25b0000000-7f25b0724000 rw-p 00000000 00:00 0
        Referenced:          256 kB
        7f25e4000000-7f25e4100000 r-xp 00000000 fe:00 12   /usr/lib/libc.so.6
        Referenced:          128 kB
        """;
    String map =
        """
        from               to                        vsize prot          rss      hugetlb pgsz notes  info  file
        0x0000000098001000-0x0000000098d95000     14237696 rw-p     14098432            0 4K   com    CDS        /lib/classes.jsa
        0x0000000099040000-0x0000000099150000      1114112 rw-p      1073152            0 4K   com    CLASS      -
        0x00000000ed400000-0x0000000100000000    314572800 rw-p     33488896            0 4K   com    JAVAHEAP   -
        0x00007f25b0000000-0x00007f25b0724000      7487488 rw-p      7397376            0 4K   -      -          -
        0x00007f25e4000000-0x00007f25e4100000      1048576 r-xp      1048576            0 4K   com    -          /usr/lib/libc.so.6
        """;

    assertThat(TouchedPages.mib(smaps, map))
        .isEqualTo(Map.of(Kind.CLASSES, 3.0, Kind.HEAP, 0.5, Kind.REST, 0.25, Kind.FILES, 0.125));
  }
}
