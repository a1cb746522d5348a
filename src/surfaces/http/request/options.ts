/** The query parameters of lists, writes and deletions. Models: apimachinery pkg/apis/meta/internalversion, pkg/apis/meta/v1 conversion. */
import type { DeleteOptions } from '../../../apiserver/request/index.ts';
import { present } from '../../../schema/values/index.ts';
import { flagOf, firstOf, integerOf, type Query } from './query.ts';

export const listQuery = (query: Query) => ({
  ...present({
    labelSelector: firstOf(query, 'labelSelector'),
    fieldSelector: firstOf(query, 'fieldSelector'),
    resourceVersion: firstOf(query, 'resourceVersion'),
    resourceVersionMatch: firstOf(query, 'resourceVersionMatch'),
    continue: firstOf(query, 'continue'),
    limit: integerOf(query, 'limit'),
  }),
  timeoutSeconds: integerOf(query, 'timeoutSeconds'),
  watch: flagOf(query, 'watch') === true,
  bookmarks: flagOf(query, 'allowWatchBookmarks') === true,
});

export const writeQuery = (query: Query) => ({
  ...present({ fieldManager: firstOf(query, 'fieldManager'), dryRun: query.get('dryRun') }),
  fieldValidation: firstOf(query, 'fieldValidation') ?? '',
});

/** Used only without a body: a body takes precedence. */
export const deleteQuery = (query: Query): DeleteOptions =>
  present({
    propagationPolicy: firstOf(query, 'propagationPolicy'),
    gracePeriodSeconds: integerOf(query, 'gracePeriodSeconds'),
    orphanDependents: flagOf(query, 'orphanDependents'),
    dryRun: query.get('dryRun'),
  });
