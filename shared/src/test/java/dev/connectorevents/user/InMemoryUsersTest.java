package dev.connectorevents.user;

class InMemoryUsersTest extends UsersTest {

  private final Users users = new InMemoryUsers();

  @Override
  protected Users users() {
    return users;
  }
}
