/** What a driver gets when it mounts a volume, and why it refuses: by its CSIDriver, the volume and its attachment. */
import { describe, expect, it } from 'vitest';
import type { CSIDriver, Pod } from '../../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../../src/apiserver/machinery/index.ts';
import { type Mount, type MountKnowledge, mountsOf, mountText, republish } from '../../../../src/controlplane/agents/node/mounts.ts';
import { at, barePod } from '../../../support/objects.ts';
import { volumeOf } from '../../controllers/volume-attachment/objects.ts';

const DRIVER = 'csi.fake.example';
const knowing = (spec: object | undefined, more: Partial<MountKnowledge> = {}): MountKnowledge => ({
  names: namesFor('k8s.io'),
  wall: at(0),
  drivers: [],
  driverOf: (name) => (name === DRIVER && spec !== undefined ? ({ spec } as unknown as CSIDriver) : undefined),
  isInstalled: () => true,
  publishedOf: () => undefined,
  ...more,
});
const pod = (spec: object = {}, meta: Readonly<Record<string, unknown>> = {}): Pod => barePod('p', 'Pending', { spec, meta });
const inline = (csi: object = {}, more: object = {}): Pod =>
  pod({
    volumes: [
      { name: 'own', csi: { driver: DRIVER, ...csi } },
      { name: 'empty', emptyDir: {} },
    ],
    ...more,
  });
const claimed = (spec: object = {}) => [{ name: 'unique', mustAttach: true, volume: 'data', pv: volumeOf('pv', 'data', spec) }];
const EPHEMERAL = { volumeLifecycleModes: ['Ephemeral'] };
const mount = (more: Partial<Mount> = {}): Mount => ({
  volume: 'data',
  driver: DRIVER,
  context: {},
  options: [],
  published: {},
  republished: false,
  ...more,
});
const failed = (volume: string, why: string) => ({ failure: `MountVolume.SetUp failed for volume "${volume}" : ${why}` });
const key = (name: string): string => `csi.storage.k8s.io/${name}`;

describe('a mount', () => {
  it('has the attributes and options of the volume, and the metadata of its attachment', () => {
    const volume = { csi: { driver: DRIVER, volumeHandle: 'h', volumeAttributes: { tier: 'gold' } }, mountOptions: ['noatime', 'uid=5'] };
    const published = (name: string) => (name === 'unique' ? { lun: '3' } : undefined);
    const expected = mount({ context: { tier: 'gold' }, options: ['noatime', 'uid=5'], published: { lun: '3' } });
    expect(mountsOf(pod(), claimed(volume), knowing(undefined, { publishedOf: published }))).toEqual({ mounts: [expected] });
    expect(
      mountsOf(pod(), claimed(volume), knowing({}, { drivers: [{ name: DRIVER, mountOptions: ['uid', 'noatime'] } as never] })),
    ).toMatchObject({ mounts: [{ volume: 'data' }] });
    expect(mountsOf(pod(), claimed({ csi: undefined }), knowing({}))).toEqual({ mounts: [] });
  });

  it('has the pod, if the driver asks for it', () => {
    const about = (ephemeral: string, more: object = {}) => ({
      [key('pod.name')]: 'p',
      [key('pod.namespace')]: 'default',
      [key('pod.uid')]: 'uid-p',
      [key('serviceAccount.name')]: '',
      [key('ephemeral')]: ephemeral,
      ...more,
    });
    expect(mountsOf(pod(), claimed(), knowing({ podInfoOnMount: true }))).toEqual({ mounts: [mount({ context: about('false') })] });
    expect(
      mountsOf(
        inline({ volumeAttributes: { size: '1' } }, { serviceAccountName: 'robot' }),
        [],
        knowing({ ...EPHEMERAL, podInfoOnMount: true }),
      ),
    ).toEqual({
      mounts: [mount({ volume: 'own', context: { size: '1', ...about('true', { [key('serviceAccount.name')]: 'robot' }) } })],
    });
    expect(mountsOf(pod({}, { namespace: undefined }), claimed(), knowing({ podInfoOnMount: true }))).toMatchObject({
      mounts: [{ context: about('false') }],
    });
  });

  it('has a token for each audience that the driver asks for', () => {
    const spec = { tokenRequests: [{ audience: '' }, { audience: 'vault', expirationSeconds: 600 }], requiresRepublish: true };
    const tokens = {
      '': { token: 'token of default/default', expirationTimestamp: '2024-01-01T01:00:00Z' },
      vault: { token: 'token of default/default for vault', expirationTimestamp: '2024-01-01T00:10:00Z' },
    };
    expect(mountsOf(pod(), claimed(), knowing(spec))).toEqual({
      mounts: [mount({ republished: true, context: { [key('serviceAccount.tokens')]: JSON.stringify(tokens) } })],
    });
    const robot = pod({ serviceAccountName: 'robot' }, { namespace: undefined });
    expect(JSON.stringify(mountsOf(robot, claimed(), knowing({ tokenRequests: [{}] })))).toContain('token of default/robot');
  });
});

describe('the group of a mount', () => {
  const groupWith = (
    fsGroupPolicy: string | undefined,
    fsType: string | undefined,
    accessModes: readonly string[] | undefined,
    fsGroup: number | undefined = 7,
  ): unknown => {
    const decision = mountsOf(
      pod({ securityContext: { fsGroup } }),
      claimed({ csi: { driver: DRIVER, volumeHandle: 'h', fsType }, accessModes }),
      knowing(fsGroupPolicy === 'no object' ? undefined : { fsGroupPolicy }),
    );
    return 'mounts' in decision ? decision.mounts[0]?.group : decision;
  };

  it.each([
    ['ReadWriteOnceWithFSType', 'ext4', ['ReadWriteOnce'], 7],
    ['ReadWriteOnceWithFSType', 'ext4', ['ReadOnlyMany', 'ReadWriteOnce'], 7],
    ['ReadWriteOnceWithFSType', 'ext4', ['ReadWriteMany'], undefined],
    ['ReadWriteOnceWithFSType', 'ext4', undefined, undefined],
    ['ReadWriteOnceWithFSType', '', ['ReadWriteOnce'], undefined],
    ['ReadWriteOnceWithFSType', undefined, ['ReadWriteOnce'], undefined],
    [undefined, 'ext4', ['ReadWriteOnce'], 7],
    ['no object', 'ext4', ['ReadWriteOnce'], 7],
    ['File', undefined, ['ReadWriteMany'], 7],
    ['None', 'ext4', ['ReadWriteOnce'], undefined],
  ])('by policy %s, file system %s and modes %j is %s', (policy, fsType, modes, group) => {
    expect(groupWith(policy, fsType, modes)).toBe(group);
  });

  it('is none without fsGroup', () => {
    const plain = mountsOf(pod(), claimed({ csi: { driver: DRIVER, volumeHandle: 'h' } }), knowing({ fsGroupPolicy: 'File' }));
    expect(plain).toEqual({ mounts: [mount()] });
  });

  it('is that of an inline volume with a file system too', () => {
    const own = inline({ fsType: 'ext4' }, { securityContext: { fsGroup: 7 } });
    expect(mountsOf(own, [], knowing(EPHEMERAL))).toEqual({ mounts: [mount({ volume: 'own', group: 7 })] });
  });
});

describe('a driver refuses', () => {
  const unsupported = (mode: string, why: string) => `kubernetes.io/csi: volume mode "${mode}" not supported by driver ${DRIVER} (${why})`;

  it.each([
    ['inline volumes without a CSIDriver', undefined, inline(), [], failed('own', unsupported('Ephemeral', 'no CSIDriver object'))],
    ['inline volumes by default', {}, inline(), [], failed('own', unsupported('Ephemeral', 'only supports ["Persistent"]'))],
    [
      'inline volumes by an empty list',
      { volumeLifecycleModes: [] },
      inline(),
      [],
      failed('own', unsupported('Ephemeral', 'only supports ["Persistent"]')),
    ],
    [
      'claimed volumes, if it supports only inline ones',
      EPHEMERAL,
      pod(),
      claimed(),
      failed('pv', unsupported('Persistent', 'only supports ["Ephemeral"]')),
    ],
    [
      'modes that it does not list',
      { volumeLifecycleModes: ['A', 'B'] },
      pod(),
      claimed(),
      failed('pv', unsupported('Persistent', 'only supports ["A" "B"]')),
    ],
  ])('%s', (_name, spec, of, found, expected) => {
    expect(mountsOf(of, found, knowing(spec))).toEqual(expected);
  });

  it('options that it does not know', () => {
    const drivers = [
      { name: 'other', mountOptions: [] },
      { name: DRIVER, mountOptions: ['uid'] },
    ] as never;
    expect(mountsOf(pod(), claimed({ mountOptions: ['uid=1', 'gid=2'] }), knowing({}, { drivers }))).toEqual(
      failed('pv', 'rpc error: code = InvalidArgument desc = unknown mount option "gid=2"'),
    );
  });

  it('inline volumes, if it is not installed on the node', () => {
    const absent = { isInstalled: () => false };
    expect(mountsOf(inline(), [], knowing(EPHEMERAL, absent))).toEqual(
      failed(
        'own',
        `kubernetes.io/csi: mounter.SetUpAt failed to get CSI client: driver name ${DRIVER} not found in the list of registered CSI drivers`,
      ),
    );
    expect(mountsOf(pod(), claimed(), knowing({}, absent))).toEqual({ mounts: [mount()] });
  });

  it('all volumes, if one fails', () => {
    expect(mountsOf(inline(), claimed(), knowing({}))).toEqual(failed('own', unsupported('Ephemeral', 'only supports ["Persistent"]')));
  });
});

describe('a mount that is published again', () => {
  it('gets new tokens, and keeps the rest', () => {
    const before = mount({ context: { tier: 'gold', [key('serviceAccount.tokens')]: 'old' }, options: ['ro'], group: 7 });
    expect(republish(pod(), before, knowing({ tokenRequests: [{ audience: 'a' }] }))).toEqual({
      ...before,
      context: {
        tier: 'gold',
        [key('serviceAccount.tokens')]: '{"a":{"token":"token of default/default for a","expirationTimestamp":"2024-01-01T01:00:00Z"}}',
      },
    });
    expect(republish(pod(), before, knowing(undefined))).toBe(before);
  });

  it('fails where the driver no longer supports the volume', () => {
    const why = (mode: string, supported: string) =>
      `kubernetes.io/csi: volume mode "${mode}" not supported by driver ${DRIVER} (only supports ["${supported}"])`;
    expect(republish(pod(), mount(), knowing(EPHEMERAL))).toEqual(failed('data', why('Persistent', 'Ephemeral')));
    expect(republish(inline(), mount({ volume: 'own' }), knowing({}))).toEqual(failed('own', why('Ephemeral', 'Persistent')));
    expect(republish(inline(), mount({ volume: 'empty' }), knowing(EPHEMERAL))).toEqual(failed('empty', why('Persistent', 'Ephemeral')));
  });
});

it('a mount is described by its inputs beyond the volume', () => {
  expect(mountText(mount())).toBeUndefined();
  const all = mount({ context: { b: '1', a: '2' }, options: ['ro', 'uid=1'], published: { lun: '3' }, group: 7, republished: true });
  expect(mountText(all)).toBe(
    'data is mounted with a, b, options ro,uid=1, lun=3 of its attachment, group 7, published again every minute',
  );
  expect(mountText(mount({ republished: true }))).toBe('data is mounted with published again every minute');
});
