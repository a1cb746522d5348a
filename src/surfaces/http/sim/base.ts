/**
 * What entries that are kept no more came to: the last write of each object that is left, and what each process was last told to do. What
 * was on its way to a cache then counts as delivered.
 */
import type { Entry } from '../../../lab/trace/index.ts';

export interface Base {
  add(entry: Entry): void;
  /** By identity, the oldest first. */
  entries(): readonly Entry[];
}

export function createBase(): Base {
  const writes = new Map<string, Entry>();
  const turns = new Map<string, Entry[]>();
  let revision = 0;
  return {
    add(entry) {
      if (entry.type === 'write') {
        const { kind, key, type } = entry.change;
        ({ revision } = entry.change);
        if (type === 'DELETED') writes.delete(`${kind} ${key}`);
        else {
          const { previous: _, ...change } = entry.change;
          writes.set(`${kind} ${key}`, { ...entry, causes: [], change: { ...change, type: 'ADDED' } });
        }
      } else if (entry.type === 'process') {
        const before = entry.what === 'leads' ? (turns.get(entry.process) ?? []) : [];
        turns.set(entry.process, [...before, entry]);
      }
    },
    entries() {
      const reported = [...turns.values()].flat().map((entry) => upToDate(entry, revision));
      // Turns come last: their lists are of everything that is there.
      return [...[...writes.values()].sort((a, b) => a.id - b.id), ...reported];
    },
  };
}

function upToDate(entry: Entry, revision: number): Entry {
  if (entry.type !== 'process') return entry;
  const { lists, ...turn } = entry;
  return { ...turn, causes: [], ...(lists === undefined ? {} : { lists: { ...lists, revision } }) };
}
