/** Rows of discovery that no kind has: reviews, hollow resources, sub-resources answered elsewhere, other versions. */
import type { KindRegistry } from '../../apiserver/kinds/index.ts';
import type { ExtraRow } from './discovery/resource-list.ts';
import type { Backend } from './backend.ts';
import { metricsRows } from './metrics-api/index.ts';
import { stubRows } from './stub-resources.ts';
import { elsewhereRows } from './methods.ts';
import { reviewRows } from './reviews/index.ts';
import { otherRows } from './versions/index.ts';

const made = new WeakMap<KindRegistry, readonly ExtraRow[]>();

/** All that a server has at the moment. */
export const rowsOf = (backend: Backend): readonly ExtraRow[] => [...rowsBesideKinds(backend.kinds), ...metricsRows(backend)];

/** They follow from the kinds: made once for a registry, which all servers of a domain share. */
function rowsBesideKinds(kinds: KindRegistry): readonly ExtraRow[] {
  let rows = made.get(kinds);
  if (rows === undefined) {
    rows = [...reviewRows(kinds.names), ...stubRows(kinds.names), ...elsewhereRows(kinds.names), ...otherRows(kinds)];
    made.set(kinds, rows);
  }
  return rows;
}
