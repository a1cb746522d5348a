/** The launcher delays V8's optimisation for short runs (`bin/kept.js`). A long run takes a tenth more processor time with it. */
const KEY = Symbol.for('orchsim.endTuning');

/** Lets V8 optimise as it does by default, if the launcher has delayed it. */
export function endTuning(): void {
  (Reflect.get(globalThis, KEY) as (() => void) | undefined)?.();
}
