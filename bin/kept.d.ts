/** Types for the compiler, which does not read JavaScript here. */
interface Found {
  readonly path: string;
  readonly code: string;
}
export declare const soonOver: readonly string[];
export declare function isSoonOver(words: readonly string[]): boolean;
export declare function tune(): void;
export declare function found(folder: string): Found | undefined;
export declare function compiled(there: Found, cachedData: Uint8Array | undefined): object | undefined;
export declare function start(script: object, there: Found): void;
export declare function kept(folder: string): (() => void) | undefined;
export const about: readonly string[];
export function isAbout(words: readonly string[]): boolean;
export function answering(folder: string): (() => void) | undefined;
