/** The schema of Pods, and their quality-of-service class. Models: v1.24 core/v1 Pod, pkg/apis/core/v1/helper/qos. */
import { type Infer, obj } from '../../../schema/shape/index.ts';
import { own } from '../../../schema/values/index.ts';
import { type Container, kindFields, type ObjectOf, podSpec, type PodSpec, podStatus } from '../../structs/index.ts';

export const podSchema = obj('Pod', 'Containers that run together on one node.', kindFields({ spec: podSpec, status: podStatus }));
/** A stored Pod: defaulted, validated and frozen. */
export type Pod = ObjectOf<'Pod', Infer<typeof podSchema>>;

const COMPUTE = ['cpu', 'memory'] as const;
const isZero = (text: string): boolean => text === '0';

type QosClass = 'Guaranteed' | 'Burstable' | 'BestEffort';

/**
 * Guaranteed: every container has limits for cpu and memory and requests equal to them. BestEffort: no container has requests or limits.
 */
export function qosClassOf(spec: Pick<PodSpec, 'containers' | 'initContainers'>): QosClass {
  let asks = false;
  let guaranteed = true;
  const visit = (container: Container): void => {
    const { limits, requests } = container.resources;
    for (const name of COMPUTE) {
      const limit = own(limits, name);
      const request = own(requests, name);
      const limited = limit !== undefined && !isZero(limit);
      if (limited || (request !== undefined && !isZero(request))) asks = true;
      if (!limited || (request !== undefined && request !== limit)) guaranteed = false;
    }
  };
  for (const container of spec.containers ?? []) visit(container);
  for (const container of spec.initContainers ?? []) visit(container);
  if (!asks) return 'BestEffort';
  return guaranteed ? 'Guaranteed' : 'Burstable';
}
