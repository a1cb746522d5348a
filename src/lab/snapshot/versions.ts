/**
 * Objects of older served versions, read in the present one. Models: v1.24 conversion.go of pkg/apis/autoscaling, policy and
 * discovery; the other versions of the table differ in nothing that is stored.
 */
import { jsonIn, membersOf, present } from '../../schema/values/index.ts';
import type { Members } from './documents.ts';
import type { Named } from './identity.ts';

const SAME: ReadonlySet<string> = new Set(
  'CronJob/v1beta1 HorizontalPodAutoscaler/v2beta2 Lease/v1beta1 RuntimeClass/v1beta1 PriorityClass/v1beta1 CSIStorageCapacity/v1beta1 StorageClass/v1beta1 CSIDriver/v1beta1 CSINode/v1beta1 VolumeAttachment/v1beta1 Role/v1beta1 RoleBinding/v1beta1 ClusterRole/v1beta1 ClusterRoleBinding/v1beta1'.split(
    ' ',
  ),
);

const CONVERSIONS: Readonly<Record<string, (value: Members) => Members>> = {
  'PodDisruptionBudget/v1beta1': fromBudget,
  'EndpointSlice/v1beta1': fromSlice,
  'HorizontalPodAutoscaler/v1': fromScaler,
};

/** The members of an object in the stored version; undefined: no conversion is known. `asIs`: the fields are those of this version. */
export function inPresentVersion({ kind, apiVersion, value }: Named, asIs: boolean): Members | undefined {
  const key = `${kind}/${apiVersion.slice(apiVersion.indexOf('/') + 1)}`;
  const convert = Object.hasOwn(CONVERSIONS, key) ? CONVERSIONS[key] : undefined;
  return convert === undefined ? (SAME.has(key) || asIs ? value : undefined) : convert(value);
}

/** An empty selector selected nothing, and selects everything. */
function fromBudget(value: Members): Members {
  const { selector, ...spec } = membersOf(value['spec']);
  const isEmpty = Object.values(membersOf(selector)).every((each) => each === null || Object.keys(Object(each)).length === 0);
  return { ...value, spec: { ...spec, ...(isEmpty ? {} : { selector }) } };
}

/** The node and the zone were labels of the topology. */
function fromSlice(value: Members): Members {
  const { endpoints } = value;
  if (!Array.isArray(endpoints)) return value;
  return {
    ...value,
    endpoints: (endpoints as readonly unknown[]).map((each) => {
      const { topology, ...endpoint } = membersOf(each);
      const { 'kubernetes.io/hostname': nodeName, 'topology.kubernetes.io/zone': zone, ...rest } = membersOf(topology);
      return {
        ...present({ nodeName, zone }),
        ...(Object.keys(rest).length === 0 ? {} : { deprecatedTopology: rest }),
        ...endpoint,
      };
    }),
  };
}

const PREFIX = 'autoscaling.alpha.kubernetes.io/';

/** One metric has a field; annotations hold the others, as JSON in the form of v2. */
function fromScaler(value: Members): Members {
  const metadata = membersOf(value['metadata']);
  const {
    [`${PREFIX}metrics`]: metrics,
    [`${PREFIX}current-metrics`]: currentMetrics,
    [`${PREFIX}conditions`]: conditions,
    [`${PREFIX}behavior`]: behavior,
    ...annotations
  } = membersOf(metadata['annotations']);
  const { targetCPUUtilizationPercentage: target, ...spec } = membersOf(value['spec']);
  const { currentCPUUtilizationPercentage: current, ...status } = membersOf(value['status']);
  const cpu =
    typeof target === 'number'
      ? [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: target } } }]
      : [];
  const measured = parsed(currentMetrics);
  const now =
    typeof current === 'number' && !Array.isArray(measured)
      ? [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: current } } }]
      : [];
  return {
    ...value,
    metadata: { ...metadata, annotations },
    spec: { ...spec, metrics: [...cpu, ...listOf(metrics).flatMap(renamed)], ...present({ behavior: parsed(behavior) }) },
    status: {
      ...status,
      ...present({ conditions: parsed(conditions) }),
      currentMetrics: [...now, ...(Array.isArray(measured) ? measured.flatMap(renamed) : [])],
    },
  };
}

const parsed = (text: unknown): unknown => (typeof text === 'string' ? jsonIn(text) : undefined);

const listOf = (text: unknown): readonly unknown[] => {
  const list = parsed(text);
  return Array.isArray(list) ? list : [];
};

/** A resource metric in the form of v2beta1, as annotations hold it; others cannot be read from there. */
function renamed(metric: unknown): readonly Members[] {
  const { type, resource } = membersOf(metric);
  const { name, targetAverageUtilization, targetAverageValue, currentAverageUtilization, currentAverageValue } = membersOf(resource);
  if (type !== 'Resource') return [];
  if (currentAverageUtilization !== undefined || currentAverageValue !== undefined)
    return [
      {
        type,
        resource: {
          name,
          current: present({ averageUtilization: currentAverageUtilization, averageValue: currentAverageValue }),
        },
      },
    ];
  const target =
    targetAverageUtilization === undefined
      ? { type: 'AverageValue', ...present({ averageValue: targetAverageValue }) }
      : { type: 'Utilization', averageUtilization: targetAverageUtilization };
  return [{ type, resource: { name, target } }];
}
