package dev.connectorevents.emulator.runtime;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Skips the tests of a class on machines that cannot run Lambda's Java runtime. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@EnabledOnOs(
    value = OS.LINUX,
    architectures = {"amd64", "aarch64"},
    disabledReason = "Lambda's Java runtime has a native part for Linux on x86-64 and arm64 only")
public @interface RequiresLambdaRuntime {}
