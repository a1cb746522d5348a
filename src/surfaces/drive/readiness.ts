/**
 * When a program is ready: it leads or stands by, it has listed what it watches, and it is idle; or it polls, and reads again what it has
 * read. Or a URL of its own says so.
 */
import { bump } from '../../schema/values/index.ts';
import type { ClientEvent } from '../http/index.ts';
import { pollKey } from './polling.ts';

export type Readiness = ReturnType<typeof createReadiness>;

const OK = 200;
/** Within so many real milliseconds a program that polls reads again what it has read. */
const POLLS_WITHIN_MS = 2_500;
const MOST_READS = 1_000;

export function createReadiness() {
  const open = new Map<string, number>();
  const read = new Set<string>();
  let polls = false;
  let lastRead = -Infinity;
  let requests = 0;
  let leases = 0;
  let last = '';
  /** The kinds that it watches. */
  const watches = (): readonly string[] => [...open].flatMap(([kind, count]) => (count > 0 ? [kind] : []));
  return {
    watches,
    note(event: ClientEvent) {
      if (event.type === 'request') {
        requests++;
        last = `${event.verb} ${event.kind ?? event.target}`;
        if (event.kind === 'Lease') leases++;
      } else if (event.type === 'answer') {
        const key = event.status === OK ? pollKey(event) : undefined;
        if (key === undefined) return;
        lastRead = performance.now();
        polls ||= read.has(key);
        if (read.size < MOST_READS) read.add(key);
      } else if (event.type === 'opens') bump(open, event.kind);
      else if (event.type === 'closes') bump(open, event.kind, -1);
    },
    /** Whether its requests show that it is ready; it must be idle besides. */
    isSeen: () => leases > 0 || watches().length > 0 || polls,
    /** Whether it reads again what it has read, and watches nothing: it may never be idle for long. */
    polls: () => polls && watches().length === 0,
    /** Whether it has read and watches nothing, and may read again soon: then it polls. */
    mayPoll: () => !polls && performance.now() - lastRead < POLLS_WITHIN_MS && watches().length === 0,
    /** What it has done so far, for a message. */
    says: () =>
      requests === 0
        ? 'it has sent no request'
        : `it has sent ${requests} request${requests === 1 ? '' : 's'} (the last: ${last}) and watches ${watches().join(', ') || 'nothing'}`,
  };
}

/** Whether a URL answers with a status of success. */
export async function answers(url: string): Promise<boolean> {
  try {
    const { ok, body } = await fetch(url, { signal: AbortSignal.timeout(1_000) });
    await body?.cancel();
    return ok;
  } catch {
    return false;
  }
}
