/** What the process of a decision had not yet observed, in two lines: the objects and since when, and the reasons of the delay. */
import { formatSince, shortKey, summarizeChange, type CacheView, type Unseen } from '../../lab/trace/index.ts';
import { count } from './table.ts';

/** At most so many objects are listed. */
const SHOWN = 4;

export interface CacheViewText {
  /** `did not see Pod a (there since 2.000s)`. */
  readonly unseen: string;
  /** `was restarted at 6.000s from a stale list (staleBy: 5s)`, each with its step. */
  readonly reasons: string;
}

/** Returns the view as text; undefined if the cache was up to date. */
export function cacheViewText({ unseen, reasons, process }: CacheView, startAt: number): CacheViewText | undefined {
  if (unseen.length === 0) return undefined;
  const parts = (['missing', 'gone', 'older'] as const).flatMap((how) => {
    const group = unseen.filter((one) => one.how === how);
    return group.length === 0 ? [] : [phrase(how, group, startAt)];
  });
  return {
    unseen: parts.join('; '),
    reasons: reasons.length === 0 ? '' : `${process} ${reasons.map(({ text, step }) => `${text} #${step}`).join('; it ')}`,
  };
}

function phrase(how: Unseen['how'], group: readonly Unseen[], startAt: number): string {
  const verb = { missing: 'it did not see', gone: 'it still saw', older: 'it saw old' }[how];
  const reported = group.slice(0, SHOWN).map((one) => describe(one, startAt));
  const rest = group.length - reported.length;
  return `${verb} ${reported.join(', ')}${rest > 0 ? ` and ${count(rest, 'more object')}` : ''}`;
}

function describe({ kind, key, how, since, saw, was }: Unseen, startAt: number): string {
  const name = `${kind} ${shortKey(key)}`;
  const at = formatSince(since - startAt);
  switch (how) {
    case 'missing':
      return `${name} (there since ${at})`;
    case 'gone':
      return `${name} (gone since ${at})`;
    case 'older':
      return `${name} (rv ${saw?.metadata.resourceVersion ?? ''}, not ${was?.metadata.resourceVersion ?? ''}, since ${at}${changesOf(kind, key, saw, was)})`;
    default: {
      const never: never = how;
      return never;
    }
  }
}

const changesOf = (kind: string, key: string, saw: Unseen['saw'], was: Unseen['was']): string =>
  saw === undefined || was === undefined
    ? ''
    : `: ${summarizeChange({ revision: 0, type: 'MODIFIED', kind, key, object: was, previous: saw, at: 0, entry: 0 })}`;
