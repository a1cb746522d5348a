/** The priorities of local APIServices in discovery. Models: v1.24 kube-apiserver app/aggregator.go apiVersionPriorities. */
import type { Names } from '../../../apiserver/machinery/index.ts';
import type { Preference } from '../../../apiserver/decisions/index.ts';

type Priorities = Pick<Preference['spec'], 'groupPriorityMinimum' | 'versionPriority'>;

/** By the prefix of the group. The group of the APIServices themselves comes first, and has no APIService. */
const GROUPS: Readonly<Record<string, number>> = {
  '': 18_000,
  apiregistration: 20_000,
  apps: 17_800,
  events: 17_750,
  authentication: 17_700,
  authorization: 17_600,
  autoscaling: 17_500,
  batch: 17_400,
  certificates: 17_300,
  networking: 17_200,
  policy: 17_100,
  'rbac.authorization': 17_000,
  storage: 16_800,
  apiextensions: 16_700,
  admissionregistration: 16_700,
  scheduling: 16_600,
  coordination: 16_500,
  node: 16_300,
  discovery: 16_200,
  'flowcontrol.apiserver': 16_100,
  metrics: 100,
  'custom.metrics': 100,
  'external.metrics': 100,
};
const OTHERS = 15_000;

/** Versions with another priority than the default. */
const VERSIONS: Readonly<Record<string, number>> = {
  '/v1': 1,
  'autoscaling/v2': 30,
  'autoscaling/v2beta1': 9,
  'autoscaling/v2beta2': 1,
  'batch/v1beta1': 9,
  'custom.metrics/v1beta1': 100,
  'custom.metrics/v1beta2': 200,
  'external.metrics/v1beta1': 100,
  'metrics/v1beta1': 100,
  'discovery/v1beta1': 12,
  'events/v1beta1': 5,
  'flowcontrol.apiserver/v1beta1': 9,
  'flowcontrol.apiserver/v1beta2': 12,
  'node/v1beta1': 9,
  'policy/v1beta1': 9,
  'storage/v1beta1': 9,
};
const USUAL = 15;

/** Returns the priorities by group and version. */
export function prioritiesOf(names: Names): (group: string, version: string) => Priorities {
  const prefixes = new Map(Object.keys(GROUPS).map((prefix) => [names.group(prefix), prefix]));
  return (group, version) => {
    const prefix = prefixes.get(group) ?? group;
    return { groupPriorityMinimum: GROUPS[prefix] ?? OTHERS, versionPriority: VERSIONS[`${prefix}/${version}`] ?? USUAL };
  };
}
