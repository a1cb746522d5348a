/** Cells of tables, of objects that are decoded and not stored. */
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { type ApiObject, type Kind, namesFor } from '../../../src/apiserver/machinery/index.ts';
import { decode } from '../../../src/schema/shape/index.ts';

const names = namesFor('k8s.io');
export const registry = kindsFor(names);
const NOW = Date.parse('2024-03-01T00:00:00Z');
const context = { names, gates: {}, now: NOW };

export function kindOf(name: string): Kind {
  const found = registry.byKind(name);
  if (found === undefined) throw new Error(`no kind ${name}`);
  return found;
}

/** Returns an object with these parts as it would be stored, named x. */
export function objectOf(name: string, parts: object, metadata: object = {}): ApiObject {
  const kind = kindOf(name);
  const whole = { apiVersion: registry.apiVersionOf(kind), kind: name, metadata: { name: 'x', ...metadata }, ...parts };
  return decode(kind.schema, whole) as ApiObject;
}

/** Returns the cell of an object by the column's name. */
export const cell = (name: string, column: string, parts: object, metadata: object = {}): unknown =>
  kindOf(name)
    .columns.find((one) => one.name === column)
    ?.cell(objectOf(name, parts, metadata), context);

/** Returns all cells of an object, as a line. */
export function row(name: string, parts: object, metadata: object = {}): string {
  const object = objectOf(name, parts, metadata);
  return kindOf(name)
    .columns.map((column) => String(column.cell(object, context)))
    .join(' | ');
}

/** Returns the instant some seconds before the cells are computed. */
export const ago = (seconds: number): string => new Date(NOW - seconds * 1000).toISOString().replace('.000', '');
