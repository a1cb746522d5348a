/** The published types cover only the main entry of the package. */
declare module 'seedrandom/lib/alea.js' {
  interface Draw {
    (): number;
    int32(): number;
    quick(): number;
    state(): unknown;
  }
  export default function alea(seed: string, options?: { state?: boolean | object }): Draw;
}
