/**
 * Objects as something else: a table of printed columns, or only their metadata. Models: apiserver pkg/endpoints/handlers/response.go,
 * pkg/registry/rest/table.go.
 */
import { ageColumn, createdAtColumn, nameColumn, type ApiObject, type Kind, type KindContext } from '../../../apiserver/machinery/index.ts';
import type { ObjectList } from '../../../apiserver/request/index.ts';
import { badRequest, unlike } from '../refusals.ts';
import type { Format } from '../request/accept.ts';
import { firstOf, type Query } from '../request/query.ts';
import type { OtherVersion } from '../versions/index.ts';
import { kindFirst, withoutType } from './encode.ts';

/** A list, stored or made up: what its metadata says is told as it is. */
export type Listed = Omit<ObjectList, 'metadata'> & { readonly metadata: object };

export type Include = 'Metadata' | 'Object' | 'None';

export interface Transform {
  readonly kind: Pick<Kind, 'kind' | 'groupPrefix' | 'columns' | 'unstructured'>;
  readonly format: Format;
  readonly include: Include;
  readonly context: KindContext;
  /** The version to write objects in, where it is not the kind's own. */
  readonly other?: Pick<OtherVersion, 'apiVersion' | 'read'>;
}

export const isInclude = (value: string | undefined): value is Include | '' | undefined =>
  value === undefined || ['', 'Metadata', 'Object', 'None'].includes(value);

/** What rows of a table carry of their object. */
export function includeOf(query: Query): Include {
  const value = firstOf(query, 'includeObject');
  if (isInclude(value)) return value === undefined || value === '' ? 'Metadata' : value;
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(value)}: must be 'Metadata', 'Object', 'None', or empty`,
  );
}

/** One object as it was asked for. */
export function objectAs(object: ApiObject, transform: Transform): unknown {
  switch (transform.format.as) {
    case undefined:
      return kindFirst(transform.other === undefined ? object : transform.other.read(object));
    case 'Table':
      return table([object], { resourceVersion: object.metadata.resourceVersion }, transform);
    case 'PartialObjectMetadata':
      return partial(object, transform.format);
    case 'PartialObjectMetadataList':
      throw unlike(`you requested PartialObjectMetadataList, but the requested object is not a list (${goType(transform.kind)})`);
  }
}

/** A list as it was asked for. */
export function listAs(list: Listed, transform: Transform): unknown {
  const {
    format,
    other,
    kind: { unstructured },
  } = transform;
  switch (format.as) {
    case undefined:
      return {
        kind: list.kind,
        apiVersion: other?.apiVersion ?? list.apiVersion,
        metadata: unstructured === true ? { continue: '', ...list.metadata } : list.metadata,
        items: list.items.map(unstructured === true ? kindFirst : (item) => withoutType(other === undefined ? item : other.read(item))),
      };
    case 'Table':
      return table(list.items, list.metadata, transform);
    case 'PartialObjectMetadata':
      throw unlike(`you requested PartialObjectMetadata, but the requested object is a list (${goType(transform.kind)}List)`);
    case 'PartialObjectMetadataList':
      return {
        kind: 'PartialObjectMetadataList',
        apiVersion: format.asVersion,
        metadata: list.metadata,
        items: list.items.map((item) => partial(item, format)),
      };
  }
}

/** The internal type, as errors print it. */
const goType = ({ groupPrefix, kind }: Transform['kind']): string =>
  `*${groupPrefix === '' ? 'core' : (groupPrefix.split('.')[0] ?? '')}.${kind}`;

const partial = ({ metadata }: ApiObject, format: Format) => ({
  kind: 'PartialObjectMetadata',
  apiVersion: format.asVersion ?? 'meta.k8s.io/v1',
  metadata,
});

/** What a sub-resource answers is of a kind of its own, with columns of its own. */
const SCALE: Kind['columns'] = [
  nameColumn,
  { name: 'Desired', type: 'integer', description: 'Replicas that are wanted.', priority: 0, cell: (scale) => replicasOf(scale['spec']) },
  {
    name: 'Available',
    type: 'integer',
    description: 'Replicas that there are.',
    priority: 0,
    cell: (scale) => replicasOf(scale['status']),
  },
  ageColumn,
];
const replicasOf = (part: unknown): unknown => (typeof part === 'object' && part !== null && 'replicas' in part ? part.replicas : 0);

const columnsOf = (kind: Transform['kind'], object: ApiObject | undefined): Kind['columns'] =>
  object === undefined || object.kind === kind.kind ? kind.columns : object.kind === 'Scale' ? SCALE : [nameColumn, ageColumn];

/**
 * Kinds that nobody wrote a printer for get rows one by one, and where there is none, no list either. Models: apiserver pkg/registry/rest
 * table.go.
 */
const rowsOf = (kind: Transform['kind'], rows: readonly object[]): readonly object[] | null =>
  rows.length === 0 && kind.columns.some(({ name }) => name === createdAtColumn.name) ? null : rows;

function table(items: readonly ApiObject[], metadata: object, { kind, format, include, context, other }: Transform): object {
  const columns = columnsOf(kind, items[0]);
  return {
    kind: 'Table',
    apiVersion: format.asVersion,
    metadata,
    columnDefinitions: columns.map(({ name, type, format: shape = '', description = '', priority }) => ({
      name,
      type,
      format: shape,
      description,
      priority,
    })),
    rows: rowsOf(
      kind,
      items.map((item) => ({
        cells: columns.map((column) => column.cell(item, context)),
        object: include === 'None' ? null : include === 'Object' ? (other === undefined ? item : other.read(item)) : partial(item, format),
      })),
    ),
  };
}

/** The same table without its columns, which a watcher has from the first event. */
export function withoutColumns(made: unknown): unknown {
  return typeof made === 'object' && made !== null && 'columnDefinitions' in made ? { ...made, columnDefinitions: null } : made;
}
