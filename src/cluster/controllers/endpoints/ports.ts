/** The port of a pod that a service's port leads to. Models: v1.24 pkg/api/v1/pod FindPort. */
import type { Pod, Service } from '../../api/index.ts';

type ServicePort = NonNullable<Service['spec']['ports']>[number];

export interface PodPort { readonly name: string; readonly port: number; readonly protocol: string; readonly appProtocol?: string }

/** The number, or undefined when the pod has no port of that name. */
function findPort(pod: Pod, { port, targetPort, protocol = 'TCP' }: ServicePort): number | undefined {
  if (targetPort === undefined || targetPort === 0 || targetPort === '') return port;
  if (typeof targetPort === 'number') return targetPort;
  for (const container of pod.spec.containers) for (const one of container.ports ?? []) if (one.name === targetPort && (one.protocol ?? 'TCP') === protocol) return one.containerPort;
  return undefined;
}

/** The ports of a pod behind a service, in the service's order. */
export const podPorts = (pod: Pod, service: Service): readonly PodPort[] => (service.spec.ports ?? []).flatMap((one) => {
  const port = findPort(pod, one);
  if (port === undefined) return [];
  return [{ name: one.name ?? '', port, protocol: one.protocol ?? 'TCP', ...(one.appProtocol === undefined ? {} : { appProtocol: one.appProtocol }) }];
});

export const isHeadless = ({ spec }: Service): boolean => spec.clusterIP === 'None';
export const isReady = (pod: Pod): boolean => pod.status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true;

/** The host name a pod has within a service. */
export const hostnameIn = (pod: Pod, service: Service): string | undefined =>
  (pod.spec.hostname !== undefined && pod.spec.hostname !== '' && pod.spec.subdomain === service.metadata.name ? pod.spec.hostname : undefined);

export const podReference = (pod: Pod) => ({ kind: 'Pod', ...(pod.metadata.namespace === undefined ? {} : { namespace: pod.metadata.namespace }), name: pod.metadata.name, uid: pod.metadata.uid });
