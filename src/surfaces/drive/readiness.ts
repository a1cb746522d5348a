/**
 * When a program is ready: it leads or stands by, it has listed what it watches, and it is idle; or it polls, and reads again what it has
 * read. Or a URL of its own says so.
 */
import type { ClientEvent } from '../http/index.ts';
import { pollKey } from './polling.ts';

export interface Readiness {
  note(event: ClientEvent): void;
  /** Whether its requests show that it is ready; it must be idle besides. */
  readonly isSeen: boolean;
  /** Whether it reads again what it has read, and watches nothing: it may never be idle for long. */
  readonly polls: boolean;
  /** Whether it has read and watches nothing, and may read again soon: then it polls. */
  readonly mayPoll: boolean;
  /** The kinds that it watches. */
  readonly watches: readonly string[];
  /** What it has done so far, for a message. */
  readonly says: string;
}

const OK = 200;
/** Within so many real milliseconds a program that polls reads again what it has read. */
const POLLS_WITHIN_MS = 2_500;
const MOST_READS = 1_000;

export function createReadiness(): Readiness {
  const open = new Map<string, number>();
  const read = new Set<string>();
  let polls = false;
  let lastRead = -Infinity;
  let requests = 0;
  let leases = 0;
  let last = '';
  const watched = (): readonly string[] => [...open].flatMap(([kind, count]) => (count > 0 ? [kind] : []));
  return {
    note(event) {
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
      } else if (event.type === 'opens') open.set(event.kind, (open.get(event.kind) ?? 0) + 1);
      else if (event.type === 'closes') open.set(event.kind, (open.get(event.kind) ?? 0) - 1);
    },
    get isSeen() {
      return leases > 0 || watched().length > 0 || polls;
    },
    get watches() {
      return watched();
    },
    get polls() {
      return polls && watched().length === 0;
    },
    get mayPoll() {
      return !polls && performance.now() - lastRead < POLLS_WITHIN_MS && watched().length === 0;
    },
    get says() {
      if (requests === 0) return 'it has sent no request';
      const kinds = watched();
      return `it has sent ${requests} request${requests === 1 ? '' : 's'} (the last: ${last}) and watches ${kinds.length === 0 ? 'nothing' : kinds.join(', ')}`;
    },
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
