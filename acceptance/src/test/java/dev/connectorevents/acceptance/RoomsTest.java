package dev.connectorevents.acceptance;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/**
 * Which room may import which. A room is a package of tests. {@link ArchitectureTest} checks the
 * product's packages.
 */
@AnalyzeClasses(packages = "dev.connectorevents.acceptance")
class RoomsTest {

  private static final String ROOMS = "dev.connectorevents.acceptance.(*)..";
  private static final String SERVICE = "dev.connectorevents.acceptance.service";
  private static final String CALLS = "dev.connectorevents.acceptance.awscalls";

  @ArchTest
  static final ArchRule no_rooms_know_each_other_in_a_circle =
      slices().matching(ROOMS).should().beFreeOfCycles();

  @ArchTest
  static final ArchRule what_all_rooms_share_knows_none_of_them =
      noClasses()
          .that()
          .resideInAnyPackage(SERVICE, CALLS)
          .should()
          .dependOnClassesThat(
              resideInAPackage("dev.connectorevents.acceptance..")
                  .and(not(resideInAnyPackage(SERVICE, CALLS))));

  @ArchTest
  static final ArchRule what_all_rooms_share_has_no_tests =
      noClasses()
          .that()
          .resideInAnyPackage(SERVICE, CALLS)
          .should()
          .haveSimpleNameEndingWith("Test");
}
