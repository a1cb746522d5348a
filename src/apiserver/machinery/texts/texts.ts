/** Descriptions of structs and fields, by the struct's name as errors print it; `''` is the struct itself. */
export type Texts = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Some conditions also have the time of their last check. */
export const LAST_PROBE = { lastProbeTime: 'When the condition was last checked.' };

/** Returns the descriptions of a condition of any kind. */
export const conditionTexts = (about: string, types: string): Readonly<Record<string, string>> => ({
  '': about,
  type: `The aspect: ${types}. One condition for each type.`,
  status: 'True, False or Unknown.',
  reason: 'The reason as one word in CamelCase, for programs.',
  message: 'The reason as a sentence.',
  lastTransitionTime: 'When the status last changed from one value to another.',
});
