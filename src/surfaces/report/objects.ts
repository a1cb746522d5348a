/** Objects as tables with the columns of their kind, and one object as YAML. */
import type { ApiObject, Kind, KindContext } from '../../apiserver/machinery/index.ts';
import { formatYaml } from '../../schema/yaml/index.ts';
import type { Palette } from './terminal.ts';
import { table } from './table.ts';

const text = (cell: unknown): string =>
  cell === undefined || cell === null || cell === '' ? '<none>' : typeof cell === 'object' ? JSON.stringify(cell) : String(cell);

/** Returns a table of objects of one kind: its columns without the wide ones, the namespace first if there are several. */
export function objectTable(kind: Kind, objects: readonly ApiObject[], context: KindContext, palette: Palette): readonly string[] {
  const columns = kind.columns.filter(({ priority }) => priority === 0);
  const namespaces = new Set(objects.map(({ metadata }) => metadata.namespace));
  const spread = namespaces.size > 1 || (kind.namespaced && !namespaces.has('default'));
  const head = [...(spread ? ['NAMESPACE'] : []), ...columns.map(({ name }) => name.toUpperCase())].map((name) => palette.dim(name));
  const rows = objects.map((object) => [
    ...(spread ? [object.metadata.namespace ?? ''] : []),
    ...columns.map((column) => text(column.cell(object, context))),
  ]);
  return table([head, ...rows], '   ');
}

/** Returns an object as YAML, without `managedFields`. */
export function objectYaml(object: ApiObject): string {
  const {
    apiVersion,
    kind,
    metadata: { managedFields: _, ...metadata },
    ...rest
  } = object;
  return formatYaml({ apiVersion, kind, metadata, ...rest });
}
