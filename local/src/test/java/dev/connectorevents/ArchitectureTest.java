package dev.connectorevents;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;

/** What must never import what. */
@AnalyzeClasses(packages = "dev.connectorevents", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

  private static final String[] DOMAIN = {
    "dev.connectorevents.user", "dev.connectorevents.token", "dev.connectorevents.event"
  };

  private static final String[] STORES = {
    "dev.connectorevents.dynamodb", "dev.connectorevents.secretsmanager"
  };

  private static final String ADAPTER = "dev.connectorevents.functions.lambda";
  private static final String SNAPSHOT = "dev.connectorevents.functions.snapshot";
  private static final String WIRING = "dev.connectorevents.functions.wiring";
  private static final String LOCAL = "dev.connectorevents.local..";

  @ArchTest
  static final ArchRule the_domain_knows_the_jdk_and_a_library_for_each_of_its_subjects =
      classes()
          .that()
          .resideInAnyPackage(DOMAIN)
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(DOMAIN)
                  .or(
                      resideInAnyPackage(
                          "dev.connectorevents", // the exception for failing dependencies
                          "java..",
                          "javax.crypto..",
                          "org.jspecify..",
                          "at.favre.lib..",
                          "io.jsonwebtoken..",
                          "com.fasterxml.jackson.core..")));

  @ArchTest
  static final ArchRule only_password_hash_knows_bcrypt =
      onlyOneKnows("at.favre.lib..", "dev.connectorevents.user.PasswordHash");

  @ArchTest
  static final ArchRule only_tokens_knows_jjwt =
      onlyOneKnows("io.jsonwebtoken..", "dev.connectorevents.token.Tokens");

  @ArchTest
  static final ArchRule in_the_domain_only_the_reader_of_tokens_knows_jackson =
      noClasses()
          .that()
          .resideInAnyPackage(DOMAIN)
          .and(not(name("dev.connectorevents.token.TokenJson")))
          .should()
          .dependOnClassesThat()
          .resideInAPackage("com.fasterxml..");

  @ArchTest
  static final ArchRule http_does_not_know_the_stores =
      noClasses()
          .that()
          .resideInAPackage("dev.connectorevents.http")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(STORES);

  @ArchTest
  static final ArchRule only_the_stores_the_wiring_and_the_rehearsal_know_the_sdk =
      noClasses()
          .that()
          .resideOutsideOfPackages(STORES)
          .and()
          .resideOutsideOfPackages(WIRING, SNAPSHOT, LOCAL)
          .should()
          .dependOnClassesThat()
          .resideInAPackage("software.amazon..");

  @ArchTest
  static final ArchRule only_the_adapter_the_rehearsal_and_functions_without_a_route_know_lambda =
      noClasses()
          .that()
          .resideOutsideOfPackages(ADAPTER, SNAPSHOT, LOCAL)
          .and(not(name("dev.connectorevents.functions.manageusers.ManageUsersFunction")))
          .and(not(name("dev.connectorevents.functions.rotatesigningkey.RotateSigningKeyFunction")))
          .should()
          .dependOnClassesThat()
          .resideInAPackage("com.amazonaws..");

  @ArchTest
  static final ArchRule the_adapter_knows_nothing_of_rehearsals =
      noClasses()
          .that()
          .resideInAPackage(ADAPTER)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(SNAPSHOT, "org.crac..");

  @ArchTest
  static final ArchRule all_chance_comes_from_the_kernel_which_a_snapshot_does_not_hold =
      noClasses()
          .that()
          .resideOutsideOfPackage(LOCAL)
          .should()
          .dependOnClassesThat()
          .belongToAnyOf(Random.class, ThreadLocalRandom.class, SplittableRandom.class)
          .orShould()
          .callMethod(Math.class, "random");

  @ArchTest
  static final ArchRule functions_do_not_know_each_other_and_their_frame_knows_none =
      slices()
          .matching("dev.connectorevents.functions.(*)..")
          .should()
          .notDependOnEachOther()
          .ignoreDependency(alwaysTrue(), resideInAnyPackage(ADAPTER, SNAPSHOT, WIRING));

  @ArchTest
  static final ArchRule no_packages_know_each_other_in_a_circle =
      slices().matching("dev.connectorevents.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule nothing_that_ships_knows_local_or_bench =
      noClasses()
          .that()
          .resideOutsideOfPackage(LOCAL)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(LOCAL, "dev.connectorevents.bench..");

  private static ArchRule onlyOneKnows(String library, String className) {
    return noClasses()
        .that()
        .resideOutsideOfPackage(LOCAL)
        .and(not(belongTo(name(className)))) // which its nested classes do
        .should()
        .dependOnClassesThat()
        .resideInAPackage(library);
  }
}
