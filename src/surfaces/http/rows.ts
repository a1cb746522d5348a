/** Discovery rows that do not come from kinds: reviews, stub resources, unsupported sub-resources, other versions. */
import type { KindRegistry } from '../../apiserver/kinds/index.ts';
import type { ExtraRow } from './discovery/resource-list.ts';
import type { Backend } from './backend.ts';
import { metricsRows } from './metrics-api/index.ts';
import { stubRows } from './stub-resources.ts';
import { unsupportedRows } from './methods.ts';
import { reviewRows } from './reviews/index.ts';
import { otherRows } from './versions/index.ts';

const made = new WeakMap<KindRegistry, readonly ExtraRow[]>();

/** Returns all extra rows of a server at the moment. */
export const rowsOf = (backend: Backend): readonly ExtraRow[] => [...rowsBesideKinds(backend.kinds), ...metricsRows(backend)];

/** These rows depend only on the kinds, so they are computed once for each registry, which all servers of a domain share. */
function rowsBesideKinds(kinds: KindRegistry): readonly ExtraRow[] {
  let rows = made.get(kinds);
  if (rows === undefined) {
    rows = [...reviewRows(kinds.names), ...stubRows(kinds.names), ...unsupportedRows(kinds.names), ...otherRows(kinds)];
    made.set(kinds, rows);
  }
  return rows;
}
