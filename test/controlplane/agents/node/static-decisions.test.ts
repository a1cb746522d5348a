/** What an agent decides about its sources of static pods, and about their mirrors. */
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../../src/apiserver/kinds/index.ts';
import { type ApiObject, keyOf, namesFor } from '../../../../src/apiserver/machinery/index.ts';
import { type Action, freshState } from '../../../../src/controlplane/agents/node/actions.ts';
import type { SourcesPart } from '../../../../src/controlplane/agents/node/node-context.ts';
import type { PodSource } from '../../../../src/controlplane/agents/specs.ts';
import type { Outcome } from '../../../../src/controlplane/runtime/index.ts';
import { AT, at, barePod } from '../../../support/objects.ts';
import { decide, linesOf } from '../../../support/reconcile.ts';
import { podIn, runnerOn, running, said, SETTINGS } from './runner.ts';

const names = namesFor('k8s.io');
type Settings = Partial<typeof SETTINGS>;
const FILES: Settings = { staticPodPath: '/m' };
const NODE = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n', uid: 'uid-n' }, spec: {}, status: {} } as unknown as ApiObject;

const manifest = (name: string, spec: object = {}): PodSource['pod'] => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'c:1' }], ...spec },
});
const file = (name: string, more: Partial<PodSource> = {}, spec: object = {}): PodSource => ({
  path: `/m/${name}.yaml`,
  pod: manifest(name, spec),
  ...more,
});

interface Given {
  readonly settings?: Settings;
  readonly objects?: readonly ApiObject[];
  readonly statics?: object;
  readonly there?: readonly string[];
  readonly key?: string;
}
/** An agent with these sources, and its decision about a key that is no pod of the server. */
function look(
  seconds: number,
  sources: readonly PodSource[],
  { settings = FILES, objects = [NODE], statics, there = [], key = 'pod-sources' }: Given = {},
) {
  const all = { ...SETTINGS, ...settings };
  const part: SourcesPart = { sources, settings: all, machineName: 'n', startAt: at(0) };
  const runner = runnerOn(
    (machine) => {
      for (const uid of there) machine.put(uid, { ...running(), isStatic: true });
    },
    { settings: all, sources: part },
  );
  const state = { ...freshState(), ...(statics === undefined ? {} : { statics }) };
  const cache = {
    get: (kind: string, _: unknown, name: string) => objects.find((object) => object.kind === kind && object.metadata.name === name),
    by: () => objects.filter(({ kind }) => kind === 'Pod'),
  };
  const now = at(seconds);
  return runner.reconcileAbsent?.({ key, now, elapsed: now, wall: now, names, cache, state, gates: {}, failures: 0 } as never) as Outcome<
    never,
    Action
  >;
}
const podsIn = ({ actions = [] }: Outcome<never, Action>) =>
  actions.flatMap((action) => (action.does === 'sources' ? [action.are] : []))[0];
const uidsIn = ({ actions = [] }: Outcome<never, Action>) => actions.flatMap((action) => (action.does === 'put' ? [action.uid] : []));
const namesOf = (pods: readonly Pod[] | undefined) => pods?.map(({ metadata }) => metadata.name);

describe('an agent with files', () => {
  it('starts the pods of its folder, shows them, and looks again after the check frequency', () => {
    const outcome = look(5, [
      file('a'),
      file('b'),
      file('x', { path: '/other/x.yaml' }),
      file('y', { nodes: ['m'] }),
      file('z', { fromMs: 5_001 }),
    ]);
    expect(said(outcome)).toEqual([
      '2 static pods from files and URLs',
      'create Pod a-n',
      'create Pod b-n',
      'running until never',
      'running until never',
      'sources',
      'again at 25 s, background',
    ]);
    const runs = (outcome.actions ?? []).flatMap((action) => (action.does === 'put' ? [action.run] : []));
    expect(runs.map(({ ip, isStatic }) => [ip, isStatic])).toEqual([
      ['10.244.0.1', true],
      ['10.244.0.2', true],
    ]);
    const [uid] = uidsIn(outcome);
    expect(linesOf(outcome)[1]).toContain(`kubernetes.io/config.mirror:${uid}`);
    expect(podsIn(outcome)).toMatchObject({ fileAt: at(5), httpAt: -Infinity, since: at(5), http: [], server: [] });
    expect(podsIn(outcome)?.file[0]).toMatchObject({
      metadata: {
        name: 'a-n',
        namespace: 'default',
        uid,
        annotations: { 'kubernetes.io/config.source': 'file', 'kubernetes.io/config.hash': uid },
      },
      spec: { nodeName: 'n', tolerations: [{ operator: 'Exists', effect: 'NoExecute' }] },
    });
  });

  it('keeps what it read until the next check, and shows nothing without its node', () => {
    const known = podsIn(look(0, [file('a')]));
    const [uid = ''] = uidsIn(look(0, [file('a')]));
    const at19 = look(19.999, [], { statics: known as object, there: [uid] });
    expect(said(at19)).toEqual(['1 static pod from files and URLs', 'create Pod a-n', 'sources', 'again at 20 s, background']);
    expect(said(look(20, [], { statics: known as object, there: [uid] }))).toEqual([
      '0 static pods from files and URLs, 1 removed',
      'sources',
      'again at 40 s, background',
      `then ${uid}`,
    ]);
    expect(said(look(0, [file('a')], { objects: [] })).slice(1, 2)).toEqual(['running until never']);
  });

  it('deletes the mirrors of pods that it does not have, and makes none twice', () => {
    const [uid = ''] = uidsIn(look(0, [file('a')]));
    const mirror = (name: string, of: string): ApiObject =>
      barePod(name, 'Running', { meta: { annotations: { 'kubernetes.io/config.mirror': of } } });
    const outcome = look(0, [file('a')], {
      objects: [NODE, mirror('a-n', uid), mirror('old', 'gone'), barePod('plain')],
      there: [uid],
    });
    expect(said(outcome).slice(0, 3)).toEqual(['1 static pod from files and URLs', 'delete Pod old', 'sources']);
  });

  it('refuses a pod that does not fit, and shows only its event', () => {
    const outcome = look(0, [file('a', {}, { securityContext: { sysctls: [{ name: 'net.core.x', value: '1' }] } })]);
    expect(said(outcome)).toEqual([
      '1 static pod from files and URLs',
      'event SysctlForbidden',
      'over until never',
      'sources',
      'again at 20 s, background',
    ]);
  });

  it('leaves out files that it cannot read as pods, hidden files and folders within', () => {
    const paths = ['/m', '/m/.hidden.yaml', '/m/in/a.yaml', '/mm/a.yaml', '/m/ok.yaml'];
    const named = (staticPodPath: string) =>
      namesOf(
        podsIn(
          look(
            0,
            paths.map((path, i) => file(`p${i}`, { path })),
            { settings: { staticPodPath } },
          ),
        )?.file,
      );
    expect([named('/m'), named('/m/'), named('/m/in')]).toEqual([['p0-n', 'p4-n'], ['p4-n'], ['p2-n']]);
    expect(namesOf(podsIn(look(0, [file('bad', { pod: { spec: { containers: 'x' } } }), file('a')]))?.file)).toEqual(['a-n']);
  });
});

describe('an agent with a URL, or pods submitted to its server', () => {
  const URL: Settings = { staticPodURL: 'http://x', staticPodURLHeader: { Key: ['one', 'two'] } };
  const behind = (name: string, more: Partial<PodSource> = {}): PodSource => ({ url: 'http://x', pod: manifest(name), ...more });
  const httpOf = (sources: readonly PodSource[], statics?: object) =>
    namesOf(podsIn(look(30, sources, { settings: URL, ...(statics === undefined ? {} : { statics }) }))?.http);

  it('gets the pods that answer its headers, and keeps the last ones while there is no answer', () => {
    expect(httpOf([behind('a'), behind('b', { url: 'http://y' })])).toEqual(['a-n']);
    expect([{ Key: 'two' }, { Key: 'three' }, { Other: 'two' }].map((headers) => httpOf([behind('a', { headers })]))).toEqual([
      ['a-n'],
      [],
      [],
    ]);
    const known = { fileAt: -Infinity, httpAt: at(9), since: at(0), file: [], http: [barePod('last')], server: [] };
    expect([httpOf([], known), httpOf([behind('a')], known), httpOf([behind('a')], { ...known, httpAt: at(11) })]).toEqual([
      ['last'],
      ['a-n'],
      ['last'],
    ]);
  });

  it('runs submitted pods while it listens, from their time until they are withdrawn', () => {
    const sent = (more: Partial<PodSource> = {}): PodSource => ({
      submitted: true,
      fromMs: 10_000,
      untilMs: 20_000,
      pod: manifest('s'),
      ...more,
    });
    const server = (seconds: number, since = 0, source = sent(), settings: Settings = { enableServer: true }) => {
      const statics = { fileAt: -Infinity, httpAt: -Infinity, since: at(since), file: [], http: [], server: [] };
      const outcome = look(seconds, [source], { settings, statics });
      return [namesOf(podsIn(outcome)?.server), outcome.wakeAt === undefined ? 'never' : (outcome.wakeAt - at(0)) / 1000];
    };
    expect([9.999, 10, 19.999, 20].map((seconds) => server(seconds))).toEqual([
      [[], 10],
      [['s-n'], 20],
      [['s-n'], 20],
      [[], 'never'],
    ]);
    expect([server(15, 10)[0], server(15, 10.001)[0]]).toEqual([['s-n'], []]);
    expect([server(15, 0, sent({ nodes: ['m'] }))[0], server(15, 0, sent({ nodes: ['n'] }))[0]]).toEqual([[], ['s-n']]);
    expect(server(15, 0, sent(), { enableServer: false })).toEqual([[], 'never']);
  });
});

describe('a mirror', () => {
  const annotations = { 'kubernetes.io/config.mirror': 'static' };
  const sources: SourcesPart = { sources: [], settings: SETTINGS, machineName: 'n', startAt: at(0) };
  const of = (pod: Pod, there = true) =>
    decide(
      runnerOn((machine) => there && machine.put('static', running()), { sources }),
      { objects: [pod], now: at(5) },
    );

  it('reports its static pod, under its own uid', () => {
    const outcome = of(podIn('Pending', { meta: { annotations }, status: { startTime: undefined } }));
    expect(said(outcome)).toEqual(['its containers run and are ready', 'patch Pod p Running', 'running until never', 'note']);
    expect(outcome.writes[0]).toMatchObject({ patch: { metadata: { uid: 'uid-p' } } });
    expect(outcome.actions).toMatchObject([{ uid: 'static' }, { uid: 'static' }]);
  });

  it('needs nothing when the static pod has finished, or is not there', () => {
    expect(said(of(podIn('Failed', { meta: { annotations } })))).toEqual(['the static pod has finished']);
    expect(said(of(podIn('Running', { meta: { annotations } }), false))).toEqual(['the static pod does not run here']);
  });

  it('that is deleted goes at once, and is made again', () => {
    expect(said(of(podIn('Running', { meta: { annotations, deletionTimestamp: AT } })))).toEqual([
      'its mirror pod is deleted: the static pod keeps running',
      'delete Pod p',
      'then pod-sources',
    ]);
  });
});

it('an agent without an API server runs its pods on its own, and reports nothing', () => {
  const alone: Settings = { ...FILES, alone: { podCIDR: '' } };
  const outcome = look(0, [file('a'), file('b')], { settings: alone });
  expect(said(outcome)).toEqual([
    '2 static pods from files and URLs',
    'running until never',
    'running until never',
    'sources',
    'again at 20 s, background',
    'then default/a-n',
    'then default/b-n',
  ]);
  const statics = podsIn(outcome) as object;
  const [uid = ''] = uidsIn(outcome);
  const key = keyOf(podsIn(outcome)?.file[0] as ApiObject);
  expect(said(look(1, [], { settings: alone, statics, there: [uid], key }))).toEqual([
    'its containers run and are ready',
    'running until never',
    'note',
  ]);
  expect(said(look(1, [], { settings: alone, statics, key }))).toEqual(['it does not run here']);
  expect(said(look(1, [], { settings: alone, key }))).toEqual(['it does not run here']);
  expect(said(look(1, [], { key: 'default/q', settings: {} }))).toEqual(['the pod is gone from this node']);
});
