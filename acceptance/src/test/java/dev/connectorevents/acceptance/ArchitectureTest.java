package dev.connectorevents.acceptance;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Rules for which packages may depend on which. They cover all modules but the benchmarks, on which
 * no other module depends. Of the tests, they cover only those of this module. A room is a package
 * of tests.
 */
@AnalyzeClasses(
    packages = "dev.connectorevents",
    importOptions = ArchitectureTest.DoNotIncludeOtherTests.class)
class ArchitectureTest {

  private static final String[] DOMAIN = {
    "dev.connectorevents.user",
    "dev.connectorevents.token",
    "dev.connectorevents.event",
    "dev.connectorevents.feed"
  };

  private static final String[] STORES = {
    "dev.connectorevents.dynamodb..", "dev.connectorevents.secretsmanager"
  };

  /** What operators do with stored events. */
  private static final String[] WING = {
    "dev.connectorevents.erasure",
    "dev.connectorevents.dynamodb.erasure",
    "dev.connectorevents.functions.operators.."
  };

  private static final String HTTP = "dev.connectorevents.http";
  private static final String JSON = "dev.connectorevents.json";
  private static final String ACCESS = "dev.connectorevents.access";
  private static final String EVENT_FORMAT = "dev.connectorevents.eventformat";
  private static final String ADAPTER = "dev.connectorevents.functions.lambda";
  private static final String OPERATORS = "dev.connectorevents.functions.operators";
  private static final String SNAPSHOT = "dev.connectorevents.functions.snapshot";
  private static final String WIRING = "dev.connectorevents.functions.wiring";
  private static final String RESILIENCE = "dev.connectorevents.functions.resilience";

  /** Packages that are never deployed. */
  private static final String[] TOOLS = {
    "dev.connectorevents.emulator..",
    "dev.connectorevents.local..",
    "dev.connectorevents.acceptance.."
  };

  private static final DescribedPredicate<JavaClass> DEPLOYED = resideOutsideOfPackages(TOOLS);

  /** Support code that all rooms share. */
  private static final String SUPPORT = "dev.connectorevents.acceptance.service";

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
      onlyTheseKnow("at.favre.lib..", "dev.connectorevents.user.PasswordHash");

  @ArchTest
  static final ArchRule only_what_issues_and_checks_tokens_knows_jjwt =
      onlyTheseKnow(
          "io.jsonwebtoken..",
          "dev.connectorevents.token.Tokens",
          "dev.connectorevents.token.TokenChecker",
          "dev.connectorevents.token.ClaimsReader",
          "dev.connectorevents.token.JwtJson");

  @ArchTest
  static final ArchRule in_the_domain_only_the_reader_of_tokens_knows_jackson =
      none(
          resideInAnyPackage(DOMAIN).and(not(name("dev.connectorevents.token.TokenJson"))),
          "com.fasterxml..");

  @ArchTest
  static final ArchRule what_knows_requests_does_not_know_the_stores =
      none(
          resideInAnyPackage(HTTP, JSON, ACCESS, EVENT_FORMAT, "dev.connectorevents.erasure"),
          STORES);

  @ArchTest
  static final ArchRule the_core_never_knows_the_wing_which_only_the_wiring_opens =
      none(resideOutsideOfPackages(WING).and(DEPLOYED).and(resideOutsideOfPackages(WIRING)), WING);

  @ArchTest
  static final ArchRule http_knows_none_of_those_who_read_requests =
      none(resideInAPackage(HTTP), JSON, ACCESS, EVENT_FORMAT);

  @ArchTest
  static final ArchRule only_the_stores_the_wiring_the_retries_and_the_rehearsal_know_the_sdk =
      none(
          resideOutsideOfPackages(STORES)
              .and(resideOutsideOfPackages(WIRING, RESILIENCE, SNAPSHOT))
              .and(DEPLOYED),
          "software.amazon..");

  @ArchTest
  static final ArchRule only_the_adapter_the_rehearsal_and_functions_that_aws_calls_know_lambda =
      none(
          resideOutsideOfPackages(ADAPTER, SNAPSHOT, OPERATORS)
              .and(DEPLOYED)
              .and(
                  not(
                      name(
                          "dev.connectorevents.functions.rotatesigningkey.RotateSigningKeyFunction")))
              .and(not(name("dev.connectorevents.functions.numberevents.NumberEventsFunction")))
              .and(not(name("dev.connectorevents.functions.beatfeed.BeatFeedFunction"))),
          "com.amazonaws..");

  @ArchTest
  static final ArchRule the_adapter_knows_nothing_of_rehearsals =
      none(resideInAPackage(ADAPTER), SNAPSHOT, "org.crac..");

  @ArchTest
  static final ArchRule all_chance_comes_from_the_kernel_which_a_snapshot_does_not_hold =
      noClasses()
          .that()
          .resideOutsideOfPackages(TOOLS)
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
          .ignoreDependency(
              alwaysTrue(), resideInAnyPackage(ADAPTER, SNAPSHOT, WIRING, RESILIENCE));

  @ArchTest
  static final ArchRule operators_functions_do_not_know_each_other =
      slices()
          .matching("dev.connectorevents.functions.operators.(*)..")
          .should()
          .notDependOnEachOther();

  @ArchTest
  static final ArchRule no_packages_know_each_other_in_a_circle =
      slices().matching("dev.connectorevents.(**)").should().beFreeOfCycles();

  @ArchTest static final ArchRule nothing_that_is_deployed_knows_the_tools = none(DEPLOYED, TOOLS);

  @ArchTest
  static final ArchRule the_emulator_knows_nothing_of_this_service =
      noClasses()
          .that()
          .resideInAPackage("dev.connectorevents.emulator..")
          .should()
          .dependOnClassesThat(
              resideInAPackage("dev.connectorevents..")
                  .and(not(resideInAPackage("dev.connectorevents.emulator.."))));

  @ArchTest
  static final ArchRule no_rooms_know_each_other_in_a_circle =
      slices().matching("dev.connectorevents.acceptance.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule what_all_rooms_share_knows_none_of_them =
      noClasses()
          .that()
          .resideInAPackage(SUPPORT)
          .should()
          .dependOnClassesThat(
              resideInAPackage("dev.connectorevents.acceptance..")
                  .and(not(resideInAPackage(SUPPORT))));

  @ArchTest
  static final ArchRule what_all_rooms_share_has_no_tests =
      noClasses().that().resideInAPackage(SUPPORT).should().haveSimpleNameEndingWith("Test");

  /**
   * Leaves out the test classes of other modules. They come in a jar, or in a folder before they
   * are packed.
   */
  static final class DoNotIncludeOtherTests implements ImportOption {

    @Override
    public boolean includes(Location location) {
      return location.contains("/acceptance/target/")
          || !(location.contains("-tests.jar") || location.contains("/test-classes/"));
    }
  }

  @ArchTest
  static void every_module_is_seen(JavaClasses classes) {
    assertThat(modules(classes).values().stream().flatMap(Set::stream))
        .contains("emulator", "shared", "functions", "local");
  }

  @ArchTest
  static void no_package_is_in_two_modules(JavaClasses classes) {
    assertThat(modules(classes)).allSatisfy((_, modules) -> assertThat(modules).hasSize(1));
  }

  /** The names of the modules that have classes of each package, by the package's name. */
  private static Map<String, Set<String>> modules(JavaClasses classes) {
    return classes.stream()
        .collect(
            groupingBy(
                JavaClass::getPackageName,
                mapping(ArchitectureTest::module, toCollection(TreeSet::new))));
  }

  private static String module(JavaClass of) {
    Matcher module =
        Pattern.compile("/(\\w+)/target/")
            .matcher(of.getSource().orElseThrow().getUri().toString());
    assertThat(module.find()).as(of.getSource().toString()).isTrue();
    return module.group(1);
  }

  private static ArchRule onlyTheseKnow(String library, String... classNames) {
    Set<String> these = Set.of(classNames);
    // "belongTo" includes nested classes.
    return none(
        DEPLOYED.and(not(belongTo(describe("are these", it -> these.contains(it.getName()))))),
        library);
  }

  private static ArchRule none(DescribedPredicate<JavaClass> of, String... know) {
    return noClasses().that(of).should().dependOnClassesThat().resideInAnyPackage(know);
  }
}
