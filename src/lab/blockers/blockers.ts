/** What an object waits for, across owners: each explainer is asked, and then about those it leads to. */
import { inOrder } from '../../schema/values/index.ts';
import type { ObjectName } from '../trace/index.ts';
import * as all from './all.ts';
import type { Explainer, Situation, Wait } from './contract.ts';
import { deleted, home, parent, refused } from './explainers/absence.ts';
import { keyOfName } from './words.ts';

/** One thing that an object, or several alike, wait for. */
export interface Waiting {
  readonly about: ObjectName;
  /** Others of its kind of which the same is to be said. */
  readonly alike: readonly ObjectName[];
  /** 0: the object asked about; more: what it waits for. */
  readonly depth: number;
  readonly text: string;
  readonly until?: number;
  /** It waits no more: it has come to its end. */
  readonly ended?: true;
}

/** What is said first. */
const FIRST: readonly string[] = [
  'nobody',
  'deletion',
  'job',
  'cron-job',
  'stateful-set',
  'daemon-set',
  'scheduling',
  'starting',
  'volumes',
  'claim',
  'attachment',
  'node',
  'lease',
];

/** All explainers: those of `FIRST` first, then the others by name. */
export const explainers: readonly Explainer[] = inOrder(Object.values<Explainer>(all), ({ name }) => name, FIRST);
const absences = [deleted, refused, parent, home];

/** How far owners are followed, and how many of those that one waits for. */
const DEEPEST = 5;
const WIDEST = 50;

/** What an object waits for; empty: nothing that is known of. */
export function blockersOf(situation: Situation, name: ObjectName): readonly Waiting[] {
  const seen = new Set<string>();
  const found: Waiting[] = [];
  const visit = (names: readonly ObjectName[], depth: number): void => {
    if (depth > DEEPEST) return;
    const fresh = names.filter((each) => {
      const place = `${each.kind} ${keyOfName(each)}`;
      if (seen.has(place)) return false;
      seen.add(place);
      return true;
    });
    const reported = fresh.slice(0, WIDEST).map((each) => ({ name: each, waits: explain(situation, each) }));
    for (const group of grouped(reported)) {
      const [first, ...alike] = group.names;
      if (first === undefined) continue;
      for (const { leadsTo = [], ...wait } of group.waits) {
        found.push({ about: first, alike, depth, ...wait });
        visit(leadsTo, depth + 1);
      }
    }
  };
  visit([name], 0);
  return found;
}

function explain(situation: Situation, name: ObjectName): readonly Wait[] {
  const { kind } = name;
  const object = situation.world.byKey(kind, keyOfName(name));
  if (object === undefined) {
    for (const { explain: why } of absences) {
      const waits = why(name, situation);
      if (waits.length > 0) return waits;
    }
    return [];
  }
  return explainers
    .filter(({ kinds }) => kinds === undefined || kinds.includes(kind))
    .flatMap((explainer) => explainer.explain(object, situation));
}

interface Group {
  readonly names: ObjectName[];
  readonly waits: readonly Wait[];
}

/** Objects of a kind that wait for the same are told once. */
function grouped(reported: readonly { readonly name: ObjectName; readonly waits: readonly Wait[] }[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const { name, waits } of reported) {
    const alike = JSON.stringify([name.kind, waits]);
    const group = groups.get(alike);
    if (group === undefined) groups.set(alike, { names: [name], waits });
    else group.names.push(name);
  }
  return [...groups.values()];
}
