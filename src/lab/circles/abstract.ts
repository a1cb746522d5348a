/** An object without what never comes back, so that what does come back is seen: versions, identities, instants, addresses, messages, names that chance made. */
import { createFingerprinter, type Fingerprint } from '../../engine/index.ts';
import type { ApiObject } from '../../apiserver/vocabulary/index.ts';
import { withoutChance } from '../trace/index.ts';

/** Members that say which, when or where, and never what. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'resourceVersion',
  'uid',
  'generation',
  'observedGeneration',
  'managedFields',
  'message',
  'containerID',
  'imageID',
  'ip',
  'podIP',
  'podIPs',
  'hostIP',
  'clusterIP',
  'clusterIPs',
]);
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const ADDRESS = /^(?:\d{1,3}\.){3}\d{1,3}$/;

function abstracted(value: unknown): unknown {
  if (typeof value === 'string') return INSTANT.test(value) ? 'an instant' : ADDRESS.test(value) ? 'an address' : withoutChance(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(abstracted);
  const members: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) if (!LEFT_OUT.has(name)) members[name] = abstracted(member);
  return members;
}

/** Of subtrees that revisions share, which are frozen: each is looked at once. */
const known = new WeakMap<object, Fingerprint>();
const prints = createFingerprinter();

function printOf(part: unknown): Fingerprint {
  if (typeof part !== 'object' || part === null) return prints.of(abstracted(part));
  let print = known.get(part);
  if (print === undefined) {
    print = prints.of(abstracted(part));
    if (Object.isFrozen(part)) known.set(part, print);
  }
  return print;
}

/** The fingerprint of an object as it is, whichever it is: two of one owner that only chance tells apart have the same. */
export function abstractPrint(object: ApiObject): Fingerprint {
  const { name, generateName, ...metadata } = object.metadata;
  const called = generateName !== undefined && generateName !== '' && name.startsWith(generateName) ? generateName : withoutChance(name);
  const { metadata: _, ...rest } = object;
  return prints.of([called, ...Object.entries({ ...rest, metadata }).map(([member, part]) => [member, Object.values(printOf(part))])]);
}
