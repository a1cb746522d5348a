/**
 * Events about a pod's containers (pulled, created, started, stopped), derived from their states before and after a sync. Models: v1.24
 * pkg/kubelet/images image_manager.go, kuberuntime kuberuntime_container.go, kuberuntime_manager.go. Pulls that take time record their own
 * events (`images/pull.ts`).
 */
import type { Pod } from '../../../apiserver/kinds/index.ts';
import type { Write } from '../../runtime/index.ts';
import { isHeld, type Run } from './containers.ts';

/** Reasons of events that are recorded only with the option `podEvents`. */
export const POD_EVENTS: ReadonlySet<string> = new Set(['Pulling', 'Pulled', 'Created', 'Started', 'Killing', 'BackOff']);

interface Container {
  readonly name: string;
  readonly image?: string;
  readonly imagePullPolicy?: string;
}

/** The number of starts of its containers. */
const starts = ({ startedAt, restarts }: Run): number => (startedAt === 0 ? 0 : restarts + 1);

const hasBegun = (run: Run | undefined): boolean => run !== undefined && !isHeld(run);

/** The events between two states, in order. `pulled`: those of its images have been recorded. */
export function podEvents(pod: Pod, before: Run | undefined, after: Run, pulled = false): readonly Write[] {
  if (before === after) return [];
  const events: Write[] = [];
  const containers = pod.spec.containers;
  const begins = !hasBegun(before) && hasBegun(after) && (starts(after) > 0 || !after.killed);
  if (begins) events.push(...(pod.spec.initContainers ?? []).flatMap((container) => made(pod, 'initContainers', container, pulled)));
  if (begins && !pulled) events.push(...containers.flatMap((container) => pulling(pod, 'containers', container)));
  const first = before === undefined ? 0 : starts(before);
  for (let start = first + 1; start <= starts(after); start++)
    for (const container of containers)
      events.push(...(start === 1 ? [] : pulling(pod, 'containers', container)), ...started(pod, 'containers', container));
  if (after.killed && before?.killed !== true && after.startedAt > 0 && before?.stage !== 'waiting')
    for (const container of containers) events.push(event(pod, 'containers', container, 'Killing', `Stopping container ${container.name}`));
  if (after.stage === 'waiting' && isBackOff(after) && (before?.stage !== 'waiting' || before.restarts !== after.restarts))
    for (const container of containers)
      events.push(event(pod, 'containers', container, 'BackOff', 'Back-off restarting failed container', 'Warning'));
  return events;
}

/** The first restart is immediate. */
const isBackOff = ({ restarts }: Run): boolean => restarts > 0;

type Field = 'containers' | 'initContainers';

const event = (
  pod: Pod,
  field: Field,
  { name }: Container,
  reason: string,
  message: string,
  type: 'Normal' | 'Warning' = 'Normal',
): Write => ({
  op: 'event',
  event: { about: pod, fieldPath: `spec.${field}{${name}}`, type, reason, message },
});

function pulling(pod: Pod, field: Field, container: Container): readonly Write[] {
  const { image = '', imagePullPolicy } = container;
  if (imagePullPolicy !== 'Always')
    return [event(pod, field, container, 'Pulled', `Container image ${JSON.stringify(image)} already present on machine`)];
  return [
    event(pod, field, container, 'Pulling', `Pulling image ${JSON.stringify(image)}`),
    event(pod, field, container, 'Pulled', `Successfully pulled image ${JSON.stringify(image)} in 0s`),
  ];
}

const started = (pod: Pod, field: Field, container: Container): readonly Write[] => [
  event(pod, field, container, 'Created', `Created container ${container.name}`),
  event(pod, field, container, 'Started', `Started container ${container.name}`),
];

const made = (pod: Pod, field: Field, container: Container, pulled: boolean): readonly Write[] => [
  ...(pulled ? [] : pulling(pod, field, container)),
  ...started(pod, field, container),
];
