/** The differences between two runs at a moment, as text: processes, then objects by kind and name. */
import type { ApiObject } from '../../../apiserver/machinery/index.ts';
import { isOf } from '../../../controlplane/runtime/index.ts';
import { CARD_KINDS, cardOf, hasCard } from './cards.ts';
import type { Model } from './index.ts';
import { processStatusAt } from './lifespans.ts';
import { nodeOf, phaseOf } from './phase.ts';
import { placeName } from './words.ts';
import type { Held, PageWorld } from './world.ts';

export interface Difference {
  readonly what: string;
  /** The state in each run; absent: the object does not exist. */
  readonly first?: string;
  readonly second?: string;
}

/** Returns the differences at a step of each run. Moves both worlds there. */
export function differencesAt(first: Model, firstStep: number, second: Model, secondStep: number): readonly Difference[] {
  first.world.moveTo(firstStep);
  second.world.moveTo(secondStep);
  return [...processes(first, firstStep, second, secondStep), ...KINDS.flatMap((kind) => objects(first.world, second.world, kind))];
}

const KINDS = [...CARD_KINDS, 'Node', 'Pod'] as const;

function processes(first: Model, firstStep: number, second: Model, secondStep: number): readonly Difference[] {
  const names = [...new Set([...first.lifespans.processes.keys(), ...second.lifespans.processes.keys()])];
  return names.flatMap((what) =>
    differing(
      what,
      processStatusAt(first.lifespans, what, firstStep) ?? 'absent',
      processStatusAt(second.lifespans, what, secondStep) ?? 'absent',
    ),
  );
}

const differing = (what: string, first: string | undefined, second: string | undefined): readonly Difference[] =>
  first === second ? [] : [{ what, ...(first === undefined ? {} : { first }), ...(second === undefined ? {} : { second }) }];

function objects(first: PageWorld, second: PageWorld, kind: string): readonly Difference[] {
  const [mine, theirs] = [byName(first, second, kind), byName(second, first, kind)];
  return [...new Set([...mine.keys(), ...theirs.keys()])].flatMap((name) =>
    differing(placeName(kind, name), textOf(mine.get(name), first), textOf(theirs.get(name), second)),
  );
}

const BY_CHANCE = /-[bcdfghjklmnpqrstvwxz2456789]{5}$/;

/**
 * Objects by name. Generated names are numbered by creation if the other run has no such name, because two seeds generate different names
 * for the same pod.
 */
function byName(world: PageWorld, other: PageWorld, kind: string): ReadonlyMap<string, Held> {
  const counts = new Map<string, number>();
  // If the other run has no candidate under another name, the name is kept.
  const others = new Set(other.list(kind).flatMap(({ key }) => (world.find(kind, key) === undefined ? [key.replace(BY_CHANCE, '')] : [])));
  return new Map(
    world.list(kind).map((held) => {
      const stem = held.key.replace(BY_CHANCE, '');
      if (stem === held.key || other.find(kind, held.key) !== undefined || !others.has(stem)) return [held.key, held];
      const number = (counts.get(stem) ?? 0) + 1;
      counts.set(stem, number);
      return [`${stem}-… (${number})`, held];
    }),
  );
}

function textOf(held: Held | undefined, world: PageWorld): string | undefined {
  if (held === undefined) return undefined;
  const { object } = held;
  if (isOf('Pod', object)) {
    const node = nodeOf(object);
    return `${phaseOf(object)}${node === '' ? '' : ` on ${node}`}`;
  }
  if (isOf('Node', object)) return `Ready ${readyOf(object)}`;
  if (!hasCard(object)) return '';
  const { note, lines = [], leaving } = cardOf(held, world);
  return `${[...lines.map(({ label, text }) => `${label} ${text}`), note].join(', ')}${leaving ? ', terminating' : ''}`;
}

function readyOf(object: ApiObject): string {
  if (!isOf('Node', object)) return '';
  return (object.status.conditions ?? []).find(({ type }) => type === 'Ready')?.status ?? 'Unknown';
}
