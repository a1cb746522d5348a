/**
 * What sets some runs of a scenario apart from others: what happened in them at all, as sentences that two seeds can share. Names that
 * chance made are left open; what happened is compared, not when.
 */
import { partsOf } from './line.ts';
import type { Entry } from './trace.ts';

/** Sentences of a run, each with when it was first true. */
export type Features = ReadonlyMap<string, { readonly order: number; readonly sinceStartMs: number }>;

export interface FeatureCollector {
  readonly features: Features;
  hear(entry: Entry): void;
}

/** A sentence that is true of some runs rather than of others. */
export interface DiscriminatingFeature {
  readonly text: string;
  /** In how many of the runs in question, and of the others, it is true. */
  readonly here: number;
  readonly elsewhere: number;
  /** When it first was, in the first of the runs; absent: it is about something that did not happen. */
  readonly sinceStartMs?: number;
}

/** Generated endings of names, and identities: chance's work. */
const BY_CHANCE =
  /-(?:[bcdfghjklmnpqrstvwxz2456789]{5}|[0-9a-f]{8,10})\b(?!-)|\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b|\brv \d+|#\d+/g;

/** A text without what differs by chance alone. */
export const withoutChance = (text: string): string => text.replace(BY_CHANCE, (found) => (found.startsWith('-') ? '-…' : '…'));

/** What an entry says of its run; undefined where it is a mere consequence of time and messages. */
export function sentenceOf(entry: Entry, startAt: number): string | undefined {
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

/** Hears the entries of a run that starts at an instant. */
export function collectFeatures(startAt: number): FeatureCollector {
  const features = new Map<string, { readonly order: number; readonly sinceStartMs: number }>();
  let order = 0;
  let before: string | undefined;
  const times = new Map<string, number>();
  const note = (text: string, at: number): void => {
    if (!features.has(text)) features.set(text, { order: order++, sinceStartMs: at - startAt });
  };
  return {
    features,
    hear(entry) {
      const once = sentenceOf(entry, startAt);
      if (once === undefined) return;
      const time = (times.get(once) ?? 0) + 1;
      times.set(once, time);
      if (time > COUNTED) return;
      // The third pod of three is what a run may lack.
      const sentence = time === 1 ? once : `${once} (time ${time})`;
      note(sentence, entry.at);
      // Between which writes a fault falls is what most races are about.
      const breaks = entry.type === 'fault' || (entry.type === 'process' && (entry.what === 'crashed' || entry.what === 'stopped'));
      if (breaks && before !== undefined) note(`${sentence}, right after ${before}`, entry.at);
      if (entry.type === 'write') before = sentence;
    },
  };
}

/** How often the same may happen and still count as something new. */
const COUNTED = 50;
/** Sentences that differ in fewer of ten runs than this say nothing. */
const TELLING = 0.5;
/** Of two things the order is compared only for the first so many that happen. */
const ORDERED = 60;

/**
 * The sentences by which runs are told from others, the most telling first, then the earliest: all of what leads to something is as telling
 * as its beginning. What comes after `untilMs` is left out, because runs that failed may have gone no further.
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

/** What did happen says more than what did not. */
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
    if (Math.abs(share) < TELLING) continue;
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

/** What comes before what. */
function ordered(features: Features): Features {
  const first = [...features].slice(0, ORDERED);
  const pairs = new Map<string, { readonly order: number; readonly sinceStartMs: number }>();
  for (const [at, [earlier]] of first.entries())
    for (const [later, when] of first.slice(at + 1)) pairs.set(`"${earlier}" comes before "${later}"`, when);
  return pairs;
}
