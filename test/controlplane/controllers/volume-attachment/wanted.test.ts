import { describe, expect, it } from 'vitest';
import { keyOf, type ApiObject } from '../../../../src/apiserver/machinery/index.ts';
import { createCache, type DeltaType } from '../../../../src/controlplane/runtime/index.ts';
import { createWanted, observeWanted, volumesOn } from '../../../../src/controlplane/controllers/volume-attachment/wanted.ts';
import { observingWith } from '../../../support/reconcile.ts';
import { attachmentOf, claimOf, holding, mounting, volumeOf } from './objects.ts';

function bench() {
  const state = createWanted(0);
  const cache = createCache();
  for (const kind of ['Pod', 'Node', 'PersistentVolume', 'PersistentVolumeClaim', 'VolumeAttachment']) cache.open(kind);
  const see = (type: DeltaType, object: ApiObject, old?: ApiObject): void =>
    observeWanted(
      { type, kind: object.kind, key: keyOf(object), object, old: old ?? (type === 'DELETED' ? object : undefined) },
      observingWith(state),
    );
  const concerned = (volume: string): readonly string[] => {
    const node = holding('n', [volume]);
    return volumesOn(state, node, node, cache);
  };
  return { state, see, concerned };
}

describe("volumes in a node's status", () => {
  it('are found by driver and handle', () => {
    const { see, concerned } = bench();
    see('ADDED', volumeOf('a', 'x'));
    see('ADDED', volumeOf('b', 'y'));
    expect(concerned('b')).toEqual(['b']);
    expect(concerned('c')).toEqual([]);
  });

  it('follow a volume that is created again with another handle', () => {
    const { state, see, concerned } = bench();
    const before = volumeOf('a', 'x', { csi: { driver: 'other', volumeHandle: 'a/b^c' } });
    see('ADDED', before);
    see('MODIFIED', volumeOf('a', 'x'), before);
    expect(concerned('a')).toEqual(['a']);
    see('DELETED', volumeOf('a', 'x'));
    expect(concerned('a')).toEqual([]);
    expect(state.byHandle.size).toBe(0);
  });

  it('may have handles with slashes and carets', () => {
    const { state, see } = bench();
    see('ADDED', volumeOf('a', 'x', { csi: { driver: 'd.example', volumeHandle: 'zone/1^2/x' } }));
    const node = {
      ...holding('n', []),
      status: { volumesAttached: [{ name: 'kubernetes.io/csi/d.example^zone/1^2/x', devicePath: '' }] },
    } as unknown as ReturnType<typeof holding>;
    expect(volumesOn(state, node, node, createCache())).toEqual(['a']);
  });

  it('outlive the volume while it is attached', () => {
    const { state, see, concerned } = bench();
    const attachment = attachmentOf('a', 'n', { attached: true });
    see('ADDED', volumeOf('a', 'x'));
    see('ADDED', attachment);
    see('DELETED', volumeOf('a', 'x'));
    expect(concerned('a')).toEqual(['a']);
    see('DELETED', attachment);
    expect(concerned('a')).toEqual([]);
    expect([state.byHandle.size, state.orphans.size, state.attachments.size]).toEqual([0, 0, 0]);
  });

  it('are read without visiting the volumes that are not listed', () => {
    const { state, see } = bench();
    for (let i = 0; i < 200; i++) {
      see('ADDED', volumeOf(`v${i}`, `c${i}`));
      see('ADDED', attachmentOf(`v${i}`, `n${i}`, { attached: true }));
    }
    let visited = 0;
    const counting = <K, V>(map: Map<K, V>): Map<K, V> =>
      new Proxy(map, {
        get(target, member) {
          if (member !== 'get' && member !== 'has') visited += target.size;
          const value: unknown = Reflect.get(target, member);
          return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
        },
      });
    const watched = {
      ...state,
      attachments: counting(state.attachments),
      byHandle: counting(state.byHandle),
      claimOf: counting(state.claimOf),
    };
    const cache = {
      ...createCache(),
      get: () => {
        visited++;
        return undefined;
      },
      list: () => {
        visited += 200;
        return [];
      },
    };
    const node = holding('n7', ['v7', 'v9']);
    expect(volumesOn(watched, node, node, cache)).toEqual(['v7', 'v9']);
    expect(visited).toBe(0);
  });
});

describe('the claim of a volume', () => {
  it('is the bound one, until that is unbound', () => {
    const { state, see } = bench();
    see('ADDED', claimOf('mine', 'pv'));
    see('ADDED', claimOf('theirs', 'pv', 'Pending'));
    expect(state.claimOf.get('pv')).toBe('default/mine');
    see('DELETED', claimOf('theirs', 'pv', 'Pending'));
    expect(state.claimOf.get('pv')).toBe('default/mine');
    see('MODIFIED', claimOf('mine', 'pv', 'Lost'), claimOf('mine', 'pv'));
    expect(state.claimOf.get('pv')).toBe('default/mine');
    see('DELETED', claimOf('mine', 'pv', 'Lost'));
    expect(state.claimOf.size).toBe(0);
  });

  it('holds no pods that are gone', () => {
    const { state, see } = bench();
    see('ADDED', mounting('p', 'data', 'n'));
    see('DELETED', mounting('p', 'data', 'n'));
    expect(state.byClaim.size).toBe(0);
  });
});
