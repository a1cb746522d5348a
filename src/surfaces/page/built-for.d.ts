/**
 * Set by the build: true for the page with the engine, false for the page of recordings, which leaves out the parts that need an engine.
 */
declare const BUILT_WITH_ENGINE: boolean;
