/**
 * A short sentence a write, for people: "puts web-2 on node-1", "web-2 is ready (was starting)". Each kind says what of a change is worth
 * telling (`all.ts`); what none of them knows is told by its fields.
 */
import type { ApiObject } from '../../../apiserver/machinery/index.ts';
import { isHeartbeat, summarizeChange } from '../change-text.ts';
import { shortKey } from '../line.ts';
import type { Entry } from '../trace.ts';
import { HEADLINES } from './all.ts';

/** A change of one object; without `before` it came, without `after` it went. */
export interface Turn {
  readonly kind: string;
  readonly key: string;
  readonly before?: ApiObject | undefined;
  readonly after?: ApiObject | undefined;
}

/** The sentence of a write; undefined for entries that are none. */
export function headline(entry: Entry): string | undefined {
  if (entry.type !== 'write') return undefined;
  const { kind, key, type, previous, object } = entry.change;
  return headlineOf({ kind, key, before: previous, after: type === 'DELETED' ? undefined : object });
}

/** The sentence of a change, however many writes it took. */
export function headlineOf({ kind, key, before, after }: Turn): string {
  const name = shortKey(key);
  if (before === undefined) return after === undefined ? `nothing is left of ${kind} ${name}` : came(after, kind, name);
  if (after === undefined) return `removes ${kind} ${name}`;
  return wordsFor({ kind, key, before, after }) ?? other(before, after, kind, name);
}

/** The sentence of a change that somebody has words for: what else changed is told by its fields. */
export function wordsFor({ kind, key, before, after }: Turn): string | undefined {
  if (before === undefined || after === undefined) return undefined;
  const name = shortKey(key);
  const known = HEADLINES[kind]?.({ before, after, name });
  const leaves = leaving(before, after);
  if (known !== undefined) return leaves === undefined ? known : `${known}, and ${leaves}`;
  return leaves ?? letGo(before, after, name);
}

/** An announcement says what it says; whatever else is made has perhaps an owner. */
function came(after: ApiObject, kind: string, name: string): string {
  if (kind === 'Event') return `says ${String(after.reason)}: ${typeof after.message === 'string' ? after.message : ''}`;
  const owner = after.metadata.ownerReferences?.find(({ controller }) => controller === true);
  return `makes ${kind} ${name}${owner === undefined ? '' : ` for ${owner.kind} ${owner.name}`}`;
}

function leaving({ metadata: before }: ApiObject, { kind, metadata: after }: ApiObject): string | undefined {
  if (before.deletionTimestamp !== undefined || after.deletionTimestamp === undefined) return undefined;
  const held = after.finalizers ?? [];
  const grace = after.deletionGracePeriodSeconds ?? 0;
  const waits = held.length > 0 ? `; held by ${held.join(', ')}` : grace > 0 ? `; it has ${grace} s to stop` : '';
  return `marks ${kind} ${after.name} for deletion${waits}`;
}

function letGo({ metadata: before }: ApiObject, { metadata: after }: ApiObject, name: string): string | undefined {
  const gone = (before.finalizers ?? []).filter((each) => after.finalizers?.includes(each) !== true);
  return gone.length === 0 ? undefined : `lets go of ${name} (finalizer ${gone.join(', ')})`;
}

function other(before: ApiObject, after: ApiObject, kind: string, name: string): string {
  const change = { revision: 0, type: 'MODIFIED', kind, key: name, object: after, previous: before, at: 0, entry: 0 } as const;
  return isHeartbeat(change) ? `says that ${kind} ${name} is alive` : `changes ${kind} ${name}: ${summarizeChange(change)}`;
}
