/** What becomes of a LimitRange on its way in. */
import type { LimitRangeItem } from './shape.ts';

/** A container's limit is its default: its maximum where nobody says otherwise; what it requests is its limit, or the minimum. */
export function completed(item: LimitRangeItem): LimitRangeItem {
  if (item.type !== 'Container') return item;
  const limit = { ...item.max, ...item.default };
  const request = { ...item.min, ...limit, ...item.defaultRequest };
  return {
    ...item,
    ...(Object.keys(limit).length === 0 ? {} : { default: limit }),
    ...(Object.keys(request).length === 0 ? {} : { defaultRequest: request }),
  };
}
