import { describe, expect, it } from 'vitest';
import { type ApiObject, createDraft, finishDraft, hooksOf, namesFor } from '../../../src/apiserver/machinery/index.ts';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { decode } from '../../../src/schema/shape/index.ts';
import { replay, sequences, type Outcome, type Sequence } from './recorded.ts';

const kinds = kindsFor(namesFor('k8s.io'));

/** Refusals of the patch functions; all others are the server's. */
const OURS =
  /^(the server rejected our request due to an error|Apply failed|failed to create typed|Incorrect version|metadata\.managedFields must be nil|Invalid JSON Patch|json: cannot unmarshal \w+ into Go value of type (jsonpatch|map)|map: |unknown patch type|The order in patch list|invalid patch format|list element types|error decoding YAML: error unmarshaling)|patch: Invalid value: "(map)?\[/;

describe('recorded patches', () => {
  for (const sequence of sequences()) {
    it(sequence.id, () => {
      for (const outcome of replay(sequence)) check(sequence, outcome);
    });
  }
});

describe("recorded patches with the kinds' own schemas", () => {
  for (const sequence of sequences().filter(({ kind }) => kinds.byKind(kind) !== undefined)) {
    it(sequence.id, () => {
      for (const outcome of replay(sequence, kinds.byKind(sequence.kind)?.schema)) check(sequence, outcome);
    });
  }
});

function check(sequence: Sequence, outcome: Outcome): void {
  const { code, body } = outcome.expected;
  if (outcome.error !== undefined) {
    const { why: _, ...error } = outcome.error;
    expect(error).toEqual({
      code: body?.['code'],
      ...(body?.['reason'] === undefined ? {} : { reason: body['reason'] }),
      message: body?.['message'],
      ...(body?.['details'] === undefined ? {} : { details: body['details'] }),
    });
    return;
  }
  if (code >= 300) {
    expect(body?.['message']).not.toMatch(OURS);
    return;
  }
  if (sequence.case.startsWith('apply.') && body?.['kind'] === sequence.kind) {
    const recorded = (body['metadata'] as { managedFields?: unknown[] }).managedFields ?? [];
    const again = outcome.before?.metadata.resourceVersion === (body['metadata'] as { resourceVersion?: string }).resourceVersion;
    // A write without changes keeps its timestamps; the server ensures this after defaults.
    expect(outcome.managedFields).toEqual(
      again ? recorded.map((entry) => ({ ...(entry as object), time: expect.any(String) as unknown })) : recorded,
    );
    expect(JSON.stringify(outcome.managedFields?.map(({ fieldsV1 }) => fieldsV1)), 'order').toBe(
      JSON.stringify(recorded.map((entry) => (entry as { fieldsV1: unknown }).fieldsV1)),
    );
  }
  if (outcome.object !== undefined)
    expect(
      differences(ours(sequence, outcome), tidy(body), kinds.byKind(sequence.kind) === undefined ? undefined : tidy(outcome.before)),
    ).toEqual([]);
}

/** Returns the object with defaults, if the kind is known, and without unknown fields. */
function ours(sequence: Sequence, { object, schema }: Outcome): unknown {
  const kind = kinds.byKind(sequence.kind);
  if (kind === undefined) return tidy(decode(schema, object));
  const draft = createDraft(decode(kind.schema, object) as ApiObject);
  for (const hook of hooksOf(kind.applyDefaults)) hook.run(draft, { names: kinds.names, gates: {}, now: 0 });
  return tidy(finishDraft(draft));
}

const BOOKKEEPING = new Set(['resourceVersion', 'generation', 'managedFields', 'creationTimestamp', 'uid', 'namespace']);

/** Drops empty values and members of the server. */
function tidy(value: unknown, key = ''): unknown {
  if (value === null || value === '') return undefined;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map((item) => tidy(item));
  if (typeof value !== 'object') return value;
  const entries = Object.entries(value).filter(
    ([name]) => !(key === 'metadata' && BOOKKEEPING.has(name)) && !(key === '' && (name === 'kind' || name === 'apiVersion')),
  );
  const kept = entries.map(([name, item]) => [name, tidy(item, name)] as const).filter(([, item]) => item !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** Returns the differences to the recording, except for values that only the recording has and that were absent before: defaults. */
function differences(mine: unknown, theirs: unknown, before: unknown, path = ''): string[] {
  if (isContainer(mine) && isContainer(theirs) && Array.isArray(mine) === Array.isArray(theirs)) {
    const keys = new Set([...Object.keys(mine), ...Object.keys(theirs)]);
    return [...keys].flatMap((key) =>
      differences(
        mine[key],
        theirs[key],
        isContainer(before) && (!Array.isArray(theirs) || theirs.length === before['length']) ? before[key] : undefined,
        `${path}/${key}`,
      ),
    );
  }
  if (mine === theirs || (mine === undefined && (before === undefined || path.split('/').length < 3))) return [];
  return [`${path}: ${JSON.stringify(mine)} instead of ${JSON.stringify(theirs)}`];
}

const isContainer = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
