/** What becomes of a LimitRange on its way in. */
import { type Draft, currentOf } from '../../machinery/index.ts';
import type { LimitRangeItem } from './shape.ts';

/** A container's limit is its default: its maximum where nobody says otherwise; what it requests is its limit, or the minimum. */
export function complete(draft: Draft<LimitRangeItem>): void {
  if (draft.type !== 'Container') return;
  const item = currentOf<LimitRangeItem>(draft);
  const limit = { ...item.max, ...item.default };
  const request = { ...item.min, ...limit, ...item.defaultRequest };
  if (Object.keys(limit).length > 0) draft.default = limit;
  if (Object.keys(request).length > 0) draft.defaultRequest = request;
}
