package dev.connectorevents.emulator.secretsmanager;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.UpperCamelCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The parameters of all operations; an operation uses some of them. */
@JsonNaming(UpperCamelCaseStrategy.class)
@JsonIgnoreProperties(ignoreUnknown = true)
record OperationParameters(
    @Nullable String secretId,
    @Nullable String clientRequestToken,
    @Nullable String secretString,
    @Nullable String versionId,
    @Nullable String versionStage,
    @Nullable List<String> versionStages,
    @Nullable String moveToVersionId,
    @Nullable String removeFromVersionId) {

  static String required(String name, @Nullable String value) {
    if (value == null) {
      throw ServiceFault.invalid("You must provide a value for the " + name + " parameter.");
    }
    return value;
  }
}
