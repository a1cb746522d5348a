/** Discovery rows that do not come from kinds: reviews, stub resources, unsupported sub-resources, other versions. */
import { perObject } from '../../engine/memo.ts';
import type { KindRegistry } from '../../apiserver/kinds/index.ts';
import type { ExtraRow } from './discovery/resource-list.ts';
import type { Backend } from './backend.ts';
import { metricsRows } from './metrics-api/index.ts';
import { stubRows } from './stub-resources.ts';
import { unsupportedRows } from './methods.ts';
import { reviewRows } from './reviews/index.ts';
import { otherRows } from './versions/index.ts';

/** Returns all extra rows of a server at the moment. */
export const rowsOf = (backend: Backend): readonly ExtraRow[] => [...rowsBesideKinds(backend.kinds), ...metricsRows(backend)];

/** All servers of a domain share their registry. */
const rowsBesideKinds = perObject((kinds: KindRegistry): readonly ExtraRow[] => [
  ...reviewRows(kinds.names),
  ...stubRows(kinds.names),
  ...unsupportedRows(kinds.names),
  ...otherRows(kinds),
]);
