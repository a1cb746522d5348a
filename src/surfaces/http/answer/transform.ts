/** Objects as a table, or only their metadata. Models: pkg/endpoints/handlers/response.go, pkg/registry/rest/table.go. */
import { ageColumn, column, createdAtColumn, nameColumn } from '../../../apiserver/machinery/index.ts';
import type { ApiObject, Kind, KindContext } from '../../../apiserver/machinery/index.ts';
import type { ObjectList } from '../../../apiserver/request/index.ts';
import type { Backend } from '../backend.ts';
import { badRequest, unlike } from '../refusals.ts';
import type { Format } from '../request/accept.ts';
import { firstOf, type Query } from '../request/query.ts';
import type { OtherVersion } from '../versions/index.ts';
import { kindFirst, withoutType } from './encode.ts';

/** A stored or computed list. Its metadata is written unchanged. */
export type Listed = Omit<ObjectList, 'metadata'> & { readonly metadata: object };

type Include = 'Metadata' | 'Object' | 'None';

export interface Transform {
  readonly kind: Pick<Kind, 'kind' | 'groupPrefix' | 'columns' | 'unstructured'>;
  readonly format: Format;
  readonly include: Include;
  readonly context: KindContext;
  /** The version of the answer, if it is not the kind's own. */
  readonly other?: Pick<OtherVersion, 'apiVersion' | 'read'> | undefined;
}

export const isInclude = (value: string | undefined): value is Include | '' | undefined =>
  value === undefined || ['', 'Metadata', 'Object', 'None'].includes(value);

/** Returns what the rows of a table include of their objects. */
function includeOf(query: Query): Include {
  const value = firstOf(query, 'includeObject');
  if (isInclude(value)) return value === undefined || value === '' ? 'Metadata' : value;
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(value)}: must be 'Metadata', 'Object', 'None', or empty`,
  );
}

export const transformFor = (backend: Backend, query: Query, format: Format, kind: Transform['kind'], other?: OtherVersion): Transform => ({
  kind,
  format,
  other,
  include: format.as === 'Table' ? includeOf(query) : 'Metadata',
  context: { names: backend.names, gates: backend.gates, now: backend.now() },
});

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

export function listAs(list: Listed, transform: Transform): unknown {
  const { format, other } = transform;
  const { unstructured } = transform.kind;
  switch (format.as) {
    case undefined:
      return {
        kind: list.kind,
        apiVersion: other?.apiVersion ?? list.apiVersion,
        metadata: unstructured === true ? { continue: '', ...list.metadata } : list.metadata,
        items: list.items.map((item) => {
          const read = other === undefined ? item : other.read(item);
          return unstructured === true ? kindFirst(read) : withoutType(read);
        }),
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

/** The internal Go type, as errors print it. */
const goType = ({ groupPrefix, kind }: Transform['kind']): string =>
  `*${groupPrefix === '' ? 'core' : (groupPrefix.split('.')[0] ?? '')}.${kind}`;

const partial = ({ metadata }: ApiObject, format: Format) => ({
  kind: 'PartialObjectMetadata',
  apiVersion: format.asVersion ?? 'meta.k8s.io/v1',
  metadata,
});

/** Columns of Scale, the kind that the sub-resource answers with. */
const SCALE: Kind['columns'] = [
  nameColumn,
  column('Desired', 'integer', 'Desired replicas.', (scale) => replicasOf(scale['spec'])),
  column('Available', 'integer', 'Current replicas.', (scale) => replicasOf(scale['status'])),
  ageColumn,
];
const replicasOf = (part: unknown): unknown => (typeof part === 'object' && part !== null && 'replicas' in part ? part.replicas : 0);

const columnsOf = (kind: Transform['kind'], object: ApiObject | undefined): Kind['columns'] =>
  object === undefined || object.kind === kind.kind ? kind.columns : object.kind === 'Scale' ? SCALE : [nameColumn, ageColumn];

/** Kinds without a printer get rows one by one; an empty table of them has no list of rows. Models: pkg/registry/rest table.go. */
const rowsOf = (kind: Transform['kind'], rows: readonly object[]): readonly object[] | null =>
  rows.length === 0 && kind.columns.some(({ name }) => name === createdAtColumn.name) ? null : rows;

function table(items: readonly ApiObject[], metadata: object, { kind, format, include, context, other }: Transform): object {
  const columns = columnsOf(kind, items[0]);
  return {
    kind: 'Table',
    apiVersion: format.asVersion,
    metadata,
    columnDefinitions: columns.map(({ name, type, format = '', description = '', priority }) => ({
      name,
      type,
      format,
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

/** Returns a table without its columns: a watcher gets them with the first event only. */
export const withoutColumns = (made: unknown): unknown =>
  typeof made === 'object' && made !== null && 'columnDefinitions' in made ? { ...made, columnDefinitions: null } : made;
