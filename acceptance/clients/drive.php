<?php
// Takes each step with the client that openapi-generator makes, and prints what it read. Options:
//   -g php --type-mappings StoredPayload=mixed,EventToStorePayload=mixed
// Without the second, it loses all of a payload but _meta. It does not keep 1.0 and integers past 2^63, and escapes / and
// letters outside ASCII.
declare(strict_types=1);

require 'GuzzleHttp/autoload.php';
spl_autoload_register(function (string $class): void {
    require __DIR__ . '/lib/' . strtr(substr($class, strlen('OpenAPI\\Client\\')), '\\', '/') . '.php';
});

use OpenAPI\Client\Api\AuthenticationApi;
use OpenAPI\Client\Api\EventsApi;
use OpenAPI\Client\ApiException;
use OpenAPI\Client\Configuration;
use OpenAPI\Client\Model\EventToStore;
use OpenAPI\Client\Model\Keys;
use OpenAPI\Client\Model\Login;
use OpenAPI\Client\Model\NewBatch;

const ABSENT = '00000000-0000-4000-8000-000000000000';

function configuration(string $token = ''): Configuration
{
    return (new Configuration())->setHost(getenv('API_URL'))->setAccessToken($token);
}

function authentication(string $token = ''): AuthenticationApi
{
    return new AuthenticationApi(null, configuration($token));
}

function token(string $email): string
{
    return authentication()->login(new Login(['email' => $email, 'password' => getenv('PASSWORD')]))->getAccessToken();
}

function event(string $key, string $payload): EventToStore
{
    return new EventToStore(['idempotency_key' => $key, 'event_type' => 'shopify.orders/create', 'payload' => json_decode($payload)]);
}

function refused(callable $call): string
{
    try {
        $call();
        return 'nothing';
    } catch (ApiException $e) { // its object has the type that the document names
        $problem = $e->getResponseObject();
        return $e->getCode() . ' ' . ($problem->getCode() ?? $problem->getMessage());
    }
}

function say(string ...$words): void
{
    echo implode(' ', $words), "\n";
}

$sent = getenv('PAYLOAD');
$connector = authentication(token(getenv('CONNECTOR')))->refresh()->getAccessToken();
$events = new EventsApi(null, configuration($connector));
$reader = new EventsApi(null, configuration(token(getenv('CONSUMER'))));

say('role', authentication($connector)->getCurrentUser()->getRole());

$created = $events->createWebhookEvent(event('php-1', $sent));
say('created', var_export($created->getEventType() === 'shopify.orders/create', true));

$batch = new NewBatch(['events' => [event('php-1', $sent), event('php-1', '{}'), event('php-2', '{}')]]);
$results = array_map(
    fn($result) => $result->getProblem()
        ? $result->getStatus() . ' ' . $result->getProblem()->getCode()
        : 'replayed ' . var_export($result->getReplayed(), true),
    $events->createWebhookEvents($batch)->getResults()
);
say('batch', implode(', ', $results));

say('missing', ...$events->findMissingWebhookEvents(new Keys(['idempotency_keys' => ['php-2', 'absent']]))->getMissing());

$newest = $reader->listWebhookEvents(event_type: 'a.b', limit: 3, include: 'payload');
say('newest', implode(',', array_map(fn($entry) => $entry->getPayload()->n, $newest->getEvents())));

[$read, $erased, $pages, $cursor, $more] = [0, 0, 0, '0', true];
while ($more) {
    $page = $reader->listWebhookEvents(event_type: 'a.b', order: 'asc', limit: 2, include: 'erasures', cursor: $cursor);
    foreach ($page->getEvents() as $entry) {
        $entry->getErasedAt() ? $erased++ : $read++;
    }
    [$cursor, $more] = [$page->getNext(), $page->getMore()];
    $pages++;
}
say("feed $read events, $erased erasure, $pages pages");

$same = fn($read) => var_export($read == json_decode($sent), true);
say('by id', $same($reader->getWebhookEvent($created->getId())->getPayload()));
say('payload', $same($reader->getWebhookEventPayload($created->getId())));

say(refused(fn() => token('nobody@example.com')));
say(refused(fn() => authentication('x')->getCurrentUser()));
say(refused(fn() => $reader->createWebhookEvent(event('php-3', '{}'))));
say(refused(fn() => $reader->getWebhookEvent(ABSENT)));
say(refused(fn() => $reader->getWebhookEvent(getenv('ERASED'))));
say(refused(fn() => $events->createWebhookEvent(event('php-4', json_encode(['n' => str_repeat('n', 11_000_000)])))));
say(refused(fn() => $reader->listWebhookEvents(order: 'asc', cursor: '00000000-1')));
say(refused(fn() => $events->createWebhookEvent(event('php-1', '{}'))));
say(refused(function () {
    for ($i = 0; $i < 20 && str_starts_with(refused(fn() => token('php@example.com')), '401 '); $i++);
    token('php@example.com');
}));
say(refused(fn() => token('unlucky@example.com')));
