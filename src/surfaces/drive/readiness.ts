/** When a program is ready: it leads or stands by, it has listed what it watches, and it is idle. Or a URL of its own says so. */
import type { ClientEvent } from '../http/index.ts';

export interface Readiness {
  note(event: ClientEvent): void;
  /** Whether its requests show that it is ready; it must be idle besides. */
  readonly isSeen: boolean;
  /** What it has done so far, for a message. */
  readonly says: string;
}

export function createReadiness(): Readiness {
  const open = new Map<string, number>();
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
      } else if (event.type === 'opens') open.set(event.kind, (open.get(event.kind) ?? 0) + 1);
      else if (event.type === 'closes') open.set(event.kind, (open.get(event.kind) ?? 0) - 1);
    },
    get isSeen() {
      return leases > 0 || watched().length > 0;
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
