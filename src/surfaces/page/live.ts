/**
 * A served cluster, as it goes on: its trace is read as it comes, and the page shows what there is of it now. Whoever stands at the end
 * stays there; whoever looks at the past is left in peace. Only the page's own server is asked.
 */
import { createLineReader, windowOf, type Entry, type Trace } from '../../lab/trace/index.ts';
import type { RenewalInterval } from '../../controlplane/runtime/index.ts';
import { lookedIntrospection, refresh } from './opening.ts';
import type { CarriedScenario, RunData } from './protocol.ts';
import { LONGEST } from './run-data.ts';
import * as state from './state.ts';

const SIM = '/sim/v1';
/** Milliseconds between two drawings at least, and in proportion to what one costs. */
const BREATH = 200;
const SHARE = 4;
const AGAIN = 2_000;
/** A clock that runs by itself is looked at as often. */
const TICK = 1_000;

/** What one connection is to. */
interface Line {
  readonly scenario: CarriedScenario;
  readonly abort: AbortController;
  token: string | undefined;
  /** Draws soon, once there is something. */
  draw?: () => void;
}

const now: { line: Line | undefined } = { line: undefined };

/** Shows the cluster from here on, until something else is shown. */
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

/** Logs in with a token: it is kept as long as the page is open, and nowhere. */
export function logIn(token: string): void {
  const { line } = now;
  if (line !== undefined) goLive(line.scenario, token);
}

/** Moves virtual time; what the server says against it is shown. */
export async function advance(body: Readonly<Record<string, string>>): Promise<void> {
  const { line } = now;
  if (line === undefined) return;
  try {
    const reply = await ask(line, '/advance', { method: 'POST', body: JSON.stringify(body) });
    const { message } = (await reply.json()) as { readonly message?: string };
    line.draw?.();
    if (now.line === line) say(reply.ok ? undefined : (message ?? `the server says ${reply.status}`));
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

/** What the server says of itself, as far as the page shows it. */
interface Standing {
  readonly now: string;
  readonly startedAt: string;
  readonly clock: string;
  readonly settled: boolean;
  readonly digest: string;
  readonly domain: string;
  readonly scenario?: string;
  readonly seed?: number;
}

/** Follows until it is told to stop; a world that began anew is followed from its start. */
async function keepUp(line: Line): Promise<void> {
  while (!line.abort.signal.aborted) {
    let wait = AGAIN;
    try {
      const refused = await follow(line);
      // It ended by itself: the world begins anew.
      wait = BREATH;
      if (refused !== undefined) {
        if (now.line === line) state.live.value = { is: 'login', message: refused };
        return;
      }
    } catch {
      // The server has gone: it may come back.
    }
    if (now.line === line && wait === AGAIN) state.live.value = { is: 'lost' };
    await new Promise((done) => setTimeout(done, wait));
  }
}

/** One stream to its end; answers why it was refused, if it was. */
async function follow(line: Line): Promise<string | undefined> {
  const standing = await ask(line, '/state');
  if (standing.status === 401 || standing.status === 403)
    return line.token === undefined ? 'This cluster wants to know who you are.' : 'That token is not let in here.';
  const first = (await standing.json()) as Standing;
  const reply = await ask(line, '/trace?whole=true');
  if (!reply.ok || reply.body === null) return `the trace is refused: ${reply.status}`;
  const reported: Reported = {
    startAt: Date.parse(first.startedAt),
    from: undefined,
    prologue: [],
    entries: [],
    renewalIntervals: new Map(),
    read: createLineReader(),
  };
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

interface Reported {
  readonly startAt: number;
  /** The identity of the first entry that is not a summary of what came before. */
  from: number | undefined;
  readonly prologue: Entry[];
  readonly entries: Entry[];
  readonly renewalIntervals: Map<number, RenewalInterval>;
  read(line: string): ReturnType<ReturnType<typeof createLineReader>>;
}

function take(reported: Reported, line: string): void {
  if (line.startsWith('{"trace":')) {
    reported.from = (JSON.parse(line) as { readonly from?: number }).from;
    return;
  }
  const heard = reported.read(line);
  if (heard === undefined) return;
  if ('renewalInterval' in heard) reported.renewalIntervals.set(heard.renewalInterval.order, heard.renewalInterval);
  // Without entries after the start all that comes at first is of before it.
  else if (heard.entry.at < reported.startAt || heard.entry.id < (reported.from ?? 0)) reported.prologue.push(heard.entry);
  else reported.entries.push(heard.entry);
}

/** Draws soon after it is called, and not more often than the page has time for. */
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
      const standing = (await (await ask(line, '/state')).json()) as Standing;
      const from = performance.now();
      refresh(runOf(reported, standing), line.scenario);
      state.live.value = {
        ...(state.live.value?.is === 'live' ? state.live.value : {}),
        is: 'live',
        clock: standing.clock,
        settled: standing.settled,
        domain: standing.domain,
      };
      cost = performance.now() - from;
      if (standing.clock === 'realtime') plan(TICK);
    } catch {
      // The stream's own end tells.
    }
  };
  return () => {
    plan(BREATH);
  };
}

function runOf(
  { startAt, prologue, entries, renewalIntervals }: Reported,
  { now: at, digest, scenario = 'a cluster', seed = 0 }: Standing,
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

/** What is pending at the present; of the past of a cluster that goes on nobody knows. */
export async function peekLive(step: number): Promise<void> {
  const { line } = now;
  const { model } = state;
  const of = model.value;
  if (line === undefined || of === undefined || step !== of.length) return;
  try {
    const introspection: unknown = await (await ask(line, '/inside')).json();
    if (model.value === of) lookedIntrospection(step, introspection);
  } catch {
    // The next one will tell.
  }
}
