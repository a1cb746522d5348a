/** Rows of discovery that no kind has: reviews, hollow resources, sub-resources answered elsewhere, other versions. */
import type { KindRegistry } from '../../apiserver/kinds/index.ts';
import type { ExtraRow } from './discovery/resource-list.ts';
import { hollowRows } from './hollow.ts';
import { elsewhereRows } from './methods.ts';
import { reviewRows } from './reviews/index.ts';
import { otherRows } from './versions/index.ts';

export const rowsBesideKinds = (kinds: KindRegistry): readonly ExtraRow[] => [
  ...reviewRows(kinds.names),
  ...hollowRows(kinds.names),
  ...elsewhereRows(kinds.names),
  ...otherRows(kinds),
];
