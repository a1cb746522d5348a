/**
 * Livelock detection: the cluster, without what never repeats (versions, uids, timestamps, addresses, messages, generated names), has been in
 * one state eight times, with writes in between. An action from outside, and the effect of a schedule, start the count again: they are meant
 * to repeat.
 */
import { chained, createFingerprinter, plus, type Fingerprint, fingerprintText, minus, NOTHING } from '../../engine/index.ts';
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import { withoutChance, type Entry } from '../trace/index.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import type { Starvation } from './starvation.ts';
import { formatDurationMs } from '../../schema/values/index.ts';

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
function abstractPrint(object: ApiObject): Fingerprint {
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

/** The number of visits of one state that counts as a livelock. Shipped scenarios reach four at most. */
const VISITS = 8;
/** The limit of writes that are reported of a livelock. */
const MOST_MOVES = 200;

/** A write that changed the state. */
interface Move {
  readonly at: number;
  readonly actor: string;
  readonly controller: string | undefined;
  /** `create Pod default/*`. */
  readonly request: string;
  readonly kind: string;
  /** The reason of the decision that led to it, where there is one. */
  readonly why: string | undefined;
}

export interface Livelock {
  readonly visits: number;
  /** The writes between the last two visits, in order. */
  readonly moves: readonly Move[];
}

type World = Pick<Cluster, 'store' | 'startAt'> & { readonly runtime: Pick<Cluster['runtime'], 'recurrences' | 'process'> };
type Write = Extract<Entry, { type: 'write' }>;

/** Events and leases are reports, of an occurrence and of liveness, and not desired state. */
const UNSEEN: ReadonlySet<string> = new Set(['Event', 'Lease']);

class LivelockWatch {
  /** The first livelock; undefined: none so far. */
  livelock: Livelock | undefined;
  /** A livelock that no action from outside has ended; undefined: none. */
  current: Livelock | undefined;
  /** The highest number of visits of one state so far. */
  most = 0;
  private readonly world: () => World | undefined;
  /** The sum of the fingerprints of all objects. */
  private sum: Fingerprint = NOTHING;
  /** For each state, its visits and the number of writes before the last one. */
  private visits = new Map<string, { count: number; at: number }>();
  private moves: Move[] = [];
  /** The number of writes that are no longer kept. */
  private forgotten = 0;
  /** Reasons, by the identity of the decision. */
  private readonly whys = new Map<number, string>();
  /** Controllers that follow a schedule. */
  private readonly recurring = new Set<string>();

  constructor(world: () => World | undefined) {
    this.world = world;
  }

  observe(entry: Entry): void {
    if (entry.type === 'reconcile') {
      if (entry.writes > 0) this.whys.set(entry.id, entry.why);
      if (this.whys.size > 10_000) this.whys.clear();
    } else if (entry.type === 'fault' || entry.type === 'operation') this.begin();
    else if (entry.type === 'write') this.moved(entry);
  }

  private moved({ at, change, actor, controller, request, causes }: Write): void {
    const { kind, type, object, previous } = change;
    if (UNSEEN.has(kind)) return;
    const before = previous === undefined ? NOTHING : abstractPrint(previous);
    const after = type === 'DELETED' ? NOTHING : abstractPrint(object);
    if (before.a === after.a && before.b === after.b) return;
    this.sum = plus(minus(this.sum, before), after);
    const runtime = this.world()?.runtime;
    if (controller === undefined && runtime?.process(actor) === undefined) {
      this.begin();
      return;
    }
    // While a controller decides, its next timer is not set yet.
    if (runtime !== undefined && runtime.recurrences.atMost > 0)
      for (const recurrence of runtime.recurrences.pending()) this.recurring.add(recurrence.controller);
    const why = causes.map((id) => this.whys.get(id)).find((text) => text !== undefined);
    this.moves.push({ at, actor, controller, request, kind, why });
    const print = fingerprintText(this.sum);
    const known = this.visits.get(print);
    const visit = { count: (known?.count ?? 0) + 1, at: this.moves.length + this.forgotten };
    this.visits.set(print, visit);
    if (visit.count > this.most) this.most = visit.count;
    if (visit.count >= VISITS && this.current === undefined) this.close(visit.count, (known?.at ?? 0) - this.forgotten);
    if (this.moves.length > 2 * MOST_MOVES) {
      this.forgotten += MOST_MOVES;
      this.moves = this.moves.slice(MOST_MOVES);
    }
  }

  private begin(): void {
    this.visits = new Map();
    this.moves = [];
    this.forgotten = 0;
    this.most = 0;
    this.current = undefined;
  }

  private close(visits: number, from: number): void {
    const moves = this.moves.slice(Math.max(0, from));
    if (moves.some(({ controller }) => controller !== undefined && this.recurring.has(controller))) this.begin();
    else {
      this.current = { visits, moves: moves.slice(0, MOST_MOVES) };
      this.livelock ??= this.current;
    }
  }
}

/** Creates a detector that observes from here on; `world`: returns the cluster, once it exists. */
export const watchLivelocks = (world: () => World | undefined): LivelockWatch => new LivelockWatch(world);

const MOST_LINES = 12;

export function livelockText({ visits, moves }: Livelock): { readonly message: string; readonly detail: readonly string[] } {
  const [first, last] = [moves[0], moves.at(-1)];
  const takes = first === undefined || last === undefined || last.at === first.at ? '' : `, ${formatDurationMs(last.at - first.at)} long`;
  const lines = moves.slice(0, MOST_LINES).map(moveText);
  const more = moves.length - lines.length;
  return {
    message: `livelock: the cluster was in one state ${visits} times, with ${moves.length === 1 ? 'a write' : `${moves.length} writes`} between${takes}`,
    detail: [...lines.map((line) => `  ${line}`), ...(more > 0 ? [`  and ${more} more`] : [])],
  };
}

const moveText = ({ actor, controller, request, why }: Move): string =>
  `${controller ?? actor}: ${withoutChance(request)}${why === undefined ? '' : `, because "${why}"`}`;

/** Returns a headline, and what fails. */
export const starvationText = ({
  process,
  controller,
  key,
  failures,
  said,
  why,
}: Starvation): { readonly message: string; readonly detail: readonly string[] } => ({
  message: `starvation: ${controller} in ${process} makes no progress with ${key}: ${failures} failures in a row, and no fault is active`,
  detail: [...(said === undefined ? [] : [`  the server answered: ${said}`]), `  its reason was "${why}"`],
});
