/**
 * Shipped scenarios, which the build packs: with a window of more than 32 KB they take a fifth less than what a server's compression makes
 * of them.
 */
import { decompress } from 'fzstd';
import { bytesOf } from './engine.ts';
import type { CarriedScenario, PageData } from './protocol.ts';

/** What the file carries, with its packed scenarios behind the others. */
export function unpacked(data: PageData): PageData {
  if (data.shipped === undefined) return data;
  const { shipped, ...rest } = data;
  // The build packed them.
  const scenarios = JSON.parse(new TextDecoder().decode(decompress(bytesOf(shipped)))) as readonly CarriedScenario[];
  return { ...rest, scenarios: [...data.scenarios, ...scenarios] };
}
