/** `/sim/v1/…`: the clock, the way back to the start, the state of the simulation, its trace. */
import { nearest, parseDurationMs } from '../../../grammar/values/index.ts';
import type { Area, Call } from '../call.ts';
import { reply } from '../answer/encode.ts';
import type { HttpReply } from '../message.ts';
import { badRequest, methodNotAllowed, tooLarge } from '../refusals.ts';
import { BODY_LIMIT } from '../request/body.ts';
import { firstOf, flagOf } from '../request/query.ts';
import type { Session } from './world.ts';

const ROUTES: Readonly<Record<string, string>> = { advance: 'POST', reset: 'POST', state: 'GET', trace: 'GET' };
/** How far `until: settled` goes when nothing says how far. */
const SETTLE_WITHIN_MS = 86_400_000;

export function simulationArea(session: Session): Area {
  return (call) => {
    const name = /^\/sim\/v1\/([^/]*)\/?$/.exec(call.path)?.[1];
    if (name === undefined) return undefined;
    const method = ROUTES[name];
    if (method === undefined)
      throw badRequest(
        `there is no /sim/v1/${name}; there are ${Object.entries(ROUTES)
          .map(([known, how]) => `${how} /sim/v1/${known}`)
          .join(', ')}`,
      );
    if (call.http.method !== method) throw methodNotAllowed();
    switch (name) {
      case 'advance':
        return advance(session, call);
      case 'reset':
        session.reset();
        return state(session, call);
      case 'trace':
        return trace(session, call);
      default:
        return state(session, call);
    }
  };
}

/** Where the simulation stands. */
function state(
  {
    current: {
      start: { cluster, scenario, seed, troubles },
      clock,
    },
  }: Session,
  { format }: Call,
): HttpReply {
  const { kernel, store, counters, now, startAt } = cluster;
  const nextAt = kernel.nextAt();
  return reply(
    200,
    {
      now: new Date(now).toISOString(),
      startedAt: new Date(startAt).toISOString(),
      sinceStartSeconds: (now - startAt) / 1000,
      clock: clock.mode,
      ...(clock.mode === 'realtime' ? { speed: clock.speed } : {}),
      settled: kernel.settled,
      ...(nextAt === undefined ? {} : { next: new Date(nextAt).toISOString() }),
      ...(clock.stuck === undefined ? {} : { stuck: clock.stuck }),
      resourceVersion: String(store.revision),
      steps: kernel.steps,
      counters,
      digest: cluster.digest(),
      domain: cluster.names.domain,
      ...(scenario === undefined ? {} : { scenario }),
      ...(seed === undefined ? {} : { seed }),
      troubles,
    },
    format(),
  );
}

interface Advance {
  readonly by?: number;
  readonly to?: number;
  readonly settled?: boolean;
}

async function advance(session: Session, call: Call): Promise<HttpReply> {
  const {
    start: { cluster },
    clock,
  } = session.current;
  const { by, to, settled } = advanceOf(call);
  const at = to ?? cluster.now + (by ?? (settled === true ? SETTLE_WITHIN_MS : 0));
  if (at < cluster.now)
    throw badRequest(`time does not run backwards: it is ${new Date(cluster.now).toISOString()}; POST /sim/v1/reset returns to the start`);
  const stuck = settled === true ? await clock.settle(at) : await clock.advanceTo(at);
  if (stuck !== undefined) throw badRequest(`the simulation stopped at one of its limits: ${stuck}`);
  return state(session, call);
}

const KEYS = ['by', 'to', 'until'];

/** `{ by: 1h }`, `{ to: 2024-03-01T00:00:00Z }`, `{ until: settled }`, the last two together with `by` as the furthest. */
function advanceOf({ http }: Call): Advance {
  if (http.body.length > BODY_LIMIT) throw tooLarge(BODY_LIMIT);
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder().decode(http.body));
  } catch {
    throw badRequest('expected a JSON object such as {"by":"1h"}');
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw badRequest('expected a JSON object such as {"by":"1h"}');
  for (const key of Object.keys(body)) {
    if (KEYS.includes(key)) continue;
    const near = nearest(key, KEYS);
    throw badRequest(
      `unknown field ${JSON.stringify(key)}${near === undefined ? '' : `; did you mean ${near}?`} (there are by, to and until)`,
    );
  }
  const { by, to, until } = body as Readonly<Record<string, unknown>>;
  if (by === undefined && to === undefined && until === undefined) throw badRequest('expected by, to or until, such as {"by":"1h"}');
  const byMs = typeof by === 'string' ? parseDurationMs(by).value : undefined;
  if (by !== undefined && byMs === undefined)
    throw badRequest(`by: expected a duration such as 500ms, 90s or 1h30m, found ${JSON.stringify(by)}`);
  const toMs = to === undefined ? undefined : typeof to === 'string' ? Date.parse(to) : Number.NaN;
  if (toMs !== undefined && Number.isNaN(toMs))
    throw badRequest(`to: expected an instant such as 2024-03-01T00:00:00Z, found ${JSON.stringify(to)}`);
  if (until !== undefined && until !== 'settled') throw badRequest(`until: expected settled, found ${JSON.stringify(until)}`);
  return {
    ...(byMs === undefined ? {} : { by: byMs }),
    ...(toMs === undefined ? {} : { to: toMs }),
    ...(until === undefined ? {} : { settled: true }),
  };
}

/** Lines, or server-sent events for whoever accepts those. `follow=false` ends it with what is there. */
function trace({ current: { history } }: Session, { http, query }: Call): HttpReply {
  const events = (http.headers['accept'] ?? '').includes('text/event-stream');
  const last = http.headers['last-event-id'];
  const from = Number(firstOf(query, 'from') ?? (last === undefined ? 0 : Number(last) + 1));
  if (!Number.isSafeInteger(from)) throw badRequest(`from: expected the id of an entry, found ${JSON.stringify(firstOf(query, 'from'))}`);
  return history.stream(from, flagOf(query, 'follow') ?? true, events);
}
