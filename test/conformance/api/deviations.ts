/**
 * Records whose response is meant to differ, each with its reason. A record passes by its deviation only if it differs, and only as the
 * deviation says.
 */
import type { Transcript } from './transcript.ts';

export interface ApiDeviation {
  readonly reason: string;
  readonly matches: (record: Transcript, difference: string) => boolean;
}

/** Paths that list everything that is served: the recorded server had kinds that the simulator does not have. */
const LISTS_EVERYTHING: ReadonlySet<string> = new Set(['/']);

const pathsOf = ({ request, steps }: Transcript): readonly string[] =>
  [request, ...(steps ?? []).map((step) => step.request)].flatMap((each) => (each === undefined ? [] : [each.path]));
const onlyPath = (record: Transcript, is: (path: string) => boolean): boolean => {
  const paths = pathsOf(record);
  return paths.length > 0 && paths.every(is);
};

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
    reason: 'compaction also drops the watch history here: a watch from before a compaction is too old',
    matches: ({ steps }, difference) => (steps ?? []).some(({ op }) => op === 'compact') && /too old resource version/.test(difference),
  },
];

/** Returns the deviation that explains a difference; undefined: it is not expected. */
export const deviationOf = (record: Transcript, difference: string): ApiDeviation | undefined =>
  API_DEVIATIONS.find(({ matches }) => matches(record, difference));
