/**
 * A served cluster in real time: the page reads its trace as it grows, and shows its state. A reader at the end stays at the end; a reader
 * at an earlier step is not moved. Requests go only to the page's own server.
 */
import { createLineReader, windowOf, type Entry, type Trace } from '../../lab/trace/index.ts';
import type { RenewalInterval } from '../../controlplane/runtime/index.ts';
import { showIntrospection, refresh } from './opening.ts';
import type { CarriedScenario, RunData } from './protocol.ts';
import { LONGEST } from './run-data.ts';
import * as state from './state.ts';

const SIM = '/sim/v1';
/** Minimum milliseconds between two renders; slow renders increase it. */
const BREATH = 200;
const SHARE = 4;
const AGAIN = 2_000;
/** Milliseconds between two reads of a clock that runs by itself. */
const TICK = 1_000;

/** One connection to the server. */
interface Line {
  readonly scenario: CarriedScenario;
  readonly abort: AbortController;
  token: string | undefined;
  /** Schedules a render, once there is data. */
  draw?: () => void;
}

const now: { line: Line | undefined } = { line: undefined };

/** Shows the cluster from now on, until something else is opened. */
export function goLive(scenario: CarriedScenario, token?: string): void {
  stopLive();
  const line: Line = { scenario, abort: new AbortController(), token };
  now.line = line;
  state.live.value = { is: 'connecting' };
  void keepUp(line);
}

export function stopLive(): void {
  now.line?.abort.abort();
  now.line = undefined;
  state.live.value = undefined;
}

/** Logs in with a token. The token is kept in memory only. */
export function logIn(token: string): void {
  const { line } = now;
  if (line !== undefined) goLive(line.scenario, token);
}

/** Advances virtual time; errors of the server are shown. */
export async function advance(body: Readonly<Record<string, string>>): Promise<void> {
  const { line } = now;
  if (line === undefined) return;
  try {
    const reply = await ask(line, '/advance', { method: 'POST', body: JSON.stringify(body) });
    const { message } = (await reply.json()) as { readonly message?: string };
    line.draw?.();
    if (now.line === line) say(reply.ok ? undefined : (message ?? `the server answered ${reply.status}`));
  } catch {
    if (now.line === line) say('the server does not answer');
  }
}

function say(message: string | undefined): void {
  const { live } = state;
  if (live.value?.is !== 'live') return;
  const { message: _, ...rest } = live.value;
  live.value = message === undefined ? rest : { ...rest, message };
}

const ask = ({ abort, token }: Line, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${SIM}${path}`, {
    ...init,
    cache: 'no-store',
    signal: abort.signal,
    headers: {
      ...(init.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
  });

/** The state of the server, as far as the page shows it. */
interface ServerState {
  readonly now: string;
  readonly startedAt: string;
  readonly clock: string;
  readonly settled: boolean;
  readonly digest: string;
  readonly domain: string;
  readonly scenario?: string;
  readonly seed?: number;
}

/** Follows the trace until it is stopped; after a reset it starts from the beginning. */
async function keepUp(line: Line): Promise<void> {
  while (!line.abort.signal.aborted) {
    let wait = AGAIN;
    try {
      const refused = await follow(line);
      // The server ended the stream: the cluster was reset.
      wait = BREATH;
      if (refused !== undefined) {
        if (now.line === line) state.live.value = { is: 'login', message: refused };
        return;
      }
    } catch {
      // The server does not respond; it may come back.
    }
    if (now.line === line && wait === AGAIN) state.live.value = { is: 'lost' };
    await new Promise((done) => setTimeout(done, wait));
  }
}

/** Reads one stream to its end. Returns why it was refused, if it was. */
async function follow(line: Line): Promise<string | undefined> {
  const serverState = await ask(line, '/state');
  if (serverState.status === 401 || serverState.status === 403)
    return line.token === undefined ? 'This cluster requires a token.' : 'The token is not accepted.';
  const first = (await serverState.json()) as ServerState;
  const reply = await ask(line, '/trace?whole=true');
  if (!reply.ok || reply.body === null) return `the trace is refused: ${reply.status}`;
  const reported = nothingReported(Date.parse(first.startedAt));
  const drawn = (line.draw = drawing(line, reported));
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const lines = `${rest}${value}`.split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) take(reported, text);
    drawn();
  }
  return undefined;
}

type Reported = ReturnType<typeof nothingReported>;

const nothingReported = (startAt: number) => ({
  startAt,
  /** The id of the first entry after the summary of dropped ones. */
  from: undefined as number | undefined,
  prologue: [] as Entry[],
  entries: [] as Entry[],
  renewalIntervals: new Map<number, RenewalInterval>(),
  read: createLineReader(),
});

function take(reported: Reported, line: string): void {
  if (line.startsWith('{"trace":')) {
    reported.from = (JSON.parse(line) as { readonly from?: number }).from;
    return;
  }
  const read = reported.read(line);
  if (read === undefined) return;
  if ('renewalInterval' in read) reported.renewalIntervals.set(read.renewalInterval.order, read.renewalInterval);
  // Without entries after the start, all first entries are of the prologue.
  else if (read.entry.at < reported.startAt || read.entry.id < (reported.from ?? 0)) reported.prologue.push(read.entry);
  else reported.entries.push(read.entry);
}

/** Schedules a render soon, and not more often than the page can render. */
function drawing(line: Line, reported: Reported): () => void {
  let planned = false;
  let cost = 0;
  const plan = (least: number): void => {
    if (planned) return;
    planned = true;
    setTimeout(() => void draw(), Math.max(least, SHARE * cost));
  };
  const draw = async (): Promise<void> => {
    planned = false;
    if (line.abort.signal.aborted) return;
    try {
      const serverState = (await (await ask(line, '/state')).json()) as ServerState;
      const from = performance.now();
      refresh(runOf(reported, serverState), line.scenario);
      const { clock, settled, domain } = serverState;
      state.live.value = { ...(state.live.value?.is === 'live' ? state.live.value : {}), is: 'live', clock, settled, domain };
      cost = performance.now() - from;
      if (serverState.clock === 'realtime') plan(TICK);
    } catch {
      // The end of the stream reports the error.
    }
  };
  return () => plan(BREATH);
}

function runOf(
  { startAt, prologue, entries, renewalIntervals }: Reported,
  { now: at, digest, scenario = 'a cluster', seed = 0 }: ServerState,
): RunData {
  const whole: Trace = { startAt, prologue: [...prologue], entries: [...entries], renewalIntervals: [...renewalIntervals.values()] };
  const from = Math.max(0, entries.length - LONGEST);
  return {
    name: scenario,
    seed,
    verdict: 'held',
    digest,
    failures: [],
    invariants: { exercised: 0, broken: 0 },
    lesson: { title: 'This cluster, live', narrationSteps: [], looks: [] },
    trace: from === 0 ? whole : windowOf(whole, from, entries.length),
    lengthMs: Math.max(0, Date.parse(at) - startAt),
    live: true,
    ...(from === 0 ? {} : { window: { from, of: entries.length } }),
  };
}

/** Requests introspection of the present; for the past of a running cluster there is none. */
export async function peekLive(step: number): Promise<void> {
  const { line } = now;
  const { model } = state;
  const of = model.value;
  if (line === undefined || of === undefined || step !== of.length) return;
  try {
    const introspection: unknown = await (await ask(line, '/inside')).json();
    if (model.value === of) showIntrospection(step, introspection);
  } catch {
    // The next request will show the error.
  }
}
