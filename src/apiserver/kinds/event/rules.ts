/** Rules of events. Models: v1.24 pkg/apis/core/validation/events.go, the legacy part, and the path-segment rule every name has. */
import { append, isQualifiedName } from '../../../grammar/values/index.ts';
import { type FieldError, invalid, type KindContext, pathSegmentName, required, tooLong, validateMeta } from '../../vocabulary/index.ts';
import type { Event } from './shape.ts';

const MAX_TEXT = 128;
const MISMATCH = 'does not match event.namespace';

export function validateEvent(event: Event, context: KindContext): readonly FieldError[] {
  const errors: FieldError[] = [];
  const about = event.involvedObject.namespace ?? '';
  const own = event.metadata.namespace ?? '';
  // Events about cluster-scoped objects live in the default namespace.
  if (about === '' ? own !== '' && own !== 'default' : own !== about) errors.push(invalid('involvedObject.namespace', about, MISMATCH));
  if ((event.eventTime ?? null) !== null) append(errors, newStyleErrors(event));
  return [...errors, ...validateMeta(event, true, pathSegmentName, context, 'metadata', false)];
}

/** Events that name their instant must say who reports them, what was done and why. */
function newStyleErrors({ reportingComponent, reportingInstance, action = '', reason = '' }: Event): FieldError[] {
  const errors: FieldError[] = [];
  if (reportingComponent === '') errors.push(required('reportingComponent'));
  for (const problem of isQualifiedName(reportingComponent)) errors.push(invalid('reportingComponent', reportingComponent, problem));
  if (reportingInstance === '') errors.push(required('reportingInstance'));
  if (reportingInstance.length > MAX_TEXT) errors.push(tooLong('reportingInstance', '', MAX_TEXT));
  if (action === '') errors.push(required('action'));
  if (action.length > MAX_TEXT) errors.push(tooLong('action', '', MAX_TEXT));
  if (reason === '') errors.push(required('reason'));
  if (reason.length > MAX_TEXT) errors.push(tooLong('reason', '', MAX_TEXT));
  return errors;
}
