/**
 * Features of runs, for statistical debugging: which sentences are true of some runs of a scenario and not of others. Generated names are
 * replaced, so that two seeds can share a sentence; timestamps are not compared.
 */
import { partsOf } from './line.ts';
import type { Entry, Trace } from './trace.ts';

/** The sentences of a run, each with the order and the time at which it became true. */
export type Features = ReadonlyMap<string, { readonly order: number; readonly sinceStartMs: number }>;

/** A sentence that is true of some runs more often than of the others. */
export interface DiscriminatingFeature {
  readonly text: string;
  /** The number of runs in question, and of the others, in which the sentence is true. */
  readonly here: number;
  readonly elsewhere: number;
  /** When it first became true, in the first of the runs; absent: the sentence is about an absent event. */
  readonly sinceStartMs?: number;
}

/** Generated suffixes of names, uids, revisions and steps: they differ from seed to seed. */
const BY_CHANCE =
  /-(?:[bcdfghjklmnpqrstvwxz2456789]{5}|[0-9a-f]{8,10})\b(?!-)|\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b|\brv \d+|#\d+/g;

/** Returns a text with generated names and numbers replaced. */
export const withoutChance = (text: string): string => text.replace(BY_CHANCE, (found) => (found.startsWith('-') ? '-…' : '…'));

function sentenceOf(entry: Entry, startAt: number): string | undefined {
  if (entry.type === 'delivery' || entry.type === 'timer' || entry.type === 'check' || entry.type === 'note') return undefined;
  const { who, about, what, given = '' } = partsOf(entry, 0, startAt, '');
  const why = entry.type === 'reconcile' ? ` ${entry.why}` : '';
  return withoutChance(
    [who, about, `${what}${why}`, given]
      .filter((word) => word !== '')
      .join(' ')
      .replaceAll(/\s+/g, ' '),
  );
}

/** Creates a collector for the entries of a run that starts at `startAt`, in milliseconds since the epoch. */
export function collectFeatures(startAt: number) {
  const features = new Map<string, { readonly order: number; readonly sinceStartMs: number }>();
  let order = 0;
  let before: string | undefined;
  const times = new Map<string, number>();
  const note = (text: string, at: number): void => {
    if (!features.has(text)) features.set(text, { order: order++, sinceStartMs: at - startAt });
  };
  return {
    features: features as Features,
    observe(entry: Entry): void {
      const once = sentenceOf(entry, startAt);
      if (once === undefined) return;
      const time = (times.get(once) ?? 0) + 1;
      times.set(once, time);
      if (time > COUNTED) return;
      // A run may lack the third pod of three, so repetitions are features of their own.
      const sentence = time === 1 ? once : `${once} (time ${time})`;
      note(sentence, entry.at);
      // Most races depend on the write that precedes a fault.
      const breaks = entry.type === 'fault' || (entry.type === 'process' && (entry.what === 'crashed' || entry.what === 'stopped'));
      if (breaks && before !== undefined) note(`${sentence}, right after ${before}`, entry.at);
      if (entry.type === 'write') before = sentence;
    },
  };
}

/** The number of repetitions of a sentence that count as features of their own. */
const COUNTED = 50;
/** The least difference of shares between the two groups of runs for a sentence to be reported. */
const LEAST_DIFFERENCE = 0.5;
/** The order of sentences is compared for the first so many of a run only. */
const ORDERED = 60;

/**
 * Returns the sentences that discriminate best between the runs `here` and `elsewhere`, the best first, then the earliest: every event of a
 * chain that leads to a failure discriminates as well as the first. Sentences after `untilMs` are left out, because failed runs may have
 * ended there.
 */
export function distinguish(
  here: readonly Features[],
  elsewhere: readonly Features[],
  untilMs: number,
  most = 3,
): readonly DiscriminatingFeature[] {
  if (here.length === 0 || elsewhere.length === 0) return [];
  const alone = ranked(here, elsewhere, untilMs);
  const whole = alone.filter(({ share }) => share === 1);
  const found =
    whole.length > 0
      ? whole
      : [
          ...alone,
          ...ranked(here.map(ordered), elsewhere.map(ordered), untilMs).filter(({ feature }) => feature.sinceStartMs !== undefined),
        ].sort(byShare);
  return found.slice(0, most).map(({ feature }) => feature);
}

interface Ranked {
  readonly feature: DiscriminatingFeature;
  readonly share: number;
  readonly order: number;
}

/** A sentence about an event is preferred to one about an absent event. */
const byShare = (a: Ranked, b: Ranked): number =>
  b.share - a.share || Number(a.feature.sinceStartMs === undefined) - Number(b.feature.sinceStartMs === undefined) || a.order - b.order;

function ranked(here: readonly Features[], elsewhere: readonly Features[], untilMs: number): Ranked[] {
  const countIn = (runs: readonly Features[], text: string): number =>
    runs.reduce((sum, features) => sum + ((features.get(text)?.sinceStartMs ?? Infinity) <= untilMs ? 1 : 0), 0);
  const texts = new Set([...here, ...elsewhere].flatMap((features) => [...features.keys()]));
  const found: Ranked[] = [];
  for (const text of texts) {
    const [mine, theirs] = [countIn(here, text), countIn(elsewhere, text)];
    const share = mine / here.length - theirs / elsewhere.length;
    if (Math.abs(share) < LEAST_DIFFERENCE) continue;
    const first = (share > 0 ? here : elsewhere).map((features) => features.get(text)).find((feature) => feature !== undefined);
    const order = first?.order ?? 0;
    const feature: DiscriminatingFeature =
      share > 0
        ? { text, here: mine, elsewhere: theirs, ...(first === undefined ? {} : { sinceStartMs: first.sinceStartMs }) }
        : { text: `it lacks: ${text}`, here: here.length - mine, elsewhere: elsewhere.length - theirs };
    found.push({ feature, share: Math.abs(share), order });
  }
  return found.sort(byShare);
}

/** Returns the pairs of sentences in the order in which they became true. */
function ordered(features: Features): Features {
  const first = [...features].slice(0, ORDERED);
  const pairs = new Map<string, { readonly order: number; readonly sinceStartMs: number }>();
  for (const [at, [earlier]] of first.entries())
    for (const [later, when] of first.slice(at + 1)) pairs.set(`"${earlier}" comes before "${later}"`, when);
  return pairs;
}

/** The first entry that one run has and the other has not at that place; a run that had ended by then has no step. */
export interface Divergence {
  /** The number of entries that both runs have in the same order before it. */
  readonly common: number;
  readonly first?: number;
  readonly second?: number;
}

/** Returns the first divergence; undefined: both runs are the same from beginning to end. */
export function firstDivergence(a: Trace, b: Trace): Divergence | undefined {
  const [mine, theirs] = [faultsOf(a), faultsOf(b)];
  for (let common = 0; ; common++) {
    const [one, other] = [mine.next(), theirs.next()];
    const [first, second] = [one.done === true ? undefined : one.value, other.done === true ? undefined : other.value];
    if (first === undefined && second === undefined) return undefined;
    if (first?.sentence === second?.sentence) continue;
    return {
      common,
      ...(first === undefined ? {} : { first: first.step }),
      ...(second === undefined ? {} : { second: second.step }),
    };
  }
}

function* faultsOf({ entries, startAt }: Trace): Generator<{ readonly step: number; readonly sentence: string }> {
  for (const [at, entry] of entries.entries()) {
    const sentence = sentenceOf(entry, startAt);
    if (sentence !== undefined) yield { step: at + 1, sentence };
  }
}
