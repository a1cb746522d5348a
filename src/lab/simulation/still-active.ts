/**
 * Who keeps a world awake for ever, told from what is pending: a schedule that fires as long as its object is there, a container that is
 * started again and again. Waiting for such a world to settle would take all the time there is.
 */
import type { Cluster } from '../../controlplane/cluster.ts';
import { formatDurationMs } from '../../schema/values/index.ts';
import type { Trouble } from './run.ts';

/** A busy world may yet stop what recurs (a controller of one's own, say); after so many rounds nobody will. */
const ROUNDS = 100;
/** Looked at every so many steps; a prime, so that no rhythm of steps hides what is pending from every look. */
const EVERY = 499;
/** So often has a key woken by itself when nobody believes any more that it ends. Jobs give up long before. */
const WAKES = 500;

export interface Vigil {
  /** Call after each step; trouble when it will never be quiet. */
  look(): Trouble | undefined;
  end(): void;
}

interface Waker {
  readonly process: string;
  readonly controller: string;
  readonly key: string;
  count: number;
  readonly since: number;
}

/** What a scenario says of its end. */
export interface Ends {
  /** It has `until`. */
  readonly until: boolean;
  /** Somebody has said how long it may take: only what recurs by its nature is told early. */
  readonly patient: boolean;
}

/** Begins to watch. */
export function keepVigil(cluster: Cluster, { until, patient }: Ends): Vigil {
  const since = cluster.now;
  const recurring = (all: Recurring): Trouble => reported(whoRecurs(all), 10 * (all[0]?.everyMs ?? 360_000), until);
  const wakers = new Map<string, Waker>();
  const tireless = new Set<string>();
  let steps = 0;
  const subscription = patient
    ? undefined
    : cluster.observations.subscribe((observation) => {
        if (observation.type !== 'timer') return;
        const { process, controller, key } = observation;
        const name = `${process} ${controller} ${key}`;
        const waker = wakers.get(name);
        if (waker === undefined) wakers.set(name, { process, controller, key, count: 1, since: observation.at });
        else if (++waker.count === WAKES) tireless.add(name);
      });
  return {
    look() {
      const { kernel, runtime } = cluster;
      if (kernel.foreground <= runtime.recurrences.atMost && !kernel.settled) {
        const pending = runtime.recurrences.pending();
        if (kernel.foreground <= pending.length) return recurring(pending);
      }
      if (++steps % EVERY !== 0) return undefined;
      const rounds = runtime.recurrences.pending().filter(({ everyMs }) => cluster.now - since >= ROUNDS * everyMs);
      if (rounds.length > 0) return recurring(rounds);
      return tireless.size === 0 ? undefined : restart(cluster, wakers, tireless);
    },
    end: () => subscription?.unsubscribe(),
  };
}

type Recurring = ReturnType<Cluster['runtime']['recurrences']['pending']>;

function whoRecurs(all: Recurring): string {
  const [first] = all;
  if (first === undefined) return 'something recurs';
  const others = all.length - 1;
  const who = `${first.kind ?? first.controller}/${first.key.replace(/^default\//, '')}`;
  return `${who} ${first.does}${others === 0 ? '' : ` (and ${others} more like it)`}`;
}

/** Where the run has an end it is the step that must not wait for rest. */
const reported = (who: string, forMs: number, until: boolean): Trouble =>
  until
    ? {
        message: `it never settles: ${who}: wait for an instant (\`at\`, \`after\`) or a condition (\`when: { cel: … }\`), not for \`settled\``,
        detail: ['  or stop it in a step before'],
      }
    : {
        message: `it never settles: ${who}: add \`until\``,
        detail: [
          `  spec.until says how long the run lasts (until: ${formatDurationMs(Math.min(forMs, 366 * 86_400_000))}); a step that stops it before anything waits for rest does too`,
        ],
      };

/**
 * A key that woke so often, where its next wake is no heartbeat. Those of which none is pending are counted anew: most are heartbeats,
 * which keep nobody awake.
 */
function restart({ kernel, runtime: { resolver }, now }: Cluster, wakers: Map<string, Waker>, tireless: Set<string>): Trouble | undefined {
  for (const { event, background } of kernel.pending()) {
    if (event.type !== 'due' || background) continue;
    const owner = resolver.controllerOf(event.running);
    const waker = wakers.get(`${owner?.process ?? ''} ${owner?.controller ?? ''} ${resolver.keyOf(event.running, event.keyId) ?? ''}`);
    if (waker === undefined || waker.count < WAKES) continue;
    const exactly = Math.max(1, (now - waker.since) / waker.count);
    const everyMs = exactly < 1_000 ? Math.round(exactly) : Math.round(exactly / 1_000) * 1_000;
    const who = `${waker.controller} in ${waker.process} has woken ${waker.count} times for ${waker.key}, on average every ${formatDurationMs(everyMs)}`;
    const { message, detail } = reported(who, 3_600_000, false);
    return { message, detail: [...detail, '  if it does end, spec.limits.time says how long that may take'], controller: waker.controller };
  }
  for (const name of tireless) wakers.delete(name);
  tireless.clear();
  return undefined;
}
