/** State that is updated one delta at a time must equal state computed from scratch: filters, scores and refusals. */
import { describe, expect, it } from 'vitest';
import { createRandom, type RandomStream } from '../../../../src/engine/index.ts';
import { type ApiObject, keyOf } from '../../../../src/apiserver/machinery/index.ts';
import type { Pod } from '../../../../src/apiserver/kinds/index.ts';
import { podInfo } from '../../../../src/controlplane/agents/scheduler/node-info.ts';
import type { SchedulerState } from '../../../../src/controlplane/agents/scheduler/state.ts';
import { NOW, rebuilt, world } from './world.ts';

const metadata = (name: string, more: object = {}): ApiObject['metadata'] => ({
  name,
  uid: `uid-${name}`,
  resourceVersion: '1',
  creationTimestamp: '2024-01-01T00:00:00Z',
  ...more,
});
const APPS = ['a', 'b', 'c'];
const KEYS = ['kubernetes.io/hostname', 'topology.kubernetes.io/zone', 'rack'];

function randomNode(random: RandomStream, name: string): ApiObject {
  const labels: Record<string, string> = { 'kubernetes.io/hostname': name };
  if (random.below(5) > 0) labels['topology.kubernetes.io/zone'] = `z${random.below(3)}`;
  if (random.below(3) > 0) labels['rack'] = `r${random.below(4)}`;
  const taints = random.below(4) === 0 ? [{ key: 'k', effect: random.below(2) === 0 ? 'NoSchedule' : 'PreferNoSchedule' }] : [];
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: metadata(name, { labels }),
    spec: { taints },
    status: { allocatable: { cpu: String(2 + random.below(6)), memory: '8Gi', pods: '20' }, conditions: [] },
  };
}

function randomAffinity(random: RandomStream): object | undefined {
  const term = () => ({ topologyKey: random.pick(KEYS), labelSelector: { matchLabels: { app: random.pick(APPS) } } });
  const side = () =>
    random.below(2) === 0
      ? { requiredDuringSchedulingIgnoredDuringExecution: [term()] }
      : { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1 + random.below(99), podAffinityTerm: term() }] };
  if (random.below(2) === 0) return undefined;
  return random.below(2) === 0 ? { podAntiAffinity: side() } : { podAffinity: side() };
}

const AFFINITIES = (random: RandomStream): readonly (object | undefined)[] => Array.from({ length: 12 }, () => randomAffinity(random));

function randomPod(random: RandomStream, name: string, affinities: readonly (object | undefined)[], node?: string): Pod {
  const affinity = random.pick(affinities);
  const spread =
    random.below(3) === 0
      ? [
          {
            maxSkew: 1 + random.below(2),
            topologyKey: random.pick(KEYS),
            whenUnsatisfiable: random.below(2) === 0 ? 'DoNotSchedule' : 'ScheduleAnyway',
            labelSelector: { matchLabels: { app: random.pick(APPS) } },
          },
        ]
      : undefined;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: metadata(name, { namespace: random.pick(['x', 'y']), labels: { app: random.pick(APPS), n: String(random.below(3)) } }),
    spec: {
      schedulerName: 'default-scheduler',
      priority: random.below(3),
      containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: `${100 + random.below(900)}m` } } }],
      ...(affinity === undefined ? {} : { affinity }),
      ...(spread === undefined ? {} : { topologySpreadConstraints: spread }),
      ...(node === undefined ? {} : { nodeName: node }),
      ...(random.below(4) === 0 ? { nodeSelector: { rack: `r${random.below(4)}` } } : {}),
    },
    status: { phase: 'Running' },
  } as unknown as Pod;
}

const byText = (a: readonly unknown[], b: readonly unknown[]): number => (String(a[0]) < String(b[0]) ? -1 : 1);

/** The complete result of an attempt. */
function reported(state: SchedulerState, pod: Pod): unknown {
  const info = podInfo(pod);
  const placement = state.place(info);
  if (placement.type === 'placed') return { feasible: placement.feasible.map(({ name }, i) => [name, placement.scores?.[i]]).sort(byText) };
  if (placement.type === 'failed') return placement;
  const { message, nominated, victims } = state.preempt(info, placement, NOW);
  return {
    refused: [...placement.refused].map(([node, { code, reasons }]) => [node, code, ...reasons]).sort(byText),
    refusedBy: placement.refusedBy,
    message,
    nominated: nominated !== '' && nominated !== undefined,
    victims: victims.length,
  };
}

describe('state updated one delta at a time', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('equals state computed from scratch (run %i)', (seed) => {
    const random = createRandom(seed).stream('test');
    const { state, cache, set, drop } = world();
    const affinities = AFFINITIES(random);
    for (const name of ['x', 'y']) set({ apiVersion: 'v1', kind: 'Namespace', metadata: metadata(name) });
    for (const app of APPS)
      if (random.below(2) === 0)
        set({ apiVersion: 'v1', kind: 'Service', metadata: metadata(app, { namespace: 'x' }), spec: { selector: { app } } });
    for (let i = 0; i < 10; i++) set(randomNode(random, `n${i}`));
    const probes = Array.from({ length: 30 }, (_, i) => randomPod(random, `probe${i}`, affinities));
    let probe: Pod | undefined;
    for (let step = 0; step < 400; step++) {
      const node = `n${random.below(12)}`;
      const pod = `p${random.below(60)}`;
      const known = [...cache.list('Pod')].find(({ metadata: { name } }) => name === pod);
      switch (random.below(8)) {
        case 0:
          set(randomNode(random, node));
          break;
        case 1:
          if (random.below(4) === 0) drop('Node', node);
          break;
        case 2:
          if (known !== undefined) drop('Pod', keyOf(known));
          break;
        case 3:
          if (known !== undefined) set({ ...known, metadata: { ...known.metadata, deletionTimestamp: '2024-01-01T00:01:00Z' } });
          break;
        case 4:
          if (known !== undefined) set({ ...known, metadata: { ...known.metadata, labels: { app: random.pick(APPS) ?? 'a' } } });
          break;
        case 5:
          if (known !== undefined) set({ ...known, status: { phase: 'Succeeded' } });
          break;
        default:
          if (known === undefined) set(randomPod(random, pod, affinities, node));
      }
      // Queries start the updating of counts and fill caches, so most queries repeat the same pod, with a comparison now and then.
      probe = step % 7 === 0 ? random.pick(probes) : probe;
      if (probe === undefined) continue;
      const mine = reported(state, probe);
      if (step % 10 === 0) expect(mine, `step ${step}, ${probe.metadata.name}`).toEqual(reported(rebuilt(cache), probe));
    }
  });
});
