/**
 * Maps and sets whose every change can be undone, in place of the native ones, whose order of insertion cannot be restored after a delete.
 * A native map finds the cell of a key; the cells are chained in their order.
 */
import { noteCell, noteField, noteWeak, recording, serial, type Chain } from './log.ts';

interface Cell<K, V> {
  readonly key: K;
  value: V;
  before: Cell<K, V> | undefined;
  after: Cell<K, V> | undefined;
  linked: boolean;
}

/** The cells of a table. The first and the last have no neighbour on one side. */
class Cells<K, V> implements Chain {
  readonly byKey = new Map<K, Cell<K, V>>();
  first: Cell<K, V> | undefined = undefined;
  last: Cell<K, V> | undefined = undefined;
  /** What was made while a log is written need not be noted in it. */
  readonly #madeIn = serial;

  set(key: K, value: V): void {
    const known = this.byKey.get(key);
    if (known === undefined) {
      const cell: Cell<K, V> = { key, value, before: this.last, after: undefined, linked: false };
      if (this.#isNoted()) noteCell(this, cell, true);
      this.link(cell);
    } else if (known.value !== value) {
      if (this.#isNoted()) noteField(known, 'value');
      known.value = value;
    }
  }
  delete(key: K): boolean {
    const cell = this.byKey.get(key);
    if (cell === undefined) return false;
    if (this.#isNoted()) noteCell(this, cell, false);
    this.unlink(cell);
    return true;
  }
  clear(): void {
    while (this.last !== undefined) this.delete(this.last.key);
  }
  #isNoted(): boolean {
    return recording && this.#madeIn !== serial;
  }

  /** Puts a cell between its neighbours. */
  link(cell: Cell<K, V>): void {
    if (cell.before === undefined) this.first = cell;
    else cell.before.after = cell;
    if (cell.after === undefined) this.last = cell;
    else cell.after.before = cell;
    cell.linked = true;
    this.byKey.set(cell.key, cell);
  }
  /** Takes a cell from between its neighbours, which it keeps. */
  unlink(cell: Cell<K, V>): void {
    if (cell.before === undefined) this.first = cell.after;
    else cell.before.after = cell.after;
    if (cell.after === undefined) this.last = cell.before;
    else cell.after.before = cell.before;
    cell.linked = false;
    this.byKey.delete(cell.key);
  }
}

/** Iterates over a table, which may change meanwhile: a cell that was removed leads back to what stands before it. */
class Walk<K, V, T> implements IterableIterator<T, undefined> {
  readonly #cells: Cells<K, V>;
  readonly #read: (cell: Cell<K, V>) => T;
  #at: Cell<K, V> | undefined = undefined;
  #ended = false;
  constructor(cells: Cells<K, V>, read: (cell: Cell<K, V>) => T) {
    this.#cells = cells;
    this.#read = read;
  }
  [Symbol.iterator](): this {
    return this;
  }
  next(): IteratorResult<T, undefined> {
    let at = this.#at;
    while (at?.linked === false) at = at.before;
    const next = this.#ended ? undefined : at === undefined ? this.#cells.first : at.after;
    this.#ended = next === undefined;
    this.#at = next;
    return next === undefined ? { done: true, value: undefined } : { done: false, value: this.#read(next) };
  }
}

const keyOf = <K>({ key }: Cell<K, unknown>): K => key;
const valueOf = <V>({ value }: Cell<unknown, V>): V => value;
const pairOf = <K, V>({ key, value }: Cell<K, V>): [K, V] => [key, value];

/** The native map is only for `instanceof`. */
export class UndoableMap<K, V> extends Map<K, V> {
  readonly #cells = new Cells<K, V>();
  constructor(entries?: Iterable<readonly [K, V]> | null) {
    super();
    for (const [key, value] of entries ?? []) this.#cells.set(key, value);
  }
  override get size(): number {
    return this.#cells.byKey.size;
  }
  override has(key: K): boolean {
    return this.#cells.byKey.has(key);
  }
  override get(key: K): V | undefined {
    return this.#cells.byKey.get(key)?.value;
  }
  override set(key: K, value: V): this {
    this.#cells.set(key, value);
    return this;
  }
  override delete(key: K): boolean {
    return this.#cells.delete(key);
  }
  override clear(): void {
    this.#cells.clear();
  }
  override forEach(visit: (value: V, key: K, map: Map<K, V>) => void): void {
    for (const [key, value] of this.entries()) visit(value, key, this);
  }
  override keys(): IterableIterator<K, undefined> {
    return new Walk(this.#cells, keyOf<K>);
  }
  override values(): IterableIterator<V, undefined> {
    return new Walk(this.#cells, valueOf<V>);
  }
  override entries(): IterableIterator<[K, V], undefined> {
    return new Walk(this.#cells, pairOf<K, V>);
  }
  override [Symbol.iterator](): IterableIterator<[K, V], undefined> {
    return this.entries();
  }
}

/** The native set is only for `instanceof`. */
export class UndoableSet<T> extends Set<T> {
  readonly #cells = new Cells<T, T>();
  constructor(items?: Iterable<T> | null) {
    super();
    for (const each of items ?? []) this.#cells.set(each, each);
  }
  override get size(): number {
    return this.#cells.byKey.size;
  }
  override has(value: T): boolean {
    return this.#cells.byKey.has(value);
  }
  override add(value: T): this {
    this.#cells.set(value, value);
    return this;
  }
  override delete(value: T): boolean {
    return this.#cells.delete(value);
  }
  override clear(): void {
    this.#cells.clear();
  }
  override forEach(visit: (value: T, key: T, set: Set<T>) => void): void {
    for (const each of this.values()) visit(each, each, this);
  }
  override keys(): IterableIterator<T, undefined> {
    return this.values();
  }
  override values(): IterableIterator<T, undefined> {
    return new Walk(this.#cells, keyOf<T>);
  }
  override entries(): IterableIterator<[T, T], undefined> {
    return new Walk(this.#cells, pairOf<T, T>);
  }
  override [Symbol.iterator](): IterableIterator<T, undefined> {
    return this.values();
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
