/** The subsets of an Endpoints object: addresses that share their ports, each address once. Models: v1.24 pkg/controller/endpoint and pkg/api/v1/endpoints RepackSubsets. */
import type { Endpoints, Pod, Service } from '../../api/index.ts';
import { hostnameIn, isHeadless, isReady, podPorts, podReference, type PodPort } from './ports.ts';

export type Subset = NonNullable<Endpoints['subsets']>[number];
type Address = NonNullable<Subset['addresses']>[number];

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Whether a pod that is not ready belongs to the unready addresses. */
const countsUnready = ({ spec, status }: Pod): boolean =>
  (spec.restartPolicy === 'Never' ? status.phase !== 'Failed' && status.phase !== 'Succeeded' : spec.restartPolicy === 'OnFailure' ? status.phase !== 'Succeeded' : true);

const addressOf = (pod: Pod, service: Service): Address => {
  const hostname = hostnameIn(pod, service);
  return { ip: pod.status.podIP ?? '', ...(hostname === undefined ? {} : { hostname }), ...(pod.spec.nodeName === undefined ? {} : { nodeName: pod.spec.nodeName }), targetRef: podReference(pod) };
};

const portText = ({ name, port, protocol }: PodPort): string => `${name}/${protocol}/${port}`;

/** At most so many addresses; more are cut off and marked. */
export const MOST_ADDRESSES = 1000;

/** The subsets for the pods of a service. */
export function subsetsOf(service: Service, pods: readonly Pod[]): readonly Subset[] {
  const groups = new Map<string, { readonly ports: readonly PodPort[]; readonly ready: Address[]; readonly unready: Address[] }>();
  const publishAll = service.spec.publishNotReadyAddresses === true;
  for (const pod of pods) {
    if (pod.status.podIP === undefined || pod.status.podIP === '' || (!publishAll && pod.metadata.deletionTimestamp !== undefined)) continue;
    const ready = publishAll || isReady(pod);
    if (!ready && !countsUnready(pod)) continue;
    const ports = [...podPorts(pod, service)].sort((a, b) => byText(portText(a), portText(b)));
    if (ports.length === 0 && !(isHeadless(service) && (service.spec.ports ?? []).length === 0)) continue;
    const id = ports.map(portText).join(',');
    let group = groups.get(id);
    if (group === undefined) groups.set(id, (group = { ports, ready: [], unready: [] }));
    (ready ? group.ready : group.unready).push(addressOf(pod, service));
  }
  const sorted = (addresses: readonly Address[]): readonly Address[] => [...addresses].sort((a, b) => byText(a.ip, b.ip) || byText(a.targetRef?.uid ?? '', b.targetRef?.uid ?? ''));
  return [...groups].sort(([a], [b]) => byText(a, b)).map(([, { ports, ready, unready }]) => ({
    ...(ready.length === 0 ? {} : { addresses: sorted(ready).slice(0, MOST_ADDRESSES) }),
    ...(unready.length === 0 ? {} : { notReadyAddresses: sorted(unready).slice(0, Math.max(0, MOST_ADDRESSES - ready.length)) }),
    ...(ports.length === 0 ? {} : { ports: ports.map(({ name, ...rest }) => ({ ...(name === '' ? {} : { name }), ...rest })) }),
  }));
}

/** Whether two lists of subsets say the same. */
export const sameSubsets = (a: readonly Subset[] | undefined, b: readonly Subset[]): boolean => canonical(a ?? []) === canonical(b);
const canonical = (subsets: readonly Subset[]): string => JSON.stringify(subsets.map(({ addresses, notReadyAddresses, ports }) => [
  (addresses ?? []).map(addressText), (notReadyAddresses ?? []).map(addressText), (ports ?? []).map(({ name, port, protocol, appProtocol }) => [name ?? '', port, protocol ?? 'TCP', appProtocol ?? '']),
]));
const addressText = ({ ip, hostname, nodeName, targetRef }: Address): readonly unknown[] => [ip, hostname ?? '', nodeName ?? '', targetRef?.uid ?? '', targetRef?.name ?? ''];
