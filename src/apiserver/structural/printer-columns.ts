/**
 * Printer columns of custom resources: JSON paths with names, list indexes and one equality filter. Models: v1.24 apiextensions-apiserver
 * pkg/registry/customresource/tableconvertor.
 */
import { readTime } from '../../schema/values/index.ts';
import { type ApiObject, type ColumnOf, humanDuration, type KindContext } from '../machinery/index.ts';

type Step = { readonly name: string } | { readonly at: number } | { readonly where: readonly string[]; readonly is: string };

const STEP = /^(?:\.([A-Za-z_][\w-]*|'[^']+')|\['([^']+)'\]|\[(\d+)\]|\[\?\(@\.([\w.-]+)\s*==\s*(?:"([^"]*)"|'([^']*)')\)\])/;

/** Parses a path into steps; undefined: its syntax is not supported. */
export function pathSteps(path: string): readonly Step[] | undefined {
  const steps: Step[] = [];
  for (let rest = path.replace(/^\{(.*)\}$/, '$1'); rest !== '';) {
    const found = STEP.exec(rest);
    if (found === null) return undefined;
    const [all, name, quoted, at, where, text, other] = found;
    rest = rest.slice(all.length);
    if (where !== undefined) steps.push({ where: where.split('.'), is: text ?? other ?? '' });
    else if (at !== undefined) steps.push({ at: Number(at) });
    else steps.push({ name: name ?? quoted ?? '' });
  }
  return steps.length === 0 ? undefined : steps;
}

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

function follow(value: unknown, steps: readonly Step[]): unknown {
  return steps.reduce<unknown>((inner, step) => {
    if ('name' in step) return member(inner, step.name);
    if (!Array.isArray(inner)) return undefined;
    if ('at' in step) return inner[step.at] as unknown;
    return inner.find((each) => step.where.reduce<unknown>(member, each) === step.is) as unknown;
  }, value);
}

export const COLUMN_TYPES = ['string', 'integer', 'number', 'boolean', 'date'] as const;
type ColumnType = (typeof COLUMN_TYPES)[number];

export interface PrinterColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly jsonPath: string;
  readonly description?: string;
  readonly format?: string;
  readonly priority?: number;
}

/** Prints the cell of a column: a date as its age; an empty text where the value is missing or has another type. */
export function printerColumn(
  { name, type, description, format, jsonPath, priority = 0 }: PrinterColumn,
  steps: readonly Step[],
): ColumnOf<ApiObject> {
  return {
    name,
    type,
    description: description ?? `Custom resource definition column (in JSONPath format): ${jsonPath}`,
    ...(format === undefined ? {} : { format }),
    priority,
    cell: (object: ApiObject, context: KindContext) => cellOf(type, follow(object, steps), context),
  };
}

function cellOf(type: ColumnType, value: unknown, { now }: KindContext): unknown {
  switch (type) {
    case 'string':
      // What is null prints as Go's templates print nothing.
      if (value === null) return '<no value>';
      return value === undefined ? null : typeof value === 'string' ? value : JSON.stringify(value);
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
    case 'boolean':
      return typeof value === type ? value : null;
    case 'date': {
      if (typeof value !== 'string') return null;
      if (value === '' || value === 'null') return '<unknown>';
      const at = readTime(value);
      return at.error === undefined ? humanDuration(now - at.value) : '<invalid>';
    }
  }
}
