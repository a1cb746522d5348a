/** Replays recorded patch sequences with the pure functions only: the states before and after are recorded. */
import { parse } from 'yaml';
import { apply, managedFieldsFromScale, managedFieldsOfScale, trackUpdate, undecodableAs } from '../../../src/apiserver/patch/index.ts';
import { goJson, jsonKind } from '../../../src/apiserver/patch/go-text.ts';
import { quote } from '../../../src/schema/values/index.ts';
import { isMap } from '../../../src/apiserver/patch/values.ts';
import type { ApiObject, ManagedFieldsEntry } from '../../../src/apiserver/objects/object.ts';
import type { Schema } from '../../../src/schema/shape/types.ts';
import { oracleLines } from '../../support/oracle.ts';
import { schemaOfKind } from './facts.ts';
import { applyJsonPatch, applyMergePatch, applyStrategicPatch, attempt, type Failed } from './support.ts';

export interface Step {
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly contentType?: string;
    readonly body?: unknown;
    readonly rawBody?: string;
    readonly bodyFrom?: { readonly from: number; readonly set?: readonly [string, unknown][]; readonly unset?: readonly string[] };
    readonly headers?: Readonly<Record<string, string>>;
    readonly templated?: boolean;
  };
  readonly response: { readonly code: number; readonly body?: Readonly<Record<string, unknown>> };
  readonly note?: string;
}
export interface Sequence {
  readonly id: string;
  readonly kind: string;
  readonly case: string;
  readonly steps: readonly Step[];
}

export interface Outcome {
  readonly id: string;
  readonly index: number;
  readonly expected: Step['response'];
  /** The result of the functions; absent where a step does not use them. */
  readonly error?: Failed;
  readonly object?: unknown;
  readonly managedFields?: readonly ManagedFieldsEntry[];
  readonly before: ApiObject | undefined;
  readonly schema: Schema;
}

export const sequences = (): readonly Sequence[] => oracleLines('v1.24/api/patch.jsonl') as unknown as Sequence[];

/** Returns the outcome of every patch or write in a sequence. */
export function replay(sequence: Sequence, schema = schemaOfKind(sequence.kind)): readonly Outcome[] {
  const outcomes: Outcome[] = [];
  let stored: ApiObject | undefined;
  for (const [index, step] of sequence.steps.entries()) {
    const outcome = take(sequence, index, step, stored, schema);
    if (outcome !== undefined) outcomes.push(outcome);
    const { body, code } = step.response;
    if (step.request.method === 'PUT' && step.request.path.includes('/scale')) stored = afterScale(stored, outcome, body);
    else if (step.request.method !== 'DELETE' && code < 300 && body?.['kind'] === sequence.kind && !step.request.path.includes('dryRun'))
      stored = body as unknown as ApiObject;
  }
  return outcomes;
}

function afterScale(
  stored: ApiObject | undefined,
  outcome: Outcome | undefined,
  scale: Readonly<Record<string, unknown>> | undefined,
): ApiObject | undefined {
  if (stored === undefined) return undefined;
  return {
    ...stored,
    spec: { ...(stored['spec'] as object), ...(scale?.['spec'] as object) },
    metadata: { ...stored.metadata, managedFields: outcome?.managedFields ?? [] },
  };
}

function take(sequence: Sequence, index: number, step: Step, stored: ApiObject | undefined, schema: Schema): Outcome | undefined {
  const { request, response } = step;
  const [path = '', query = ''] = request.path.split('?');
  const subresource = /\/(status|scale)$/.exec(path)?.[1];
  const manager = new URLSearchParams(query).get('fieldManager') ?? (request.headers?.['User-Agent'] ?? '').split('/')[0] ?? '';
  const now = instantOf(response.body);
  const apiVersion = apiVersionOf(path);
  const common = { id: sequence.id, index, expected: response, before: stored, schema };
  const write = { schema, live: stored, manager, apiVersion, now, ...(subresource === undefined ? {} : { subresource }) };
  if (request.method === 'POST' && response.code < 300)
    return { ...common, managedFields: trackUpdate({ ...write, live: undefined, next: response.body }) };
  if (request.method === 'PUT' && response.code < 300) {
    if (subresource === 'scale') return { ...common, managedFields: scaled(stored, response.body, write) };
    return { ...common, managedFields: trackUpdate({ ...write, next: bodyFrom(sequence, request) }) };
  }
  if (request.method !== 'PATCH') return undefined;
  const patch = patchOf(sequence, request);
  if (patch === UNREADABLE || response.code === 415) return undefined;
  if (request.contentType === 'application/apply-patch+yaml') {
    if (manager === '') return undefined;
    const applied = attempt(() => apply({ ...write, config: patch, force: /force=(?!false|0)/.test(query), kind: sequence.kind }));
    return { ...common, ...(applied.error === undefined ? applied.ok : applied) };
  }
  const type = request.contentType?.split(';')[0];
  const patched =
    type === 'application/json-patch+json'
      ? applyJsonPatch(stored, patch)
      : type === 'application/merge-patch+json'
        ? applyMergePatch(stored, patch)
        : applyStrategicPatch(schema, stored, patch);
  const error = patched.error ?? notAnObject(patched.ok);
  if (error !== undefined) return { ...common, error };
  return { ...common, object: patched.ok, managedFields: trackUpdate({ ...write, next: patched.ok }) };
}

/** The decoding error of a patched document that is not an object: the result of a merge patch may be a list. */
function notAnObject(document: unknown): Failed | undefined {
  if (document === null || isMap(document)) return undefined;
  const target = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
  const why = `json: cannot unmarshal ${jsonKind(document)} into Go value of type ${target}`;
  return attempt(() => {
    throw undecodableAs(quote(goJson(document)), `couldn't get version/kind; json parse error: ${why}`);
  }).error;
}

function scaled(
  stored: ApiObject | undefined,
  scale: unknown,
  write: { readonly manager: string; readonly now: number },
): readonly ManagedFieldsEntry[] {
  const schema: Schema = {
    type: 'object',
    go: 'Scale',
    fields: { spec: { type: 'object', go: 'ScaleSpec', fields: { replicas: { type: 'int32' } }, always: true } },
  };
  const target = { apiVersion: 'apps/v1', replicas: ['spec', 'replicas'] };
  const replicas = (stored?.['spec'] as { replicas: number } | undefined)?.replicas;
  const live = {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { managedFields: managedFieldsOfScale(stored?.metadata.managedFields, target) },
    spec: { replicas },
  } as unknown as ApiObject;
  const written = trackUpdate({
    schema,
    live,
    next: { spec: (scale as { spec: unknown }).spec },
    manager: write.manager,
    apiVersion: 'autoscaling/v1',
    now: write.now,
    subresource: 'scale',
  });
  return managedFieldsFromScale(stored?.metadata.managedFields, written, target);
}

/** Returns the instant of a recorded write: the latest among its managers. */
function instantOf(body: Step['response']['body']): number {
  const entries = (body?.['metadata'] as ApiObject['metadata'] | undefined)?.managedFields ?? [];
  return Date.parse(entries.map(({ time }) => time ?? '').sort((a, b) => (a < b ? 1 : -1))[0] || '2026-11-20T05:49:41Z');
}

const apiVersionOf = (path: string): string =>
  path.startsWith('/api/') ? (path.split('/')[2] ?? '') : path.split('/').slice(2, 4).join('/');

const UNREADABLE = Symbol('not for the patch functions');

function patchOf(sequence: Sequence, request: Step['request']): unknown {
  if (request.rawBody === undefined) return request.templated === true ? filled(sequence, request.body) : request.body;
  try {
    if (request.contentType !== 'application/apply-patch+yaml') return JSON.parse(request.rawBody) as unknown;
    return parse(request.rawBody.split('\n---\n')[0] ?? '', { uniqueKeys: false }) as unknown;
  } catch {
    return UNREADABLE;
  }
}

/** `{{0.metadata|resourceVersion}}` refers to a value of an earlier response. */
function filled(sequence: Sequence, value: unknown): unknown {
  if (typeof value === 'string')
    return value.replace(/\{\{(\d+)\.([^}]*)\}\}/g, (_, at: string, path: string) =>
      String(
        path.split('|').reduce<unknown>((found, key) => (found as Record<string, unknown>)[key], sequence.steps[Number(at)]?.response.body),
      ),
    );
  if (Array.isArray(value)) return value.map((item) => filled(sequence, item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(sequence, item)]));
}

function bodyFrom(sequence: Sequence, request: Step['request']): unknown {
  const from = request.bodyFrom;
  if (from === undefined) return request.body;
  const body = structuredClone(sequence.steps[from.from]?.response.body ?? {}) as Record<string, unknown>;
  delete (body['metadata'] as Record<string, unknown>)['managedFields'];
  for (const [path, value] of from.set ?? []) {
    const keys = path.split('|');
    const last = keys.pop() ?? '';
    const at = keys.reduce<Record<string, unknown>>((found, key) => (found[key] ??= {}) as Record<string, unknown>, body);
    at[last] = value;
  }
  return body;
}
