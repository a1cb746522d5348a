import { perObject } from '../../engine/memo.ts';
import type { Names, ObjectInput } from '../../apiserver/machinery/index.ts';
import type { Preference } from '../../apiserver/decisions/index.ts';
import { recurring } from '../../apiserver/handlers/index.ts';
import { CUSTOM_PRIORITIES as CUSTOM, type KindRegistry, type APIService, servedVersions } from '../../apiserver/kinds/index.ts';
import type { ExtraRow } from './discovery/resource-list.ts';
import type { Backend } from './backend.ts';
import { rowsOf } from './rows.ts';
import type { Area } from './call.ts';
import { text } from './message.ts';

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

function prioritiesOf(names: Names): (group: string, version: string) => Priorities {
  const prefixes = new Map(Object.keys(GROUPS).map((prefix) => [names.group(prefix), prefix]));
  return (group, version) => {
    const prefix = prefixes.get(group) ?? group;
    return { groupPriorityMinimum: GROUPS[prefix] ?? OTHERS, versionPriority: VERSIONS[`${prefix}/${version}`] ?? USUAL };
  };
}

/** One for each version, including the core group's. */
export function localServices(kinds: KindRegistry, extra: readonly ExtraRow[]): readonly Preference[] {
  const { names } = kinds;
  const priority = prioritiesOf(names);
  const all = new Map<string, Preference>();
  const add = (group: string, version: string, given?: Priorities): void => {
    const name = `${version}.${group}`;
    if (!all.has(name)) all.set(name, { metadata: { name }, spec: { group, version, ...(given ?? priority(group, version)) } });
  };
  for (const { groupPrefix, version, definition } of kinds.list().flatMap(servedVersions))
    add(names.group(groupPrefix), version, definition === undefined ? undefined : CUSTOM);
  for (const { group, version } of extra) add(group, version);
  return [...all.values()];
}

/** The bodies of the built-in ones, by name: each server of a domain creates the same. */
const bodies = perObject((_: Names) => new Map<string, ObjectInput>());

function bodyOf(names: Names, { metadata: { name }, spec }: Preference): ObjectInput {
  const isCustom = spec.groupPriorityMinimum === CUSTOM.groupPriorityMinimum;
  const known = bodies(names);
  const found = isCustom ? undefined : known.get(name);
  if (found !== undefined) return found;
  const labels = { [names.key('kube-aggregator', 'automanaged')]: isCustom ? 'true' : 'onstart' };
  const body = { apiVersion: `${names.group('apiregistration')}/v1`, kind: 'APIService', metadata: { name, labels }, spec };
  if (!isCustom) known.set(name, recurring(body));
  return body;
}

/** Creates the local APIServices once, as at the start of a server. The group of the APIServices themselves has none. */
export function registerLocal(backend: Backend): void {
  const { kinds, names, handle } = backend;
  const unregistered = names.group('apiregistration');
  for (const service of localServices(kinds, rowsOf(backend))) {
    const { name } = service.metadata;
    if (service.spec.group === unregistered) continue;
    const body = bodyOf(names, service);
    const answer = handle({ verb: 'create', kind: 'APIService', body, user: { name: 'system:apiserver', groups: ['system:masters'] } });
    // A full cluster refuses them (403), and is served without.
    if (!answer.ok && answer.code !== 409 && answer.code !== 403)
      throw new Error(`APIService ${name}: ${answer.status.message ?? answer.code}`);
  }
}

const VERSION = /^\/apis\/([^/]+)\/([^/]+)(?:\/|$)/;

/** Answers for versions whose APIService names a service. */
export const remoteServices: Area = ({ path, backend: { store } }) => {
  const [, group, version] = VERSION.exec(path) ?? [];
  if (group === undefined || version === undefined) return undefined;
  const found = store.get('APIService', `${version}.${group}`) as APIService | undefined;
  if (found?.spec.service === undefined) return undefined;
  const available = (found.status.conditions ?? []).some(({ type, status }) => type === 'Available' && status === 'True');
  return text(503, available ? 'error trying to reach service: nothing listens in a simulation\n' : 'service unavailable\n');
};
