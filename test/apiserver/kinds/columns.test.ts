/** Tables of the recorded server: the columns of every recorded table, and every row whose object is in the recording. */
import { describe, expect, it } from 'vitest';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { type ApiObject, type Kind, namesFor } from '../../../src/apiserver/machinery/index.ts';
import { decode } from '../../../src/schema/shape/index.ts';
import { oracleJson, oracleLines } from '../../support/oracle.ts';

interface Table {
  readonly kind: 'Table';
  readonly columnDefinitions?: readonly Record<string, unknown>[];
  readonly rows?: readonly { readonly cells: readonly unknown[]; readonly object?: { readonly metadata?: { readonly name?: string } } }[];
}
interface Step {
  readonly request?: { readonly path: string };
  readonly response?: { readonly body?: unknown };
}

const names = namesFor('k8s.io');
const registry = kindsFor(names);
const context = { names, gates: {}, now: Date.parse('2026-11-20T06:00:00Z') };
/** Cells that depend on the time. */
const TIMES = new Set(['Age', 'Duration', 'Last Schedule']);

const kindOf = (path: string): Kind | undefined => {
  const pathname = new URL(path, 'http://x').pathname.replace(/\/namespaces\/[^/]+\//, '/');
  return registry.list().find(({ plural }) => pathname.split('/').includes(plural));
};
const isTable = (body: unknown): body is Table =>
  typeof body === 'object' && body !== null && (body as { readonly kind?: unknown }).kind === 'Table';
const isObject = (body: unknown): body is ApiObject =>
  typeof body === 'object' && body !== null && registry.byKind(String((body as { readonly kind?: unknown }).kind)) !== undefined;

describe('recorded tables', () => {
  const records = ['v1.24', 'v1.24-workloads'].flatMap((version) => oracleLines(`${version}/api/list.jsonl`)) as unknown as {
    readonly id: string;
    readonly steps?: readonly Step[];
  }[];
  for (const { id, steps = [] } of records.filter((record) => (record.steps ?? []).some(({ response }) => isTable(response?.body)))) {
    it(id, () => {
      const objects = new Map<string, ApiObject>();
      for (const { request, response } of steps) {
        const body = response?.body;
        if (isObject(body)) objects.set(`${body.kind}/${body.metadata.name}`, body);
        if (!isTable(body) || request === undefined) continue;
        const kind = kindOf(request.path);
        if (kind === undefined) continue;
        // Column names must equal upstream's; column descriptions are in our words.
        if (body.columnDefinitions !== undefined)
          expect(kind.columns.map(({ name, type, format = '', priority }) => ({ name, type, format, priority }))).toEqual(
            body.columnDefinitions.map(({ description: _, ...column }) => column),
          );
        for (const { cells, object } of body.rows ?? []) {
          const stored = objects.get(`${kind.kind}/${object?.metadata?.name ?? String(cells[0])}`);
          if (stored === undefined) continue;
          const canonical = decode(kind.schema, stored) as ApiObject;
          const timeless = (all: readonly unknown[]): unknown[] =>
            all.map((cell, at) => (TIMES.has(kind.columns[at]?.name ?? '') ? '' : cell));
          expect(timeless(kind.columns.map(({ cell }) => cell(canonical, context)))).toEqual(timeless(cells));
        }
      }
    });
  }
});

describe('headers that kubectl prints', () => {
  const headers = {
    ...(oracleJson('v1.24/kubectl/columns.json') as Readonly<Record<string, string>>),
    ...(oracleJson('v1.24-workloads/kubectl/columns.json') as Readonly<Record<string, string>>),
  };
  for (const [asked, header] of Object.entries(headers)) {
    const [what = '', width] = asked.split(' ');
    const kind = registry
      .list()
      .find(({ plural, singular, shortNames }) => plural === what || singular === what || shortNames.includes(what));
    const columns = header.split(' | ').filter((name) => name !== 'NAMESPACE');
    // Tables of several kinds, or after an error, have the same header and other columns.
    if (kind === undefined || columns.join() === 'NAME,AGE') continue;
    it(asked, () => {
      expect(kind.columns.filter(({ priority }) => width === 'wide' || priority === 0).map(({ name }) => name.toUpperCase())).toEqual(
        columns,
      );
    });
  }
});

describe('columns', () => {
  it.each(registry.list().map((kind) => [kind.kind, kind] as const))(
    'of %s have descriptions that do not depend on the domain',
    (name, kind) => {
      const others = kindsFor(namesFor('orch.io')).byKind(name)?.columns ?? [];
      expect(kind.columns.map(({ description }) => description)).toEqual(others.map(({ description }) => description));
      for (const column of kind.columns) expect(column.description ?? '', `${name}.${column.name}`).not.toBe('');
    },
  );
});
