/**
 * The history of a set's template: the current revision, the update revision, the writes that record or renumber it, and the revisions to
 * delete. The name of a revision is derived from the text of its data: hash and name equal those of the recorded control plane. Models:
 * v1.24 pkg/controller/statefulset getStatefulSetRevisions, truncateHistory, pkg/controller/history; pkg/controller/statefulset
 * ApplyRevision, pkg/controller/history HashControllerRevision.
 */
import { perObject } from '../../../engine/index.ts';
import type { ControllerRevision, StatefulSet } from '../../../apiserver/kinds/index.ts';
import { create, remove, type Write } from '../../runtime/index.ts';
import { compareText, labelMatcher, parseTime } from '../../../schema/values/index.ts';
import { revisionOf, templatePatch, textOf, safeLetters } from '../../shared/index.ts';
import type { Known, SetInput } from './input.ts';
import type { SetPods } from './pods.ts';

export interface Revision {
  readonly name: string;
  readonly template: StatefulSet['spec']['template'];
}

export interface Revisions {
  readonly current: Revision;
  readonly update: Revision;
  readonly collisions: number;
  /** Creates the update revision, or raises an equal one to the greatest number. */
  readonly writes: readonly Write[];
  /** A description of the write, if there is one. */
  readonly change: string | undefined;
}

/** The set's revisions, and those that it can adopt, oldest first. */
export function listRevisions({ self: set, cache }: SetInput): readonly ControllerRevision[] {
  const matches = labelMatcher(set.spec.selector);
  const unmanaged = cache.by('ControllerRevision', 'unmanagedInNamespace', set.metadata.namespace ?? '');
  return [...cache.controlledBy('ControllerRevision', set), ...unmanaged].filter(({ metadata }) => matches(metadata.labels)).sort(byAge);
}

const byAge = ({ metadata: a, revision: one }: ControllerRevision, { metadata: b, revision: other }: ControllerRevision): number =>
  one - other || parseTime(a.creationTimestamp) - parseTime(b.creationTimestamp) || compareText(a.name, b.name);

/** @param history sorted, as `listRevisions` returns it. */
export function decideRevisions({ self: set, names }: SetInput, history: readonly ControllerRevision[], known: Known): Revisions {
  const { template } = set.spec;
  const patch = templatePatch(template);
  const collisions = known.collisions ?? set.status.collisionCount ?? 0;
  const last = history.at(-1);
  const next = (last?.revision ?? 0) + 1;
  const equal = history.findLast(({ data }) => textOf(data) === patch.text);

  const decided = (name: string, writes: readonly Write[] = [], change?: string): Revisions => {
    const update: Revision = { name, template };
    const current = history.find(({ metadata }) => metadata.name === set.status.currentRevision);
    return {
      update,
      current: current === undefined ? update : { name: current.metadata.name, template: templateIn(current.data, set) },
      collisions,
      writes,
      change,
    };
  };

  if (equal !== undefined && equal === last) return decided(equal.metadata.name);
  if (equal !== undefined)
    return decided(
      equal.metadata.name,
      [{ op: 'update', object: { ...equal, revision: next } }],
      `the template equals that of ${equal.metadata.name}, which becomes revision ${next}`,
    );
  if (known.found !== undefined) return decided(known.found.metadata.name);

  const name = revisionName(set.metadata.name, revisionHash(patch.text, collisions));
  const labels = { [names.key('controller', 'hash')]: revisionHash(patch.text, set.status.collisionCount ?? 0) };
  return decided(name, [create(revisionOf(set, name, labels, next))], `its template is new: revision ${next}`);
}

/** The result of finding a revision under the update revision's name: it is the same one, or the name must change. */
export function judgeCollision(set: StatefulSet, found: ControllerRevision, known: Known): Known {
  if (textOf(found.data) === templatePatch(set.spec.template).text) return { ...known, found };
  return { ...known, collisions: (known.collisions ?? set.status.collisionCount ?? 0) + 1 };
}

export function truncateHistory(
  set: StatefulSet,
  history: readonly ControllerRevision[],
  pods: SetPods,
  { current, update }: Revisions,
): readonly Write[] {
  const limit = set.spec.revisionHistoryLimit ?? 10;
  if (history.length <= limit) return [];
  const dead = history.filter(({ metadata: { name } }) => name !== current.name && name !== update.name && !pods.revisions.has(name));
  return dead.slice(0, Math.max(0, dead.length - limit)).map((revision) => remove(revision));
}

type Template = StatefulSet['spec']['template'];

type Patch = Template & { readonly $patch?: unknown };

const withoutPatch = perObject(({ $patch: _, ...template }: Patch) => template as Template);

/** The template in stored data; the set's own where the data has none. */
export function templateIn(data: unknown, set: StatefulSet): Template {
  const stored = (data as { readonly spec?: { readonly template?: Patch } } | undefined)?.spec?.template;
  return typeof stored === 'object' ? withoutPatch(stored) : set.spec.template;
}

export const revisionName = (setName: string, hash: string): string => `${setName.slice(0, 223)}-${hash}`;

/** The hash of a patch with a collision count: FNV-1, 32 bits, in letters that form no words. */
export const revisionHash = (text: string, collisions: number): string => safeLetters(String(fnv32(`${text}${collisions}`)));

const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;
const encoder = new TextEncoder();

function fnv32(text: string): number {
  let hash = OFFSET;
  for (const byte of encoder.encode(text)) hash = Math.imul(hash, PRIME) ^ byte;
  return hash >>> 0;
}
