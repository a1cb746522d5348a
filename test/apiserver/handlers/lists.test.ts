import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { envelopeOf, type ApiRequest, type ObjectList } from '../../../src/apiserver/request/index.ts';
import { setup, type Setup } from './setup.ts';

const lease = (name: string, labels: Record<string, string> = {}) => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name, labels },
  spec: {},
});

function filled(featureGates: Record<string, boolean> = {}): Setup {
  const world = setup('k8s.io', featureGates);
  for (const [name, app] of [
    ['c', 'web'],
    ['a', 'db'],
    ['b', 'web'],
    ['d', 'db'],
    ['e', 'db'],
  ] as const)
    world.ok({ verb: 'create', kind: 'Lease', namespace: 'default', body: lease(name, { app }) });
  return world;
}

const list = ({ server }: Setup, options: Partial<Extract<ApiRequest, { verb: 'list' }>> = {}): ObjectList => {
  const response = server.handle(envelopeOf('client', { verb: 'list', kind: 'Lease', namespace: 'default', ...options }));
  if (!response.ok || !('list' in response)) throw new Error(JSON.stringify(response));
  return response.list;
};
const names = (found: ObjectList): string => found.items.map((item) => item.metadata.name).join('');

describe('lists', () => {
  it('are in key order and filtered by selectors', () => {
    const world = filled();
    expect(names(list(world))).toBe('abcde');
    expect(names(list(world, { labelSelector: 'app=web' }))).toBe('bc');
    expect(names(list(world, { fieldSelector: 'metadata.name=d' }))).toBe('d');
    expect(list(world).metadata.resourceVersion).toBe(String(world.store.revision));
  });

  it('have no pages without APIListChunking, and no remaining count without RemainingItemCount', () => {
    const whole = list(filled({ APIListChunking: false }), { limit: 2 });
    expect([names(whole), whole.metadata.continue]).toEqual(['abcde', undefined]);
    const page = list(filled({ RemainingItemCount: false }), { limit: 2 });
    expect([names(page), page.metadata.remainingItemCount, page.metadata.continue === undefined]).toEqual(['ab', undefined, false]);
  });

  it('have pages of one revision', () => {
    const world = filled();
    const first = list(world, { limit: 2 });
    expect([names(first), first.metadata.remainingItemCount]).toEqual(['ab', 3]);
    world.server.handle(envelopeOf('client', { verb: 'delete', kind: 'Lease', namespace: 'default', name: 'c' }));
    world.ok({ verb: 'create', kind: 'Lease', namespace: 'default', body: lease('bb') });
    const rest = list(world, { continue: first.metadata.continue ?? '' });
    expect(names(rest)).toBe('cde');
    expect(rest.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
    expect(names(list(world))).toBe('abbbde');
  });

  it('return each page at the revision of the first, regardless of later changes', () => {
    const NAMES = 'abcdefghij';
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat({ max: 9 }), fc.boolean()), { maxLength: 40 }),
        fc.integer({ min: 1, max: 4 }),
        fc.nat({ max: 20 }),
        (faults, limit, when) => {
          const world = setup();
          /** Creates, changes or deletes a name, depending on its state. */
          const act = ([at, change]: readonly [number, boolean]): void => {
            const name = NAMES.charAt(at);
            if (world.store.get('Lease', `default/${name}`) === undefined)
              world.ok({ verb: 'create', kind: 'Lease', namespace: 'default', body: lease(name) });
            else if (change)
              world.ok({
                verb: 'patch',
                kind: 'Lease',
                namespace: 'default',
                name,
                patchType: 'merge',
                body: { metadata: { labels: { at: String(world.store.revision) } } },
              });
            else world.server.handle(envelopeOf('client', { verb: 'delete', kind: 'Lease', namespace: 'default', name }));
          };
          const [before, after] = [faults.slice(0, when), faults.slice(when)];
          for (const injectedFault of before) act(injectedFault);
          const whole = list(world).items;
          let page = list(world, { limit });
          const reported = [...page.items];
          while (page.metadata.continue !== undefined) {
            expect(page.metadata.remainingItemCount).toBe(whole.length - reported.length);
            for (const injectedFault of after.splice(0, 3)) act(injectedFault);
            page = list(world, { limit, continue: page.metadata.continue });
            reported.push(...page.items);
          }
          expect(reported).toEqual(whole);
        },
      ),
      { numRuns: 200, seed: 3 },
    );
  });

  it('return 410 with a continue token when the revision has been compacted', () => {
    const world = filled();
    const first = list(world, { limit: 2 });
    world.ok({ verb: 'create', kind: 'Lease', namespace: 'default', body: lease('f') });
    world.store.compact(world.store.revision);
    const gone = world.refused({ verb: 'list', kind: 'Lease', namespace: 'default', limit: 2, continue: first.metadata.continue ?? '' });
    expect(gone).toMatchObject({ code: 410, reason: 'Expired' });
    expect(names(list(world, { continue: String(gone.metadata['continue']) }))).toBe('cdef');
  });

  it('refuse future revisions', () => {
    const world = filled();
    expect(world.refused({ verb: 'list', kind: 'Lease', namespace: 'default', resourceVersion: '999999' })).toMatchObject({
      code: 504,
      reason: 'Timeout',
    });
    expect(
      world.refused({ verb: 'list', kind: 'Lease', namespace: 'default', resourceVersion: '999999', resourceVersionMatch: 'Exact' }),
    ).toMatchObject({ code: 500 });
  });
});

describe('an object', () => {
  it('is returned at the current revision, and refused at a later one', () => {
    const world = filled();
    const get = { verb: 'get', kind: 'Lease', namespace: 'default', name: 'a' } as const;
    expect(world.ok({ ...get, resourceVersion: String(world.store.revision) }).metadata.name).toBe('a');
    expect(world.refused({ ...get, resourceVersion: String(world.store.revision + 1) })).toMatchObject({
      code: 504,
      message: expect.stringContaining('Too large resource version'),
    });
  });
});

describe('watches', () => {
  it('report objects that enter and leave the selection', () => {
    const world = filled();
    const opened = world.server.watch({ verb: 'watch', kind: 'Lease', namespace: 'default', labelSelector: 'app=web' });
    if (!opened.ok) throw new Error('refused');
    const seen = opened.watch.initial.map(({ type, object }) => `${type} ${(object.metadata as { name?: string }).name}`);
    expect(seen).toEqual(['ADDED b', 'ADDED c']);
    const later: string[] = [];
    world.store.onChange((change) => {
      const event = opened.watch.next(change);
      if (event !== undefined)
        later.push(
          `${event.type} ${(event.object.metadata as { name?: string }).name} ${(event.object.metadata as { resourceVersion?: string }).resourceVersion === String(change.revision)}`,
        );
    });
    const relabel = (name: string, app: string): void => {
      world.ok({ verb: 'patch', kind: 'Lease', namespace: 'default', name, patchType: 'merge', body: { metadata: { labels: { app } } } });
    };
    relabel('a', 'web');
    relabel('b', 'db');
    relabel('d', 'other');
    expect(later).toEqual(['ADDED a true', 'DELETED b true']);
  });

  it('resume after a revision, or report that it is too old', () => {
    const world = filled();
    const since = String(world.store.revision);
    world.ok({ verb: 'create', kind: 'Lease', namespace: 'default', body: lease('z') });
    const resumed = world.server.watch({ verb: 'watch', kind: 'Lease', namespace: 'default', resourceVersion: since });
    expect(resumed.ok && resumed.watch.initial.map(({ type }) => type)).toEqual(['ADDED']);
    world.store.compact(world.store.revision);
    const late = world.server.watch({ verb: 'watch', kind: 'Lease', namespace: 'default', resourceVersion: since });
    expect(late.ok && late.watch).toMatchObject({ over: true, initial: [{ type: 'ERROR', object: { code: 410, reason: 'Expired' } }] });
  });
});
