/**
 * Lists as watches, which reflectors of later releases ask for: the objects as events, then a bookmark that says that these were all. Only
 * with --compat: v1.24 refuses them, and reflectors list. Models: v1.32 apimachinery pkg/apis/meta/internalversion/validation, apiserver
 * pkg/storage/cacher (WatchList).
 */
import type { FieldError } from '../../apiserver/machinery/index.ts';
import { invalidAs } from '../../apiserver/request/index.ts';
import { forbidden, notSupported } from '../../apiserver/validation/index.ts';
import { flagOf, type Query } from './request/query.ts';

const MATCH = 'NotOlderThan';
/** The annotation of the bookmark after the objects. */
export const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';

interface Options {
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: string;
}

/** Returns the options of the watch, and whether it begins with the objects; undefined: it is a plain list or watch. */
export function watchList(query: Query, watches: boolean, options: Options, revision: number) {
  const { resourceVersion = '', resourceVersionMatch = '' } = options;
  const sends = flagOf(query, 'sendInitialEvents');
  const errors = errorsOf(sends, watches, resourceVersionMatch);
  if (errors.length > 0) throw invalidAs('meta.k8s.io', 'ListOptions', '', errors);
  if (sends === undefined) return undefined;
  if (sends) return { resourceVersion: '', begins: true };
  return { resourceVersion: resourceVersion === '' || resourceVersion === '0' ? String(revision) : resourceVersion, begins: false };
}

function errorsOf(sends: boolean | undefined, watches: boolean, match: string): readonly FieldError[] {
  if (!watches) return sends === undefined ? [] : [forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list')];
  if (sends === undefined)
    return match === ''
      ? []
      : [forbidden('resourceVersionMatch', 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided')];
  if (match === '') return [forbidden('resourceVersionMatch', `sendInitialEvents requires setting resourceVersionMatch to ${MATCH}`)];
  return match === MATCH ? [] : [notSupported('resourceVersionMatch', match, [MATCH])];
}
