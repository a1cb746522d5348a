/** Table cells that many kinds share. Models: v1.24 pkg/printers/internalversion. */
import { compareText } from '../../schema/values/index.ts';
import type { ObjectShape, Schema } from '../../schema/shape/index.ts';
import type { Column, ColumnOf } from './kind.ts';
import type { ApiObject } from '../objects/index.ts';

/** Returns a column of a table; `cell` returns what the server prints for an object. */
export const column = <O extends ApiObject>(
  name: string,
  type: Column['type'],
  description: string,
  cell: ColumnOf<O>['cell'],
): ColumnOf<O> => ({ name, type, description, priority: 0, cell });

export const nameColumn: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Name of the object, unique among its kind in its namespace.',
  priority: 0,
  cell: (object) => object.metadata.name,
};
/** The column Age: the time since creation by the virtual clock (`5s`, `3m20s`, `4h`). */
export const ageColumn: Column = {
  name: 'Age',
  type: 'string',
  description: 'Time since the object was created.',
  priority: 0,
  cell: (object, { now }) => ageOf(object.metadata.creationTimestamp, now),
};

/** Returns the columns of fields with the facet `column`, by their paths, in published order. */
export function fieldColumns({ fields }: ObjectShape): ReadonlyMap<string, Column> {
  const found = new Map<string, Column>();
  for (const [name, schema] of Object.entries(fields)) {
    if (schema.column !== undefined)
      found.set(
        name,
        columnOfField(schema, (object) => object[name]),
      );
    if (schema.type !== 'object' || (name !== 'spec' && name !== 'status')) continue;
    for (const [member, below] of Object.entries(schema.fields))
      if (below.column !== undefined)
        found.set(
          `${name}.${member}`,
          columnOfField(below, (object) => (object[name] as Readonly<Record<string, unknown>> | undefined)?.[member]),
        );
  }
  return found;
}

const TYPES: Readonly<Record<string, Column['type']>> = { int32: 'integer', int64: 'integer', boolean: 'boolean' };
const ABSENT = { integer: 0, number: 0, boolean: false, string: '', date: '' } as const;

function columnOfField(schema: Schema, valueOf: (object: ApiObject) => unknown): Column {
  const own = TYPES[schema.type] ?? 'string';
  const { column: said = '', says = '' } = schema;
  const [name, description, type = own] = typeof said === 'string' ? [said, says] : said;
  if (schema.type !== 'list') return column(name, type, description, (object) => valueOf(object) ?? ABSENT[own]);
  return column(name, type, description, (object) => ((valueOf(object) ?? []) as readonly unknown[]).join(',') || '<none>');
}

/** Returns the time since an instant in the short form of tables: `5s`, `3m20s`, `4h`, `3d`. */
export function ageOf(instant: string | null | undefined, now: number): string {
  if (instant === undefined || instant === null || instant === '') return '<unknown>';
  return humanDuration(now - Date.parse(instant));
}

/** Returns a duration in the short form of tables. Models: apimachinery pkg/util/duration HumanDuration. */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.trunc(ms / 60_000);
  if (minutes < 10) return part(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.trunc(ms / 3_600_000);
  if (hours < 8) return part(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  if (hours < 192) return part(Math.trunc(hours / 24), 'd', hours % 24, 'h');
  if (hours < 24 * 365 * 2) return `${Math.trunc(hours / 24)}d`;
  if (hours < 24 * 365 * 8) return part(Math.trunc(hours / 24 / 365), 'y', Math.trunc(hours / 24) % 365, 'd');
  return `${Math.trunc(hours / 24 / 365)}y`;
}

const part = (big: number, bigUnit: string, small: number, smallUnit: string): string =>
  small === 0 ? `${big}${bigUnit}` : `${big}${bigUnit}${small}${smallUnit}`;

/** Returns the first of some texts, and the number of further ones. */
export const firstOf = (texts: readonly string[], most: number, separator = ','): string =>
  texts.slice(0, most).join(separator) + (texts.length > most ? ` + ${texts.length - most} more...` : '');

/** Returns the ingress points of load balancers, distinct and in byte order. */
export const balancerPoints = ({
  ingress = [],
}: {
  readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[];
}): readonly string[] =>
  [...new Set(ingress.map(({ ip, hostname = '' }) => ip ?? hostname))].filter((point) => point !== '').sort(compareText);

/** The column of kinds without columns of their own. */
export const createdAtColumn: Column = {
  name: 'Created At',
  type: 'date',
  description: 'When the object was created.',
  priority: 0,
  cell: (object) => object.metadata.creationTimestamp,
};
