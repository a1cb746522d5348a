/** The query parameters of logs. Models: v1.24 pkg/apis/core/validation ValidatePodLogOptions, conversions of core/v1 PodLogOptions. */
import { invalidAs } from '../../../apiserver/request/index.ts';
import type { FieldError } from '../../../apiserver/machinery/index.ts';
import { forbidden, invalid } from '../../../apiserver/validation/index.ts';
import { readTime } from '../../../schema/values/index.ts';
import { badRequest } from '../refusals.ts';
import { firstOf, flagOf, integerOf, type Query } from './query.ts';

export interface LogQuery {
  /** Empty: the only one. */
  readonly container: string;
  readonly follow: boolean;
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly sinceSeconds: number | undefined;
  /** Milliseconds since the epoch. */
  readonly sinceTime: number | undefined;
  readonly tailLines: number | undefined;
  readonly limitBytes: number | undefined;
}

export function logQuery(query: Query, pod: string): LogQuery {
  const options: LogQuery = {
    container: firstOf(query, 'container') ?? '',
    follow: flagOf(query, 'follow') === true,
    previous: flagOf(query, 'previous') === true,
    timestamps: flagOf(query, 'timestamps') === true,
    sinceSeconds: integerOf(query, 'sinceSeconds'),
    sinceTime: timeOf(query, 'sinceTime'),
    tailLines: integerOf(query, 'tailLines'),
    limitBytes: integerOf(query, 'limitBytes'),
  };
  const errors = errorsOf(options);
  if (errors.length > 0) throw invalidAs('', 'PodLogOptions', pod, errors);
  return options;
}

function errorsOf({ tailLines, limitBytes, sinceSeconds, sinceTime }: LogQuery): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (tailLines !== undefined && tailLines < 0) errors.push(invalid('tailLines', tailLines, 'must be greater than or equal to 0'));
  if (limitBytes !== undefined && limitBytes < 1) errors.push(invalid('limitBytes', limitBytes, 'must be greater than 0'));
  if (sinceSeconds !== undefined && sinceTime !== undefined)
    errors.push(forbidden('', 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  else if (sinceSeconds !== undefined && sinceSeconds < 1) errors.push(invalid('sinceSeconds', sinceSeconds, 'must be greater than 0'));
  return errors;
}

function timeOf(query: Query, name: string): number | undefined {
  const text = firstOf(query, name);
  if (text === undefined) return undefined;
  const read = readTime(text);
  if (read.error !== undefined) throw badRequest(read.error);
  return read.value;
}
