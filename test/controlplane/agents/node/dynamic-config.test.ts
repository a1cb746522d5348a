import { describe, expect, it } from 'vitest';
import { type ApiObject, namesFor } from '../../../../src/apiserver/machinery/index.ts';
import type { Node } from '../../../../src/apiserver/kinds/index.ts';
import type { Outcome } from '../../../../src/controlplane/runtime/index.ts';
import { dynamicConfig } from '../../../../src/controlplane/agents/node/dynamic-config.ts';
import { simulate } from '../../../../src/lab/simulation/index.ts';
import { scenarioIn } from '../../../support/scenarios.ts';
import { at, nodeOf } from '../../../support/objects.ts';
import { decide, enqueued } from '../../../support/reconcile.ts';

const KEY = namesFor('k8s.io').fields.agentConfigKey;
const GOOD = 'apiVersion: agent.config.orch.io/v1beta1\nkind: AgentConfiguration\nmaxPods: 50\n';
const sourceOf = (name: string) => ({ configMap: { namespace: 'kube-system', name, [KEY]: 'agent' } });
const readOf = (name: string, resourceVersion = '7') => ({
  configMap: { namespace: 'kube-system', name, uid: `uid-${name}`, resourceVersion, [KEY]: 'agent' },
});
const node = (source: string | undefined, config?: object): Node =>
  ({
    ...nodeOf('n'),
    spec: source === undefined ? {} : { configSource: sourceOf(source) },
    status: config === undefined ? {} : { config },
  }) as unknown as Node;
const map = (name: string, text: string | undefined = GOOD, resourceVersion = '7'): ApiObject =>
  ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'kube-system', uid: `uid-${name}`, resourceVersion },
    data: text === undefined ? {} : { agent: text },
  }) as unknown as ApiObject;
const SAYS = { apiVersion: 'agent.config.orch.io/v1beta1', kind: 'AgentConfiguration', maxPods: 50 };
/** What it keeps of a configuration that it trusts. */
const TRUSTED = { active: SAYS, good: SAYS };
/** By default it has started with the configuration already. */
const decided = (
  objects: readonly ApiObject[],
  memory?: object,
  now = at(0),
  { checkpoints = {}, runs = SAYS }: { checkpoints?: object; runs?: typeof SAYS | null } = {},
): Outcome => decide(dynamicConfig('n', { checkpoints }, runs ?? undefined), { objects, memory, now });
const EXITS = { writes: [], process: 'exit' };
const configIn = ({ writes }: Outcome): unknown =>
  writes
    .flatMap((write) => (write.op === 'patch' ? (write.patch as readonly { op: string; value?: unknown }[]) : []))
    .map(({ op, value }) => value ?? op)[0];

describe('the dynamic configuration', () => {
  it('is used, and in trial for ten minutes', () => {
    const outcome = decided([node('a'), map('a')]);
    expect(configIn(outcome)).toEqual({ assigned: readOf('a'), active: readOf('a') });
    expect(outcome).toMatchObject({ memory: { assigned: readOf('a'), since: at(0) }, wakeAt: at(600) });
  });

  it('has an agent exit that goes by another, and be started with it', () => {
    expect(decided([node('a'), map('a')], undefined, at(0), { runs: null })).toMatchObject({
      ...EXITS,
      actions: [{ keep: { active: SAYS } }],
    });
    const trusted = { assigned: readOf('a'), active: readOf('a'), lastKnownGood: readOf('a') };
    const other = map('a', GOOD.replace('50', '60'), '8');
    expect(decided([node('a', trusted), other], undefined, at(0), { checkpoints: TRUSTED })).toMatchObject({
      ...EXITS,
      actions: [{ keep: { active: { ...SAYS, maxPods: 60 }, good: SAYS } }],
    });
    expect(decided([node(undefined, trusted)], undefined, at(0), { checkpoints: TRUSTED })).toMatchObject({
      ...EXITS,
      actions: [{ keep: {} }],
    });
    const bad = map('b', '- a');
    expect(
      decided([node('b', { ...trusted, lastKnownGood: undefined }), bad], undefined, at(0), { checkpoints: { active: SAYS } }),
    ).toMatchObject({ ...EXITS, actions: [{ keep: {} }] });
  });

  it('becomes last known good after exactly ten minutes', () => {
    const active = { assigned: readOf('a'), active: readOf('a') };
    const memory = { assigned: readOf('a'), since: at(0) };
    expect(decided([node('a', active), map('a')], memory, at(599.999))).toMatchObject({ writes: [], wakeAt: at(600) });
    const soaked = decided([node('a', active), map('a')], memory, at(600));
    expect(configIn(soaked)).toEqual({ ...active, lastKnownGood: readOf('a') });
    expect(soaked.wakeAt).toBeUndefined();
  });

  it('starts a new trial when the map changes, and keeps the last known good one', () => {
    const trusted = { assigned: readOf('a'), active: readOf('a'), lastKnownGood: readOf('a') };
    const outcome = decided([node('a', trusted), map('a', GOOD, '8')], { assigned: readOf('a'), since: at(-700) });
    expect(configIn(outcome)).toEqual({ assigned: readOf('a', '8'), active: readOf('a', '8'), lastKnownGood: readOf('a') });
    expect(outcome.wakeAt).toBe(at(600));
  });

  it.each([
    ['there is nothing under the key', undefined, 'failed to load config, see Kubelet log for details'],
    ['it is no document', 'a: [', 'failed to load config, see Kubelet log for details'],
    ['it is a list', '- a', 'failed to load config, see Kubelet log for details'],
    ['a value is out of bounds', GOOD.replace('50', '-5'), 'failed to validate config, see Kubelet log for details'],
  ])('falls back to the last known good one when %s', (_why, text, error) => {
    const trusted = { assigned: readOf('a'), active: readOf('a'), lastKnownGood: readOf('a') };
    const bad = { ...map('b'), data: text === undefined ? {} : { agent: text } } as unknown as ApiObject;
    expect(configIn(decided([node('b', trusted), bad], undefined, at(0), { checkpoints: TRUSTED }))).toEqual({
      assigned: readOf('b'),
      active: readOf('a'),
      lastKnownGood: readOf('a'),
      error,
    });
    expect(configIn(decided([node('b'), bad], undefined, at(0), { runs: null }))).toEqual({ assigned: readOf('b'), error });
  });

  it('stays as it is when its source cannot be read, and says so', () => {
    const active = { assigned: readOf('a'), active: readOf('a') };
    expect(configIn(decided([node('lost', active)]))).toEqual({
      ...active,
      error: 'failed to sync: failed to download config, see Kubelet log for details',
    });
    expect(
      configIn(
        decided([node('a', { ...active, error: 'failed to sync: failed to download config, see Kubelet log for details' }), map('a')]),
      ),
    ).toEqual(active);
  });

  it('is dropped, with the last known good one, when its source is reset', () => {
    const trusted = { assigned: readOf('a'), active: readOf('a'), lastKnownGood: readOf('a') };
    const outcome = decided([node(undefined, trusted)], { assigned: readOf('a'), since: at(0) }, at(0), { runs: null });
    expect(configIn(outcome)).toBe('remove');
    expect(outcome.memory).toBeNull();
    expect(decided([node(undefined)]).writes).toEqual([]);
  });

  it('is enqueued when its map changes, and no other', () => {
    expect(
      enqueued(dynamicConfig('n', { checkpoints: undefined }), { objects: [node('a')] }, { type: 'MODIFIED', object: map('a') }),
    ).toEqual(['n']);
    expect(
      enqueued(dynamicConfig('n', { checkpoints: undefined }), { objects: [node('a')] }, { type: 'MODIFIED', object: map('b') }),
    ).toEqual([]);
  });
});

describe('an agent with --dynamic-config-dir', () => {
  const HEAD = 'apiVersion: agent.config.orch.io/v1beta1\\nkind: AgentConfiguration\\nenableServer: true\\n';
  const assign = (at: string, name: string, text: string): string => `
    - { at: ${at}, apply: { apiVersion: v1, kind: ConfigMap, metadata: { name: ${name} }, data: { k: "${HEAD}${text}" } } }
    - patch: { target: Node/a, patch: { spec: { configSource: { configMap: { name: ${name}, namespace: default, agentConfigKey: k } } } } }`;
  const restart = (at: string): string => `
    - { at: ${at}, fault: { crash: agent/a } }
    - { fault: { restart: agent/a } }`;
  const seen = (flags: string, steps: string) => {
    const { cluster } = simulate(
      scenarioIn(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: dynamic }
spec:
  until: 20m
  featureGates: { DynamicKubeletConfig: true }
  cluster: { nodes: [{ name: a, agent: { maxPods: 20 }, agentFlags: [${flags}] }] }
  steps:${steps}`),
    );
    const { status } = cluster.store.get('Node', 'a') as Node;
    const config = status.config as { readonly error?: string } & Readonly<
      Record<string, { readonly configMap: { readonly name: string } }>
    >;
    const nameOf = (which: string): string | undefined => (config as typeof config | undefined)?.[which]?.configMap.name;
    return [
      status.capacity?.['pods'],
      nameOf('assigned'),
      nameOf('active'),
      nameOf('lastKnownGood'),
      (config as typeof config | undefined)?.error,
    ];
  };
  const DIR = '--dynamic-config-dir=/d';

  it('goes by what it is assigned, as long as it is; one without it never looks', () => {
    const five = assign('1s', 'five', 'maxPods: 5\\n');
    expect(seen(DIR, five)).toEqual(['5', 'five', 'five', 'five', undefined]);
    expect(seen(DIR, `${five}${restart('1m')}`)).toEqual(['5', 'five', 'five', 'five', undefined]);
    expect(seen(DIR, `${five}${assign('2m', 'six', 'maxPods: 6\\n')}`)).toEqual(['6', 'six', 'six', 'six', undefined]);
    expect(seen('', `${five}${restart('1m')}`)).toEqual(['20', undefined, undefined, undefined, undefined]);
  });

  it('is overridden by flags still', () => {
    expect(seen(`${DIR}, --max-pods=7`, `${assign('1s', 'five', 'maxPods: 5\\n')}${restart('1m')}`)[0]).toBe('7');
  });

  it('goes by the last known good configuration if the assigned one is invalid, and with its file without one', () => {
    const bad = assign('12m', 'bad', 'maxPods: -5\\n');
    const error = 'failed to validate config, see Agent log for details';
    expect(seen(DIR, `${assign('1s', 'five', 'maxPods: 5\\n')}${bad}${restart('13m')}`)).toEqual(['5', 'bad', 'five', 'five', error]);
    expect(seen(DIR, `${bad}${restart('13m')}`)).toEqual(['20', 'bad', undefined, undefined, error]);
    // What was on trial only is given up too.
    expect(seen(DIR, `${assign('11m', 'five', 'maxPods: 5\\n')}${bad}`)).toEqual(['20', 'bad', undefined, undefined, error]);
  });

  it('goes back to its own file when its source is reset', () => {
    const reset = `
    - { at: 2m, patch: { target: Node/a, type: merge, patch: { spec: { configSource: null } } } }`;
    const five = assign('1s', 'five', 'maxPods: 5\\n');
    expect(seen(DIR, `${five}${restart('1m')}${reset}`)).toEqual(['20', undefined, undefined, undefined, undefined]);
  });
});
