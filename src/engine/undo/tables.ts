/**
 * Maps and sets whose every change can be undone: native ones that note their changes. A key that comes back when its removal is undone is
 * the last of a native table, so a table from which keys were removed numbers its keys, and puts them in order before it is iterated over.
 */
import { ABSENT, isUnnoted, noteTable, noteWeak, recording, serial, type Table } from './log.ts';

/** A key that an undone or redone change adds: its value, and its number if the table has numbers. */
class Place {
  readonly value: unknown;
  readonly number: number | undefined;
  constructor(value: unknown, number: number | undefined) {
    this.value = value;
    this.number = number;
  }
}

/** The numbers of the keys of a table; a key that is added has the highest. */
class Order<K> {
  readonly numbers = new Map<K, number>();
  next = 0;
  /** Whether a key has come back, and may not be in its place. */
  isBroken = false;
  constructor(keys: Iterable<K>) {
    for (const key of keys) this.numbers.set(key, this.next++);
  }
  add(key: K, number = this.next++): void {
    this.numbers.set(key, number);
  }
  /** The number of a key, which it loses. */
  remove(key: K): number | undefined {
    const number = this.numbers.get(key);
    this.numbers.delete(key);
    return number;
  }
  sorted(): K[] {
    this.isBroken = false;
    return [...this.numbers].sort(([, one], [, other]) => one - other).map(([key]) => key);
  }
}

export class UndoableMap<K, V> extends Map<K, V> implements Table {
  /** What was made while a log is written need not be noted in it. */
  declare readonly madeIn: number;
  declare order: Order<K> | undefined;
  constructor(entries?: Iterable<readonly [K, V]> | null) {
    super();
    this.madeIn = serial;
    this.order = undefined;
    for (const [key, value] of entries ?? []) super.set(key, value);
  }
  override set(key: K, value: V): this {
    if (recording || this.order !== undefined) this.#beforeSet(key, value);
    return super.set(key, value);
  }
  #beforeSet(key: K, value: V): void {
    const before = super.get(key);
    const isNew = before === undefined && !super.has(key);
    if (isUnnoted(this.madeIn) && (isNew || before !== value)) noteTable(this, key, isNew ? ABSENT : before);
    if (isNew) this.order?.add(key);
  }
  override delete(key: K): boolean {
    if ((recording || this.order !== undefined) && super.has(key)) {
      const isNoted = isUnnoted(this.madeIn);
      if (isNoted) this.order ??= new Order(super.keys());
      const number = this.order?.remove(key);
      if (isNoted) noteTable(this, key, new Place(super.get(key), number));
    }
    return super.delete(key);
  }
  override clear(): void {
    if (!recording && this.order === undefined) super.clear();
    else for (const key of [...this.keys()].reverse()) this.delete(key);
  }
  exchange(key: K, other: unknown): unknown {
    if (other instanceof Place) {
      super.set(key, other.value as V);
      this.order?.add(key, other.number);
      if (this.order !== undefined) this.order.isBroken = true;
      return ABSENT;
    }
    const before = super.get(key);
    if (other !== ABSENT) {
      super.set(key, other as V);
      return before;
    }
    super.delete(key);
    return new Place(before, this.order?.remove(key));
  }
  /** Puts the keys in order. */
  #mend(): void {
    const values = this.order?.sorted().map((key) => [key, super.get(key) as V] as const);
    super.clear();
    for (const [key, value] of values ?? []) super.set(key, value);
  }
  override keys(): MapIterator<K> {
    if (this.order?.isBroken === true) this.#mend();
    return super.keys();
  }
  override values(): MapIterator<V> {
    if (this.order?.isBroken === true) this.#mend();
    return super.values();
  }
  override entries(): MapIterator<[K, V]> {
    if (this.order?.isBroken === true) this.#mend();
    return super.entries();
  }
  override [Symbol.iterator](): MapIterator<[K, V]> {
    return this.entries();
  }
  override forEach(visit: (value: V, key: K, map: Map<K, V>) => void): void {
    if (this.order?.isBroken === true) this.#mend();
    super.forEach(visit);
  }
}

export class UndoableSet<T> extends Set<T> implements Table {
  declare readonly madeIn: number;
  declare order: Order<T> | undefined;
  constructor(items?: Iterable<T> | null) {
    super();
    this.madeIn = serial;
    this.order = undefined;
    for (const each of items ?? []) super.add(each);
  }
  override add(value: T): this {
    if ((recording || this.order !== undefined) && !super.has(value)) {
      if (isUnnoted(this.madeIn)) noteTable(this, value, ABSENT);
      this.order?.add(value);
    }
    return super.add(value);
  }
  override delete(value: T): boolean {
    if ((recording || this.order !== undefined) && super.has(value)) {
      const isNoted = isUnnoted(this.madeIn);
      if (isNoted) this.order ??= new Order(super.keys());
      const number = this.order?.remove(value);
      if (isNoted) noteTable(this, value, new Place(undefined, number));
    }
    return super.delete(value);
  }
  override clear(): void {
    if (!recording && this.order === undefined) super.clear();
    else for (const each of [...this.values()].reverse()) this.delete(each);
  }
  exchange(value: T, other: unknown): unknown {
    if (other instanceof Place) {
      super.add(value);
      this.order?.add(value, other.number);
      if (this.order !== undefined) this.order.isBroken = true;
      return ABSENT;
    }
    super.delete(value);
    return new Place(undefined, this.order?.remove(value));
  }
  #mend(): void {
    const values = this.order?.sorted() ?? [];
    super.clear();
    for (const each of values) super.add(each);
  }
  override keys(): SetIterator<T> {
    return this.values();
  }
  override values(): SetIterator<T> {
    if (this.order?.isBroken === true) this.#mend();
    return super.values();
  }
  override entries(): SetIterator<[T, T]> {
    if (this.order?.isBroken === true) this.#mend();
    return super.entries();
  }
  override [Symbol.iterator](): SetIterator<T> {
    return this.values();
  }
  override forEach(visit: (value: T, key: T, set: Set<T>) => void): void {
    if (this.order?.isBroken === true) this.#mend();
    super.forEach(visit);
  }
}

export class UndoableWeakMap<K extends object, V> extends WeakMap<K, V> {
  constructor(entries?: readonly (readonly [K, V])[] | null) {
    super();
    for (const [key, value] of entries ?? []) super.set(key, value);
  }
  override set(key: K, value: V): this {
    noteWeak(this, key);
    return super.set(key, value);
  }
  override delete(key: K): boolean {
    noteWeak(this, key);
    return super.delete(key);
  }
}

export class UndoableWeakSet<K extends object> extends WeakSet<K> {
  readonly #keys = new UndoableWeakMap<K, true>();
  override has(key: K): boolean {
    return this.#keys.has(key);
  }
  override add(key: K): this {
    this.#keys.set(key, true);
    return this;
  }
  override delete(key: K): boolean {
    return this.#keys.delete(key);
  }
}
