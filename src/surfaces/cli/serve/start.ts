/** The initial state of a served cluster: a scenario that has run to its end, or three empty nodes. */
import type { RulesMode } from '../../../apiserver/machinery/index.ts';
import type { ClusterOptions } from '../../../controlplane/cluster.ts';
import { simulate, type SimulateOptions } from '../../../lab/simulation/index.ts';
import { readScenarios } from '../../../lab/vocabulary.ts';
import { present } from '../../../schema/values/index.ts';
import type { SessionOptions } from '../../http/index.ts';
import type { Scenario } from '../../../lab/scenario/index.ts';
import { loadDump, loadOne, type LoadedScenario, pluginsOf, type Place } from '../load.ts';

export interface StartOptions extends Pick<ClusterOptions, 'domain' | 'startAt' | 'maxObjects' | 'webhooks' | 'certificateAuthority'> {
  readonly rules?: RulesMode | undefined;
  readonly seed?: number;
  readonly name?: string;
  /** Returns what is called for each request to a cluster from this start on, also for those of its clients. */
  readonly observing?: (startAt: number) => NonNullable<SimulateOptions['onRequest']>;
  /** Applies only without a scenario: a scenario has its own start. */
  readonly onlyEmpty?: boolean;
}

/** How long the pods of a Job run in a cluster without a scenario. */
export const JOB_PODS_RUN_FOR = '10s';

/** Pods of a Job end by themselves, as users of kubectl expect; all others run until they are deleted. */
const EMPTY = `
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: empty-cluster }
spec:
  title: An empty cluster
  cluster:
    nodes: { count: 3 }
    podBehaviors: [{ selector: { matchExpressions: [{ key: job-name, operator: Exists }] }, runFor: ${JOB_PODS_RUN_FOR} }]
`;

/** A served cluster may run for months, so the limits of scenarios do not apply. */
const SERVED_LIMITS = { steps: Number.MAX_SAFE_INTEGER, timeMs: 100 * 366 * 86_400_000 };

/** The cluster of a scenario as clients expect it: with events and managed fields, which runs leave out for speed. */
export const servedCluster = (cluster: Scenario['cluster']): Scenario['cluster'] => ({
  bootstrap: true,
  podEvents: true,
  managedFields: true,
  ...present(cluster),
});

/** Reads the scenario once, and runs it at every start. Throws BadInput for a malformed scenario. */
export function startFrom(
  path: string | undefined,
  { domain, rules, seed, name, startAt, onlyEmpty = false, maxObjects, observing, webhooks, certificateAuthority }: StartOptions,
  place: Place,
): SessionOptions['start'] {
  const { scenario: read, plugins } = loaded(path, place, name);
  const scenario: Scenario = {
    ...read,
    ...present({ startAt: path !== undefined && onlyEmpty ? undefined : startAt, domain, rules }),
    cluster: servedCluster(read.cluster),
    limits: { ...SERVED_LIMITS, ...present({ objects: maxObjects ?? read.limits.objects }) },
  };
  return (onEntry, { onPrologue, onRenewalInterval }) => {
    const run = simulate(scenario, {
      onEntry,
      onPrologue,
      onRenewalInterval,
      with: plugins.definitions,
      webhooks,
      certificateAuthority,
      invariants: [],
      ...present({ seed, onRequest: observing?.(scenario.startAt) }),
    });
    const troubles = run.failures.map(({ message, detail, source }) =>
      [`${source === undefined ? scenario.name : `${source.file}:${source.line}`}: ${message}`, ...detail].join('\n'),
    );
    return {
      cluster: run.cluster,
      scenario: scenario.name,
      seed: run.seed,
      clients: scenario.clients ?? [],
      definitions: plugins.definitions,
      troubles,
    };
  };
}

function loaded(path: string | undefined, place: Place, name: string | undefined): Pick<LoadedScenario, 'scenario' | 'plugins'> {
  if (path !== undefined) return loadOne(path, place, name);
  if (place.from === undefined) return { scenario: emptyScenario(), plugins: pluginsOf(place) };
  const one = loadDump(place.from, place);
  return { ...one, scenario: { ...one.scenario, untilMs: 0 } };
}

function emptyScenario(): Scenario {
  const read = readScenarios(EMPTY);
  if (!('scenarios' in read) || read.scenarios[0] === undefined) throw new Error('the empty scenario does not read');
  return read.scenarios[0];
}
