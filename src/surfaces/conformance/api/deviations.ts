/**
 * Records in which the answer is meant to differ, each with its reason. A record passes by its deviation only if it differs, and only where
 * the deviation says so.
 */
import type { Transcript } from './transcript.ts';

export interface ApiDeviation {
  readonly reason: string;
  readonly matches: (record: Transcript, difference: string) => boolean;
}

/** Paths of what lists everything that is served: the recorded server had kinds that the simulator has not. */
const LISTS_EVERYTHING: ReadonlySet<string> = new Set(['/']);

const pathsOf = ({ request, steps }: Transcript): readonly string[] =>
  [request, ...(steps ?? []).map((step) => step.request)].flatMap((each) => (each === undefined ? [] : [each.path]));
const onlyPath = (record: Transcript, is: (path: string) => boolean): boolean => {
  const paths = pathsOf(record);
  return paths.length > 0 && paths.every(is);
};
const bodyOf = ({ request }: Transcript): Readonly<Record<string, unknown>> => (request?.body ?? {}) as Readonly<Record<string, unknown>>;
const isKind = (record: Transcript, kind: string): boolean => record.kind === kind;

const API_DEVIATIONS: readonly ApiDeviation[] = [
  {
    reason: 'groups and paths are those that are served; the recorded server has more kinds',
    matches: (record) => onlyPath(record, (path) => LISTS_EVERYTHING.has(path)),
  },
  {
    reason: 'the version is that of the behaviour, v1.24.0; the recorded server was a build without one',
    matches: (record) => onlyPath(record, (path) => path === '/version'),
  },
  {
    reason: 'definitions of custom kinds are not served',
    matches: (record) => onlyPath(record, (path) => path.startsWith('/apis/apiextensions.k8s.io/')),
  },
  {
    reason: 'compaction and forgetting are one here: a watch from before a compaction is too old',
    matches: ({ steps }, difference) => (steps ?? []).some(({ op }) => op === 'compact') && /too old resource version/.test(difference),
  },
  {
    reason: 'the specification limits CSIDriver names to 63 characters',
    matches: (record, difference) => isKind(record, 'CSIDriver') && /metadata\.name.*must have at most 63 bytes/s.test(difference),
  },
  {
    reason: 'the specification wants endpoints and their addresses unique',
    matches: (record, difference) =>
      isKind(record, 'EndpointSlice') && /"field":"endpoints\[\d+\](?:\.addresses\[\d+\])?","message":"Duplicate value/.test(difference),
  },
  {
    reason: 'the specification wants at most 100 ports in an EndpointSlice',
    matches: (record, difference) => isKind(record, 'EndpointSlice') && /"field":"ports","message":"Too many/.test(difference),
  },
  {
    reason: 'the specification wants a positive activeDeadlineSeconds',
    matches: (record, difference) =>
      /activeDeadlineSeconds","message":"Invalid value: 0: must be greater than 0/.test(difference) &&
      (isKind(record, 'Job') || isKind(record, 'CronJob') || 'spec' in bodyOf(record)),
  },
  {
    reason: "the specification's spelling VolumeBindingImmediate is accepted",
    matches: (record) => isKind(record, 'StorageClass') && bodyOf(record)['volumeBindingMode'] === 'VolumeBindingImmediate',
  },
];

export const deviationOf = (record: Transcript, difference: string): ApiDeviation | undefined =>
  API_DEVIATIONS.find(({ matches }) => matches(record, difference));
