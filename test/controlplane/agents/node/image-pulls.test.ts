/** The pulls of a pod's images, one decision after the other: what waits, what is recorded, and when it is tried again. */
import { describe, expect, it } from 'vitest';
import type { RandomStream } from '../../../../src/engine/random.ts';
import { freshPulls, nextOfPulling, pullFor, sentenceOfPulling } from '../../../../src/controlplane/agents/node/images/pull.ts';
import type { Pulled, Pulling, Pulls, PullState } from '../../../../src/controlplane/agents/node/images/pull.ts';
import { createRegistry, ImageStore } from '../../../../src/controlplane/agents/node/images/store.ts';
import type { ImageSpec } from '../../../../src/controlplane/agents/index.ts';
import { at, barePod } from '../../../support/objects.ts';

const WEB: ImageSpec = { name: 'web:1', sizeBytes: 100, pullMs: 10_000 };
const DB: ImageSpec = { name: 'db:1', sizeBytes: 100, pullMs: 4_000 };
const LOST: ImageSpec = { name: 'lost:1', sizeBytes: 100, pullMs: 1_000, missing: true };
const ERROR =
  'rpc error: code = NotFound desc = failed to pull and unpack image "lost:1": failed to resolve reference "lost:1": lost:1: not found';
const SETTINGS = { registryPullQPS: 0, registryBurst: 1, serializeImagePulls: true };
/** Every draw is 3 ms. */
const random = { below: () => 3 } as unknown as RandomStream;

const podWith = (images: Readonly<Record<string, string>>, init: Readonly<Record<string, string>> = {}, policy = 'IfNotPresent') => {
  const of = (all: Readonly<Record<string, string>>) =>
    Object.entries(all).map(([name, image]) => ({ name, image, imagePullPolicy: policy }));
  return barePod('p', 'Pending', { spec: { initContainers: of(init), containers: of(images) } });
};

/** A machine with its agent; what a decision does is done before the next one. */
function createNode(preloaded: readonly ImageSpec[] = [], more: Partial<Pulls> = {}) {
  const images = new ImageStore(preloaded, at(0));
  const registry = createRegistry([WEB, DB, LOST], at(0));
  const state: PullState = freshPulls();
  return {
    images,
    state,
    decide(seconds: number, pod: Parameters<typeof pullFor>[0], before?: Pulling): Pulled {
      const pulls: Pulls = { nodeName: 'n', registry, images, settings: SETTINGS, credentialsFor: undefined, ...more };
      const pulled = pullFor(pod, before, pulls, { now: at(seconds), random, state: { pulls: state } });
      for (const action of pulled.actions) {
        if (action.does === 'backOff') state.backOffs.set(action.key, action.is);
        else if (action.does === 'spend') state.tokens = action.tokens;
        else images.act(action);
      }
      return pulled;
    },
  };
}
/** Events as `container reason: message`. */
const said = ({ events }: Pulled): readonly string[] =>
  events.map((write) => {
    const { fieldPath = '', type, reason, message } = (write as Extract<typeof write, { op: 'event' }>).event;
    return `${type === 'Normal' ? '' : '! '}${fieldPath.replace('spec.', '')} ${reason}: ${message}`;
  });

describe('a pod whose images are there', () => {
  it('waits for nothing', () => {
    const pulled = createNode([WEB]).decide(0, podWith({ c: 'web:1', d: 'unknown' }));
    expect([pulled.pulling, said(pulled), pulled.actions]).toEqual([
      undefined,
      [
        'containers{c} Pulled: Container image "web:1" already present on machine',
        'containers{d} Pulled: Container image "unknown" already present on machine',
      ],
      [
        { does: 'useImage', uid: 'uid-p', image: 'web:1' },
        { does: 'useImage', uid: 'uid-p', image: 'unknown' },
      ],
    ]);
  });

  it('asks the registry with Always, which takes no time', () => {
    const pulled = createNode([WEB]).decide(0, podWith({ c: 'web:1', d: 'unknown' }, {}, 'Always'));
    expect([pulled.pulling, said(pulled)]).toEqual([
      undefined,
      [
        'containers{c} Pulling: Pulling image "web:1"',
        'containers{c} Pulled: Successfully pulled image "web:1" in 0s',
        'containers{d} Pulling: Pulling image "unknown"',
        'containers{d} Pulled: Successfully pulled image "unknown" in 0s',
      ],
    ]);
    expect(pulled.actions).toContainEqual({ does: 'pull', image: WEB, endsAt: at(0), fails: false });
  });
});

describe('a pull', () => {
  const pod = podWith({ c: 'web:1', d: 'db:1' });

  it('takes its time, and the next container follows when it has ended', () => {
    const node = createNode();
    const first = node.decide(0, pod);
    expect(first).toMatchObject({
      pulling: { next: 0, pull: { askedAt: at(0), endsAt: at(10) }, failed: {}, reported: {}, served: [] },
      actions: [{ does: 'pull', image: WEB, endsAt: at(10), fails: false }],
    });
    expect(said(first)).toEqual(['containers{c} Pulling: Pulling image "web:1"']);
    expect(node.decide(9.999, pod, first.pulling)).toEqual({ pulling: first.pulling, events: [], actions: [] });
    const second = node.decide(10, pod, first.pulling);
    expect(second.pulling).toEqual({ next: 1, pull: { askedAt: at(10), endsAt: at(14) }, failed: {}, reported: {}, served: ['c'] });
    expect(said(second)).toEqual([
      'containers{c} Pulled: Successfully pulled image "web:1" in 10s',
      'containers{d} Pulling: Pulling image "db:1"',
    ]);
    expect(node.decide(14, pod, second.pulling).pulling).toBeUndefined();
    expect([...node.images.there(at(14))].map(({ name, readyAt }) => [name, readyAt])).toEqual([
      ['web:1', at(10)],
      ['db:1', at(14)],
    ]);
  });

  it('waits for earlier ones where pulls are serial, and shares the one of the same image', () => {
    const endOf = (serializeImagePulls: boolean, image: string): number | undefined => {
      const node = createNode([], { settings: { ...SETTINGS, serializeImagePulls } });
      node.decide(0, podWith({ c: 'web:1' }));
      return node.decide(4, podWith({ c: image })).pulling?.pull?.endsAt;
    };
    expect([endOf(true, 'db:1'), endOf(false, 'db:1'), endOf(true, 'web:1'), endOf(false, 'web:1')]).toEqual([14, 8, 10, 10].map(at));
  });

  it('begins when the credentials of the node are read', () => {
    const asked: unknown[] = [];
    const credentialsFor: Pulls['credentialsFor'] = (...question) => {
      asked.push(question);
      return { credentials: [], delayMs: 2_500 };
    };
    const { pulling } = createNode([], { credentialsFor }).decide(1, pod);
    expect([asked, pulling?.pull]).toEqual([[['web:1', 'n', at(1)]], { askedAt: at(1), endsAt: at(13.5) }]);
  });

  it('beyond the rate fails: a burst at once, then so many per second', () => {
    const node = createNode([], { settings: { registryPullQPS: 2, registryBurst: 2, serializeImagePulls: false } });
    const passes = (seconds: number, pods: number): boolean =>
      node.decide(seconds, { ...pod, metadata: { ...pod.metadata, uid: String(pods) } }).pulling?.pull !== undefined;
    const [yes, no] = [true, false];
    expect([0, 0, 0, 0.25].map(passes)).toEqual([yes, yes, no, no]);
    expect([0.5, 0.5, 1.5, 1.5, 1.5, 9, 9, 9].map((seconds, i) => passes(seconds, i + 4))).toEqual([yes, no, yes, yes, no, yes, yes, no]);
  });
});

describe('a pull that fails', () => {
  const pod = podWith({ c: 'lost:1', d: 'web:1' });

  it('is reported when all containers were tried, and tried again after ten to fifteen seconds', () => {
    const node = createNode([WEB]);
    const first = node.decide(0, pod);
    expect(first.pulling).toEqual({
      next: 0,
      failed: {},
      reported: { c: { reason: 'ErrImagePull', message: ERROR } },
      served: ['d'],
      againAt: at(10.003),
    });
    expect(said(first)).toEqual([
      'containers{c} Pulling: Pulling image "lost:1"',
      `! containers{c} Failed: Failed to pull image "lost:1": ${ERROR}`,
      '! containers{c} Failed: Error: ErrImagePull',
      'containers{d} Pulled: Container image "web:1" already present on machine',
    ]);
    expect(first.actions).toContainEqual({ does: 'backOff', key: 'uid-p/lost:1', is: { delayMs: 10_000, since: at(0) } });
    expect(node.decide(10.002, pod, first.pulling)).toEqual({ pulling: first.pulling, events: [], actions: [] });
    const second = node.decide(10.003, pod, first.pulling);
    expect(second.pulling).toMatchObject({ served: ['d'], againAt: at(20.006) });
    expect(said(second)).toHaveLength(3);
  });

  it('backs off: twice as long each time, five minutes at most, and from the start after ten minutes without a failure', () => {
    const node = createNode();
    const lost = podWith({ c: 'lost:1' });
    const reasonAt = (seconds: number): string => node.decide(seconds, lost).pulling?.reported['c']?.reason ?? '';
    const delays: (number | undefined)[] = [];
    let seconds = 0;
    for (let i = 0; i < 7; i++) {
      expect(reasonAt(seconds)).toBe('ErrImagePull');
      const delayMs = node.state.backOffs.get('uid-p/lost:1')?.delayMs ?? 0;
      delays.push(delayMs / 1000);
      expect(reasonAt(seconds + (delayMs - 1) / 1000)).toBe('ImagePullBackOff');
      seconds += delayMs / 1000;
    }
    expect(delays).toEqual([10, 20, 40, 80, 160, 300, 300]);
    const since = seconds - 300;
    reasonAt(since + 600);
    expect(node.state.backOffs.get('uid-p/lost:1')?.delayMs).toBe(300_000);
    reasonAt(since + 1_200.001);
    expect(node.state.backOffs.get('uid-p/lost:1')?.delayMs).toBe(10_000);
  });

  it('says so during its back-off', () => {
    const node = createNode();
    node.decide(0, pod);
    const again = node.decide(9.999, podWith({ c: 'lost:1' }));
    expect(said(again)).toEqual([
      'containers{c} BackOff: Back-off pulling image "lost:1"',
      '! containers{c} Failed: Error: ImagePullBackOff',
    ]);
    expect(again.pulling?.reported).toEqual({ c: { reason: 'ImagePullBackOff', message: 'Back-off pulling image "lost:1"' } });
  });

  it('of an init container keeps later containers from being tried', () => {
    const { pulling } = createNode().decide(0, podWith({ c: 'web:1' }, { i: 'lost:1', j: 'db:1' }));
    expect(Object.keys(pulling?.reported ?? {})).toEqual(['i']);
  });

  it('is not tried with the policy Never', () => {
    const pulled = createNode().decide(0, podWith({ c: 'web:1' }, {}, 'Never'));
    const message = 'Container image "web:1" is not present with pull policy of Never';
    expect(pulled.pulling?.reported).toEqual({ c: { reason: 'ErrImageNeverPull', message } });
    expect(said(pulled)).toEqual([`! containers{c} ErrImageNeverPull: ${message}`, '! containers{c} Failed: Error: ErrImageNeverPull']);
    expect(pulled.actions).toEqual([]);
  });
});

it('the reason for which a pod waits is that of its last attempt', () => {
  const wait = { reason: 'ErrImagePull', message: 'x' };
  const base: Pulling = { next: 0, failed: {}, reported: {}, served: [] };
  const pull = { askedAt: 1, endsAt: 9 };
  expect(
    [base, { ...base, pull }, { ...base, pull: { ...pull, error: 'x' } }, { ...base, reported: { c: wait, d: wait }, againAt: 7 }].map(
      (pulling) => [sentenceOfPulling(pulling), nextOfPulling(pulling)],
    ),
  ).toEqual([
    ['check whether its images are present', Infinity],
    ['waiting for an image to be pulled', 9],
    ['waiting for a pull that will fail', 9],
    ['its container c has no image: ErrImagePull', 7],
  ]);
});

describe('the registry', () => {
  const registry = (more: Partial<ImageSpec>) => createRegistry([{ ...WEB, ...more }], at(0));
  const refused = (more: Partial<ImageSpec>, seconds: number, credentials: readonly string[] = []): string | undefined =>
    registry(more).refusal(
      { ...WEB, ...more },
      at(seconds),
      credentials.map((username) => ({ username, password: 'word' })),
    );
  const DENIED =
    'rpc error: code = Unknown desc = failed to pull and unpack image "web:1": failed to resolve reference "web:1": pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed';

  it('has an image from its time on, and until its time', () => {
    expect([9.999, 10, 19.999, 20].map((seconds) => refused({ fromMs: 10_000, untilMs: 20_000 }, seconds) === undefined)).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(refused({}, 0)).toBeUndefined();
  });

  it('wants credentials: any for a private image, the right ones for another', () => {
    expect([refused({ access: 'public' }, 0), refused({ access: 'private' }, 0), refused({ access: 'private' }, 0, ['x'])]).toEqual([
      undefined,
      DENIED,
      undefined,
    ]);
    const mine = (password: string) => ({ access: { username: 'me', password } });
    expect([refused(mine('word'), 0, ['x', 'me']), refused(mine('word'), 0, ['x']), refused(mine('other'), 0, ['me'])]).toEqual([
      undefined,
      DENIED,
      DENIED,
    ]);
  });

  it('finds images with their tags, and by the tag latest without one', () => {
    const found = (name: string, image: string): boolean => registry({ name }).find(image) !== undefined;
    expect([
      found('web', 'web:latest'),
      found('web:latest', 'web'),
      found('host:5000/web', 'host:5000/web:latest'),
      found('web@sha256:0', 'web@sha256:0:latest'),
      found('web:1', 'web'),
    ]).toEqual([true, true, true, false, false]);
  });
});
