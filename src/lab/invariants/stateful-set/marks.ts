/**
 * A set of marked ordinals: the number below an ordinal, and the next that is marked or not. Each operation takes time logarithmic in the
 * highest ordinal, however many are marked.
 */
export type Marks = ReturnType<typeof createMarks>;

export function createMarks() {
  /** Level n counts the marks in each block of 2^n ordinals; the last level has one block with all of them. */
  const levels: number[][] = [[]];
  const sizes = [1];
  const sizeOf = (level: number): number => sizes[level] ?? Infinity;
  const count = (level: number, block: number): number => levels[level]?.[block] ?? 0;
  const top = (): number => levels.length - 1;
  const add = (ordinal: number, by: number): void => {
    while (ordinal >= sizeOf(top())) {
      sizes.push(2 * sizeOf(top()));
      levels.push([count(top(), 0)]);
    }
    for (let level = 0; level < levels.length; level++) {
      const block = Math.floor(ordinal / sizeOf(level));
      const blocks = levels[level];
      if (blocks !== undefined) blocks[block] = (blocks[block] ?? 0) + by;
    }
  };
  /** Returns the first matching ordinal from one on; `has`: whether a block contains a match. Undefined: there is none. */
  const find = (from: number, has: (level: number, block: number) => boolean): number | undefined => {
    let level = 0;
    let block = from;
    while (!has(level, block)) {
      block++;
      while (block % 2 === 0 && level < top()) {
        block /= 2;
        level++;
      }
      if (block * sizeOf(level) >= sizeOf(top())) return undefined;
    }
    while (level > 0) {
      level--;
      block *= 2;
      if (!has(level, block)) block++;
    }
    return block;
  };
  return {
    set(ordinal: number, marked: boolean): void {
      if (marked !== count(0, ordinal) > 0) add(ordinal, marked ? 1 : -1);
    },
    below(ordinal: number): number {
      if (ordinal >= sizeOf(top())) return count(top(), 0);
      let marks = 0;
      for (let level = 0; level < top(); level++) {
        const block = Math.floor(ordinal / sizeOf(level));
        if (block % 2 === 1) marks += count(level, block - 1);
      }
      return marks;
    },
    firstFrom: (ordinal: number): number | undefined => find(ordinal, (level, block) => count(level, block) > 0),
    firstFree: (): number => find(0, (level, block) => count(level, block) < sizeOf(level)) ?? sizeOf(top()),
  };
}
