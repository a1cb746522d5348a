/**
 * A short sentence for each write: "binds web-2 to node-1", "web-2 is ready (was starting)". `headlines.ts` has the sentences of each kind;
 * other changes are described by their fields.
 */
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import { isHeartbeat, summarizeChange, tellChange } from './change-text.ts';
import { sentenceOf } from './headlines.ts';
import { shortKey } from './entries.ts';
import type { Entry } from './trace.ts';

/** A change of one object; without `before` it was created, without `after` it was deleted. */
export interface ObjectRevisions {
  readonly kind: string;
  readonly key: string;
  readonly before?: ApiObject | undefined;
  readonly after?: ApiObject | undefined;
}

/** Returns the sentence of a write; undefined for other entries. */
export function headline(entry: Entry): string | undefined {
  if (entry.type !== 'write') return undefined;
  const { kind, key, type, previous, object } = entry.change;
  return headlineOf({ kind, key, before: previous, after: type === 'DELETED' ? undefined : object });
}

/** Returns the sentence of a change, however many writes it took. */
export function headlineOf({ kind, key, before, after }: ObjectRevisions): string {
  const name = shortKey(key);
  if (before === undefined) return after === undefined ? `${kind} ${name} is gone` : createdText(after, kind, name);
  if (after === undefined) return `deletes ${kind} ${name}`;
  return wordsFor({ kind, key, before, after }) ?? fieldsText(before, after, kind, name);
}

/** Returns the sentence of a change where its kind has one; undefined: the fields describe it. */
export function wordsFor({ kind, key, before, after }: ObjectRevisions): string | undefined {
  if (before === undefined || after === undefined) return undefined;
  const name = shortKey(key);
  const known = sentenceOf(kind, before, after, name);
  const deletion = deletionText(before, after);
  if (known !== undefined) return deletion === undefined ? known : `${known}, and ${deletion}`;
  return deletion ?? finalizersText(before, after, name);
}

/** An Event is described by its reason and message, another new object by its owner. */
function createdText(after: ApiObject, kind: string, name: string): string {
  if (kind === 'Event') return `reports ${String(after.reason)}: ${typeof after.message === 'string' ? after.message : ''}`;
  const owner = after.metadata.ownerReferences?.find(({ controller }) => controller === true);
  return `creates ${kind} ${name}${owner === undefined ? '' : ` for ${owner.kind} ${owner.name}`}`;
}

function deletionText({ metadata: before }: ApiObject, { kind, metadata: after }: ApiObject): string | undefined {
  if (before.deletionTimestamp !== undefined || after.deletionTimestamp === undefined) return undefined;
  const held = after.finalizers ?? [];
  const grace = after.deletionGracePeriodSeconds ?? 0;
  const waits = held.length > 0 ? `; held by ${held.join(', ')}` : grace > 0 ? `; it has ${grace} s to stop` : '';
  return `marks ${kind} ${after.name} for deletion${waits}`;
}

function finalizersText({ metadata: before }: ApiObject, { metadata: after }: ApiObject, name: string): string | undefined {
  const gone = (before.finalizers ?? []).filter((each) => after.finalizers?.includes(each) !== true);
  return gone.length === 0 ? undefined : `removes ${gone.length === 1 ? 'finalizer' : 'finalizers'} ${gone.join(', ')} from ${name}`;
}

function fieldsText(before: ApiObject, after: ApiObject, kind: string, name: string): string {
  const change = { revision: 0, type: 'MODIFIED', kind, key: name, object: after, previous: before, at: 0, entry: 0 } as const;
  return isHeartbeat(change)
    ? `renews the heartbeat of ${kind} ${name}`
    : `changes ${kind} ${name}: ${summarizeChange(change, tellChange)}`;
}
