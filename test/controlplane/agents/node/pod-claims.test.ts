/** A pod with claims: what its agent reads of them, one after the other, and what it waits for. */
import { describe, expect, it } from 'vitest';
import type { PersistentVolume } from '../../../../src/apiserver/kinds/index.ts';
import type { ApiObject } from '../../../../src/apiserver/machinery/index.ts';
import type { Action } from '../../../../src/controlplane/agents/node/actions.ts';
import type { Failure, Outcome, Write } from '../../../../src/controlplane/runtime/index.ts';
import { at } from '../../../support/objects.ts';
import { recover, resume, type Situation } from '../../../support/reconcile.ts';
import { claimOf, reported, volumeOf } from '../../controllers/volume-attachment/objects.ts';
import { decided, podIn, REPORT, runnerOn, said } from './runner.ts';

describe('a pod with claims', () => {
  const claimed = podIn('Pending', {
    status: { startTime: undefined },
    spec: { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] },
  });
  const get = (kind: string, name: string) => ({ op: 'get', kind, name }) as Extract<Write, { op: 'get' }>;
  const failed = (write: object): Failure => ({ write, status: {}, dropped: [] }) as never;
  const situation = (memory?: object, objects: readonly ApiObject[] = [claimed]): Situation => ({
    objects,
    key: 'default/p',
    now: at(5),
    memory,
  });
  const found = (annotations?: object) => ({
    name: reported('pv'),
    mustAttach: true,
    volume: 'v',
    pv: { ...volumeOf('pv', 'data'), ...(annotations === undefined ? {} : { metadata: { name: 'pv', annotations } }) } as PersistentVolume,
    ...(annotations === undefined ? {} : { brings: true }),
  });
  const node = (volumes: readonly string[], used: readonly string[]): ApiObject =>
    ({
      kind: 'Node',
      metadata: { name: 'n' },
      status: { volumesAttached: volumes.map((name) => ({ name: reported(name) })), volumesInUse: used.map(reported) },
    }) as never;
  const answered = (write: object, object: ApiObject | undefined, memory: object) =>
    said(resume(runnerOn(), situation({ uid: 'uid-p', ...memory }), { write, object } as never));

  it('reads them, the volumes and the node, one after the other', () => {
    expect(decided(claimed)).toEqual([
      'read claim data from the API server',
      'get PersistentVolumeClaim data',
      'creating until never',
      'remembers uid,inquiry',
    ]);
    const asked = { inquiry: { found: [], settled: 0 } };
    expect(answered(get('PersistentVolumeClaim', 'data'), claimOf('data', 'pv'), asked).slice(0, 2)).toEqual([
      'read volume pv from the API server',
      'get PersistentVolume pv',
    ]);
    expect(answered(get('PersistentVolumeClaim', 'data'), claimOf('data', undefined, 'Pending'), asked)).toEqual([
      'waiting for its volumes to be attached',
      'patch Pod p Pending',
      'creating until never',
      'waits true',
      'note',
      'again at 7 s, background',
      'remembers nothing',
    ]);
    expect(
      answered(get('PersistentVolume', 'pv'), volumeOf('pv', 'data'), { inquiry: { found: [], settled: 0, volumeName: 'pv' } }),
    ).toEqual(['read from the API server what is attached to its node', 'get Node n', 'creating until never', 'remembers uid,volumes']);
  });

  it('waits until its node has them attached and in use', () => {
    const waits = answered(get('Node', 'n'), node(['pv'], []), { volumes: [found()] });
    expect(waits).toEqual([
      'waiting for its volumes to be attached',
      'patch Pod p Pending',
      'creating until never',
      `uses ${reported('pv')}`,
      'waits true',
      'note',
      'then n',
      'remembers uid,volumes',
    ]);
    expect(answered(get('Node', 'n'), undefined, { volumes: [found()] })).toEqual(waits);
    expect(answered(get('Node', 'n'), node(['pv'], ['pv']), { volumes: [found()] })).toEqual([
      'its containers run and are ready',
      REPORT,
      'running until never',
      `uses ${reported('pv')}`,
      'mount',
      'note',
      'then n',
      'remembers nothing',
    ]);
  });

  it('reads the attachments whose metadata it needs', () => {
    const volumes = [found({ 'sim.orch.io/attach-metadata': '{}' })];
    const attached = node(['pv'], ['pv']);
    const asks = answered(get('Node', 'n'), attached, { volumes });
    expect([asks[0], asks[1]?.startsWith('get VolumeAttachment csi-'), asks.at(-1)]).toEqual([
      'read the VolumeAttachment from the API server',
      true,
      'remembers uid,volumes,attached',
    ]);
    expect(answered(get('Node', 'n'), node([], ['pv']), { volumes })[0]).toBe('waiting for its volumes to be attached');
    const outcome = resume(runnerOn(), situation({ uid: 'uid-p', volumes, attached: { node: attached, brought: new Map() } }), {
      write: get('VolumeAttachment', 'x'),
      object: {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'VolumeAttachment',
        metadata: { name: 'x' },
        status: { attachmentMetadata: { disk: '7' } },
      },
    } as never) as Outcome<never, Action>;
    expect(outcome.why).toBe('its containers run and are ready; v is mounted with disk=7 of its attachment');
    expect(outcome.actions?.flatMap((action) => (action.does === 'mount' ? action.mounts : []))).toMatchObject([
      { volume: 'v', published: { disk: '7' } },
    ]);
  });

  it('is reported as waiting when a read fails, and read again after two seconds', () => {
    expect(said(recover(runnerOn(), situation(), failed(get('PersistentVolumeClaim', 'data'))))).toEqual([
      'waiting for volumes: its reads about them failed',
      'patch Pod p Pending',
      'creating until never',
      'waits true',
      'note',
      'again at 7 s',
    ]);
    expect(said(recover(runnerOn(), situation(undefined, [podIn('Pending')]), failed(get('Node', 'n'))))[0]).toBe(
      'its containers run and are ready',
    );
    expect(recover(runnerOn(), situation(), failed({ op: 'patch' }))).toBeUndefined();
    expect(recover(runnerOn(), situation(undefined, [podIn('Failed')]), failed(get('Node', 'n')))).toBeUndefined();
    expect(recover(runnerOn(), situation(undefined, []), failed(get('Node', 'n')))).toBeUndefined();
  });

  it('may be gone, or another one, when the answer comes', () => {
    const answer = { write: get('Node', 'n'), object: undefined } as never;
    expect(said(resume(runnerOn(), situation(undefined, []), answer))).toEqual(['the pod is gone from this node']);
    expect(said(resume(runnerOn(), situation({ uid: 'other', volumes: [found()] }), answer))[0]).toBe(
      'read claim data from the API server',
    );
    expect(said(resume(runnerOn(), situation({ uid: 'uid-p' }, [podIn('Failed')]), answer))).toEqual(['it has finished']);
  });
});
