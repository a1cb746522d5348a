/**
 * What a service needs of its pods: target ports, host names, references, and whether a pod can have an endpoint; and the trigger time of an
 * update. Models: v1.24 pkg/api/v1/pod FindPort; pkg/controller/util/endpoint trigger_time_tracker.go.
 */
import type { Names } from '../../apiserver/machinery/index.ts';
import type { Pod, Service } from '../../apiserver/kinds/index.ts';
import { parseTime, present } from '../../schema/values/index.ts';
import { conditionOf } from './node-facts.ts';

type ServicePort = NonNullable<Service['spec']['ports']>[number];

export interface PodPort {
  readonly name: string;
  readonly port: number;
  readonly protocol: string;
  readonly appProtocol?: string;
}

/** The number, or undefined when the pod has no port of that name. */
function findPort(pod: Pod, { port, targetPort, protocol = 'TCP' }: ServicePort): number | undefined {
  if (targetPort === undefined || targetPort === 0 || targetPort === '') return port;
  if (typeof targetPort === 'number') return targetPort;
  for (const container of pod.spec.containers)
    for (const one of container.ports ?? []) if (one.name === targetPort && (one.protocol ?? 'TCP') === protocol) return one.containerPort;
  return undefined;
}

/** The target ports of a pod behind a service, in the service's order. */
export const podPorts = (pod: Pod, service: Service): readonly PodPort[] =>
  (service.spec.ports ?? []).flatMap((one) => {
    const { name = '', protocol = 'TCP', appProtocol } = one;
    const port = findPort(pod, one);
    return port === undefined ? [] : [present({ name, port, protocol, appProtocol })];
  });

export const isHeadless = ({ spec }: Service): boolean => spec.clusterIP === 'None';
interface Conditioned {
  readonly status: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] | null };
}
/** Whether a pod or a node is ready. */
export const isReady = ({ status }: Conditioned): boolean => conditionOf(status.conditions, 'Ready')?.status === 'True';

/** Since when a pod is ready, milliseconds since the epoch; Infinity: its status has no time; undefined: it is not ready. */
export function readySince({ status }: Pod): number | undefined {
  const ready = status.conditions?.find(({ type }) => type === 'Ready');
  if (ready?.status !== 'True') return undefined;
  return typeof ready.lastTransitionTime === 'string' ? parseTime(ready.lastTransitionTime) : Infinity;
}

export const hostnameIn = (pod: Pod, service: Service): string | undefined =>
  pod.spec.hostname !== undefined && pod.spec.hostname !== '' && pod.spec.subdomain === service.metadata.name
    ? pod.spec.hostname
    : undefined;

export const podReference = ({ metadata: { namespace, name, uid } }: Pod) => present({ kind: 'Pod', namespace, name, uid });

/** Whether a pod can have an endpoint. Models: v1.24 pkg/controller/util/endpoint ShouldPodBeInEndpoints. */
export function belongsInEndpoints({ metadata, spec, status }: Pod, includeTerminating: boolean): boolean {
  if (status.podIP === undefined || status.podIP === '') return false;
  if (!includeTerminating && metadata.deletionTimestamp !== undefined) return false;
  if (spec.restartPolicy === 'Never') return status.phase !== 'Failed' && status.phase !== 'Succeeded';
  return spec.restartPolicy !== 'OnFailure' || status.phase !== 'Succeeded';
}

/** The annotation of Endpoints that serve as a lock: the election record, as it was kept before leases. */
export const leaderAnnotation = (names: Names): string => `control-plane.alpha.${names.key('', 'leader')}`;

/** The readiness changes of the pods behind one service. */
export class Times {
  /** The version to pass to `since` after a sync at this moment. */
  version = 0;
  readonly #turnedAt = new Map<string, number>();
  #turns: { readonly version: number; readonly at: number }[] = [];
  #askedFor = 0;

  /** Records the present state of a pod, or that it is no longer selected. */
  see({ metadata: { name }, status }: Pod, selected: boolean): void {
    const text = selected ? (conditionOf(status.conditions, 'Ready')?.lastTransitionTime ?? undefined) : undefined;
    if (text === undefined) {
      this.#turnedAt.delete(name);
      return;
    }
    const at = parseTime(text);
    const before = this.#turnedAt.get(name);
    this.#turnedAt.set(name, at);
    if (before !== undefined && at <= before) return;
    if ((this.#turns[0]?.version ?? Infinity) <= this.#askedFor)
      this.#turns = this.#turns.filter(({ version }) => version > this.#askedFor);
    this.#turns.push({ version: ++this.version, at });
  }
  /** The oldest change after a version; undefined: none. Earlier changes may be dropped. */
  since(after: number): number | undefined {
    this.#askedFor = after;
    const oldest = this.#turns.reduce((least, { version, at }) => (version > after ? Math.min(least, at) : least), Infinity);
    return oldest === Infinity ? undefined : oldest;
  }
  describe(): unknown {
    return [this.#turnedAt, this.#turns, this.version, this.#askedFor];
  }
}
