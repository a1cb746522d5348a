/** Shipped scenarios, which the build packs: a window of more than 32 KB makes them a fifth smaller than the compression of servers. */
import { decompress } from 'fzstd';
import { bytesOf } from './engine.ts';
import type { CarriedScenario, PageData } from './protocol.ts';

/** Returns the data of the page with the packed scenarios after the others. */
export function unpacked(data: PageData): PageData {
  if (data.shipped === undefined) return data;
  const { shipped, ...rest } = data;
  // The build packed them, so their type is known.
  const scenarios = JSON.parse(new TextDecoder().decode(decompress(bytesOf(shipped)))) as readonly CarriedScenario[];
  return { ...rest, scenarios: [...data.scenarios, ...scenarios] };
}
