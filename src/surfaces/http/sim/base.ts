/**
 * Summarises dropped entries of a trace: the last write of each remaining object, and the last process changes. Undelivered changes count
 * as delivered.
 */
import type { Entry } from '../../../lab/trace/index.ts';

export interface Base {
  add(entry: Entry): void;
  /** The entries by id, the oldest first. */
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
      // Process entries come last, because their lists contain every object.
      return [...[...writes.values()].sort((a, b) => a.id - b.id), ...reported];
    },
  };
}

function upToDate(entry: Entry, revision: number): Entry {
  if (entry.type !== 'process') return entry;
  const { lists, ...turn } = entry;
  return { ...turn, causes: [], ...(lists === undefined ? {} : { lists: { ...lists, revision } }) };
}
