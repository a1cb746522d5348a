/** Changes of LimitRanges before they are stored. */
import { type Draft, currentOf } from '../../machinery/index.ts';
import type { LimitRangeItem } from './shape.ts';

/** The default limit of a container is its maximum; the default request is the default limit, or the minimum. */
export function complete(draft: Draft<LimitRangeItem>): void {
  if (draft.type !== 'Container') return;
  const item = currentOf<LimitRangeItem>(draft);
  const limit = { ...item.max, ...item.default };
  const request = { ...item.min, ...limit, ...item.defaultRequest };
  if (Object.keys(limit).length > 0) draft.default = limit;
  if (Object.keys(request).length > 0) draft.defaultRequest = request;
}
