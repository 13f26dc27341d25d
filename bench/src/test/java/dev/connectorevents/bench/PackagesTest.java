package dev.connectorevents.bench;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/**
 * Applies one rule of {@code ArchitectureTest} to the benchmarks, since that test does not read
 * their classes. Its rules about other modules are not needed here: Maven builds the benchmarks
 * last, so no other module can depend on them.
 */
@ArchTag("nightly")
@AnalyzeClasses(packages = "dev.connectorevents.bench", importOptions = DoNotIncludeTests.class)
class PackagesTest {

  @ArchTest
  static final ArchRule no_packages_know_each_other_in_a_circle =
      slices().matching("dev.connectorevents.bench.(**)").should().beFreeOfCycles();
}
