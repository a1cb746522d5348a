/** What is different between two runs at a moment, in words: processes, then objects by kind and name. */
import type { ApiObject } from '../../../apiserver/machinery/index.ts';
import { isOf } from '../../../controlplane/runtime/index.ts';
import { CARD_KINDS, cardOf, hasCard } from './cards.ts';
import type { Model } from './index.ts';
import { standingAt } from './lifespans.ts';
import { nodeOf, phaseOf } from './phase.ts';
import { placeName } from './words.ts';
import type { Held, PageWorld } from './world.ts';

export interface Difference {
  readonly what: string;
  /** As each has it; absent: it is not there. */
  readonly first?: string;
  readonly second?: string;
}

/** The differences at a step of each; both worlds are moved there. */
export function differencesAt(first: Model, firstStep: number, second: Model, secondStep: number): readonly Difference[] {
  first.world.moveTo(firstStep);
  second.world.moveTo(secondStep);
  return [...processes(first, firstStep, second, secondStep), ...KINDS.flatMap((kind) => objects(first.world, second.world, kind))];
}

/** Kinds that a reader sees on the stage. */
const KINDS = [...CARD_KINDS, 'Node', 'Pod'] as const;

function processes(first: Model, firstStep: number, second: Model, secondStep: number): readonly Difference[] {
  const names = [...new Set([...first.lifespans.processes.keys(), ...second.lifespans.processes.keys()])];
  return names.flatMap((what) =>
    differing(
      what,
      standingAt(first.lifespans, what, firstStep) ?? 'not there',
      standingAt(second.lifespans, what, secondStep) ?? 'not there',
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
 * By name; names that chance made are numbered in order of birth where the other run has no such name: two seeds call the same pod
 * otherwise.
 */
function byName(world: PageWorld, other: PageWorld, kind: string): ReadonlyMap<string, Held> {
  const counts = new Map<string, number>();
  // Where the other has nothing that could be it under another name, it keeps its own.
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
  const { note, leaving } = cardOf(held, world);
  return `${note}${leaving ? ', leaving' : ''}`;
}

function readyOf(object: ApiObject): string {
  if (!isOf('Node', object)) return '';
  return (object.status.conditions ?? []).find(({ type }) => type === 'Ready')?.status ?? 'Unknown';
}
