/** Finds what an object waits for: runs each explainer on it, then on the objects that it leads to. */
import { inOrder } from '../../schema/values/index.ts';
import type { ObjectName } from '../trace/index.ts';
import * as all from './all.ts';
import { type Explainer, type Situation, type Wait, keyOfName, listed } from './situation.ts';
import { deleted, namespaceAbsence, parent, refused } from './explainers/absence.ts';

/** A reason why an object waits, or why several of a kind do. */
export interface Waiting extends Omit<Wait, 'leadsTo'> {
  readonly about: ObjectName;
  /** Other objects of its kind with the same reason. */
  readonly alike: readonly ObjectName[];
  /** 0: the object in question; more: an object that it waits for. */
  readonly depth: number;
}

/** The explainers whose results come before those of the others, which are in order of their names. */
const FIRST: readonly string[] = ['unserved', 'deletion', 'stateful-set', 'scheduling', 'starting', 'volumes', 'node', 'lease'];

export const explainers: readonly Explainer[] = inOrder(Object.values<Explainer>(all), ({ name }) => name, FIRST);
const absences = [deleted, refused, parent, namespaceAbsence];

/** The maximum depth of the search, and the maximum number of objects at each step. */
const DEEPEST = 5;
const WIDEST = 50;

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

/** The limit of lines, so that a whole answer fits a screen. */
const MOST = 16;

/** Returns lines such as `Job big waits for 3 pods …`, indented by depth; the lines over the limit are counted. */
export function waitingText(waits: readonly Waiting[], most = MOST): readonly string[] {
  const lines = waits.map(({ about, alike, depth, text }) => `${'  '.repeat(depth)}${named(about, alike)} ${text}`);
  return lines.length <= most ? lines : [...lines.slice(0, most), `and ${lines.length - most} more`];
}

const shown = ({ namespace, name }: ObjectName): string =>
  namespace === undefined || namespace === 'default' ? name : `${namespace}/${name}`;

const named = (about: ObjectName, alike: readonly ObjectName[]): string =>
  alike.length === 0
    ? `${about.kind} ${shown(about)}`
    : `each of ${alike.length + 1} ${about.kind}s (${listed([about, ...alike].map(shown))})`;
