/** Keeps the Endpoints object of every service with a selector. Models: v1.24 pkg/controller/endpoint. Simplified: one address family. */
import { splitKey, type Endpoints } from '../../api/index.ts';
import { create, defineController, idle, remove, write } from '../../runtime/index.ts';
import { createMembers, membersOf, observeMembers, podWatch, type Members } from './members.ts';
import { isHeadless } from './ports.ts';
import { sameSubsets, subsetsOf } from './subsets.ts';
import { triggerTime, type Told } from './trigger-time.ts';

export const endpointsController = defineController<'Service', Told, Members>({
  name: 'endpoints',
  component: 'endpoint-controller',
  reconciles: 'Service',
  writes: ['Endpoints'],
  models: 'v1.24 pkg/controller/endpoint. Simplified: one address family.',
  watches: [podWatch, { kind: 'Endpoints', enqueue: ({ type, key }) => (type === 'DELETED' ? key : undefined) }],
  start: createMembers,
  observe: observeMembers,
  reconcile({ self: service, key, cache, names, state, memory }) {
    if (Object.keys(service.spec.selector ?? {}).length === 0) return idle('it has no selector: its endpoints are somebody else\'s');
    const pods = membersOf(state, key, cache);
    const subsets = subsetsOf(service, pods);
    const { namespace, name } = service.metadata;
    const current = cache.get('Endpoints', namespace, name);
    const labels = { ...service.metadata.labels, ...(isHeadless(service) ? { [names.key('service', 'headless')]: '' } : {}) };
    if (current !== undefined && sameSubsets(current.subsets, subsets) && sameLabels(current.metadata.labels, labels)) return idle(`its ${pods.length} pods are in its endpoints as they are`);
    const { changedAt, told } = triggerTime(memory, service, pods);
    const trigger = names.key('endpoints', 'last-change-trigger-time');
    const { [trigger]: _, ...others } = current?.metadata.annotations ?? {};
    const annotations = { ...others, ...(changedAt === undefined ? {} : { [trigger]: changedAt }) };
    const why = `its ${pods.length} pods or its ports have changed`;
    if (current === undefined) return { ...write(why, create({ apiVersion: 'v1', kind: 'Endpoints', metadata: { name, ...(namespace === undefined ? {} : { namespace }), labels, annotations }, subsets }, { tolerate: ['Forbidden'] })), memory: told };
    const next: Endpoints = { ...current, metadata: { ...current.metadata, labels, annotations }, subsets };
    return { ...write(why, { op: 'update', object: next }), memory: told };
  },
  reconcileAbsent({ key, cache }) {
    const { namespace, name } = splitKey(key);
    const left = cache.get('Endpoints', namespace, name);
    return left === undefined ? idle('the service is gone, and so are its endpoints') : write('the service is gone', remove(left));
  },
});

const sameLabels = (a: Readonly<Record<string, string>> | undefined, b: Readonly<Record<string, string>>): boolean =>
  Object.keys(a ?? {}).length === Object.keys(b).length && Object.entries(b).every(([key, value]) => a?.[key] === value);
