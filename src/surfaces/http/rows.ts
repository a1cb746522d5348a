/** Rows of discovery that no kind has: reviews, hollow resources, sub-resources answered elsewhere. */
import type { Names } from '../../cluster/api/index.ts';
import type { ExtraRow } from './discovery/index.ts';
import { hollowRows } from './hollow.ts';
import { elsewhereRows } from './resources.ts';
import { reviewRows } from './reviews/index.ts';

export const rowsBesideKinds = (names: Names): readonly ExtraRow[] => [...reviewRows(names), ...hollowRows(names), ...elsewhereRows(names)];
