/** Converts a recorded case to a scenario: requests become steps, notes become faults. */
import { historyOf } from './history.ts';
import { readNotes } from './notes.ts';
import { ofTheCase, type RecordedAction, type RecordedCase } from './recording.ts';
import { stepOfRequest, type Surroundings } from './requests.ts';

/** The gates of the recordings called `-gates`. */
const GATES = { JobTrackingWithFinalizers: true, CronJobTimeZone: true, StatefulSetAutoDeletePVC: true, MaxUnavailableStatefulSet: true };

/** A scenario document for the reader of the format. */
export interface ScenarioDocument {
  readonly apiVersion: 'scenario.orch.io/v1';
  readonly kind: 'Scenario';
  readonly metadata: { readonly name: string };
  readonly spec: Readonly<Record<string, unknown>> & { readonly steps: readonly Readonly<Record<string, unknown>>[] };
}

/** Whether a case can be replayed: it has a namespace, or actions. */
export function isScenario({ actions: { namespace, actions } }: RecordedCase): boolean {
  return namespace !== undefined || readNotes(actions).faults.size > 0 || actions.some(({ method }) => method !== undefined);
}

/** Throws `CannotReplay` for a request that no step can express. */
export function toScenario(recorded: RecordedCase, { gates = false }: { readonly gates?: boolean } = {}): ScenarioDocument {
  const {
    name,
    trace,
    actions: { namespace, startWallClock, durationSeconds = trace.at(-1)?.t ?? 0, actions },
  } = recorded;
  const given = new Set(
    actions.filter(({ method, path = '' }) => method === 'POST' && !path.endsWith('/eviction')).map(({ body }) => nameOf(body)),
  );
  const around: Surroundings = { namespace: namespace ?? '', given, history: historyOf(ofTheCase(trace, recorded.actions)) };
  const { faults, atFirst, cluster, machines } = readNotes(actions);
  // Machines that no request creates existed before.
  const nodes = [...new Set(['node-0', 'node-1', 'node-2', ...[...machines].filter((node) => !given.has(node))])];
  return {
    apiVersion: 'scenario.orch.io/v1',
    kind: 'Scenario',
    metadata: { name },
    spec: {
      title: `Recorded: ${name}`,
      seed: 1,
      domain: 'k8s.io',
      ...(startWallClock === undefined ? {} : { startTime: startWallClock }),
      until: milliseconds(durationSeconds),
      featureGates: gates ? GATES : {},
      cluster: {
        ...cluster,
        nodes: nodes.map((node) => ({ name: node, capacity: { cpu: '64', memory: '256Gi', pods: '500' } })),
        latency: { api: '5ms', watch: '1ms' },
        storageDrivers: [
          {
            name: 'csi.fake.example',
            attachDelay: '300ms',
            detachDelay: '300ms',
            provisionDelay: '200ms',
            storageClasses: [{ name: 'fake-csi', volumeBindingMode: 'Immediate', reclaimPolicy: 'Delete' }],
          },
        ],
      },
      namespaces: namespace === undefined ? [] : [namespace],
      steps: [
        ...atFirst.map((fault) => ({ at: milliseconds(0), fault })),
        ...actions.flatMap((action) => {
          const fault = faults.get(action);
          return fault === undefined ? stepsOf(action, around) : [{ at: milliseconds(action.t), fault }, ...stepsOf(action, around)];
        }),
      ],
    },
  };
}

function stepsOf(action: RecordedAction, around: Surroundings): Readonly<Record<string, unknown>>[] {
  const write = action.method === undefined ? undefined : stepOfRequest(action, around);
  if (write === undefined) return [];
  const { t, code = 200 } = action;
  return [code >= 300 ? { at: milliseconds(t), expectError: { ...write, code } } : { at: milliseconds(t), ...write }];
}

function nameOf(body: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const metadata = body?.['metadata'];
  const name: unknown = typeof metadata === 'object' && metadata !== null && 'name' in metadata ? metadata.name : undefined;
  return typeof name === 'string' ? name : undefined;
}

function milliseconds(seconds: number): string {
  return `${Math.round(seconds * 1000)}ms`;
}
