package dev.connectorevents.emulator.template;

import java.util.List;

/**
 * One {@code AWS::IAM::ManagedPolicy}. Functions name it in their {@code Policies}. It cannot name
 * their roles: SAM creates them.
 */
record ManagedPolicy(String arn, List<Right> rights) {

  static ManagedPolicy read(String id, Section properties, String prefix) {
    List<Right> rights = PolicyDocument.read(properties.section("PolicyDocument"), prefix);
    return new ManagedPolicy(Arn.policy(id), rights);
  }
}
