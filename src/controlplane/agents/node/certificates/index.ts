/**
 * Certificates of an agent: who signs them, as data (`signers.ts`), and how it asks for them and keeps them (`keeper.ts`). There only where
 * a scenario or a flag speaks of them.
 */
export { certificateKeeper, type Folder, isGood } from './keeper.ts';
