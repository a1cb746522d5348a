/**
 * Fingerprints of objects without the members that never repeat (versions, uids, timestamps, addresses, messages, generated names), so that
 * a repeated state has the same fingerprint.
 */
import { chained, createFingerprinter, plus, type Fingerprint } from '../../engine/index.ts';
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import { withoutChance } from '../trace/index.ts';

/** Members that identify or locate an object and do not describe its state. */
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
/** Members of metadata to leave out; the name is added separately. */
const OF_METADATA: ReadonlySet<string> = new Set([...LEFT_OUT, 'name', 'generateName']);
/** Members of an object to leave out; metadata is added separately. */
const WHOLE: ReadonlySet<string> = new Set(['metadata']);
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const ADDRESS = /^(?:\d{1,3}\.){3}\d{1,3}$/;

/** A memo of the fingerprints of texts, cleared when it is full. */
const texts = new Map<string, Fingerprint>();
const MOST_TEXTS = 20_000;
let prints = createFingerprinter();

function textPrint(text: string): Fingerprint {
  let print = texts.get(text);
  if (print === undefined) {
    if (texts.size >= MOST_TEXTS) {
      texts.clear();
      prints = createFingerprinter();
    }
    texts.set(text, (print = prints.text(INSTANT.test(text) ? 'an instant' : ADDRESS.test(text) ? 'an address' : withoutChance(text))));
  }
  return print;
}

/** Returns the fingerprint of a value; the order of members does not matter, the order of a list does. */
function printOf(value: unknown): Fingerprint {
  if (typeof value === 'string') return textPrint(value);
  if (typeof value !== 'object' || value === null) return prints.of(value);
  if (Array.isArray(value)) return value.reduce<Fingerprint>((sum, item) => chained(sum, printOf(item)), LIST);
  return membersOf(value, LEFT_OUT, RECORD, printOf);
}

function membersOf(of: object, leftOut: ReadonlySet<string>, from: Fingerprint, print: (member: unknown) => Fingerprint): Fingerprint {
  const record = of as Readonly<Record<string, unknown>>;
  let sum = from;
  for (const name in record) {
    const member = record[name];
    if (member !== undefined && !leftOut.has(name)) sum = plus(sum, chained(textPrint(name), print(member)));
  }
  return sum;
}

const [LIST, RECORD, NAME] = [prints.text('a list'), prints.text('a record'), prints.text('called')];

/** A memo for frozen parts of objects, which revisions share. */
const known = new WeakMap<object, Fingerprint>();

function partPrint(part: unknown): Fingerprint {
  if (typeof part !== 'object' || part === null) return printOf(part);
  let print = known.get(part);
  if (print === undefined) {
    print = printOf(part);
    if (Object.isFrozen(part)) known.set(part, print);
  }
  return print;
}

/** Returns the fingerprint of an object's state. Two objects of one owner that differ only in generated names have the same one. */
export function abstractPrint(object: ApiObject): Fingerprint {
  // The object of one write is the previous object of the next.
  const before = known.get(object);
  if (before !== undefined) return before;
  const { name, generateName } = object.metadata;
  const isDrawn = generateName !== undefined && generateName !== '' && name.startsWith(generateName);
  let sum = chained(NAME, textPrint(isDrawn ? generateName : name));
  sum = membersOf(object.metadata, OF_METADATA, sum, partPrint);
  sum = membersOf(object, WHOLE, sum, partPrint);
  if (Object.isFrozen(object)) known.set(object, sum);
  return sum;
}
