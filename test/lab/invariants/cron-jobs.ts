/** CronJobs and their Jobs in histories of writes. */
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { edit, objectOf, ownedBy, timeAt } from './history.ts';

export const KEY = 'default/cj';
export const DYING = { deletionTimestamp: timeAt(0) };
export const cronJob = (spec: object = {}, status: object = {}, metadata: object = {}): ApiObject =>
  objectOf('CronJob', 'cj', { metadata, spec: { schedule: '* * * * *', ...spec }, status });
export const finished = (type: string, status = 'True'): object => ({
  conditions: [
    { type: 'Suspended', status: 'True' },
    { type, status },
  ],
});
export const run = (name: string, status: object = {}, metadata: object = {}): ApiObject =>
  objectOf('Job', name, { metadata: { ...ownedBy('CronJob', 'cj'), ...metadata }, status });
export const minute = (count: number): string => new Date(count * 60_000).toISOString().replace('.000Z', 'Z');
export const listed = (...names: readonly string[]): object => ({
  active: names.map((name) => ({ name, namespace: 'default', uid: `uid-${name}` })),
});
export const status = (members: object, writing: object = {}) => edit('CronJob', KEY, { status: members }, writing);
export const over = (name: string, type = 'Complete') => edit('Job', `default/${name}`, { status: finished(type) });
