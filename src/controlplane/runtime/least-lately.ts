/**
 * A cache that forgets the entry that was used least lately. It has the two methods that are needed, for the size budget of the page, and
 * allocates nothing beforehand: thousands of components have one. A test compares it with `lru-cache`.
 */
export class LeastLately<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #most: number;
  /** The key that was used last: it is the newest already. */
  #last: K | undefined;

  constructor(most: number) {
    this.#most = most;
  }

  get(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined && key !== this.#last) this.#renew(key, value);
    return value;
  }

  set(key: K, value: V): this {
    if (key === this.#last) this.#entries.set(key, value);
    else this.#renew(key, value);
    if (this.#entries.size > this.#most) for (const oldest of this.#entries.keys()) return this.#without(oldest);
    return this;
  }

  #renew(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    this.#last = key;
  }

  #without(key: K): this {
    this.#entries.delete(key);
    return this;
  }
}
