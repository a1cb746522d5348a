/** The query parameters of lists, writes and deletions. Models: apimachinery pkg/apis/meta/internalversion, pkg/apis/meta/v1 conversion. */
import type { DeleteOptions } from '../../../apiserver/request/index.ts';
import { flagOf, firstOf, integerOf, type Query } from './query.ts';

const TEXTS = ['labelSelector', 'fieldSelector', 'resourceVersion', 'resourceVersionMatch', 'continue'] as const;

const texts = <K extends string>(query: Query, names: readonly K[]): { [N in K]?: string } => {
  const found: { [N in K]?: string } = {};
  for (const name of names) {
    const value = firstOf(query, name);
    if (value !== undefined) found[name] = value;
  }
  return found;
};

export function listQuery(query: Query) {
  const limit = integerOf(query, 'limit');
  const timeoutSeconds = integerOf(query, 'timeoutSeconds');
  return {
    ...texts(query, TEXTS),
    ...(limit === undefined ? {} : { limit }),
    timeoutSeconds,
    watch: flagOf(query, 'watch') === true,
    bookmarks: flagOf(query, 'allowWatchBookmarks') === true,
  };
}

export function writeQuery(query: Query) {
  const dryRun = query.get('dryRun');
  return {
    ...texts(query, ['fieldManager'] as const),
    ...(dryRun === undefined ? {} : { dryRun }),
    fieldValidation: firstOf(query, 'fieldValidation') ?? '',
  };
}

/** Used only without a body: a body takes precedence. */
export function deleteQuery(query: Query): DeleteOptions {
  const gracePeriodSeconds = integerOf(query, 'gracePeriodSeconds');
  const orphanDependents = flagOf(query, 'orphanDependents');
  const dryRun = query.get('dryRun');
  return {
    ...texts(query, ['propagationPolicy'] as const),
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(orphanDependents === undefined ? {} : { orphanDependents }),
    ...(dryRun === undefined ? {} : { dryRun }),
  };
}
