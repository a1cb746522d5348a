/**
 * Validation of Events. The core version has the old rules. Events of `events/v1` must have their time, and may not have fields of the old
 * form; `events/v1beta1` has the old rules, too. Models: v1.24 pkg/apis/core/validation/events.go, and the path-segment rule of every name.
 */
import { append, GoText, isQualifiedName } from '../../../schema/values/index.ts';
import {
  type FieldError,
  immutableText,
  invalid,
  type KindContext,
  pathSegmentName,
  required,
  sameValue,
  shown,
  struct,
  text,
  validateMeta,
} from '../../machinery/index.ts';
import type { Event } from './shape.ts';

const MAX_TEXT = 128;
const MAX_NOTE = 1024;
const MISMATCH = 'does not match event.namespace';

export const validateEvent = (event: Event, context: KindContext): readonly FieldError[] => validated(event, context, 'reportingComponent');

/** Validation for clients of `events/v1` and `events/v1beta1`. */
export function validateEventIn(version: string, event: Event, old: Event | undefined, context: KindContext): readonly FieldError[] {
  const errors = validated(event, context, 'reportingController');
  if (version !== 'events/v1') return errors;
  return [...errors, ...(old === undefined ? creationErrors(event) : changeErrors(event, old))];
}

function validated(event: Event, context: KindContext, reporter: string): readonly FieldError[] {
  const errors = legacyErrors(event, context, reporter);
  append(errors, validateMeta(event, true, pathSegmentName, context, 'metadata', false));
  return errors;
}

const isUnset = (time: unknown): boolean => time === undefined || time === null;

function legacyErrors(event: Event, { names }: KindContext, reporter: string): FieldError[] {
  const about = event.involvedObject.namespace ?? '';
  const own = event.metadata.namespace ?? '';
  const mismatch = (): FieldError => invalid('involvedObject.namespace', about, MISMATCH);
  // Events about cluster-scoped objects are in the default namespace; those with an event time may also be in the system namespace.
  if (isUnset(event.eventTime)) return (about === '' ? own !== '' && own !== 'default' : own !== about) ? [mismatch()] : [];
  const errors = about === '' && own !== 'default' && own !== names.systemNamespace ? [mismatch()] : [];
  append(errors, newStyleErrors(event, reporter));
  return errors;
}

const tooMany = (field: string, most: number): FieldError => invalid(field, '', `can have at most ${most} characters`);

/** Events with an event time must have a reporter, an action and a reason. */
function newStyleErrors(
  { reportingComponent, reportingInstance, action = '', reason = '', message = '' }: Event,
  reporter: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (reportingComponent === '') errors.push(required(reporter));
  for (const problem of isQualifiedName(reportingComponent)) errors.push(invalid(reporter, reportingComponent, problem));
  checkText('reportingInstance', reportingInstance, errors);
  checkText('action', action, errors);
  checkText('reason', reason, errors);
  if (message.length > MAX_NOTE) errors.push(tooMany('message', MAX_NOTE));
  return errors;
}

function checkText(field: string, text: string, errors: FieldError[]): void {
  if (text === '') errors.push(required(field));
  if (text.length > MAX_TEXT) errors.push(tooMany(field, MAX_TEXT));
}

function seriesErrors({ series }: Event): FieldError[] {
  if (series === undefined) return [];
  const errors: FieldError[] = [];
  if ((series.count ?? 0) < 2) errors.push(invalid('series.count', '', 'should be at least 2'));
  if (isUnset(series.lastObservedTime)) errors.push(required('series.lastObservedTime'));
  return errors;
}

function creationErrors(event: Event): FieldError[] {
  const errors = seriesErrors(event);
  const { type = '', source } = event;
  if (isUnset(event.eventTime)) errors.push(required('eventTime'));
  if (type !== 'Normal' && type !== 'Warning') errors.push(invalid('type', '', `has invalid value: ${type}`));
  const unset = (field: string, isSet: boolean): void => {
    if (isSet) errors.push(invalid(field, '', 'needs to be unset'));
  };
  unset('firstTimestamp', !isUnset(event.firstTimestamp));
  unset('lastTimestamp', !isUnset(event.lastTimestamp));
  unset('count', (event.count ?? 0) !== 0);
  unset('source', (source.component ?? '') !== '' || (source.host ?? '') !== '');
  return errors;
}

const referenceType = struct('core.ObjectReference', {
  Kind: text,
  Namespace: text,
  Name: text,
  UID: ['uid', text],
  APIVersion: ['apiVersion', text],
  ResourceVersion: text,
  FieldPath: text,
});
const sourceType = struct('core.EventSource', { Component: text, Host: text });
/** Prints an instant as Go does. */
const instant = (at: unknown): unknown => (typeof at === 'string' ? new GoText(`${at.slice(0, 19).replace('T', ' ')} +0000 UTC`) : 'null');

/** Only the series and the metadata may change. */
function changeErrors(event: Event, old: Event): FieldError[] {
  const errors = sameValue(event.series, old.series) ? [] : seriesErrors(event);
  const fixed = (field: string, is: unknown, was: unknown, value: unknown = is): void => {
    if (!sameValue(is, was)) errors.push(invalid(field, value, immutableText));
  };
  fixed('involvedObject', event.involvedObject, old.involvedObject, shown(event.involvedObject, referenceType));
  fixed('reason', event.reason ?? '', old.reason ?? '');
  fixed('message', event.message ?? '', old.message ?? '');
  fixed('source', event.source, old.source, shown(event.source, sourceType));
  fixed('firstTimestamp', event.firstTimestamp, old.firstTimestamp, instant(event.firstTimestamp));
  fixed('lastTimestamp', event.lastTimestamp, old.lastTimestamp, instant(event.lastTimestamp));
  fixed('count', event.count ?? 0, old.count ?? 0);
  fixed('type', event.type ?? '', old.type ?? '');
  fixed('eventTime', event.eventTime, old.eventTime, instant(event.eventTime));
  fixed('action', event.action ?? '', old.action ?? '');
  fixed('related', event.related, old.related, event.related === undefined ? 'null' : shown(event.related, referenceType));
  fixed('reportingController', event.reportingComponent, old.reportingComponent);
  fixed('reportingInstance', event.reportingInstance, old.reportingInstance);
  return errors;
}
