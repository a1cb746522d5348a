/** The world of the page against one that reads all entries up to a step. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Change } from '../../../../src/apiserver/store/index.ts';
import type { Entry } from '../../../../src/lab/trace/index.ts';
import { readRecords } from '../../../../src/surfaces/page/model/records.ts';
import { worldOf, type PageWorld } from '../../../../src/surfaces/page/model/world.ts';
import { barePod } from '../../../support/objects.ts';

const NODES = ['', 'a', 'b'];

/** Three names of pods, each of which is created, moved to a node, and deleted again and again. */
const writes = fc.array(fc.record({ name: fc.nat(2), node: fc.nat(2), isDeleted: fc.boolean() }), { maxLength: 40 });

/** The entries of these writes: a pod that does not exist is created by its next write, with a new uid. */
function entriesOf(list: readonly { readonly name: number; readonly node: number; readonly isDeleted: boolean }[]): readonly Entry[] {
  const uids = new Map<number, string>();
  return list.map(({ name, node, isDeleted }, at) => {
    const previous = uids.get(name);
    const type = previous === undefined ? 'ADDED' : isDeleted ? 'DELETED' : 'MODIFIED';
    const uid = previous ?? `u${at}`;
    if (type === 'DELETED') uids.delete(name);
    else uids.set(name, uid);
    const object = barePod(`p${name}`, 'Running', { meta: { uid }, spec: { nodeName: NODES[node] ?? '' } });
    const change = { type, kind: 'Pod', key: `default/p${name}`, object, revision: at + 1 } as unknown as Change;
    return { type: 'write', at, actor: 'user', change } as unknown as Entry;
  });
}

const traceOf = (entries: readonly Entry[]) =>
  ({ startAt: 0, prologue: [], entries, renewalIntervals: [] }) as unknown as Parameters<typeof worldOf>[0];

const seenIn = (world: PageWorld): unknown => ({
  list: world.list('Pod').map(({ key, object }) => [key, object.metadata.uid]),
  found: [0, 1, 2].map((name) => world.find('Pod', `default/p${name}`)?.step),
  written: [0, 1, 2].map((name) => world.writtenAt('Pod', `default/p${name}`)),
  count: world.count('Pod'),
  nodes: NODES.map((node) => world.podsOn(node).map(({ step }) => step)),
});

describe('the world of the page', () => {
  it('has at each step, from wherever it comes, what the writes up to there have left', () => {
    fc.assert(
      fc.property(writes, fc.nat(10), fc.array(fc.nat(40), { minLength: 1, maxLength: 12 }), (list, before, steps) => {
        const all = entriesOf(list);
        const [prologue, entries] = [all.slice(0, before), all.slice(before)];
        const read = (from: readonly Entry[]): PageWorld => {
          const reader = readRecords();
          for (const entry of prologue) reader.follow(entry, 0);
          from.forEach((entry, at) => {
            reader.follow(entry, at + 1);
          });
          return worldOf(traceOf(from), reader.soFar());
        };
        const world = read(entries);
        for (const step of steps) {
          const to = Math.min(step, entries.length);
          world.moveTo(to);
          const there = read(entries.slice(0, to));
          there.moveTo(to);
          expect(seenIn(world)).toEqual(seenIn(there));
          // Not only alike: read from the entries themselves.
          const last = new Map<string, Entry>();
          for (const entry of [...prologue, ...entries.slice(0, to)]) if (entry.type === 'write') last.set(entry.change.key, entry);
          const alive = [...last.values()].filter((entry) => entry.type === 'write' && entry.change.type !== 'DELETED');
          expect(world.count('Pod')).toBe(alive.length);
          for (const node of NODES) {
            const pods = world.podsOn(node);
            expect(pods.map(({ order }) => order)).toEqual(pods.map(({ order }) => order).toSorted((a, b) => a - b));
            const names = alive.flatMap((entry) =>
              entry.type === 'write' && (entry.change.object as unknown as { spec: { nodeName: string } }).spec.nodeName === node
                ? [entry.change.key]
                : [],
            );
            expect(pods.map(({ key }) => key).toSorted()).toEqual(names.toSorted());
          }
        }
      }),
      { seed: 27, numRuns: 200 },
    );
  });
});
