// Takes each step with the client that openapi-generator makes, and prints what it read. Options:
//   -g typescript-fetch --additional-properties modelPropertyNaming=original
// Without the second, it does not send _meta, and sends a meta of the provider as _meta. It does not keep 1.0 and integers
// past 2^53 of a payload.
import {
  AuthenticationApi, BatchResult, Configuration, EventErasedFromJSON, EventsApi,
  ForbiddenFromJSON, InvalidQueryFromJSON, NotAuthenticatedFromJSON, NotFoundFromJSON,
  NotStoredFromJSON, PayloadTooLargeFromJSON, ResponseError, TooManyAttemptsFromJSON, UnavailableFromJSON, WrongCredentialsFromJSON,
} from "./index";

declare const process: { env: Record<string, string> };
const { API_URL, CONNECTOR, CONSUMER, PASSWORD, PAYLOAD, ERASED } = process.env as Record<string, string>;
const ABSENT = "00000000-0000-4000-8000-000000000000";

const configuration = (accessToken?: string) => new Configuration({ basePath: API_URL, accessToken });
const authentication = (token?: string) => new AuthenticationApi(configuration(token));
const token = async (email: string) =>
  (await authentication().login({ login: { email, password: PASSWORD! } })).access_token;
const event = (idempotency_key: string, payload: string) =>
  ({ idempotency_key, event_type: "shopify.orders/create", payload: JSON.parse(payload) });

type Problem = { code?: string; message?: string };

async function refused(read: (json: unknown) => Problem, call: () => Promise<unknown>): Promise<string> {
  try {
    await call();
    return "nothing";
  } catch (error) {
    if (!(error instanceof ResponseError)) throw error;
    const problem = read(await error.response.json());
    return `${error.response.status} ${problem.code ?? problem.message}`;
  }
}

/** Whether what was read has the members of what was sent, in any order. Those that are absent are undefined. */
const same = (read: unknown, sent: unknown): boolean =>
  sent instanceof Object && read instanceof Object
    ? Object.keys(sent).length === Object.values(read).filter(value => value !== undefined).length &&
      Object.entries(sent).every(([name, value]) => same((read as Record<string, unknown>)[name], value))
    : read === sent;

async function main() {
  const connector = (await authentication(await token(CONNECTOR!)).refresh()).access_token;
  const events = new EventsApi(configuration(connector));
  const reader = new EventsApi(configuration(await token(CONSUMER!)));

  console.log("role", (await authentication(connector).getCurrentUser()).role);

  const created = await events.createWebhookEvent({ eventToStore: event("ts-1", PAYLOAD!) });
  console.log("created", created.event_type === "shopify.orders/create");

  const newBatch = { events: [event("ts-1", PAYLOAD!), event("ts-1", "{}"), event("ts-2", "{}")] };
  const { results } = await events.createWebhookEvents({ newBatch });
  const outcome = ({ status, problem, replayed }: BatchResult) =>
    problem ? `${status} ${problem.code}` : `replayed ${replayed}`;
  console.log("batch", results.map(outcome).join(", "));

  const { missing } = await events.findMissingWebhookEvents({ keys: { idempotency_keys: ["ts-2", "absent"] } });
  console.log("missing", [...missing].join(","));

  const newest = await reader.listWebhookEvents({ eventType: "a.b", limit: 3, include: "payload" });
  console.log("newest", newest.events.map(entry => entry.payload?.n).join(","));

  let read = 0, erased = 0, pages = 0, cursor: string | undefined = "0", more = true;
  while (more) {
    const page = await reader.listWebhookEvents({ eventType: "a.b", order: "asc", include: "erasures", limit: 2, cursor });
    for (const entry of page.events) entry.erased_at ? erased++ : read++;
    ({ next: cursor, more } = page);
    pages++;
  }
  console.log(`feed ${read} events, ${erased} erasure, ${pages} pages`);

  const sent = JSON.parse(PAYLOAD!);
  console.log("by id", same((await reader.getWebhookEvent({ id: created.id })).payload, sent));
  console.log("payload", same(await reader.getWebhookEventPayload({ id: created.id }), sent));

  console.log(await refused(WrongCredentialsFromJSON, () => token("nobody@example.com")));
  console.log(await refused(NotAuthenticatedFromJSON, () => authentication("x").getCurrentUser()));
  console.log(await refused(ForbiddenFromJSON, () => reader.createWebhookEvent({ eventToStore: event("ts-3", "{}") })));
  console.log(await refused(NotFoundFromJSON, () => reader.getWebhookEvent({ id: ABSENT })));
  console.log(await refused(EventErasedFromJSON, () => reader.getWebhookEvent({ id: ERASED! })));
  const large = event("ts-4", JSON.stringify({ n: "n".repeat(11_000_000) }));
  console.log(await refused(PayloadTooLargeFromJSON, () => events.createWebhookEvent({ eventToStore: large })));
  console.log(await refused(InvalidQueryFromJSON, () => reader.listWebhookEvents({ order: "asc", cursor: "00000000-1" })));
  console.log(await refused(NotStoredFromJSON, () => events.createWebhookEvent({ eventToStore: event("ts-1", "{}") })));
  console.log(await refused(TooManyAttemptsFromJSON, async () => {
    for (let i = 0; i < 20; i++) {
      if (!(await refused(json => json as Problem, () => token("ts@example.com"))).startsWith("401 ")) break;
    }
    await token("ts@example.com");
  }));
  console.log(await refused(UnavailableFromJSON, () => token("unlucky@example.com")));
}

main();
