/** A binary heap that returns the least item first. Items can be removed by identity. Models: v1.24 pkg/scheduler/internal/heap. */
export class Heap<T extends object> {
  private readonly items: T[] = [];
  private readonly places = new Map<T, number>();
  private readonly less: (a: T, b: T) => boolean;

  /** `less` must be a strict total order, so that equal runs return items in the same order. */
  constructor(less: (a: T, b: T) => boolean) {
    this.less = less;
  }

  get size(): number {
    return this.items.length;
  }

  peek(): T | undefined {
    return this.items[0];
  }

  push(item: T): void {
    if (!this.places.has(item)) this.rise(item, this.items.length);
  }

  pop(): T | undefined {
    const [first] = this.items;
    if (first !== undefined) this.remove(first);
    return first;
  }

  remove(item: T): boolean {
    const at = this.places.get(item);
    if (at === undefined) return false;
    this.places.delete(item);
    const last = this.items.pop();
    if (last !== undefined && last !== item) {
      const parent = this.items[(at - 1) >> 1];
      if (at > 0 && parent !== undefined && this.less(last, parent)) this.rise(last, at);
      else this.sink(last, at);
    }
    return true;
  }

  private put(item: T, at: number): void {
    this.items[at] = item;
    this.places.set(item, at);
  }

  private rise(item: T, from: number): void {
    let at = from;
    while (at > 0) {
      const parentAt = (at - 1) >> 1;
      const parent = this.items[parentAt];
      if (parent === undefined || !this.less(item, parent)) break;
      this.put(parent, at);
      at = parentAt;
    }
    this.put(item, at);
  }

  private sink(item: T, from: number): void {
    let at = from;
    for (;;) {
      let childAt = 2 * at + 1;
      let child = this.items[childAt];
      if (child === undefined) break;
      const right = this.items[childAt + 1];
      if (right !== undefined && this.less(right, child)) {
        child = right;
        childAt++;
      }
      if (!this.less(child, item)) break;
      this.put(child, at);
      at = childAt;
    }
    this.put(item, at);
  }
}
