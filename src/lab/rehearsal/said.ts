/** What manifests say of availability, as invariants of a scenario: by strategies in a roll, by budgets, and by claims. */
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import type { ExpressedInvariant, Manifest } from '../scenario/index.ts';
import { formatDurationMs, membersOf } from '../../schema/values/index.ts';
import type { Workload } from './needs.ts';

/** When the parts of a rehearsal begin, milliseconds since the start. */
export interface Times {
  readonly rollMs: number;
  readonly drainMs: number;
  readonly backMs: number;
}

interface Said extends Times {
  /** Workloads of the old and the new manifests, by key. */
  readonly before: ReadonlyMap<string, Workload>;
  readonly after: ReadonlyMap<string, Workload>;
  /** `namespace/name` of the claims that the old manifests make. */
  readonly claims: readonly string[];
  /** Whether an autoscaler sets the replicas of a workload. */
  isScaled(object: Manifest): boolean;
}

const at = (ms: number): string => `elapsed >= duration('${formatDurationMs(ms)}')`;
const until = (ms: number): string => `elapsed < duration('${formatDurationMs(ms)}')`;

/** The invariants of a rehearsal: what must hold from the first roll on. */
export function invariantsOf(said: Said): readonly ExpressedInvariant[] {
  const { rollMs, claims } = said;
  return [
    {
      name: 'budgets-kept',
      description: 'No change takes what is healthy below what a PodDisruptionBudget asks for.',
      temporal: 'always',
      foreach: ['PodDisruptionBudget'],
      condition: {
        cel: `${until(rollMs)} || old == null || self.status.currentHealthy >= self.status.desiredHealthy || self.status.currentHealthy >= old.status.currentHealthy`,
      },
    },
    ...[...said.before].flatMap(([key, workload]) => availabilityOf(key, workload, said)),
    ...(claims.length === 0
      ? []
      : [
          {
            name: 'claims-kept',
            description: 'No claim of the old manifests is deleted or lost.',
            temporal: 'always' as const,
            condition: {
              cel: `${until(rollMs)} || objects('PersistentVolumeClaim').filter(c, (c.metadata.namespace + '/' + c.metadata.name) in ${list(claims)} && !has(c.metadata.deletionTimestamp) && c.status.phase != 'Lost').size() == ${claims.length}`,
            },
          },
        ]),
  ];
}

const list = (names: readonly string[]): string => `[${names.map((name) => `'${name}'`).join(', ')}]`;

/** A workload that both have keeps to its strategy in a roll; with several replicas some are there while a node is drained. */
function availabilityOf(key: string, old: Workload, said: Said): readonly ExpressedInvariant[] {
  const next = said.after.get(key);
  const { object } = old;
  if (next === undefined || (object.kind !== 'Deployment' && object.kind !== 'StatefulSet') || said.isScaled(object)) return [];
  const inRoll = Math.min(leastInRoll(old), leastInRoll(next));
  const inDrain = next.replicas >= 2 ? 1 : 0;
  if (inRoll === 0 && inDrain === 0) return [];
  const { drainMs, backMs, rollMs } = said;
  const least = inRoll === inDrain || drainMs === backMs ? String(inRoll) : `(${at(drainMs)} && ${until(backMs)} ? ${inDrain} : ${inRoll})`;
  const name = String(object.metadata?.['name']);
  const namespace = typeof object.metadata?.['namespace'] === 'string' ? object.metadata['namespace'] : 'default';
  return [
    {
      name: `available/${object.kind}/${namespace}/${name}`,
      description: `At least ${inRoll} of ${object.kind} ${namespace}/${name} are available in rolls, as its strategy says${drainMs === backMs ? '' : `, and ${inDrain} while a node is drained`}.`,
      temporal: 'always',
      foreach: [object.kind],
      where: { cel: `self.metadata.name == '${name}' && self.metadata.namespace == '${namespace}'` },
      condition: { cel: `${until(rollMs)} || self.status.availableReplicas >= ${least}` },
    },
  ];
}

/** What is wrong with the object whose write breaks an invariant of a rehearsal, in a sentence; undefined: it is another one's. */
export function brokenText(invariant: string, object: ApiObject | undefined): string | undefined {
  const { kind = '', metadata } = object ?? {};
  const status = membersOf((object as { readonly status?: unknown } | undefined)?.status);
  const name = `${kind} ${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
  if (invariant === 'budgets-kept' && kind === 'PodDisruptionBudget')
    return `${name}: ${pods(status['currentHealthy'])} healthy, and it asks for ${String(status['desiredHealthy'])}`;
  if (invariant !== `available/${kind}/${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`) return undefined;
  return `${name}: ${pods(status['availableReplicas'] ?? 0)} available`;
}

const pods = (count: unknown): string => `${String(count)} ${count === 1 ? 'pod is' : 'pods are'}`;

/** What a strategy leaves available of its replicas. Models: v1.24 pkg/controller/deployment/util MaxUnavailable. */
function leastInRoll({ object, replicas }: Workload): number {
  const spec = membersOf(object['spec']);
  if (object.kind === 'StatefulSet') return membersOf(spec['updateStrategy'])['type'] === 'OnDelete' ? 0 : Math.max(replicas - 1, 0);
  const strategy = membersOf(spec['strategy']);
  if (strategy['type'] === 'Recreate') return 0;
  const { maxUnavailable = '25%', maxSurge = '25%' } = membersOf(strategy['rollingUpdate']);
  const unavailable = share(maxUnavailable, replicas, Math.floor);
  // Where both are nothing, one may be unavailable.
  return Math.max(replicas - (unavailable === 0 && share(maxSurge, replicas, Math.ceil) === 0 ? 1 : unavailable), 0);
}

function share(value: unknown, of: number, round: (part: number) => number): number {
  if (typeof value === 'number') return value;
  const [, percent] = /^(\d{1,3})%$/.exec(String(value)) ?? [];
  return percent === undefined ? 0 : round((of * Number(percent)) / 100);
}
