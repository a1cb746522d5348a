/**
 * Detects activity that never ends, from the pending events: a schedule that fires as long as its object exists, a container that restarts
 * again and again. Waiting for such a cluster to settle would never end.
 */
import type { Cluster } from '../../controlplane/cluster.ts';
import { formatDurationMs } from '../../schema/values/index.ts';
import type { Trouble } from './run.ts';

/** An active cluster may still stop what recurs (a user's controller, for example); after this many rounds it is reported. */
const ROUNDS = 100;
/** The number of steps between two checks; a prime, so that no periodic pattern of steps hides the pending events from all checks. */
const EVERY = 499;
/** The number of wakes of a key that counts as endless. Jobs reach their back-off limit long before. */
const WAKES = 500;

interface Waker {
  readonly process: string;
  readonly controller: string;
  readonly key: string;
  count: number;
  readonly since: number;
}

/** What a scenario says about its end. */
export interface Ends {
  /** It has `until`. */
  readonly until: boolean;
  /** It sets the time limit: then only recurrences by a schedule are reported early. */
  readonly patient: boolean;
}

export function watchActivity(cluster: Cluster, { until, patient }: Ends) {
  const since = cluster.now;
  const recurring = (all: Recurring): Trouble => neverSettles(recurrenceText(all), 10 * (all[0]?.everyMs ?? 360_000), until);
  const wakers = new Map<string, Waker>();
  const endless = new Set<string>();
  const checked = { steps: 0 };
  const off = patient
    ? undefined
    : cluster.runtime.onTimer((process, controller, key) => {
        const name = `${process} ${controller} ${key}`;
        const waker = wakers.get(name);
        if (waker === undefined) wakers.set(name, { process, controller, key, count: 1, since: cluster.now });
        else if (++waker.count === WAKES) endless.add(name);
      });
  return {
    /** Call after each step; trouble: the cluster never settles. */
    check(): Trouble | undefined {
      const { kernel, runtime } = cluster;
      if (kernel.foreground <= runtime.recurrences.atMost && !kernel.settled) {
        const pending = runtime.recurrences.pending();
        if (kernel.foreground <= pending.length) return recurring(pending);
      }
      if (++checked.steps % EVERY !== 0) return undefined;
      const rounds = runtime.recurrences.pending().filter(({ everyMs }) => cluster.now - since >= ROUNDS * everyMs);
      if (rounds.length > 0) return recurring(rounds);
      return endless.size === 0 ? undefined : restart(cluster, wakers, endless);
    },
    end: (): void => off?.(),
  };
}

type Recurring = ReturnType<Cluster['runtime']['recurrences']['pending']>;

function recurrenceText(all: Recurring): string {
  const [first] = all;
  if (first === undefined) return 'something recurs';
  const others = all.length - 1;
  const who = `${first.kind ?? first.controller}/${first.key.replace(/^default\//, '')}`;
  return `${who} ${first.does}${others === 0 ? '' : ` (and ${others} more like it)`}`;
}

/** In a scenario with an end, the step that waits for a settled cluster is at fault. */
const neverSettles = (who: string, forMs: number, until: boolean): Trouble =>
  until
    ? {
        message: `it never settles: ${who}: wait for an instant (\`at\`, \`after\`) or a condition (\`when: { cel: … }\`), not for \`settled\``,
        detail: ['  or stop it in an earlier step'],
      }
    : {
        message: `it never settles: ${who}: add \`until\``,
        detail: [
          `  spec.until says how long the run lasts (until: ${formatDurationMs(Math.min(forMs, 366 * 86_400_000))}); or stop it in a step before one that waits for \`settled\``,
        ],
      };

/**
 * Returns trouble for a key with too many wakes whose next wake is no heartbeat. The other keys are counted from zero: most of them are
 * heartbeats, which do not keep the cluster from settling.
 */
function restart({ kernel, runtime: { resolver }, now }: Cluster, wakers: Map<string, Waker>, endless: Set<string>): Trouble | undefined {
  for (const { event, background } of kernel.pending()) {
    if (event.type !== 'due' || background) continue;
    const owner = resolver.controllerOf(event.running);
    const waker = wakers.get(`${owner?.process ?? ''} ${owner?.controller ?? ''} ${resolver.keyOf(event.running, event.keyId) ?? ''}`);
    if (waker === undefined || waker.count < WAKES) continue;
    const exactly = Math.max(1, (now - waker.since) / waker.count);
    const everyMs = exactly < 1_000 ? Math.round(exactly) : Math.round(exactly / 1_000) * 1_000;
    const who = `${waker.controller} in ${waker.process} has woken ${waker.count} times for ${waker.key}, on average every ${formatDurationMs(everyMs)}`;
    const { message, detail } = neverSettles(who, 3_600_000, false);
    return { message, detail: [...detail, '  if it does end, spec.limits.time says how long that may take'], controller: waker.controller };
  }
  for (const name of endless) wakers.delete(name);
  endless.clear();
  return undefined;
}
