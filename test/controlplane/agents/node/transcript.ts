/** What the agents of a run decided, and every status that they reported, in one line each. */
import type { ContainerStatus, PodCondition } from '../../../../src/apiserver/machinery/index.ts';
import type { Pod } from '../../../../src/apiserver/kinds/index.ts';
import { simulate, type Run } from '../../../../src/lab/simulation/index.ts';
import { scenarioIn } from '../../../support/scenarios.ts';

/** Runs a scenario; `cluster` and `steps` are YAML. */
export const simulated = (cluster: string, steps: readonly string[], until = '30s'): Run =>
  simulate(
    scenarioIn(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: a }
spec:
  until: ${until}
  cluster: ${cluster}
  steps:
${steps.map((step) => `    - ${step}`).join('\n')}`),
    { trace: true },
  );

/** A pod on node a, as a step of a scenario; containers are named c, d…, unless the spec has its own. */
export const podStep = (at: string, name: string, spec = '', annotations: Readonly<Record<string, string>> = {}): string => {
  const sim = Object.entries(annotations).map(([key, value]) => `sim.orch.io/${key}: ${JSON.stringify(value)}`);
  const containers = spec.includes('containers: [{ name: c,') ? '' : ', containers: [{ name: c, image: "c:1" }]';
  return `{ at: ${at}, apply: { apiVersion: v1, kind: Pod, metadata: { name: ${name}, annotations: { ${sim.join(', ')} } }, spec: { nodeName: a${spec === '' ? '' : `, ${spec}`}${containers} } } }`;
};

const secondsIn = (ms: number): string => `${ms / 1000}s`;

/** The decisions of agents about a pod or a node, with their reasons: `1s web: its containers run and are ready`. */
export function decisionsIn({ trace, cluster }: Run): readonly string[] {
  const uids = new Map(
    (trace?.entries ?? []).flatMap((entry) =>
      entry.type === 'write' ? [[entry.change.object.metadata.uid, entry.change.object.metadata.name] as const] : [],
    ),
  );
  return (trace?.entries ?? []).flatMap((entry) =>
    entry.type === 'reconcile' && entry.process.startsWith('agent/')
      ? [
          `${secondsIn(entry.at - cluster.startAt)} ${entry.controller} ${uids.get(entry.key) ?? entry.key.replace('default/', '')}: ${entry.why}`,
        ]
      : [],
  );
}

const since = (time: string | null | undefined, startAt: number): string =>
  typeof time === 'string' ? secondsIn(Date.parse(time) - startAt) : '?';

function conditionText({ type, status, reason, message, lastTransitionTime }: PodCondition, startAt: number): string {
  const why = [reason, message === undefined ? undefined : JSON.stringify(message)].filter((part) => part !== undefined);
  return `${type} ${status} from ${since(lastTransitionTime, startAt)}${why.length === 0 ? '' : ` (${why.join(' ')})`}`;
}

function stateText(state: ContainerStatus['state'], startAt: number): string {
  const { running, waiting, terminated } = state ?? {};
  if (running !== undefined) return `running from ${since(running.startedAt, startAt)}`;
  if (waiting !== undefined)
    return `waiting ${waiting.reason ?? '?'}${waiting.message === undefined ? '' : ` ${JSON.stringify(waiting.message)}`}`;
  if (terminated === undefined) return 'none';
  const { exitCode, reason, message, startedAt, finishedAt, containerID } = terminated;
  return `exit ${exitCode} ${reason ?? '?'} ${since(startedAt, startAt)} to ${since(finishedAt, startAt)}${message === undefined ? '' : ` ${message}`}${containerID === undefined ? '' : ` ${containerID.slice(-2)}`}`;
}

function containerText(
  { name, ready, started, restartCount, image, imageID, containerID, state, lastState }: ContainerStatus,
  startAt: number,
): string {
  const flags = [
    ready ? 'ready' : 'unready',
    ...(started === undefined ? [] : [started ? 'started' : 'not started']),
    `${restartCount} restarts`,
  ];
  const ids = [
    image,
    imageID === '' ? 'no imageID' : imageID,
    containerID === undefined || containerID === '' ? 'no id' : containerID.slice(-2),
  ];
  const last = stateText(lastState, startAt);
  return `${name}: ${stateText(state, startAt)}; ${flags.join(', ')}; ${ids.join(' ')}${last === 'none' ? '' : `; before ${last}`}`;
}

/** The status of a pod, whole, as lines. */
function statusLines({ status }: Pod, startAt: number): readonly string[] {
  const { phase, reason, message, hostIP, podIP, podIPs = [], startTime, qosClass } = status;
  const head = [
    phase,
    reason,
    message,
    hostIP,
    podIP,
    podIPs.map(({ ip }) => ip).join(),
    qosClass,
    startTime === undefined ? undefined : `from ${since(startTime, startAt)}`,
  ];
  return [
    head.filter((part) => part !== undefined && part !== '').join(' '),
    ...(status.conditions ?? []).map((condition) => conditionText(condition, startAt)),
    ...(status.initContainerStatuses ?? []).map((each) => `init ${containerText(each, startAt)}`),
    ...(status.containerStatuses ?? []).map((each) => containerText(each, startAt)),
  ];
}

/** Every status of a pod that was stored, with its time. */
export const statusesOf = ({ trace, cluster }: Run, name: string): readonly (readonly string[])[] =>
  (trace?.entries ?? []).flatMap((entry) =>
    entry.type === 'write' && entry.change.kind === 'Pod' && entry.change.object.metadata.name === name && entry.change.type === 'MODIFIED'
      ? [[secondsIn(entry.at - cluster.startAt), ...statusLines(entry.change.object as unknown as Pod, cluster.startAt)]]
      : [],
  );
