/** What controllers keep: sets by key, members by the time since when they are ready. */
import { placeAmong } from '../../schema/values/index.ts';

interface Members<M> {
  readonly size: number;
  add(member: M): unknown;
  delete(member: M): boolean;
}

/** Members by the time since when they are ready, milliseconds; Infinity: unknown. A query visits only those that became ready lately. */
export class Timeline<M, S extends Members<M>> {
  size = 0;
  readonly byTime = new Map<number, S>();
  /** In ascending order; pods become ready in order of time, so new entries nearly always go to the end. */
  readonly #times: number[] = [];
  readonly #empty: () => S;

  constructor(empty: () => S) {
    this.#empty = empty;
  }
  add(member: M, since: number): void {
    let members = this.byTime.get(since);
    if (members === undefined) {
      this.byTime.set(since, (members = this.#empty()));
      this.#times.splice(placeAmong(this.#times, since), 0, since);
    }
    members.add(member);
    this.size++;
  }
  remove(member: M, since: number): void {
    const members = this.byTime.get(since);
    if (members?.delete(member) !== true) return;
    this.size--;
    if (members.size > 0) return;
    this.byTime.delete(since);
    this.#times.splice(placeAmong(this.#times, since), 1);
  }
  /** Those that became ready before an instant, the earliest first; undefined: all. */
  *before(instant: number | undefined): Generator<S> {
    const end = instant === undefined ? this.#times.length : placeAmong(this.#times, instant);
    for (let at = 0; at < end; at++) yield this.#membersAt(at);
  }
  /** Those that became ready at an instant or later; undefined: none. */
  *since(instant: number | undefined): Generator<S> {
    if (instant === undefined) return;
    for (let at = placeAmong(this.#times, instant); at < this.#times.length; at++) yield this.#membersAt(at);
  }
  /** The first time at an instant or later. */
  firstSince(instant: number): number | undefined {
    return this.#times[placeAmong(this.#times, instant)];
  }
  #membersAt(at: number): S {
    return this.byTime.get(this.#times[at] ?? 0) ?? this.#empty();
  }
}
