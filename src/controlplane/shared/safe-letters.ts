/** Numbers as letters that form no words. Models: v1.24 apimachinery pkg/util/rand SafeEncodeString. */

/** Neither vowels nor digits that resemble them. */
const LETTERS = 'bcdfghjklmnpqrstvwxz2456789';
/** Replaces each character of a text by a safe letter. */
export const safeLetters = (text: string): string => [...text].map((char) => LETTERS[char.charCodeAt(0) % LETTERS.length]).join('');
